import { request } from 'undici';
import { HANGS_AFTER_MS } from './pause.ts';
import { AS_SHIPPED, type Program, startProgram } from './process.ts';
import { untilAnswering } from './simulator.ts';

/** Key of the tenant that every run sends as. */
export const API_KEY = 'bench-key-0123456789abcdef';
/** The number that the first tenant is given by its bootstrap. */
export const PHONE_NUMBER_ID = '100000000000001';

export interface ServerSpec {
  readonly program: string;
  readonly port: number;
  /** 0: no metrics. */
  readonly metricsPort: number;
  /** Null: the embedded database in `dataDir`. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  readonly networkUrl: string;
  readonly logFile: string;
  /** Called with a function that kills it immediately, before it is ready. */
  readonly spawned?: (kill: () => void) => void;
  /** Settings beside these. */
  readonly settings: Readonly<Record<string, string>>;
}

/** A running server. */
export interface Server extends Program {
  readonly url: string;
  /** Counters by `name{labels}`. */
  counters(): Promise<ReadonlyMap<string, number>>;
}

/** One key asks as fast as it can. */
const NO_RATES = { MESSAGING_API_RATE: '0', MESSAGING_API_TENANT_RATE: '0', MESSAGING_WRONG_KEY_RATE: '0' } as const;

/** Starts the service; resolves when its API can serve or, of a process without one, its metrics. */
export async function startServer(spec: ServerSpec): Promise<Server> {
  const url = `http://127.0.0.1:${spec.port}`;
  const program = await startProgram({
    name: 'The server',
    args: [spec.program, 'serve'],
    env: {
      PORT: String(spec.port),
      MESSAGING_METRICS_PORT: String(spec.metricsPort),
      MESSAGING_DATA_DIR: spec.dataDir,
      MESSAGING_NETWORK_URL: spec.networkUrl,
      MESSAGING_BOOTSTRAP_API_KEY: API_KEY,
      LOG_LEVEL: 'warn',
      ...AS_SHIPPED,
      ...NO_RATES,
      ...(spec.databaseUrl === null ? {} : { DATABASE_URL: spec.databaseUrl }),
      ...spec.settings,
    },
    logFile: spec.logFile,
    ...(spec.spawned ? { spawned: spec.spawned } : {}),
    ready: (exited) => untilAnswering(readyUrl(spec, url), HANGS_AFTER_MS, exited),
  });
  return { ...program, url, counters: () => readCounters(`http://127.0.0.1:${spec.metricsPort}/metrics`) };
}

function readyUrl(spec: ServerSpec, url: string): string {
  return hasApi(spec) ? `${url}/readyz` : `http://127.0.0.1:${spec.metricsPort}/metrics`;
}

function hasApi({ settings }: ServerSpec): boolean {
  return settings.MESSAGING_ROLES === undefined || settings.MESSAGING_ROLES.includes('api');
}

/** Reads the counters at an address, by `name{labels}`. */
export async function readCounters(url: string): Promise<ReadonlyMap<string, number>> {
  const answer = await request(url);
  return parseCounters(await answer.body.text());
}

/** Reads the text format of Prometheus: one `name{labels} value` per line. */
export function parseCounters(text: string): ReadonlyMap<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}
