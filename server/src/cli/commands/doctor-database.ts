import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type CliContext, pause } from '#cli/context';
import { EXIT, explainExit } from '#cli/exit';
import { runOperatorCommand } from '#cli/operator/commands';
import { resultOf, runningServer, withOwnDatabase } from '#cli/operator-call';
import { askOperatorSocket } from '#cli/operator-client';
import { operatorSocketPath } from '#cli/operator-socket';
import { isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import type { Config } from '#runtime/config';
import { clockCheck, historyCheck } from './doctor-history.ts';
import type { Check } from './doctor-machine.ts';

/** Dispatchers beat once a second; two looks this far apart tell a living one from a dead one. */
const BEAT_LOOK_MS = 1_600;
/** A due message that waits longer than this waits for a reason. */
const OLD_DUE_S = 30;
const OLD_CALLBACK_S = 30;

type Ask = (command: 'diagnose' | 'audit.verify') => Promise<JsonObject>;

/** Everything that the database tells: asked through the running server, or opened here when none runs. */
export async function databaseChecks(ctx: CliContext, config: Config): Promise<readonly Check[]> {
  try {
    if ((await runningServer(config)) !== null) {
      return await examine(ctx, async (command) =>
        resultOf(await askOperatorSocket(operatorSocketPath(config.dataDir), command, {})),
      );
    }
    const missing = config.databaseUrl === '' && !existsSync(join(config.dataDir, 'embedded'));
    if (missing)
      return [{ name: 'database', state: 'ok', finding: 'the embedded database will be made at the first start' }];
    return await withOwnDatabase(ctx, config, (deps) =>
      examine(ctx, (command) => runOperatorCommand(deps, command, {})),
    );
  } catch (error) {
    const { sentence, exitCode } = explainExit(error);
    const advice =
      exitCode === EXIT.unreachable ? {} : { advice: 'Run it again with LOG_LEVEL=debug for the details.' };
    return [{ name: 'database', state: 'fail', finding: sentence, ...advice }];
  }
}

async function examine(ctx: CliContext, ask: Ask): Promise<readonly Check[]> {
  const facts = await ask('diagnose');
  const basics = [databaseCheck(facts), schemaCheck(facts), safetyCheck(facts), pagesCheck(facts), clockCheck(facts)];
  const work = objectOf(facts.work);
  if (work === null) return basics;
  const before = beatsOf(work);
  if (before.size > 0) await pause(ctx, BEAT_LOOK_MS);
  const after = before.size > 0 ? beatsOf(objectOf((await ask('diagnose')).work) ?? {}) : before;
  const ofWork = [historyCheck(work), dispatcherCheck(before, after), ...workChecks(work)];
  return [...basics, ...ofWork, auditCheck(await ask('audit.verify'))];
}

function databaseCheck({ kind, server_version: version }: JsonObject): Check {
  return {
    name: 'database',
    state: 'ok',
    finding: kind === 'pglite' ? `embedded (PostgreSQL ${version})` : `PostgreSQL ${version}`,
  };
}

export function schemaCheck({
  schema_version: version,
  newest_known: newest,
  pending_migrations: pending,
}: JsonObject): Check {
  const name = 'schema';
  if (Number(version) > Number(newest)) {
    const finding = `version ${version}, newer than this program (${newest})`;
    return { name, state: 'fail', finding, advice: 'Use the newer program; going back is not supported.' };
  }
  const waiting = listOf(pending);
  if (waiting.length === 0) return { name, state: 'ok', finding: `version ${version}, up to date` };
  const finding = `version ${version}; pending: ${waiting.join(', ')}`;
  return { name, state: 'warn', finding, advice: 'Run "postrider migrate"; "postrider serve" does it too.' };
}

export function safetyCheck({ kind, unsafe_settings: unsafe }: JsonObject): Check {
  const name = 'power cut';
  if (kind === 'pglite') {
    const finding = 'the embedded database survives kill -9, not always a power cut';
    return { name, state: 'ok', finding, advice: 'For production set DATABASE_URL to PostgreSQL.' };
  }
  const names = listOf(unsafe);
  if (names.length === 0) return { name, state: 'ok', finding: 'commits are written through' };
  return {
    name,
    state: 'fail',
    finding: `${names.join(', ')} is off: acknowledged messages can be lost`,
    advice: 'Switch it on in postgresql.conf.',
  };
}

/** What the database knows of damaged pages: nothing, unless it writes checksums. */
export function pagesCheck({ kind, checksums }: JsonObject): Check {
  const name = 'damaged pages';
  const { enabled, failures } = objectOf(checksums) ?? {};
  if (Number(failures) > 0) {
    const finding = `the database met wrong checksums ${failures} times: rows cannot be read`;
    const advice =
      'Check the disk, then restore a backup; request.failed and queue.message_unreadable in the log name what was hit.';
    return { name, state: 'fail', finding, advice };
  }
  if (enabled === true) return { name, state: 'ok', finding: 'none was met; the database checks every page' };
  if (kind === 'pglite') return { name, state: 'ok', finding: 'the embedded database does not check its pages' };
  const advice = 'A damaged page could go unnoticed. While PostgreSQL is stopped: pg_checksums --enable.';
  return { name, state: 'warn', finding: 'data_checksums is off', advice };
}

function dispatcherCheck(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): Check {
  const name = 'dispatchers';
  const alive = [...after].filter(([id, beat]) => before.get(id) !== beat).length;
  if (alive > 0) return { name, state: 'ok', finding: `${alive} at work` };
  const finding = before.size === 0 ? 'none' : `${before.size} registered, none moves`;
  return { name, state: 'warn', finding, advice: 'Nothing is sent until a server with the role dispatcher runs.' };
}

export function workChecks(work: JsonObject): readonly Check[] {
  return [
    queueCheck(objectOf(work.queue) ?? {}),
    outageCheck(listOf(work.outages)),
    unknownCheck(objectOf(work.queue) ?? {}),
    callbackCheck(objectOf(work.callbacks) ?? {}),
    unhandledItemCheck(listOf(work.leftovers)),
    notStoredCheck(Number(work.not_stored ?? 0)),
    pausedCheck(listOf(work.paused_numbers)),
  ];
}

function queueCheck({ waiting, due, claimed, oldest_due_s: oldest }: JsonObject): Check {
  const name = 'send queue';
  const finding = `${waiting} waiting (${due} due), ${claimed} being sent`;
  if (Number(oldest ?? 0) <= OLD_DUE_S) return { name, state: 'ok', finding };
  const advice = 'Look for paused numbers, the rate per number (MESSAGING_NUMBER_RATE), and the network.';
  return { name, state: 'warn', finding: `${finding}, the oldest due for ${oldest} s`, advice };
}

function outageCheck(outages: readonly JsonValue[]): Check {
  const name = 'network outage';
  const first = objectOf(outages[0]);
  if (first === null) return { name, state: 'ok', finding: 'none' };
  const finding = `dispatchers that send nothing: ${outages.length}, the first for ${first.for_s} s: ${first.reason}`;
  return {
    name,
    state: 'warn',
    finding,
    advice: 'Check the route to MESSAGING_NETWORK_URL; sending resumes when the network answers.',
  };
}

function unknownCheck({ unknown }: JsonObject): Check {
  const name = 'unknown outcome';
  if (unknown === 0) return { name, state: 'ok', finding: 'none' };
  return {
    name,
    state: 'warn',
    finding: `${unknown} messages`,
    advice: 'They wait for a status of the network (MESSAGING_UNKNOWN_WAIT_S) and settle by themselves.',
  };
}

function callbackCheck({ queued, oldest_s: oldest }: JsonObject): Check {
  const name = 'callbacks';
  const finding = `${queued} to interpret`;
  if (Number(oldest ?? 0) <= OLD_CALLBACK_S) return { name, state: 'ok', finding };
  return {
    name,
    state: 'warn',
    finding: `${finding}, the oldest received ${oldest} s ago`,
    advice: 'Is a server with the role ingester running? Look for ingest.failed in its log.',
  };
}

function unhandledItemCheck(leftovers: readonly JsonValue[]): Check {
  const name = 'leftovers';
  if (leftovers.length === 0) return { name, state: 'ok', finding: 'none' };
  const finding = leftovers.map((item) => (isJsonObject(item) ? `${item.name}: ${item.count}` : '')).join(', ');
  return {
    name,
    state: 'warn',
    finding,
    advice: 'Parts of callbacks that nothing consumes; see "postrider callbacks leftovers".',
  };
}

export function auditCheck({ entries, data }: JsonObject): Check {
  const name = 'audit log';
  const faults = listOf(data);
  if (faults.length === 0) return { name, state: 'ok', finding: `${entries} entries are as they were written` };
  return {
    name,
    state: 'fail',
    finding: `the chain of hashes breaks for ${faults.length === 1 ? 'one tenant' : `${faults.length} tenants`}`,
    advice: 'Somebody changed it in the database: see "postrider audit verify".',
  };
}

function notStoredCheck(count: number): Check {
  const name = 'outcomes';
  if (count === 0) return { name, state: 'ok', finding: 'all were stored' };
  return {
    name,
    state: 'warn',
    finding: `${count} messages ended because the database refused their outcome`,
    advice: 'Look for settle.refused in the log; "postrider dead-letters list" names the messages of a tenant.',
  };
}

function pausedCheck(paused: readonly JsonValue[]): Check {
  const name = 'paused numbers';
  if (paused.length === 0) return { name, state: 'ok', finding: 'none' };
  const finding = paused
    .map((item) => (isJsonObject(item) ? `${item.id} (${item.reason ?? 'no reason given'})` : ''))
    .join(', ');
  return {
    name,
    state: 'warn',
    finding,
    advice: 'Their messages wait; "postrider numbers resume <id>" when the reason is gone.',
  };
}

function beatsOf(work: JsonObject): ReadonlyMap<string, number> {
  return new Map(
    listOf(work.dispatchers).map((item) => (isJsonObject(item) ? [String(item.id), Number(item.beat)] : ['', 0])),
  );
}

function objectOf(value: JsonValue | undefined): JsonObject | null {
  return isJsonObject(value) ? value : null;
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}
