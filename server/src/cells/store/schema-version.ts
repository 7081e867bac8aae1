import { type SqlRunner, statement } from '#database/database';

const VERSION = statement('cell_schema_version')`select max(version) as version from schema_migrations`;

/** The number of the latest migration of a cell. */
export async function readSchemaVersion(db: SqlRunner): Promise<number> {
  return (await db.run<{ version: number | null }>(VERSION, [])).rows[0]?.version ?? 0;
}
