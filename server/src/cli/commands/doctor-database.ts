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
import { type Check, checkOf } from './doctor-check.ts';

/** Dispatchers beat once a second; two looks this far apart tell a living one from a dead one. */
const BEAT_LOOK_MS = 1_600;
/** A due message that waits longer than this waits for a reason. */
const OLD_DUE_S = 30;
const OLD_CALLBACK_S = 30;
/** Clocks that NTP keeps differ by far less. */
const CLOCK_LIMIT_S = 2;

type Ask = (command: 'diagnose' | 'audit.verify') => Promise<JsonObject>;

/** Everything that the database tells: asked through the running server, or opened here when none runs. */
export async function databaseChecks(ctx: CliContext, config: Config): Promise<readonly Check[]> {
  try {
    if ((await runningServer(config)) !== null) {
      return await examine(ctx, async (command) =>
        resultOf(await askOperatorSocket(operatorSocketPath(config.dataDir), command, {})),
      );
    }
    if (config.databaseUrl === '' && !existsSync(join(config.dataDir, 'embedded')))
      return [checkOf('database').ok('the embedded database will be created at the first start')];
    return await withOwnDatabase(ctx, config, (deps) =>
      examine(ctx, (command) => runOperatorCommand(deps, command, {})),
    );
  } catch (error) {
    const { sentence, exitCode } = explainExit(error);
    // What cannot be reached says itself what to do.
    const advice = exitCode === EXIT.unreachable ? null : 'For the details: LOG_LEVEL=debug postrider doctor';
    return [checkOf('database').fail(sentence, advice)];
  }
}

async function examine(ctx: CliContext, ask: Ask): Promise<readonly Check[]> {
  const facts = await ask('diagnose');
  const basics = [databaseCheck(facts), schemaCheck(facts), safetyCheck(facts), pagesCheck(facts), clockCheck(facts)];
  const { work } = facts;
  if (!isJsonObject(work)) return basics;
  const before = beatsOf(work);
  if (before.size > 0) await pause(ctx, BEAT_LOOK_MS);
  const after = before.size > 0 ? beatsOf(objectOf((await ask('diagnose')).work)) : before;
  const ofWork = [
    historyCheck(work),
    backupCheck(objectOf(facts.backup)),
    dispatcherCheck(before, after),
    ...workChecks(work),
  ];
  return [...basics, ...ofWork, auditCheck(await ask('audit.verify'))];
}

function databaseCheck({ kind, server_version: version }: JsonObject): Check {
  return checkOf('database').ok(kind === 'pglite' ? `embedded (PostgreSQL ${version})` : `PostgreSQL ${version}`);
}

export function schemaCheck(facts: JsonObject): Check {
  const { ok, warn, fail } = checkOf('schema');
  const { schema_version: version, newest_known: newest } = facts;
  if (Number(version) > Number(newest)) {
    const finding = `version ${version}, newer than this program (${newest})`;
    return fail(
      finding,
      'Start the newer program: "postrider --version" shows which one this is; going back is not supported.',
    );
  }
  const waiting = listOf(facts.pending_migrations);
  if (waiting.length === 0) return ok(`version ${version}, up to date`);
  const finding = `version ${version}; pending: ${waiting.join(', ')}`;
  return warn(finding, 'Run "postrider migrate"; "postrider serve" does it too.');
}

export function safetyCheck({ kind, unsafe_settings: unsafe }: JsonObject): Check {
  const { ok, fail } = checkOf('power cut');
  if (kind === 'pglite') {
    const finding = 'the embedded database survives kill -9, not always a power cut';
    return ok(finding, 'For production, set DATABASE_URL to PostgreSQL.');
  }
  const names = listOf(unsafe);
  if (names.length === 0) return ok('commits are written through');
  const finding = `${names.join(', ')} is off: acknowledged messages can be lost`;
  const commands = names.map((name) => `-c "alter system set ${name} = on"`).join(' ');
  return fail(finding, `Run: psql "$DATABASE_URL" ${commands} -c "select pg_reload_conf()"`);
}

/** What the database knows of damaged pages: nothing, unless it writes checksums. */
export function pagesCheck({ kind, checksums }: JsonObject): Check {
  const { ok, warn, fail } = checkOf('damaged pages');
  const { enabled, failures } = objectOf(checksums);
  if (Number(failures) > 0) {
    const finding = `the database found wrong checksums ${failures} times: rows cannot be read`;
    const advice =
      'Check the disk, then restore a backup; request.failed and queue.message_unreadable in the log identify what is affected.';
    return fail(finding, advice);
  }
  if (enabled === true) return ok('none found; the database checks every page');
  if (kind === 'pglite') return ok('the embedded database does not check its pages');
  const advice =
    'A damaged page could go unnoticed. While PostgreSQL is stopped, run: pg_checksums --enable -D <its data folder>';
  return warn('data_checksums is off', advice);
}

/** @param facts `clock_ahead_s`: by how much the machine of the server is ahead of the database; null: not measured */
export function clockCheck({ clock_ahead_s: aheadS }: JsonObject): Check {
  const { ok, warn } = checkOf('clock');
  if (typeof aheadS !== 'number') return ok('not compared');
  const finding = `${Math.abs(aheadS)} s ${aheadS < 0 ? 'behind' : 'ahead of'} the database`;
  if (Math.abs(aheadS) <= CLOCK_LIMIT_S) return ok(finding);
  return warn(
    finding,
    "On both machines, run: timedatectl set-ntp true. Messages are not delayed: the database's clock counts.",
  );
}

