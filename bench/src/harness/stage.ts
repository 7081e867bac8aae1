import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { migratedFolder } from './migrated-folder.ts';
import type { Programs } from './paths.ts';
import { freePorts } from './ports.ts';
import type { Postgres } from './postgres.ts';
import { type Server, startServer } from './server.ts';
import { type Simulator, startSimulator } from './simulator.ts';
import type { Workspace } from './workspace.ts';

export type DatabaseKind = 'postgres' | 'pglite';

/** What a stage is built from. */
export interface StageSpec {
  readonly programs: Programs;
  readonly workspace: Workspace;
  readonly database: DatabaseKind;
  /** Needed for `postgres`. */
  readonly postgres: Postgres | null;
  /** Of the stage; names its database and files. */
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Of the simulator, messages per second and number; 0: no limit. */
  readonly networkRate: number;
}

/** A server with its own database, and the simulated network beside it, each in its own process. */
export interface Stage {
  readonly server: Server;
  readonly simulator: Simulator;
  /** Null on the embedded database, which no other process can open while the server runs. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /**
   * Stops the server, does `between` while no process has the database open, and starts a server with other settings.
   */
  replaceServer(settings: Readonly<Record<string, string>>, between: () => Promise<void>): Promise<Server>;
  close(): Promise<void>;
}

/** No limit of any kind: what is measured is the service, not its politeness. */
export const UNLIMITED = { MESSAGING_NUMBER_RATE: '0', MESSAGING_PAIR_LIMIT: 'off' } as const;

/** Where a server of a stage is to run; fixed before it starts, so that it can start again at the same place. */
export interface Placement {
  readonly serverPort: number;
  readonly metricsPort: number;
  readonly simulatorPort: number;
  readonly databaseUrl: string | null;
  readonly folder: string;
}

export async function placeStage({ workspace, database, postgres, name }: StageSpec): Promise<Placement> {
  if (database === 'postgres' && postgres === null) throw new Error('This stage needs a PostgreSQL server.');
  const databaseUrl =
    database === 'postgres' && postgres !== null ? await postgres.createDatabase(databaseName(name)) : null;
  const [serverPort = 0, metricsPort = 0, simulatorPort = 0] = await freePorts(3);
  return {
    serverPort,
    metricsPort,
    simulatorPort,
    databaseUrl,
    // Both databases of a run share the workspace: a ledger must never be continued by another stage.
    folder: join(workspace.folder, `${database}-${name}`),
  };
}

export function startStageServer(spec: StageSpec, place: Placement): Promise<Server> {
  return startServer({
    program: spec.programs.server,
    port: place.serverPort,
    metricsPort: place.metricsPort,
    databaseUrl: place.databaseUrl,
    dataDir: dataDirOf(place),
    networkUrl: `http://127.0.0.1:${place.simulatorPort}`,
    logFile: `${place.folder}-server.log`,
    settings: spec.settings,
  });
}

/** Starts the network, then the server on an empty database. */
export async function openStage(spec: StageSpec): Promise<Stage> {
  const place = await placeStage(spec);
  if (spec.database === 'pglite') cpSync(await migratedFolder(spec), dataDirOf(place), { recursive: true });
  const simulator = await startSimulator({
    program: spec.programs.simulator,
    port: place.simulatorPort,
    callbackUrl: `http://127.0.0.1:${place.serverPort}/webhooks/meta`,
    ledgerFile: `${place.folder}-ledger.ndjson`,
    logFile: `${place.folder}-simulator.log`,
    numberRate: spec.networkRate,
  });
  spec.workspace.onClose(() => simulator.stop());
  let server = await startStageServer(spec, place);
  spec.workspace.onClose(() => server.stop());
  const replaceServer: Stage['replaceServer'] = async (settings, between) => {
    await server.stop();
    await between();
    server = await startStageServer({ ...spec, settings }, place);
    return server;
  };
  const close = async (): Promise<void> => {
    await server.stop();
    await simulator.stop();
    if (place.databaseUrl !== null) await spec.postgres?.dropDatabase(databaseName(spec.name));
  };
  return { server, simulator, databaseUrl: place.databaseUrl, dataDir: dataDirOf(place), replaceServer, close };
}

function databaseName(stage: string): string {
  return `postrider_bench_${stage.replaceAll('-', '_')}`;
}

function dataDirOf(place: Placement): string {
  return `${place.folder}-data`;
}
