import type { SqlRunner } from '#database/database';
import { type Migration, planOf } from '#database/migration-file';
import { listPending } from '#database/migrator';
import { estimateSeconds, type MigrationEffect, outlookOf } from '#maintenance/domain/migration-outlook';
import { readTableSizes, type TableSize } from '#maintenance/store/table-sizes';

/** A table that a migration changes. */
export interface ChangedTable extends TableSize {
  /** Each once, in the order of the statements. */
  readonly effects: readonly MigrationEffect[];
  /** About how long its statements take together. */
  readonly seconds: number;
}

/** What a migration would do. */
export interface CheckedMigration {
  /** `0071-backups`. */
  readonly name: string;
  /** Programs that do not know it must stop. */
  readonly isBreaking: boolean;
  /** Tables that have rows already. */
  readonly tables: readonly ChangedTable[];
}

/**
 * What `migrate` would do to this database. Changes nothing.
 * @throws SchemaMismatch as `migrate` does
 */
export async function checkMigrations(
  db: SqlRunner,
  migrations: readonly Migration[],
): Promise<readonly CheckedMigration[]> {
  const checked: CheckedMigration[] = [];
  for (const migration of await listPending(db, migrations)) checked.push(await checkMigration(db, migration));
  return checked;
}

async function checkMigration(db: SqlRunner, migration: Migration): Promise<CheckedMigration> {
  const { statements, isBreaking } = planOf(migration);
  const outlook = outlookOf(statements.map(({ text }) => text)).filter(({ effect }) => effect !== 'new');
  const names = [...new Set(outlook.flatMap(({ table }) => table ?? []))];
  const tables = (await readTableSizes(db, names)).map((size) => {
    const effects = outlook.filter(({ table }) => table === size.table).map(({ effect }) => effect);
    const seconds = effects.reduce((sum, effect) => sum + estimateSeconds(effect, size.bytes), 0);
    return { ...size, effects: [...new Set(effects)], seconds };
  });
  return { name: `${String(migration.version).padStart(4, '0')}-${migration.name}`, isBreaking, tables };
}
