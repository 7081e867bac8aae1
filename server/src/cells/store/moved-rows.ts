import type { TenantId } from '#core/ids';
import { type SqlRunner, type Statement, statement, type Transaction } from '#database/database';

/** A table of tenants, and what identifies a row within a tenant, as its primary key orders them. */
export interface MovedTable {
  readonly table: string;
  readonly key: readonly { readonly name: string; readonly type: string }[];
}

const KEYS = statement('moved_keys')`
select c.relname::text as "table", a.attname::text as name, format_type(a.atttypid, null) as type
from unnest($1::text[]) t join pg_class c on c.oid = to_regclass(t)
join pg_index i on i.indrelid = c.oid and i.indisprimary
cross join lateral unnest(i.indkey::smallint[]) with ordinality as k (attnum, place)
join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
where a.attname <> 'tenant_id' order by c.relname, k.place`;

/** The tables with their keys, in the order in which they were named. */
export async function describeTables(db: SqlRunner, tables: readonly string[]): Promise<readonly MovedTable[]> {
  const { rows } = await db.run<{ table: string; name: string; type: string }>(KEYS, [tables]);
  return tables.map((table) => ({ table, key: rows.filter((row) => row.table === table) }));
}

/** The tables in which a tenant has any row. */
export async function findTablesWithRows(
  db: SqlRunner,
  tables: readonly string[],
  tenantId: TenantId,
): Promise<ReadonlySet<string>> {
  if (tables.length === 0) return new Set();
  const each = tables.map((table) => `(select '${table}' as "table" from ${table} where tenant_id = $1 limit 1)`);
  const { rows } = await db.run<{ table: string }>(unnamed(each.join(' union all ')), [tenantId]);
  return new Set(rows.map(({ table }) => table));
}

/** The key of a row, as text; null: before the first row, or behind the last. */
export type Place = readonly string[] | null;

/** The rows behind one place, up to another. */
export interface Range {
  readonly after: Place;
  readonly upto: Place;
}

/** Rows of a range as they were at one moment. */
export interface RowPortion {
  /** Each as JSON. */
  readonly lines: readonly string[];
  /** Sum over what the rows say, which is the same in any cell. */
  readonly content: string;
  /** Which versions of the rows these are: the same as long as nobody has written any of them. */
  readonly version: string;
  /** The key of the last row; null: there is none. */
  readonly last: Place;
}

/** What is known of the rows of a range without reading them. */
export type RangeVersion = Pick<RowPortion, 'version'> & { readonly rows: number };

/** Rows of one statement: few where a row may be as large as a megabyte. */
const PORTION = 1_000;
const LARGE_ROWS: Readonly<Record<string, number>> = { event_pages: 50, webhook_deliveries: 200 };

/** How many rows of a table are read together at most. */
export function portionOf({ table }: MovedTable): number {
  return LARGE_ROWS[table] ?? PORTION;
}

interface RowLine {
  readonly line: string;
  readonly content: string;
  readonly version: string;
  readonly place: readonly string[];
}

/** The place of a version in the table, and who wrote it: a row that is written again differs in one of them. */
const VERSION = 'hash_record_extended(row(t.ctid, t.xmin), 0)';
const CONTENT = 'hashtextextended(t::text, 0)';

/** The first rows of a range. */
export async function readPortion(
  db: SqlRunner,
  table: MovedTable,
  { tenantId, ...range }: Range & { readonly tenantId: TenantId },
): Promise<RowPortion> {
  const { where, values } = conditionOf(table, tenantId, range);
  const place = `array[${table.key.map(({ name }) => `t.${name}::text`).join(', ')}]::text[]`;
  const order = ['t.tenant_id', ...table.key.map(({ name }) => `t.${name}`)].join(', ');
  const text = `
select row_to_json(t)::text as line, ${CONTENT}::text as content, ${VERSION}::text as version, ${place} as place
from ${table.table} t where ${where} order by ${order} limit ${portionOf(table)}`;
  const { rows } = await db.run<RowLine>(unnamed(text), values);
  return {
    lines: rows.map(({ line }) => line),
    content: sum(rows.map(({ content }) => content)),
    version: sum(rows.map(({ version }) => version)),
    last: rows.at(-1)?.place ?? null,
  };
}

