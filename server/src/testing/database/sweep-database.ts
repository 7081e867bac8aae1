import type { Database } from '#database/database';

const COLUMNS = {
  name: 'test_sweep_columns',
  text: `select c.table_name, c.column_name, c.data_type from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' order by 1, 2`,
};

/** Every column of every table, as "table.column", in which one of these texts stands: in any type, and as base64 too. */
export async function columnsWith(db: Database, texts: readonly string[]): Promise<readonly string[]> {
  const needles = texts.flatMap((text) => [text, ...base64Of(text)]);
  const { rows } = await db.run<{ table_name: string; column_name: string; data_type: string }>(COLUMNS, []);
  const found = rows.map(({ table_name: table, column_name: column, data_type: type }) => {
    const text = type === 'bytea' ? `encode(t.${column}, 'escape')` : `t.${column}::text`;
    return `select '${table}.${column}' as place where exists (
      select 1 from ${table} t, unnest($1::text[]) as n (needle) where strpos(${text}, n.needle) > 0)`;
  });
  const places = await db.run<{ place: string }>({ name: 'test_sweep', text: found.join(' union all ') }, [needles]);
  return places.rows.map((row) => row.place).toSorted();
}

/** What a text looks like inside base64, wherever it begins there: ids of the network carry numbers so. */
export function base64Of(text: string): readonly string[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.from(' '.repeat(offset) + text).toString('base64');
    return encoded.slice(offset === 0 ? 0 : 4, Math.floor((offset + text.length) / 3) * 4);
  });
}
