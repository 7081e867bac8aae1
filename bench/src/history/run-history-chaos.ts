import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { request } from 'undici';
import type { LedgerEntry } from '../chaos/evidence.ts';
import { readLedger } from '../chaos/ledger.ts';
import { openDatabase } from '../harness/open-database.ts';
import type { Programs } from '../harness/paths.ts';
import { pause, pollUntil } from '../harness/pause.ts';
import { freePorts } from '../harness/ports.ts';
import { dumpDatabase, type Postgres, restoreDatabase, startStandby } from '../harness/postgres.ts';
import { API_KEY, type Server, startServer } from '../harness/server.ts';
import { type Simulator, startSimulator } from '../harness/simulator.ts';
import { openSwitchboard, type Switchboard } from '../harness/switchboard.ts';
import type { Workspace } from '../harness/workspace.ts';
import { auditHistory, type FinalRow, type HistoryVerdict, type Posted } from './audit-history.ts';

/**
 * restore_dump: a dump made under load is restored. restore_backup: a backup of the service's own, after one that was killed, and so was the
 * first attempt to restore it. failover: an asynchronous replica that is behind takes over.
 */
export type HistoryLoss = 'restore_dump' | 'restore_backup' | 'failover';

export interface HistoryChaosSpec {
  readonly programs: Programs;
  readonly workspace: Workspace;
  /** Killed by a failover. */
  readonly postgres: Postgres;
  readonly loss: HistoryLoss;
  /** How long messages come before the backup, and from it to the loss. */
  readonly seconds: number;
}

/** Messages come faster than they may leave, so that some are due whenever the database goes back. */
const POSTS_PER_SECOND = 50;
const NUMBER_RATE = 40;
const WITHIN_MS = 120_000;

interface Run {
  readonly spec: HistoryChaosSpec;
  readonly simulator: Simulator;
  readonly switchboard: Switchboard;
  readonly posted: Posted[];
  readonly serverPort: number;
  databaseUrl: string;
  server: Server;
}

/** Loads the service, takes its database back in time, and compares what left with what the database says. */
export async function runHistoryChaos(spec: HistoryChaosSpec): Promise<HistoryVerdict> {
  const run = await open(spec);
  await LOSE[spec.loss](run);
  await untilReady(run);
  await load(run, { seconds: 2, isAfter: true });
  await untilAtRest(run);
  if (run.server.isGone()) throw new Error('The service exited unexpectedly.');
  const database = await openDatabase({ databaseUrl: run.databaseUrl, dataDir: '' });
  const rows = await database.query(ROWS);
  const reasons = await database.query('select reason from database_histories order by history_id');
  await database.close();
  return auditHistory({
    posted: run.posted,
    ledger: ledgerOf(run),
    rows: rows as unknown as readonly FinalRow[],
    reasons: reasons.map(({ reason }) => String(reason)),
  });
}

const ROWS = `
select m.message_id as "messageId", m.possible_duplicate as "possibleDuplicate", coalesce(q.epoch <= 0, false) as "isHeld"
from outbound_messages m left join send_queue q on q.tenant_id = m.tenant_id and q.message_id = m.message_id`;

async function open(spec: HistoryChaosSpec): Promise<Run> {
  const { workspace, programs, postgres } = spec;
  const [serverPort = 0, simulatorPort = 0, databasePort = 0] = await freePorts(3);
  const own = new URL(await postgres.createDatabase('postrider_history'));
  const switchboard = await openSwitchboard(databasePort, Number(own.port));
  workspace.onClose(() => switchboard.close());
  own.port = String(databasePort);
  const simulator = await startSimulator({
    program: programs.simulator,
    port: simulatorPort,
    callbackUrl: `http://127.0.0.1:${serverPort}/webhooks/meta`,
    ledgerFile: `${workspace.folder}/ledger.ndjson`,
    logFile: `${workspace.folder}/simulator.log`,
    numberRate: 0,
  });
  workspace.onClose(() => simulator.stop());
  const started = { spec, simulator, switchboard, posted: [], serverPort, databaseUrl: own.href };
  const run: Run = { ...started, server: await start(started) };
  workspace.onClose(() => run.server.signal('SIGKILL'));
  return run;
}

function start({ spec, simulator, serverPort, databaseUrl }: Omit<Run, 'server'>): Promise<Server> {
  return startServer({
    program: spec.programs.server,
    port: serverPort,
    metricsPort: 0,
    databaseUrl,
    // Another folder each time, as a container has: the database alone must show that it went back.
    dataDir: `${spec.workspace.folder}/data-${Date.now()}`,
    networkUrl: simulator.url,
    logFile: `${spec.workspace.folder}/server.log`,
    settings: { MESSAGING_NUMBER_RATE: String(NUMBER_RATE), MESSAGING_PAIR_LIMIT: 'off' },
  });
}

/** The dump is made in the middle of the load; what comes after it is lost, though most of it was sent. */
async function restoreDump(run: Run): Promise<void> {
  const { postgres, seconds, workspace } = run.spec;
  const file = `${workspace.folder}/backup.dump`;
  await load(run, { seconds, isAfter: false });
  await Promise.all([dumpDatabase(run.databaseUrl, file), load(run, { seconds, isAfter: false })]);
  await untilAtRest(run);
  run.server.signal('SIGKILL');
  await run.server.exited;
  const restored = new URL(await postgres.createDatabase('postrider_restored'));
  await restoreDatabase(file, restored.href);
  restored.port = String(run.switchboard.port);
  run.databaseUrl = restored.href;
  run.server = await start(run);
}

