import type { Database } from '#database/database';
import type { Migration } from '#database/migration-file';
import { prepareDatabase } from '#maintenance/actions/open-database';
import type { Runtime } from '#runtime/runtime';
import { addedCells } from './add-cell.ts';
import { openCellDatabase } from './cell-database.ts';

/** Migrates the cells besides the main one. @returns what was applied now, each with its cell: `b/0061-name` */
export async function migrateCells(
  rt: Runtime,
  db: Database,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  const applied: string[] = [];
  for (const cell of db.kind === 'postgres' ? await addedCells(db) : []) {
    const opened = await openCellDatabase(rt, cell);
    try {
      const names = await prepareDatabase(opened.rt, opened.db, migrations);
      applied.push(...names.map((name) => `${cell.cellId}/${name}`));
    } finally {
      await opened.db.close();
    }
  }
  return applied;
}
