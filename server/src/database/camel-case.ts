import { CamelCasePlugin, Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import type { Schema } from './schema.ts';

/** @param column as the database names it, such as `tenant_id` */
export function camelName(column: string): string {
  return column.replace(/_([a-z\d])/g, (_match, letter: string) => letter.toUpperCase());
}

/** Queries that are built of parts. They name columns in camel case too; what is inside of a column stays as it is. */
export function makeKysely(pool: PostgresPool): Kysely<Schema> {
  const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })];
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), plugins });
}
