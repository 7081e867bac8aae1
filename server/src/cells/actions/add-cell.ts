import { installationSecret } from '#access/actions/manage-tenants';
import { type Cell, MAIN_CELL, type NewCell } from '#cells/domain/cell';
import { hasDirectory, listAddedCells, makeDirectory, saveCell } from '#cells/store/directory';
import { copyLists, hasSettings, makeSchema, putSecrets, readSecrets } from '#cells/store/installation';
import { OperatorError } from '#core/operator-error';
import type { Database } from '#database/database';
import type { Migration } from '#database/migration-file';
import { prepareDatabase } from '#maintenance/actions/open-database';
import { installationPushKey } from '#notifications/actions/push-key';
import type { Runtime } from '#runtime/runtime';
import { openCellDatabase } from './cell-database.ts';
import { describeCell, requireNewCell } from './describe-cell.ts';

interface AddDeps {
  readonly rt: Runtime;
  /** Of the main cell. */
  readonly db: Database;
  readonly migrations: readonly Migration[];
}

/** A cell knows its name: one address can be written in many ways. The main cell has none. */
const CELL_SETTING = 'cell_id';
/** Longer than any process takes to notice: until then a key of the new cell would be unknown to it. */
export const JOIN_MS = 3_000;

/** The cells besides the main one; empty without a directory. */
export async function addedCells(db: Database): Promise<readonly Cell[]> {
  return (await hasDirectory(db)) ? listAddedCells(db) : [];
}

/**
 * Makes a cell: its schema, the secrets and price lists of the installation, and then its row in the directory. All steps can be
 * repeated: a command that was killed is given again, and goes on.
 * @throws OperatorError for a name or an address that cannot be one, and for a database of another installation
 */
export async function addCell({ rt, db, migrations }: AddDeps, input: NewCell): Promise<Cell> {
  if (db.kind !== 'postgres')
    throw new OperatorError('The embedded database has one cell. Cells need PostgreSQL: set DATABASE_URL.');
  const known = await addedCells(db);
  const cell = describeCell(rt, input);
  requireNewCell(rt, cell, known);
  const target = await openCellDatabase(rt, cell);
  try {
    if (cell.schema !== null) await makeSchema(target.db, cell.schema);
    await requireOurs(db, target.db, cell.cellId);
    await prepareDatabase(target.rt, target.db, migrations);
    await putSecrets(target.db, new Map([[CELL_SETTING, cell.cellId]]));
    await putSecrets(target.db, await installationSecrets(db));
    await copyLists(db, target.db);
  } finally {
    await target.db.close();
  }
  await makeDirectory(db);
  await saveCell(db, cell);
  await new Promise<void>((resolve) => rt.clock.after(JOIN_MS, resolve));
  const open = { ...cell, state: 'open' } as const;
  await saveCell(db, open);
  return open;
}

/** Before anything is written: what another installation works on is left alone. */
async function requireOurs(main: Database, target: Database, cellId: string): Promise<void> {
  const settings = (await hasSettings(target)) ? await readSecrets(target) : null;
  const secret = settings?.get('echo_key');
  const name = settings?.get(CELL_SETTING);
  if (secret === undefined && name === undefined) return;
  if (secret !== undefined && secret !== (await installationSecret(main, 'echo_key')))
    throw new OperatorError('Another installation works on this database. Name another schema, or another server.');
  if (name !== cellId)
    throw new OperatorError(`The cell ${name ?? MAIN_CELL} is there. Name another schema, or another server.`);
}

/** They are made at the first start, which may not have been yet. */
async function installationSecrets(main: Database): Promise<ReadonlyMap<string, string>> {
  for (const name of ['echo_key', 'cursor_key', 'link_key'] as const) await installationSecret(main, name);
  await installationPushKey(main);
  return readSecrets(main);
}
