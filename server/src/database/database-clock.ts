import { type SqlRunner, statement } from './database.ts';

const READ_CLOCK = statement('database_clock')`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms`;

/** The wall clock of the database's machine, milliseconds since 1970. */
export async function readDatabaseClock(db: SqlRunner): Promise<number> {
  const { rows } = await db.run<{ nowMs: number }>(READ_CLOCK, []);
  return rows[0]?.nowMs ?? Number.NaN;
}