function sum(hashes: readonly string[]): string {
  return hashes.reduce((total, hash) => total + BigInt(hash), 0n).toString();
}

/** Whether these are still the rows, in these versions, that were read before. */
export async function readVersion(
  db: SqlRunner,
  table: MovedTable,
  { tenantId, ...range }: Range & { readonly tenantId: TenantId },
): Promise<RangeVersion> {
  const { where, values } = conditionOf(table, tenantId, range);
  const text = `select count(*)::int as rows, coalesce(sum(${VERSION}), 0)::text as version from ${table.table} t where ${where}`;
  const { rows } = await db.run<RangeVersion>(unnamed(text), values);
  return rows[0] ?? { rows: 0, version: '0' };
}

/** How many rows there are, and what they say. */
export interface RangeContent {
  readonly rows: number;
  readonly content: string;
}

export async function readRangeContent(
  db: SqlRunner,
  table: MovedTable,
  { tenantId, ...range }: Range & { readonly tenantId: TenantId },
): Promise<RangeContent> {
  const { where, values } = conditionOf(table, tenantId, range);
  const text = `select count(*)::int as rows, coalesce(sum(${CONTENT}), 0)::text as content from ${table.table} t where ${where}`;
  const { rows } = await db.run<RangeContent>(unnamed(text), values);
  return rows[0] ?? { rows: 0, content: '0' };
}

/** Removes the rows of a range. */
export async function deleteRange(
  tx: Transaction,
  table: MovedTable,
  { tenantId, ...range }: Range & { readonly tenantId: TenantId },
): Promise<void> {
  const { where, values } = conditionOf(table, tenantId, range);
  await tx.run(unnamed(`delete from ${table.table} t where ${where}`), values);
}

/** Writes rows as they were read. */
export async function insertMoved(tx: Transaction, { table }: MovedTable, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  const text = `
insert into ${table} select r.* from unnest($1::text[]) with ordinality as v (line, place), json_populate_record(null::${table}, v.line::json) r
order by v.place`;
  await tx.run(unnamed(text), [lines]);
}

/** Rows of one statement: short enough that nobody waits for it. */
const DELETED_AT_ONCE = 1_000;

/** Removes rows of a tenant that lives elsewhere. @returns how many; call again while there are any */
export async function deleteSome(tx: Transaction, table: string, tenantId: TenantId): Promise<number> {
  const text = `
delete from ${table} where tenant_id = $1 and ctid = any(array(select ctid from ${table} where tenant_id = $1 limit ${DELETED_AT_ONCE}))`;
  return (await tx.run(unnamed(text), [tenantId])).rowCount;
}

/** The texts differ by their tables and ranges: a session would keep hundreds of plans. */
function unnamed(text: string): Statement {
  return { name: '', text, camelCase: true };
}

function conditionOf(
  { key }: MovedTable,
  tenantId: TenantId,
  { after, upto }: Range,
): { readonly where: string; readonly values: readonly unknown[] } {
  const conditions = ['t.tenant_id = $1'];
  const values: unknown[] = [tenantId];
  const columns = key.map(({ name }) => `t.${name}`).join(', ');
  for (const [place, sign] of [
    [after, '>'],
    [upto, '<='],
  ] as const) {
    if (place === null) continue;
    const given = key.map(({ type }, index) => `$${values.length + index + 1}::${type}`).join(', ');
    conditions.push(`(${columns}) ${sign} (${given})`);
    values.push(...place);
  }
  return { where: conditions.join(' and '), values };
}
