import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { type MachineClock, makeMachineClock } from '../harness/machine-clock.ts';
import { newerServer } from '../harness/newer-server.ts';
import { type OpenedDatabase, openDatabase } from '../harness/open-database.ts';
import { operate } from '../harness/operate.ts';
import type { Programs } from '../harness/paths.ts';
import { pollUntil } from '../harness/pause.ts';
import { freePorts } from '../harness/ports.ts';
import type { Postgres } from '../harness/postgres.ts';
import type { Program } from '../harness/process.ts';
import { PHONE_NUMBER_ID, type Server, startServer } from '../harness/server.ts';
import { type Simulator, startSimulator } from '../harness/simulator.ts';
import type { SmallDisk } from '../harness/small-disk.ts';
import type { DatabaseKind } from '../harness/stage.ts';
import type { Workspace } from '../harness/workspace.ts';
import { runMover } from '../moves/move-process.ts';
import type { Silence, TimeSpan } from './evidence.ts';
import type { Repair } from './faults/fault.ts';
import { makeNeighbour, type Neighbour } from './neighbour.ts';
import {
  type CallbackRule,
  type NetworkChaos,
  type SendRule,
  STATUS_DELAYS,
  type StatusDelays,
} from './network-chaos.ts';

/** How long the server under test waits for a status before it repeats a send; short, to keep rounds short. */
export const UNKNOWN_WAIT_S = 4;
/** What a tenant allows that chose nothing. */
export const UNKNOWN_RESENDS = 1;

export interface ArenaSpec {
  readonly programs: Programs;
  readonly workspace: Workspace;
  readonly database: DatabaseKind;
  readonly postgres: Postgres | null;
  /** What the database lies on; absent: a folder like any other. */
  readonly disk?: SmallDisk | null;
  readonly statusDelays?: StatusDelays;
}

/** The processes of a chaos run. The network is never killed: its ledger is the reference. */
export class Arena {
  readonly database: DatabaseKind;
  readonly postgres: Postgres | null;
  readonly simulator: Simulator;
  readonly phoneNumberIds: readonly string[];
  readonly #parts: Parts;
  readonly #silences: Silence[] = [];
  readonly #deafTimes: TimeSpan[] = [];
  #server: Server;
  #second: Program | null;
  #networkChaos: NetworkChaos = { seed: 1, steps: { send: [], status: [], callback: [] } };

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

  /** Null on the embedded database. */
  get databaseUrl(): string | null {
    return this.#parts.databaseUrl;
  }

  /** The tenant that the runs send as. */
  get tenantId(): string {
    return this.#parts.tenantId;
  }

  /** The wall clock of the server's machine. */
  get clock(): MachineClock {
    return this.#parts.clocks.main;
  }

  get disk(): SmallDisk | null {
    return this.#parts.spec.disk ?? null;
  }

  /** When the service knew that the network was unreachable. */
  get deafTimes(): readonly TimeSpan[] {
    return this.#deafTimes;
  }

  /** When nothing of the loaded tenant may leave. */
  get silences(): readonly Silence[] {
    return this.#silences;
  }

