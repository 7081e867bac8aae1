import { queueState } from '#core/queue-state';
import { type SqlRunner, statement } from '#database/database';
import { firstRow } from '#database/rows';
import { OLDEST_WAITING_MS } from '#messages/store/callback-pages';

/** Statements over all tenants that an operator's diagnosis needs. They count; none runs on a hot path. */

const DIAGNOSIS_LEFTOVERS = statement('diagnosis_leftovers')`
select name, count(*)::int as count, max(recorded_ms) as last_ms, max(reason) as reason
from callback_leftovers group by name order by count(*) desc, name`;

/** Items of callbacks that nothing consumed, of one name. */
export interface UnhandledCount {
  readonly name: string;
  readonly count: number;
  readonly lastMs: number;
  /** The reason of one of them. */
  readonly reason: string;
}

export async function countUnhandledItems(db: SqlRunner): Promise<readonly UnhandledCount[]> {
  return (await db.run<UnhandledCount>(DIAGNOSIS_LEFTOVERS, [])).rows;
}

const DIAGNOSIS_QUEUE = statement('diagnosis_queue')`
select count(*) filter (where state = ${queueState.ready})::int as waiting,
  count(*) filter (where state = ${queueState.ready} and due_ms <= $1)::int as due,
  count(*) filter (where state = ${queueState.claimed})::int as claimed,
  count(*) filter (where state = ${queueState.unknown})::int as unknown,
  min(due_ms) filter (where state = ${queueState.ready} and due_ms <= $1) as oldest_due_ms
from send_queue`;

export interface QueueCounts {
  readonly waiting: number;
  /** Of those waiting: already due. */
  readonly due: number;
  readonly claimed: number;
  readonly unknown: number;
  readonly oldestDueMs: number | null;
}

export async function countQueue(db: SqlRunner, nowMs: number): Promise<QueueCounts> {
  const counts = await firstRow(db.run<QueueCounts>(DIAGNOSIS_QUEUE, [nowMs]));
  return counts ?? { waiting: 0, due: 0, claimed: 0, unknown: 0, oldestDueMs: null };
}

const CALLBACKS = statement('diagnosis_callbacks')`
select count(*)::int as queued, ${OLDEST_WAITING_MS} as oldest_ms from callback_queue`;

export interface CallbackBacklog {
  readonly queued: number;
  readonly oldestMs: number | null;
}

export async function countCallbackBacklog(db: SqlRunner): Promise<CallbackBacklog> {
  return (await firstRow(db.run<CallbackBacklog>(CALLBACKS, []))) ?? { queued: 0, oldestMs: null };
}

const NOT_STORED = statement('diagnosis_not_stored')`
select count(*)::int as count from dead_letters where code = 'outcome_not_stored'`;

/** Messages that ended because their outcome could not be stored. */
export async function countNotStored(db: SqlRunner): Promise<number> {
  return (await db.run<{ count: number }>(NOT_STORED, [])).rows[0]?.count ?? 0;
}

const PAUSED = statement('diagnosis_paused')`
select phone_number_id, tenant_id, pause_reason as reason from phone_numbers where status = 'paused' order by phone_number_id limit 100`;

export interface PausedNumber {
  readonly phoneNumberId: string;
  readonly tenantId: string;
  readonly reason: string | null;
}

/** At most 100 of them. */
export async function listPausedNumbers(db: SqlRunner): Promise<readonly PausedNumber[]> {
  return (await db.run<PausedNumber>(PAUSED, [])).rows;
}

const HAS_MIGRATIONS = statement('diagnosis_has_schema')`
select to_regclass('schema_migrations') is not null as present`;
const MIGRATIONS = statement('diagnosis_schema')`select version from schema_migrations order by version`;

/** Versions of the migrations that were applied; empty for a new database. Changes nothing, unlike the migrator. */
export async function listAppliedVersions(db: SqlRunner): Promise<readonly number[]> {
  const { rows } = await db.run<{ present: boolean }>(HAS_MIGRATIONS, []);
  if (rows[0]?.present !== true) return [];
  return (await db.run<{ version: number }>(MIGRATIONS, [])).rows.map((row) => row.version);
}

const SETTING = statement('diagnosis_setting')`
select name, setting from pg_settings where name = any($1::text[]) order by name`;
/** Off means: a power cut can take back what was answered with 202. */
const SAFETY_SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'];

/** The settings of the database that decide whether a commit survives a power cut, and whether they are off. */
export async function listUnsafeSettings(db: SqlRunner): Promise<readonly string[]> {
  const { rows } = await db.run<{ name: string; setting: string }>(SETTING, [SAFETY_SETTINGS]);
  return rows.filter((row) => row.setting === 'off').map((row) => row.name);
}

const CHECKSUMS = statement('diagnosis_checksums')`
select current_setting('data_checksums') = 'on' as enabled, coalesce(sum(checksum_failures), 0)::int as failures
from pg_stat_database`;

/** Whether the database would notice a damaged page, and on how many it failed since its statistics began. */
export interface Checksums {
  readonly enabled: boolean;
  readonly failures: number;
}

export async function readChecksums(db: SqlRunner): Promise<Checksums> {
  return (await db.run<Checksums>(CHECKSUMS, [])).rows[0] ?? { enabled: false, failures: 0 };
}

const SERVER_VERSION = statement('diagnosis_version')`select current_setting('server_version') as version`;

export async function readServerVersion(db: SqlRunner): Promise<string> {
  return (await db.run<{ version: string }>(SERVER_VERSION, [])).rows[0]?.version ?? '';
}
