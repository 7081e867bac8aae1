import { type Database, statement } from './database.ts';

/*
 * The schema as text, from the catalogs: equal on PostgreSQL and PGlite, so that one committed file shows what all
 * migrations together make, and a change of it is seen in review.
 */

const COLUMNS = statement('dump_columns')`
select c.relname::text as table_name, a.attname::text as column_name, format_type(a.atttypid, a.atttypmod) as type,
  (select quote_ident(k.collname) from pg_collation k where k.oid = a.attcollation and a.attcollation <> t.typcollation) as collation,
  case when a.attstorage <> t.typstorage then
    case a.attstorage when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' else 'extended' end
  end as storage,
  a.attnotnull as not_null, pg_get_expr(d.adbin, d.adrelid) as default_value,
  array_to_string(c.reloptions, ', ') as options
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
join pg_type t on t.oid = a.atttypid
left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
where n.nspname = 'public' and c.relkind = 'r'
order by c.relname, a.attnum`;
const CONSTRAINTS = statement('dump_constraints')`
select c.relname::text as table_name, k.conname::text as name, pg_get_constraintdef(k.oid) as definition
from pg_constraint k
join pg_class c on c.oid = k.conrelid
join pg_namespace n on n.oid = c.relnamespace
where n.nspname = 'public' and k.contype in ('p', 'u', 'c', 'f')
order by c.relname, k.contype desc, k.conname`;
const INDEXES = statement('dump_indexes')`
select i.tablename::text as table_name, i.indexdef as definition
from pg_indexes i
where i.schemaname = 'public'
  and not exists (select 1 from pg_constraint k where k.conname = i.indexname and k.contype in ('p', 'u'))
order by i.tablename, i.indexname`;

interface ColumnRow {
  readonly tableName: string;
  readonly columnName: string;
  readonly type: string;
  /** Null: that of the type. */
  readonly collation: string | null;
  /** Null: that of the type. */
  readonly storage: string | null;
  readonly notNull: boolean;
  readonly defaultValue: string | null;
  readonly options: string | null;
}

interface NamedRow {
  readonly tableName: string;
  readonly name?: string;
  readonly definition: string;
}

/** The whole schema of a migrated database, tables in alphabetical order. */
export async function dumpSchema(db: Database): Promise<string> {
  const columns = (await db.run<ColumnRow>(COLUMNS, [])).rows;
  const constraints = (await db.run<NamedRow>(CONSTRAINTS, [])).rows;
  const indexes = (await db.run<NamedRow>(INDEXES, [])).rows;
  const tables = [...new Set(columns.map((column) => column.tableName))];
  const texts = tables.map((table) =>
    tableText(
      columns.filter((column) => column.tableName === table),
      constraints.filter((constraint) => constraint.tableName === table),
      indexes.filter((index) => index.tableName === table),
    ),
  );
  return `-- Dumped from the migrations by "npm run gen"; not to be edited.\n\n${texts.join('\n')}`;
}

function tableText(
  columns: readonly ColumnRow[],
  constraints: readonly NamedRow[],
  indexes: readonly NamedRow[],
): string {
  const [first] = columns;
  const lines = [
    ...columns.map((column) => `  ${columnText(column)}`),
    ...constraints.map((constraint) => `  constraint ${constraint.name} ${constraint.definition}`),
  ];
  const options = first?.options ? ` with (${first.options})` : '';
  const body = `create table ${first?.tableName} (\n${lines.join(',\n')}\n)${options};\n`;
  return body + indexes.map((index) => `${index.definition.replaceAll('public.', '')};\n`).join('');
}

function columnText(column: ColumnRow): string {
  const parts = [
    column.columnName,
    column.type,
    column.collation && `collate ${column.collation}`,
    column.storage && `storage ${column.storage}`,
    column.defaultValue === null ? null : `default ${column.defaultValue}`,
    column.notNull ? 'not null' : null,
  ];
  return parts.filter(Boolean).join(' ');
}