  get neighbour(): Neighbour {
    return this.#parts.neighbour;
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

  /** Puts the next version in the place of the second dispatcher. */
  async upgradeSecond({ isBreaking }: { readonly isBreaking: boolean }): Promise<void> {
    const { running, base } = this.#parts;
    running.version += 1;
    running.second = newerServer(running.second, dirname(base), { version: running.version, isBreaking });
    await this.#second?.stop();
    await this.restartSecond();
  }

  /** Starts the server again, which is gone, with the version of the second dispatcher. */
  async upgradeServer(): Promise<void> {
    this.#parts.running.main = this.#parts.running.second;
    await this.restartServer();
  }

  /** The network signs with a secret that is not the server's. @returns what makes it right again */
  async changeSecret(): Promise<Repair> {
    const { app_secret: secret } = await this.simulator.control<{ app_secret: string }>('GET', '/_sim/config');
    await this.simulator.control('PUT', '/_sim/config', { app_secret: 'the-secret-of-somebody-else' });
    const fromMs = Date.now() + KNOWN_WITHIN_MS;
    return async () => {
      this.#deafTimes.push({ fromMs, toMs: Date.now() });
      await this.simulator.control('PUT', '/_sim/config', { app_secret: secret });
    };
  }

  async suspendTenant(): Promise<void> {
    await this.operate(['tenants', 'suspend', this.tenantId, '--reason', 'chaos']);
    const fromMs = Date.now() + KNOWN_WITHIN_MS;
    this.#silences.push({ fromMs, toMs: Number.POSITIVE_INFINITY, phoneNumberIds: this.phoneNumberIds });
  }

  async resumeTenant(): Promise<void> {
    const silence = this.#silences.pop();
    if (silence !== undefined) this.#silences.push({ ...silence, toMs: Date.now() });
    await this.operate(['tenants', 'resume', this.tenantId]);
  }

  /** Moves the loaded tenant to another cell, which is made if there is none. @param killAfterMs when the command is killed, and given again; null: never */
  async moveTenant(toCell: string, killAfterMs: number | null): Promise<void> {
    const { running, databaseUrl, base } = this.#parts;
    if (databaseUrl === null) throw new Error('The embedded database has one cell.');
    const { data } = (await this.operate(['cells', 'list'])) as { readonly data: readonly { readonly id: string }[] };
    if (!data.some(({ id }) => id === toCell)) await this.operate(['cells', 'add', toCell]);
    const program = running.second.server;
    const mover = { program, databaseUrl, dataDir: `${base}-mover`, tenantId: this.tenantId, toCell };
    if (killAfterMs !== null) await runMover({ ...mover, killAfterMs });
    await pollUntil({
      what: 'the move of the tenant does not end',
      everyMs: 1_000,
      timeoutMs: MOVED_WITHIN_MS,
      probe: async () => {
        const { isDone, said } = await runMover({ ...mover, killAfterMs: null });
        if (isDone || said.includes(`is in the cell ${toCell} already`)) return true;
        throw new Error(said);
      },
    });
  }

  /** The network behaves so from now on. */
  async disturbNetwork(chaos: NetworkChaos): Promise<void> {
    this.#networkChaos = chaos;
    await this.simulator.control('PUT', '/_sim/chaos', chaos);
  }

  /** Rules that count before those of the round. @returns what takes them back */
  disturbSends(rules: readonly SendRule[]): Promise<Repair> {
    return this.#disturbFurther((steps) => ({ ...steps, send: [...rules, ...steps.send] }));
  }

  /** The same for statuses. */
  disturbStatuses(rules: readonly CallbackRule[]): Promise<Repair> {
    return this.#disturbFurther((steps) => ({ ...steps, status: [...rules, ...steps.status] }));
  }

  async #disturbFurther(change: (steps: NetworkChaos['steps']) => NetworkChaos['steps']): Promise<Repair> {
    const before = this.#networkChaos;
    await this.disturbNetwork({ ...before, steps: change(before.steps) });
    return () => this.disturbNetwork(before);
  }

  /** Lets numbers send again that were paused for a token that the network refused. */
  async resumeNumbers(): Promise<void> {
    for (const id of this.phoneNumberIds) await this.operate(['numbers', 'resume', id]);
  }

