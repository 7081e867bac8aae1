import { request } from 'undici';
import { HANGS_AFTER_MS, pollUntil } from './pause.ts';
import { type Program, startProgram } from './process.ts';

/** What the simulator signs callbacks with, and the server expects, unless they are told otherwise. */
export const APP_SECRET = 'simulator-app-secret';

/** The simulated network in its own process. */
export interface Simulator extends Program {
  readonly url: string;
  readonly ledgerFile: string;
  /** Calls one of its control endpoints. @throws Error when it refuses */
  control<T>(method: 'GET' | 'PUT' | 'POST', path: string, body?: unknown): Promise<T>;
}

export interface SimulatorSpec {
  readonly program: string;
  readonly port: number;
  readonly callbackUrl: string;
  readonly ledgerFile: string;
  readonly logFile: string;
  /** Messages per second and number; 0: no limit. */
  readonly numberRate: number;
}

export async function startSimulator(spec: SimulatorSpec): Promise<Simulator> {
  const url = `http://127.0.0.1:${spec.port}`;
  const program = await startProgram({
    name: 'The simulator',
    args: [spec.program, '--port', String(spec.port), '--ledger', spec.ledgerFile, '--callback-url', spec.callbackUrl],
    env: { MESSAGING_SIMULATOR_NUMBER_RATE: String(spec.numberRate), MESSAGING_SIMULATOR_PAIR_LIMIT: 'off' },
    logFile: spec.logFile,
    ready: (exited) => untilAnswering(`${url}/_sim/health`, HANGS_AFTER_MS, exited),
  });
  return {
    ...program,
    url,
    ledgerFile: spec.ledgerFile,
    control: (method, path, body) => control(url + path, method, body),
  };
}

/** Resolves when `url` answers 200. @throws Error when the process ended or the time is over */
export async function untilAnswering(url: string, timeoutMs: number, exited: () => boolean): Promise<void> {
  const answering = async (): Promise<boolean | null> => {
    if (exited()) return false;
    const answer = await request(url, { headersTimeout: 2_000 });
    await answer.body.dump();
    return answer.statusCode === 200 ? true : null;
  };
  const answers = await pollUntil({ what: `${url} does not answer`, everyMs: 10, timeoutMs, probe: answering });
  if (!answers) throw new Error('it ended at once');
}

async function control<T>(url: string, method: 'GET' | 'PUT' | 'POST', body: unknown): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const answer = await request(url, { method, ...(body !== undefined && { headers, body: JSON.stringify(body) }) });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${text.slice(0, 300)}`);
  return JSON.parse(text) as T;
}
