import { installationSecret } from '#access/actions/manage-tenants';
import {
  beginAnew,
  bringBack,
  type RestoreDeps,
  requireRoom,
  requireUsable,
  rowsIn,
} from '#backups/actions/restore-backup';
import { type CellEntry, type Manifest, partsOf } from '#backups/domain/manifest';
import { type Cell, MAIN_CELL } from '#cells/domain/cell';
import { keepNames, keepTenants, listPlaces, saveCell } from '#cells/store/directory';
import { copyLists, makeSchema, readSecrets } from '#cells/store/installation';
import { forgetPeople, listPeople } from '#cells/store/moved-people';
import { deleteSome, findTablesWithRows } from '#cells/store/moved-rows';
import { listMoves } from '#cells/store/moves';
import { listNumbers, listResidents } from '#cells/store/residents';
import type { TenantId } from '#core/ids';
import { OperatorError } from '#core/operator-error';
import type { Database, Transaction } from '#database/database';
import { tablesOfTenant } from '#maintenance/actions/export-tenant';
import { addedCells } from './add-cell.ts';
import { cellFolder } from './cell-database.ts';
import { describePlace } from './choose-places.ts';
import { describeCell, placeOfCell, requireNewCell } from './describe-cell.ts';
import { requireWhole } from './require-whole.ts';
import { openCell, type RestoredCells, requirePostgres } from './restore-cells.ts';

interface OneCell {
  readonly cellId: string;
  /** Where it goes when that is another place than before; an address, or a schema on the server of DATABASE_URL. */
  readonly at: string | null;
  readonly verify: boolean;
}

/** What came back of one cell. */
export interface RestoredCell extends RestoredCells {
  /** Tenants of the backup that live in another cell by now: they stay there, as they are. */
  readonly elsewhere: readonly string[];
  /** Tenants that the directory has in this cell and the backup does not: they came after it. */
  readonly absent: readonly string[];
}

/**
 * Brings back one cell of an installation whose other cells are there, into an empty place. Tenants that have moved out of it since the backup
 * are not brought back a second time.
 * @throws OperatorError when the cell or the backup is not of this installation, or the cell is not empty; nothing was changed
 */
export async function restoreOneCell(deps: RestoreDeps, manifest: Manifest, wanted: OneCell): Promise<RestoredCell> {
  const { rt, db } = deps;
  const { cellId, verify } = wanted;
  requirePostgres(db);
  const { entry, part } = requirePart(manifest, cellId);
  requireUsable(rt, part, deps.migrations);
  await requireWhole(db);
  const cell = await chooseCell(deps, entry, wanted);
  await requireNoMove(db, cellId);
  const target = await openCell(deps, cell);
  const own = { ...deps, ...target, others: [db] };
  try {
    await requireRoom(own.db, part, `The cell ${cellId}`);
    if (cell.schema !== null) await makeSchema(own.db, cell.schema);
    const places = await listPlaces(db);
    const moved = new Set(places.flatMap((place) => (place.cellId === cellId ? [] : [place.tenantId])));
    const elsewhere: string[] = [];
    const adapt = async (tx: Transaction) => {
      await requireSameInstallation(db, tx);
      for (const tenantId of await listResidents(tx)) if (moved.has(tenantId)) elsewhere.push(tenantId);
      for (const tenantId of elsewhere) await removeTenant(tx, tenantId as TenantId);
      await copyLists(db, tx);
    };
    const media = await bringBack(own, part, { verify, adapt });
    const migrated = await beginAnew(own, cellFolder(own.rt, cellId));
    await saveCell(db, { ...cell, state: 'open' });
    const tenants = await listResidents(own.db);
    await keepTenants(
      db,
      tenants.map((tenantId) => ({ tenantId, cellId })),
    );
    await keepNames(db, 'number', await listNumbers(own.db));
    const lived = places.flatMap((place) => (place.cellId === cellId ? [place.tenantId] : []));
    const absent = lived.filter((tenantId) => !tenants.includes(tenantId));
    return { ...{ rows: rowsIn(part), media, migrated, cells: [cellId], faults: [] }, elsewhere, absent };
  } finally {
    await own.db.close().catch(() => undefined);
  }
}

function requirePart(manifest: Manifest, cellId: string): { readonly entry: CellEntry; readonly part: Manifest } {
  const cells = manifest.cells ?? [];
  if (cellId === MAIN_CELL)
    throw new OperatorError(
      'The directory is beside the cell main, which comes back only with all others: leave out --cell. Nothing was changed.',
    );
  const index = cells.findIndex((cell) => cell.cellId === cellId);
  const [entry, part] = [cells[index], partsOf(manifest)[index + 1]];
  if (entry !== undefined && part !== undefined) return { entry, part };
  const own = cells.map((cell) => cell.cellId).join(', ');
  throw new OperatorError(
    `The backup ${manifest.id} has no cell "${cellId}". Besides main it has ${own === '' ? 'none' : own}. Nothing was changed.`,
  );
}

/** @throws OperatorError when the installation does not have the cell, or another one is where it is to be */
async function chooseCell({ rt, db }: RestoreDeps, entry: CellEntry, { cellId, at }: OneCell): Promise<Cell> {
  const known = await addedCells(db);
  const there = known.find((cell) => cell.cellId === cellId);
  if (there === undefined)
    throw new OperatorError(
      `This installation has no cell "${cellId}". To restore all cells into empty databases, leave out --cell. Nothing was changed.`,
    );
  if (at === null) return there;
  const { schema, url } = describeCell(rt, describePlace(entry, at));
  const cell = { ...there, schema, url };
  if (placeOfCell(rt, cell) === placeOfCell(rt, there)) return there;
  requireNewCell(
    rt,
    cell,
    known.filter((one) => one.cellId !== cellId),
  );
  return cell;
}

async function requireNoMove(db: Database, cellId: string): Promise<void> {
  const move = (await listMoves(db)).find(({ fromCell, toCell }) => [fromCell, toCell].includes(cellId));
  if (move !== undefined)
    throw new OperatorError(
      `The tenant ${move.tenantId} is on its way from the cell ${move.fromCell} to ${move.toCell}, so its rows are in both. Restore all cells into empty databases. Nothing was changed.`,
    );
}

/** Cursors and correlation tokens of another installation mean nothing here. */
async function requireSameInstallation(main: Database, tx: Transaction): Promise<void> {
  if ((await readSecrets(tx)).get('echo_key') !== (await installationSecret(main, 'echo_key')))
    throw new OperatorError('The backup is of another installation. Nothing was changed.');
}

async function removeTenant(tx: Transaction, tenantId: TenantId): Promise<void> {
  const people = await listPeople(tx, tenantId);
  const tables = tablesOfTenant().filter((table) => table !== 'tenants');
  for (const table of [...(await findTablesWithRows(tx, tables, tenantId)), 'tenants'])
    while ((await deleteSome(tx, table, tenantId)) > 0);
  await forgetPeople(tx, people);
}
