import { type SqlRunner, StorageUnavailable, statement, type Transaction } from '#database/database';
import { firstRow } from '#database/rows';
import type { DatabaseHistory, HistoryReason, ServerIdentity } from '#maintenance/domain/database-history';

const TABLE_IDENTITY = `(select oid::text from pg_database where datname = current_database())
    || '/' || 'database_histories'::regclass::oid`;

const WHOLE_IDENTITY = statement('history_server')`
select (select system_identifier::text from pg_control_system()) || '/' || ${TABLE_IDENTITY} as server,
  case when pg_is_in_recovery() then null else substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as timeline`;
/** What also those learn who may not ask for the rest, as on some managed servers. */
const PLAIN_IDENTITY = statement('history_server_plain')`
select ${TABLE_IDENTITY} as server, case when pg_is_in_recovery() then null else '' end as timeline`;

interface IdentityRow {
  readonly server: string;
  readonly timeline: string | null;
}

/** @throws StorageUnavailable also for a replica, which takes no messages */
export async function readServerIdentity(db: SqlRunner): Promise<ServerIdentity> {
  const { rows } = await db.run<IdentityRow>(WHOLE_IDENTITY, []).catch((error: unknown) => {
    if (error instanceof StorageUnavailable) throw error;
    return db.run<IdentityRow>(PLAIN_IDENTITY, []);
  });
  const { server = '', timeline = null } = rows[0] ?? {};
  if (timeline === null) throw new StorageUnavailable('The database server is a replica: it cannot be written to.');
  return { server, timeline };
}

/** Any constant: one process at a time decides whether a new history begins. */
const HISTORY_LOCK = 723_003;

/** Waits for the others, however long holding messages takes them, and then holds the lock until the transaction ends. */
export async function lockHistory(tx: Transaction): Promise<void> {
  const patience = `select set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true)`;
  await tx.run({ name: 'history_patience', text: patience }, []);
  await tx.run({ name: 'history_lock', text: 'select pg_advisory_xact_lock($1)' }, [HISTORY_LOCK]);
}

const COLUMNS = 'history_id, server, timeline, reason, began_ms, mark, marked_ms, synchronous as is_synchronous';

const FIND_HISTORY = statement('history_find')`
select ${COLUMNS} from database_histories order by history_id desc limit 1`;

/** The history that counts; null in a database that never had one. */
export async function findHistory(db: SqlRunner): Promise<DatabaseHistory | null> {
  return firstRow(db.run<DatabaseHistory>(FIND_HISTORY, []));
}

const MARK_HISTORY = statement('history_mark')`
update database_histories set mark = mark + 1, marked_ms = $1,
  synchronous = current_setting('synchronous_standby_names') <> '' and current_setting('synchronous_commit') not in ('off', 'local')
where history_id = (select max(history_id) from database_histories)
returning ${COLUMNS}`;

/** Makes the next mark. @returns the history that counts, with it */
export async function markHistory(db: SqlRunner, nowMs: number): Promise<DatabaseHistory | null> {
  return firstRow(db.run<DatabaseHistory>(MARK_HISTORY, [nowMs]));
}

const BEGIN_HISTORY = statement('history_begin')`
insert into database_histories (history_id, server, timeline, began_ms, reason, held, lost_since_ms, marked_ms)
values ($1, $2, $3, $4, $5, $6, $7, $4)`;

export interface NewHistory extends ServerIdentity {
  readonly historyId: number;
  readonly beganMs: number;
  readonly reason: HistoryReason;
  readonly held: number;
  readonly lostSinceMs: number | null;
}

export async function beginHistory(tx: Transaction, history: NewHistory): Promise<void> {
  const { historyId, server, timeline, beganMs, reason, held, lostSinceMs } = history;
  await tx.run(BEGIN_HISTORY, [historyId, server, timeline, beganMs, reason, held, lostSinceMs]);
}

/** More than the changes of owner that a lane can have had since. */
const EPOCH_LEAP = 1_000_000;

/** Nobody owns a lane any more, under an epoch that the lost history cannot have had: no send of it is taken for a new one. */
export async function disownLanes(tx: Transaction): Promise<void> {
  const text = 'update lane_owners set owner_id = null, epoch = epoch + $1';
  await tx.run({ name: 'history_disown', text }, [EPOCH_LEAP]);
}
