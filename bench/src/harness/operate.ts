import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { HANGS_AFTER_MS } from './pause.ts';

const run = promisify(execFile);

export interface OperatedServer {
  /** The built `postrider`. */
  readonly program: string;
  readonly dataDir: string;
  /** Null: the embedded database. */
  readonly databaseUrl: string | null;
}

/**
 * Runs a command of the operator against a running server.
 * @returns the JSON that it prints @throws Error with what it said when it refuses
 */
export async function operate(
  { program, dataDir, databaseUrl }: OperatedServer,
  args: readonly string[],
): Promise<unknown> {
  const env = {
    PATH: process.env.PATH,
    MESSAGING_DATA_DIR: dataDir,
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
  };
  const { stdout } = await run(process.execPath, [program, ...args, '-o', 'json'], { env, timeout: HANGS_AFTER_MS });
  return stdout.trim() === '' ? null : JSON.parse(stdout);
}
