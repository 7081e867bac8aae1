import { type SqlRunner, statement } from '#database/database';

/** How large a table is. */
export interface TableSize {
  readonly table: string;
  /** With its indexes and what is stored beside it. */
  readonly bytes: number;
  /** As the last analysis estimated it. */
  readonly rows: number;
}

const TABLE_SIZES = statement('table_sizes')`
select c.relname::text as "table", pg_total_relation_size(c.oid)::bigint as bytes, greatest(c.reltuples, 0)::bigint as rows
from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname = any($1::text[])
order by c.relname`;

/** Those of these tables that there are. */
export async function readTableSizes(db: SqlRunner, tables: readonly string[]): Promise<readonly TableSize[]> {
  return (await db.run<TableSize>(TABLE_SIZES, [tables])).rows;
}
