import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Program, postrider, type Settings, startProgram } from './postrider-process.ts';

/** The key of the tenant that the settings below make. */
export const KEY = 'key-of-the-first-tenant';
/** Nobody listens there; nothing of these tests is sent. */
export const NOWHERE = 'http://127.0.0.1:9';

export interface Serving extends Program {
  readonly url: string;
}

/** A folder for programs, which end with it: a test that fails half-way leaves nothing running. */
export class ProgramFolder {
  readonly #folder = mkdtempSync(join(tmpdir(), 'postrider-cli-'));
  readonly #running = new Set<Program>();
  /** Not made yet. */
  readonly data: string = join(this.#folder, 'data');
  readonly settings: Settings = {
    PORT: '0',
    MESSAGING_DATA_DIR: this.data,
    MESSAGING_NETWORK_URL: NOWHERE,
    MESSAGING_BOOTSTRAP_API_KEY: KEY,
    LOG_LEVEL: 'error',
  };

  start(file: string, args: readonly string[], settings: Settings): Program {
    const program = startProgram(file, args, settings);
    this.#running.add(program);
    void program.finished.then(() => this.#running.delete(program));
    return program;
  }

  /** The service, when it listens. */
  async serve(settings: Settings = this.settings): Promise<Serving> {
    const program = this.start(postrider, ['serve'], settings);
    const [, url = ''] = await program.printed(/listening on (\S+)/);
    return { ...program, url };
  }

  async close(): Promise<void> {
    for (const program of this.#running) program.child.kill('SIGKILL');
    await Promise.all([...this.#running].map((program) => program.finished));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** What anybody with a key may ask for. */
export function listMessages(url: string, key: string): Promise<Response> {
  return fetch(`${url}/v1/messages/outbound`, { headers: { authorization: `Bearer ${key}` } });
}
