import { queueState } from '#core/queue-state';
import type { SqlRunner, Statement } from '#database/database';

/** Statements over all tenants that an operator's diagnosis needs. They count; none runs on a hot path. */

const DIAGNOSIS_LEFTOVERS: Statement = {
  name: 'diagnosis_leftovers',
  text: `
select name, count(*)::int as count, max(recorded_ms) as last_ms, max(reason) as reason
from callback_leftovers group by name order by count(*) desc, name`,
};

/** Items of callbacks that nothing consumed, of one name. */
export interface UnhandledCount {
  readonly name: string;
  readonly count: number;
  readonly lastMs: number;
  /** The reason of one of them. */
  readonly reason: string;
}

export async function countUnhandledItems(db: SqlRunner): Promise<readonly UnhandledCount[]> {
  const { rows } = await db.run<{ name: string; count: number; last_ms: number; reason: string }>(
    DIAGNOSIS_LEFTOVERS,
    [],
  );
  return rows.map(({ name, count, last_ms, reason }) => ({ name, count, lastMs: Number(last_ms), reason }));
}

const DIAGNOSIS_QUEUE: Statement = {
  name: 'diagnosis_queue',
  text: `
select count(*) filter (where state = ${queueState.ready})::int as waiting,
  count(*) filter (where state = ${queueState.ready} and due_ms <= $1)::int as due,
  count(*) filter (where state = ${queueState.claimed})::int as claimed,
  count(*) filter (where state = ${queueState.unknown})::int as unknown,
  min(due_ms) filter (where state = ${queueState.ready} and due_ms <= $1) as oldest_due_ms
from send_queue`,
};

export interface QueueCounts {
  readonly waiting: number;
  /** Of those waiting: already due. */
  readonly due: number;
  readonly claimed: number;
  readonly unknown: number;
  readonly oldestDueMs: number | null;
}

export async function countQueue(db: SqlRunner, nowMs: number): Promise<QueueCounts> {
  const { rows } = await db.run<Omit<QueueCounts, 'oldestDueMs'> & { oldest_due_ms: number | null }>(DIAGNOSIS_QUEUE, [
    nowMs,
  ]);
  const row = rows[0];
  if (!row) return { waiting: 0, due: 0, claimed: 0, unknown: 0, oldestDueMs: null };
  const { oldest_due_ms, ...counts } = row;
  return { ...counts, oldestDueMs: oldest_due_ms === null ? null : Number(oldest_due_ms) };
}

const CALLBACKS: Statement = {
  name: 'diagnosis_callbacks',
  text: `
select count(*)::int as queued, min(c.received_ms) as oldest_ms
from callback_queue q join callbacks c on c.callback_id = q.callback_id`,
};

export interface CallbackBacklog {
  readonly queued: number;
  readonly oldestMs: number | null;
}

export async function countCallbackBacklog(db: SqlRunner): Promise<CallbackBacklog> {
  const { rows } = await db.run<{ queued: number; oldest_ms: number | null }>(CALLBACKS, []);
  const row = rows[0];
  return { queued: row?.queued ?? 0, oldestMs: row?.oldest_ms == null ? null : Number(row.oldest_ms) };
}

const NOT_STORED: Statement = {
  name: 'diagnosis_not_stored',
  text: `select count(*)::int as count from dead_letters where code = 'outcome_not_stored'`,
};

/** Messages that ended because their outcome could not be stored. */
export async function countNotStored(db: SqlRunner): Promise<number> {
  return (await db.run<{ count: number }>(NOT_STORED, [])).rows[0]?.count ?? 0;
}

const PAUSED: Statement = {
  name: 'diagnosis_paused',
  text: `select phone_number_id, tenant_id, pause_reason from phone_numbers where status = 'paused' order by phone_number_id limit 100`,
};

export interface PausedNumber {
  readonly phoneNumberId: string;
  readonly tenantId: string;
  readonly reason: string | null;
}

/** At most 100 of them. */
export async function listPausedNumbers(db: SqlRunner): Promise<readonly PausedNumber[]> {
  const { rows } = await db.run<{ phone_number_id: string; tenant_id: string; pause_reason: string | null }>(
    PAUSED,
    [],
  );
  return rows.map((row) => ({ phoneNumberId: row.phone_number_id, tenantId: row.tenant_id, reason: row.pause_reason }));
}

const HAS_MIGRATIONS: Statement = {
  name: 'diagnosis_has_schema',
  text: `select to_regclass('schema_migrations') is not null as present`,
};
const MIGRATIONS: Statement = {
  name: 'diagnosis_schema',
  text: 'select version from schema_migrations order by version',
};

/** Versions of the migrations that were applied; empty for a new database. Changes nothing, unlike the migrator. */
export async function listAppliedVersions(db: SqlRunner): Promise<readonly number[]> {
  const { rows } = await db.run<{ present: boolean }>(HAS_MIGRATIONS, []);
  if (rows[0]?.present !== true) return [];
  return (await db.run<{ version: number }>(MIGRATIONS, [])).rows.map((row) => row.version);
}

const SETTING: Statement = {
  name: 'diagnosis_setting',
  text: `select name, setting from pg_settings where name = any($1::text[]) order by name`,
};
/** Off means: a power cut can take back what was answered with 202. */
const SAFETY_SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'];

/** The settings of the database that decide whether a commit survives a power cut, and whether they are off. */
export async function listUnsafeSettings(db: SqlRunner): Promise<readonly string[]> {
  const { rows } = await db.run<{ name: string; setting: string }>(SETTING, [SAFETY_SETTINGS]);
  return rows.filter((row) => row.setting === 'off').map((row) => row.name);
}

const CHECKSUMS: Statement = {
  name: 'diagnosis_checksums',
  text: `
select current_setting('data_checksums') = 'on' as enabled, coalesce(sum(checksum_failures), 0)::int as failures
from pg_stat_database`,
};

/** Whether the database would notice a damaged page, and on how many it failed since its statistics began. */
export interface Checksums {
  readonly enabled: boolean;
  readonly failures: number;
}

export async function readChecksums(db: SqlRunner): Promise<Checksums> {
  return (await db.run<Checksums>(CHECKSUMS, [])).rows[0] ?? { enabled: false, failures: 0 };
}

const SERVER_VERSION: Statement = {
  name: 'diagnosis_version',
  text: `select current_setting('server_version') as version`,
};

export async function readServerVersion(db: SqlRunner): Promise<string> {
  return (await db.run<{ version: string }>(SERVER_VERSION, [])).rows[0]?.version ?? '';
}
