import { type SqlRunner, statement, type Transaction } from '#database/database';
import { firstRow } from '#database/rows';

/** A backup as the database that it was made of remembers it. */
export interface BackupRecord {
  readonly backupId: string;
  readonly location: string;
  readonly startedMs: number;
  readonly finishedMs: number;
  readonly rowCount: number;
  readonly size: number;
}

/** Who looks back further looks into the location. */
const KEPT = 1_000;

const BACKUP_INSERT = statement('backup_insert')`
insert into backups (backup_id, location, started_ms, finished_ms, row_count, size) values ($1, $2, $3, $4, $5, $6)
on conflict (backup_id) do nothing`;
const BACKUP_TRIM = statement('backup_trim')`
delete from backups where backup_id < (select backup_id from backups order by backup_id desc offset ${KEPT - 1} limit 1)`;

/** Remembers a backup that was completed; only the newest are kept. */
export async function recordBackup(tx: Transaction, record: BackupRecord): Promise<void> {
  const { backupId, location, startedMs, finishedMs, rowCount, size } = record;
  await tx.run(BACKUP_INSERT, [backupId, location, startedMs, finishedMs, rowCount, size]);
  await tx.run(BACKUP_TRIM, []);
}

const BACKUP_NEWEST = statement('backup_newest')`
select backup_id, location, started_ms, finished_ms, row_count, size from backups order by started_ms desc limit 1`;

/** Null: none was ever made. */
export async function findNewestBackup(db: SqlRunner): Promise<BackupRecord | null> {
  return firstRow(db.run<BackupRecord>(BACKUP_NEWEST, []));
}

const BACKUP_NEEDED = statement('backup_needed_since')`select min(began_ms) as since_ms from database_histories`;

/** When there began to be something to back up; null: not yet. */
export async function findFirstUse(db: SqlRunner): Promise<number | null> {
  return (await db.run<{ sinceMs: number | null }>(BACKUP_NEEDED, [])).rows[0]?.sinceMs ?? null;
}

const HAS_BACKUPS = statement('backup_has_table')`select to_regclass('backups') is not null as is_there`;

/** False in a database that a migration to this version is still waiting for. */
export async function hasBackupsTable(db: SqlRunner): Promise<boolean> {
  return (await db.run<{ isThere: boolean }>(HAS_BACKUPS, [])).rows[0]?.isThere === true;
}