  /** Runs a command of the operator beside the running server. @returns the JSON that it prints */
  operate(args: readonly string[]): Promise<unknown> {
    return command(this.#parts, args);
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

/** What the processes are started with. */
interface Started {
  readonly spec: ArenaSpec;
  readonly databaseUrl: string | null;
  /** What the names of its files begin with. */
  readonly base: string;
  readonly dataDir: string;
  readonly clocks: { readonly main: MachineClock; readonly second: MachineClock };
  /** The version of the newest server, and which one each process is started from. */
  readonly running: { version: number; main: Programs; second: Programs };
  readonly serverPort: number;
  readonly networkUrl: string;
}

interface Parts extends Started {
  readonly tenantId: string;
  readonly phoneNumberIds: readonly string[];
  readonly neighbour: Neighbour;
}

const MOVED_WITHIN_MS = 120_000;
/** So far the clocks of the two machines differ all the time. */
const SKEW_MS = 60_000;
/** So soon every process knows that a tenant is suspended, or that callbacks are refused. */
const KNOWN_WITHIN_MS = 2_000;

const SETTINGS = {
  MESSAGING_NUMBER_RATE: '0',
  MESSAGING_PAIR_LIMIT: 'off',
  MESSAGING_UNKNOWN_WAIT_S: String(UNKNOWN_WAIT_S),
  MESSAGING_NETWORK_TIMEOUT_MS: '3000',
  // So few that one number that hangs would use all of them.
  MESSAGING_SEND_CONCURRENCY: '32',
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
  const dataDir = databaseUrl === null ? (spec.disk?.folder ?? base) : base;
  const clocks = { main: makeMachineClock(`${base}-clock`), second: makeMachineClock(`${base}-second-clock`, SKEW_MS) };
  const running = { version: 0, main: programs, second: programs };
  const started = { spec, databaseUrl, base, dataDir, clocks, running, serverPort, networkUrl: simulator.url };
  const server = await startMain(started);
  const tenantId = await firstTenant(started);
  const single = databaseUrl === null;
  const phoneNumberIds = single ? [PHONE_NUMBER_ID] : await addNumbers(started, tenantId);
  const neighbour = await makeNeighbour((args) => command(started, args));
  const second = single ? null : await startSecond(started);
  return registered(
    new Arena({ ...started, tenantId, neighbour, phoneNumberIds, simulator, server, second }),
    workspace,
  );
}

function registered(arena: Arena, workspace: Workspace): Arena {
  workspace.onClose(() => arena.close());
  return arena;
}

function startMain(
  { running, clocks, databaseUrl, base, dataDir, serverPort, networkUrl }: Started,
  spawned?: (kill: () => void) => void,
): Promise<Server> {
  return startServer({
    program: running.main.server,
    port: serverPort,
    metricsPort: 0,
    databaseUrl,
    dataDir,
    networkUrl,
    logFile: `${base}-server.log`,
    settings: { ...SETTINGS, ...clocks.main.settings },
    ...(spawned ? { spawned } : {}),
  });
}

/** A dispatcher in a separate process: the lanes are shared between it and the server. */
async function startSecond({ running, clocks, databaseUrl, base, networkUrl }: Started): Promise<Program> {
  const [port = 0, metricsPort = 0] = await freePorts(2);
  return startServer({
    program: running.second.server,
    port,
    metricsPort,
    databaseUrl,
    dataDir: `${base}-second`,
    networkUrl,
    logFile: `${base}-second.log`,
    settings: { ...SETTINGS, ...clocks.second.settings, MESSAGING_ROLES: 'dispatcher' },
  });
}

const MORE_NUMBERS = ['100000000000002', '100000000000003', '100000000000004'];

function command({ running, databaseUrl, dataDir }: Started, args: readonly string[]): Promise<unknown> {
  return operate({ program: running.second.server, databaseUrl, dataDir }, args);
}

async function firstTenant(started: Started): Promise<string> {
  const { data } = (await command(started, ['tenants', 'list'])) as {
    readonly data: readonly { readonly id: string }[];
  };
  const [tenant] = data;
  if (tenant === undefined) throw new Error('The server has made no tenant.');
  return tenant.id;
}

/** Several lanes, so that two dispatchers have something to share. */
async function addNumbers(started: Started, tenantId: string): Promise<readonly string[]> {
  for (const id of MORE_NUMBERS)
    await command(started, ['numbers', 'add', id, '--phone', `+1555000${id.slice(-4)}`, '--tenant', tenantId]);
  return [PHONE_NUMBER_ID, ...MORE_NUMBERS];
}
