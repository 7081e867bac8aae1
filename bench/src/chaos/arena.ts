import { randomUUID } from 'node:crypto';
import { type OpenedDatabase, openDatabase } from '../harness/open-database.ts';
import type { Programs } from '../harness/paths.ts';
import { freePorts } from '../harness/ports.ts';
import type { Postgres } from '../harness/postgres.ts';
import type { Program } from '../harness/process.ts';
import { PHONE_NUMBER_ID, type Server, startServer } from '../harness/server.ts';
import { type Simulator, startSimulator } from '../harness/simulator.ts';
import type { DatabaseKind } from '../harness/stage.ts';
import type { Workspace } from '../harness/workspace.ts';
import { STATUS_DELAYS, type StatusDelays } from './plan.ts';

/** How long the server under test waits for a status before it repeats a send; short, to keep rounds short. */
export const UNKNOWN_WAIT_S = 4;

export interface ArenaSpec {
  readonly programs: Programs;
  readonly workspace: Workspace;
  readonly database: DatabaseKind;
  readonly postgres: Postgres | null;
  readonly statusDelays?: StatusDelays;
}

/** The processes of a chaos run. The network is never killed: its ledger is the judge. */
export class Arena {
  readonly database: DatabaseKind;
  readonly postgres: Postgres | null;
  readonly simulator: Simulator;
  readonly phoneNumberIds: readonly string[];
  readonly #parts: Parts;
  #server: Server;
  #second: Program | null;

  constructor(
    parts: Parts & { readonly simulator: Simulator; readonly server: Server; readonly second: Program | null },
  ) {
    this.#parts = parts;
    this.database = parts.spec.database;
    this.postgres = parts.spec.postgres;
    this.simulator = parts.simulator;
    this.phoneNumberIds = parts.phoneNumberIds;
    this.#server = parts.server;
    this.#second = parts.second;
  }

  get serverUrl(): string {
    return this.#server.url;
  }

  get server(): Program {
    return this.#server;
  }

  /** The second dispatcher; only on PostgreSQL. */
  get second(): Program | null {
    return this.#second;
  }

  /** Starts the server again after it was killed or stopped. @param spawned handed the way to kill it while it starts */
  async restartServer(spawned: (kill: () => void) => void = () => undefined): Promise<void> {
    this.#server = await startMain(this.#parts, spawned);
  }

  /** Starts what ended without having been killed. @returns what that was */
  async reviveCrashed(): Promise<readonly string[]> {
    const crashed: string[] = [];
    if (this.#server.isGone()) {
      crashed.push('The server');
      await this.restartServer();
    }
    if (this.#second?.isGone()) {
      crashed.push('The second dispatcher');
      await this.restartSecond();
    }
    return crashed;
  }

  async restartSecond(): Promise<void> {
    this.#second = await startSecond(this.#parts);
  }

  /** The database from outside. On the embedded one the server must be stopped. */
  open(): Promise<OpenedDatabase> {
    return openDatabase({ databaseUrl: this.#parts.databaseUrl, dataDir: this.#parts.dataDir });
  }

  async close(): Promise<void> {
    this.#second?.signal('SIGKILL');
    this.#server.signal('SIGKILL');
    await Promise.all([this.#second?.exited, this.#server.exited]);
    await this.simulator.stop();
  }
}

interface Parts {
  readonly spec: ArenaSpec;
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  readonly serverPort: number;
  readonly networkUrl: string;
  readonly phoneNumberIds: readonly string[];
}

const SETTINGS = {
  MESSAGING_NUMBER_RATE: '0',
  MESSAGING_PAIR_LIMIT: 'off',
  MESSAGING_UNKNOWN_WAIT_S: String(UNKNOWN_WAIT_S),
  MESSAGING_NETWORK_TIMEOUT_MS: '3000',
} as const;

export async function openArena(spec: ArenaSpec): Promise<Arena> {
  const { workspace, database, postgres, programs, statusDelays } = spec;
  const name = `postrider_chaos_${randomUUID().slice(0, 8)}`;
  const databaseUrl = database === 'pglite' ? null : ((await postgres?.createDatabase(name)) ?? null);
  const [serverPort = 0, simulatorPort = 0] = await freePorts(2);
  const base = `${workspace.folder}/${name}`;
  const simulator = await startSimulator({
    program: programs.simulator,
    port: simulatorPort,
    callbackUrl: `http://127.0.0.1:${serverPort}/webhooks/meta`,
    ledgerFile: `${base}-ledger.ndjson`,
    logFile: `${base}-simulator.log`,
    numberRate: 0,
  });
  workspace.onClose(() => simulator.stop());
  await simulator.control('PUT', '/_sim/config', statusDelays ?? STATUS_DELAYS);
  const parts: Parts = {
    spec,
    databaseUrl,
    dataDir: base,
    serverPort,
    networkUrl: simulator.url,
    phoneNumberIds: [PHONE_NUMBER_ID],
  };
  const server = await startMain(parts);
  if (databaseUrl === null) return registered(new Arena({ ...parts, simulator, server, second: null }), workspace);
  const phoneNumberIds = await addNumbers(await openDatabase({ databaseUrl, dataDir: base }));
  const second = await startSecond(parts);
  return registered(new Arena({ ...parts, phoneNumberIds, simulator, server, second }), workspace);
}

function registered(arena: Arena, workspace: Workspace): Arena {
  workspace.onClose(() => arena.close());
  return arena;
}

function startMain(
  { spec, databaseUrl, dataDir, serverPort, networkUrl }: Parts,
  spawned?: (kill: () => void) => void,
): Promise<Server> {
  return startServer({
    program: spec.programs.server,
    port: serverPort,
    metricsPort: 0,
    databaseUrl,
    dataDir,
    networkUrl,
    logFile: `${dataDir}-server.log`,
    settings: SETTINGS,
    ...(spawned ? { spawned } : {}),
  });
}

/** A dispatcher in a process of its own: the lanes are shared between it and the server. */
async function startSecond({ spec, databaseUrl, dataDir, networkUrl }: Parts): Promise<Program> {
  const [port = 0, metricsPort = 0] = await freePorts(2);
  return startServer({
    program: spec.programs.server,
    port,
    metricsPort,
    databaseUrl,
    dataDir: `${dataDir}-second`,
    networkUrl,
    logFile: `${dataDir}-second.log`,
    settings: { ...SETTINGS, MESSAGING_ROLES: 'dispatcher' },
  });
}

const MORE_NUMBERS = ['100000000000002', '100000000000003', '100000000000004'];

/** Several lanes, so that two dispatchers have something to share. */
async function addNumbers(database: OpenedDatabase): Promise<readonly string[]> {
  for (const id of MORE_NUMBERS) {
    await database.query(
      'insert into number_directory (phone_number_id, tenant_id) select $1, tenant_id from tenants',
      [id],
    );
    await database.query(
      'insert into phone_numbers (tenant_id, phone_number_id, display_phone, created_ms) select tenant_id, $1, $2, created_ms + 1 from tenants',
      [id, `1555000${id.slice(-4)}`],
    );
    await database.query('insert into lanes (tenant_id, phone_number_id) select tenant_id, $1 from tenants', [id]);
  }
  await database.close();
  return [PHONE_NUMBER_ID, ...MORE_NUMBERS];
}