/** @param work `history`: the one that counts; `held`: messages that wait since it began */
export function historyCheck({ history, held }: JsonObject): Check {
  const { ok, warn } = checkOf('history');
  const { id, reason = 'first', began_at: beganAt } = objectOf(history);
  if (reason === 'first') return ok('never restored');
  const finding = `number ${id} since ${beganAt} (${reason}), ${held} messages held`;
  if (held === 0) return ok(finding);
  return warn(
    finding,
    'They may have been sent before the database was restored: run "postrider held list", then "postrider held release".',
  );
}

/** @param backup `newest`: the one that was made last; null: there is none */
export function backupCheck({ newest, age_h: ageH, warn_h: warnH, overdue }: JsonObject): Check {
  const { ok, warn } = checkOf('backup');
  const { id, location } = objectOf(newest);
  const finding = id === undefined ? 'none made with "postrider backup"' : `${id} in ${location}, ${ageH} hours old`;
  if (overdue !== true) return ok(finding);
  return warn(
    `${finding}; at most ${warnH} hours are wanted`,
    'Run "postrider backup --to <location>", or look why its timer does not.',
  );
}

function dispatcherCheck(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): Check {
  const { ok, warn } = checkOf('dispatchers');
  const alive = [...after].filter(([id, beat]) => before.get(id) !== beat).length;
  if (alive > 0) return ok(`${alive} at work`);
  const finding = before.size === 0 ? 'none' : `${before.size} registered, none moves`;
  return warn(finding, 'Nothing is sent until one runs: postrider serve --roles dispatcher');
}

export function workChecks(work: JsonObject): readonly Check[] {
  return [
    queueCheck(objectOf(work.queue)),
    outageCheck(listOf(work.outages)),
    unknownCheck(objectOf(work.queue)),
    callbackCheck(objectOf(work.callbacks)),
    unhandledItemCheck(listOf(work.leftovers)),
    notStoredCheck(Number(work.not_stored ?? 0)),
    pausedCheck(listOf(work.paused_numbers)),
  ];
}

function queueCheck({ waiting, due, claimed, oldest_due_s: oldest }: JsonObject): Check {
  const { ok, warn } = checkOf('send queue');
  const finding = `${waiting} waiting (${due} due), ${claimed} being sent`;
  if (Number(oldest ?? 0) <= OLD_DUE_S) return ok(finding);
  const advice =
    'The lines below say whether numbers are paused or the network is away; "postrider messages trace <id>" says why one waits.';
  return warn(`${finding}, the oldest due for ${oldest} s`, advice);
}

function outageCheck(outages: readonly JsonValue[]): Check {
  const { ok, warn } = checkOf('network outage');
  const [first] = outages;
  if (!isJsonObject(first)) return ok('none');
  const finding = `dispatchers that send nothing: ${outages.length}, the first for ${first.for_s} s: ${first.reason}`;
  return warn(
    finding,
    'Try the way there: curl -v "$MESSAGING_NETWORK_URL". Sending resumes when the network responds.',
  );
}

function unknownCheck({ unknown }: JsonObject): Check {
  const { ok, warn } = checkOf('unknown outcome');
  const advice =
    'They settle when the network reports; if no reports arrive: curl -sS http://127.0.0.1:8080/metrics | grep postrider_callbacks_total';
  return unknown === 0 ? ok('none') : warn(`${unknown} messages`, advice);
}

function callbackCheck({ queued, oldest_s: oldest }: JsonObject): Check {
  const { ok, warn } = checkOf('callbacks');
  const finding = `${queued} to interpret`;
  if (Number(oldest ?? 0) <= OLD_CALLBACK_S) return ok(finding);
  const advice =
    'Start one that interprets them: postrider serve --roles ingester. If one runs, its log says why: ingest.failed.';
  return warn(`${finding}, the oldest received ${oldest} s ago`, advice);
}

function unhandledItemCheck(leftovers: readonly JsonValue[]): Check {
  const { ok, warn } = checkOf('leftovers');
  if (leftovers.length === 0) return ok('none');
  const finding = leftovers.map((item) => (isJsonObject(item) ? `${item.name}: ${item.count}` : '')).join(', ');
  return warn(finding, 'Parts of callbacks that nothing consumes; run: postrider callbacks leftovers');
}

export function auditCheck({ entries, data }: JsonObject): Check {
  const { ok, fail } = checkOf('audit log');
  const faults = listOf(data);
  if (faults.length === 0) return ok(`${entries} entries are unchanged`);
  const finding = `the hash chain is broken for ${faults.length === 1 ? 'one tenant' : `${faults.length} tenants`}`;
  return fail(finding, 'It was changed in the database; run: postrider audit verify');
}

function notStoredCheck(count: number): Check {
  const { ok, warn } = checkOf('outcomes');
  if (count === 0) return ok('all were stored');
  const advice = 'Search the log for settle.refused; "postrider dead-letters list" lists the messages of a tenant.';
  return warn(`${count} messages ended because the database refused their outcome`, advice);
}

function pausedCheck(paused: readonly JsonValue[]): Check {
  const { ok, warn } = checkOf('paused numbers');
  if (paused.length === 0) return ok('none');
  const named = paused.map((item) => (isJsonObject(item) ? `${item.id} (${item.reason ?? 'no reason given'})` : ''));
  return warn(named.join(', '), 'Their messages wait. Run "postrider numbers resume <id>" once the cause is fixed.');
}

function beatsOf(work: JsonObject): ReadonlyMap<string, number> {
  return new Map(
    listOf(work.dispatchers).map((item) => (isJsonObject(item) ? [String(item.id), Number(item.beat)] : ['', 0])),
  );
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}