/** The same with `postrider backup` and `postrider restore`, both of which are killed once before. */
async function restoreBackup(run: Run): Promise<void> {
  const { postgres, seconds, workspace } = run.spec;
  const location = `${workspace.folder}/backups`;
  const backup = ['backup', '--to', location];
  await load(run, { seconds, isAfter: false });
  await runKilled(run, backup, () => filesIn(location) >= 5);
  await loadWhile(run, runCommand(run, backup));
  await load(run, { seconds, isAfter: false });
  await untilAtRest(run);
  run.server.signal('SIGKILL');
  await run.server.exited;
  const restored = new URL(await postgres.createDatabase('postrider_restored'));
  run.databaseUrl = restored.href;
  const restore = ['restore', location, '--verify'];
  await runKilled(run, restore, () => hasTables(run.databaseUrl));
  await runCommand(run, restore);
  restored.port = String(run.switchboard.port);
  run.databaseUrl = restored.href;
  run.server = await start(run);
}

/** Messages come as long as something takes, however long its program needs to start. */
async function loadWhile(run: Run, work: Promise<void>): Promise<void> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  while (!isOver) await load(run, { seconds: 1, isAfter: false });
  await work;
}

/** Starts a command, and kills it as soon as `isTime`. */
async function runKilled(run: Run, args: readonly string[], isTime: () => boolean | Promise<boolean>): Promise<void> {
  const child = spawn(process.execPath, [run.spec.programs.server, ...args], { env: commandEnv(run), stdio: 'ignore' });
  const ended = once(child, 'exit');
  const probe = async () => (child.exitCode !== null || (await isTime()) ? true : null);
  await pollUntil({ what: 'the command did not begin', everyMs: 5, timeoutMs: WITHIN_MS, probe });
  child.kill('SIGKILL');
  await ended;
}

async function runCommand(run: Run, args: readonly string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [run.spec.programs.server, ...args], { env: commandEnv(run) });
}

function commandEnv({ databaseUrl, spec }: Run): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    MESSAGING_DATA_DIR: `${spec.workspace.folder}/commands`,
    LOG_LEVEL: 'silent',
  };
}

function filesIn(folder: string): number {
  return existsSync(folder) ? readdirSync(folder, { recursive: true }).length : 0;
}

async function hasTables(databaseUrl: string): Promise<boolean> {
  const database = await openDatabase({ databaseUrl, dataDir: '' });
  const rows = await database
    .query(`select to_regclass('tenants') is not null as there`)
    .finally(() => database.close());
  return rows[0]?.there === true;
}

/** The replica falls behind, the primary dies, and the service continues on the replica, without a restart. */
async function failOver(run: Run): Promise<void> {
  const { postgres, seconds, workspace } = run.spec;
  const standby = await startStandby(workspace.folder, postgres);
  workspace.onClose(() => standby.stop());
  await load(run, { seconds, isAfter: false });
  await standby.cutOff();
  await load(run, { seconds, isAfter: false });
  const loading = load(run, { seconds: 2, isAfter: false });
  postgres.killHard();
  await standby.promote();
  run.switchboard.switchTo(Number(new URL(standby.adminUrl).port));
  await loading;
}

const LOSE: Readonly<Record<HistoryLoss, (run: Run) => Promise<void>>> = {
  restore_dump: restoreDump,
  restore_backup: restoreBackup,
  failover: failOver,
};

interface Load {
  readonly seconds: number;
  readonly isAfter: boolean;
}

let count = 0;

/** Posts at fixed moments, each once, whatever happens to earlier posts. */
async function load(run: Run, { seconds, isAfter }: Load): Promise<void> {
  const running: Promise<void>[] = [];
  for (let posts = 0; posts < seconds * POSTS_PER_SECOND; posts += 1) {
    running.push(post(run, isAfter));
    await pause(1000 / POSTS_PER_SECOND);
  }
  await Promise.all(running);
}

async function post({ server, posted }: Run, isAfter: boolean): Promise<void> {
  count += 1;
  const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ to: String(447_700_000_000 + count), body: 'Hello' });
  try {
    const answer = await request(`${server.url}/v1/messages`, { method: 'POST', headers, body });
    const { id } = (await answer.body.json()) as { readonly id?: string };
    posted.push({ status: answer.statusCode, id: id ?? null, isAfter });
  } catch {
    posted.push({ status: 0, id: null, isAfter });
  }
}

async function untilReady({ server }: Run): Promise<void> {
  const probe = async (): Promise<true | null> => {
    const answer = await request(`${server.url}/readyz`);
    await answer.body.dump();
    return answer.statusCode === 200 ? true : null;
  };
  await pollUntil({ what: 'the service is not ready', everyMs: 100, timeoutMs: WITHIN_MS, probe });
}

/** Nothing is owed but what is held, and the network has reported everything. */
async function untilAtRest({ databaseUrl, simulator }: Run): Promise<void> {
  const owed = `
select (select count(*) from send_queue where coalesce(epoch, 1) > 0)::int + (select count(*) from callback_queue)::int as owed`;
  const probe = async (): Promise<true | null> => {
    const database = await openDatabase({ databaseUrl, dataDir: '' });
    const rows = await database.query(owed).finally(() => database.close());
    const stats = await simulator.control<{ readonly callbacks_pending: number }>('GET', '/_sim/stats');
    return rows[0]?.owed === 0 && stats.callbacks_pending === 0 ? true : null;
  };
  await pollUntil({ what: 'messages or callbacks still wait', everyMs: 200, timeoutMs: WITHIN_MS, probe });
}

function ledgerOf({ simulator }: Run): readonly LedgerEntry[] {
  return readLedger(simulator.ledgerFile);
}
