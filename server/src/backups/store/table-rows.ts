import { type SqlRunner, type Statement, statement, type Transaction } from '#database/database';

/* All tables of the schema, whosever rows they hold: names and columns are read from the catalog, and nothing else is put into a statement. */

/** A table as the catalog has it. */
export interface TableShape {
  readonly table: string;
  readonly columns: readonly string[];
  readonly types: readonly string[];
}

/** Rows of the migrator, which writes them itself. */
const MIGRATIONS_TABLE = 'schema_migrations';

const BACKUP_TABLES = statement('backup_tables')`
select c.relname::text as "table", array_agg(a.attname::text order by a.attnum) as columns,
  array_agg(format_type(a.atttypid, a.atttypmod) order by a.attnum) as types
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and c.relname <> $1
group by c.relname order by c.relname`;

/** Every table but that of the migrations, in the order of their names. */
export async function listTables(db: SqlRunner): Promise<readonly TableShape[]> {
  return (await db.run<TableShape>(BACKUP_TABLES, [MIGRATIONS_TABLE])).rows;
}

/**
 * From now on the transaction sees the data of one moment, and no migration changes the tables under it. Only as its first
 * statements.
 */
export async function beginStill(tx: Transaction, tables: readonly TableShape[]): Promise<void> {
  // Nobody waits behind a lock that every reader takes.
  await tx.run(once('set local lock_timeout = 0'), []);
  await tx.run(once('set transaction isolation level repeatable read, read only'), []);
  await tx.run(once(`lock table ${tables.map(({ table }) => table).join(', ')} in access share mode`), []);
}

/** Rows of one fetch: few at first, because one row of events may be as large as a megabyte. */
const FIRST_ROWS = 50;
const MOST_ROWS = 1_000;
/** What a fetch is meant to bring. */
const FETCH_BYTES = 1024 * 1024;

/** The rows of a table, each as a line: a JSON array of the texts of its values. In portions that are read as fast as they are taken. */
export async function* readLines(tx: Transaction, { table, columns }: TableShape): AsyncGenerator<readonly string[]> {
  const values = columns.map((column) => `t."${column}"::text`).join(', ');
  await tx.run(
    once(
      `declare backup_rows no scroll cursor for select array_to_json(array[${values}])::text as line from ${table} t`,
    ),
    [],
  );
  for (let wanted = FIRST_ROWS; ; ) {
    const { rows } = await tx.run<{ readonly line: string }>(once(`fetch forward ${wanted} from backup_rows`), []);
    if (rows.length > 0) yield rows.map(({ line }) => line);
    if (rows.length < wanted) break;
    const bytes = rows.reduce((sum, { line }) => sum + line.length, 0);
    const fitting = Math.ceil((FETCH_BYTES * rows.length) / Math.max(1, bytes));
    wanted = Math.max(1, Math.min(MOST_ROWS, wanted * 2, fitting));
  }
  await tx.run(once('close backup_rows'), []);
}

/** Inserts lines as `readLines` gave them. @returns rows inserted */
export async function insertLines(tx: Transaction, shape: TableShape, lines: readonly string[]): Promise<number> {
  const { table, columns, types } = shape;
  const names = columns.map((column) => `"${column}"`).join(', ');
  const values = types.map((type, at) => `(r.v ->> ${at})::${type}`).join(', ');
  const text = `insert into ${table} (${names}) select ${values} from jsonb_array_elements($1::jsonb) r (v)`;
  return (await tx.run(once(text), [`[${lines.join(',')}]`])).rowCount;
}

/** What a database may hold that was migrated, or even served, and has never been used. */
const UNUSED_ROWS: ReadonlySet<string> = new Set([
  ...['settings', 'plans', 'wallet_prices', 'database_histories', 'backups'],
  ...['dispatchers', 'notifiers', 'api_processes'],
]);

/** Tables with rows that would be lost if others took their place. */
export async function listUsedTables(db: SqlRunner, tables: readonly TableShape[]): Promise<readonly string[]> {
  const used: string[] = [];
  for (const { table } of tables) {
    if (UNUSED_ROWS.has(table)) continue;
    const { rows } = await db.run<{ used: boolean }>(once(`select exists (select from ${table}) as used`), []);
    if (rows[0]?.used) used.push(table);
  }
  return used;
}

/** Keeps everybody else from writing, and from restoring as well, until the transaction ends. */
export async function lockForRestore(tx: Transaction): Promise<void> {
  await tx.run(once('set local statement_timeout = 0'), []);
  await tx.run(once('lock table tenants, database_histories in exclusive mode'), []);
}

/** Removes what a new database comes with: the backup has its own. */
export async function clearUnused(tx: Transaction): Promise<void> {
  for (const table of UNUSED_ROWS) await tx.run(once(`delete from ${table}`), []);
}

const RESTORE_MARK = statement('restore_mark')`
update database_histories set server = $1 where history_id = (select max(history_id) from database_histories)`;

/** No server is called so: whoever opens the database next begins a new history, and holds what may have been sent. */
export async function markRestored(tx: Transaction, id: string): Promise<void> {
  await tx.run(RESTORE_MARK, [`restored/${id}`]);
}

const RESTORED = statement('restore_find')`
select substr(server, 10) as id from database_histories
where history_id = (select max(history_id) from database_histories) and server like 'restored/%'`;

/** The backup whose rows are here and whose history has not begun yet; null: there is none. */
export async function findRestored(db: SqlRunner): Promise<string | null> {
  return (await db.run<{ id: string }>(RESTORED, [])).rows[0]?.id ?? null;
}

const WAS_RESTORED = statement('restore_was')`select exists (select from database_histories where server = $1) as was`;

/** Whether the rows of a backup came here, also when a history has begun since. */
export async function wasRestored(db: SqlRunner, id: string): Promise<boolean> {
  return (await db.run<{ was: boolean }>(WAS_RESTORED, [`restored/${id}`])).rows[0]?.was === true;
}

const KEY_COLUMNS: readonly (readonly [table: string, column: string])[] = [
  ['linked_accounts', 'token_key_id'],
  ['sso_connections', 'secret_key_id'],
  ['users', 'totp_key_id'],
  ['webhook_endpoints', 'secret_key_id'],
  ['webhook_endpoints', 'old_secret_key_id'],
];

/** Ids of the encryption keys without which something could not be read. */
export async function listKeyIds(db: SqlRunner): Promise<readonly string[]> {
  const selects = KEY_COLUMNS.map(
    ([table, column]) => `select ${column} as id from ${table} where ${column} is not null`,
  );
  const { rows } = await db.run<{ id: string }>(once(`${selects.join(' union ')} order by id`), []);
  return rows.map(({ id }) => id);
}

const PLACE = statement('restore_place')`
select pg_postmaster_start_time()::text || '/' || current_database() as place`;

/** Which database of which server this is, however it is addressed. */
export async function readPlace(db: SqlRunner): Promise<string> {
  return (await db.run<{ place: string }>(PLACE, [])).rows[0]?.place ?? '';
}

const OTHERS = statement('restore_others')`
select count(*)::int as n from pg_stat_activity
where datname = current_database() and application_name like 'postrider%' and pid <> pg_backend_pid()`;

/** Other connections of Postrider to this database. @param own connections of this process */
export async function countOthers(db: SqlRunner, own: number): Promise<number> {
  return Math.max(0, ((await db.run<{ n: number }>(OTHERS, [])).rows[0]?.n ?? 0) - own);
}

/** Run once, so not prepared under a name. */
function once(text: string): Statement {
  return { name: '', text };
}
