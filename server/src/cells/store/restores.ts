import { type SqlRunner, statement, type Transaction } from '#database/database';

/*
 * The restore of an installation with cells, in the directory, from before the first row has come until all cells have theirs. Nobody may work on
 * the half of an installation: what the missing cells have would be nowhere.
 */

const IS_THERE = statement(
  'restores_are_there',
)`select to_regclass('postrider_directory.restores') is not null as there`;
const FIND = statement(
  'restore_find_begun',
)`select backup_id from postrider_directory.restores order by backup_id limit 1`;

/** The backup whose restore was begun and is not over; null: there is none. */
export async function findRestore(db: SqlRunner): Promise<string | null> {
  if ((await db.run<{ there: boolean }>(IS_THERE, [])).rows[0]?.there !== true) return null;
  return (await db.run<{ backupId: string }>(FIND, [])).rows[0]?.backupId ?? null;
}

const BEGIN = statement('restore_begin')`
insert into postrider_directory.restores (backup_id, started_ms) values ($1, $2) on conflict do nothing`;

export async function beginRestore(tx: Transaction, backupId: string, nowMs: number): Promise<void> {
  await tx.run(BEGIN, [backupId, nowMs]);
}

const END = statement('restore_end')`delete from postrider_directory.restores where backup_id = $1`;

/** All cells have their rows. */
export async function endRestore(db: SqlRunner, backupId: string): Promise<void> {
  await db.run(END, [backupId]);
}
