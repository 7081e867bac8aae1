import {
  beginAnew,
  bringBack,
  haveCome,
  type RestoreDeps,
  type Restored,
  requireFiles,
  requireRoom,
  requireUsable,
  rowsIn,
} from '#backups/actions/restore-backup';
import { type Manifest, partsOf } from '#backups/domain/manifest';
import { readPlace } from '#backups/store/table-rows';
import { type Cell, MAIN_CELL } from '#cells/domain/cell';
import { makeDirectory, saveCell } from '#cells/store/directory';
import { makeSchema } from '#cells/store/installation';
import { beginRestore, endRestore, findRestore } from '#cells/store/restores';
import { OperatorError } from '#core/operator-error';
import type { OpenDatabase } from '#database/database';
import { ConfigError } from '#runtime/config';
import { addedCells } from './add-cell.ts';
import { type CellDatabase, cellFolder, openCellDatabase } from './cell-database.ts';
import { checkCells } from './check-cells.ts';
import { choosePlaces, type GivenPlaces } from './choose-places.ts';

/** What a restore of several cells did. */
export interface RestoredCells extends Restored {
  readonly cells: readonly string[];
  /** What somebody has to decide. */
  readonly faults: readonly string[];
}

interface RestoreOptions {
  readonly verify: boolean;
  readonly given: GivenPlaces;
}

/**
 * Brings all cells of a backup back: the main one into the empty database of `deps`, the others where they are to be, and makes their
 * directory. Each cell comes in one transaction. A restore that was interrupted goes on when it is run again; until it is over, no process starts.
 * @throws OperatorError when a cell is not empty, or nobody says where it goes; BackupUnusable. Nothing was changed then
 */
export async function restoreCells(
  deps: RestoreDeps,
  manifest: Manifest,
  { verify, given }: RestoreOptions,
): Promise<RestoredCells> {
  const { rt, db } = deps;
  requirePostgres(db);
  for (const part of partsOf(manifest)) requireUsable(rt, part, deps.migrations);
  const begun = await findRestore(db);
  if (begun !== null && begun !== manifest.id)
    throw new OperatorError(
      `The restore of the backup ${begun} is not over. Finish it, or begin with empty databases. Nothing was changed.`,
    );
  const added = await addedCells(db);
  const cells = choosePlaces({ rt, entries: manifest.cells ?? [], known: added, given });
  const targets = await openTargets(deps, manifest, cells);
  try {
    const isGoingOn = begun !== null;
    const waiting: Target[] = [];
    for (const target of targets) if (!(isGoingOn && (await haveCome(target.deps.db, manifest)))) waiting.push(target);
    for (const { name, deps: own, part } of waiting) {
      await requireRoom(own.db, part, name);
      // What is missing should not come to light when half of the cells are back.
      await requireFiles(deps.archive, part);
    }
    await makeDirectory(db);
    await db.transaction(async (tx) => {
      await beginRestore(tx, manifest.id, rt.clock.now());
      for (const cell of cells) await saveCell(tx, cell);
    });
    for (const target of waiting) await bringCell(target, verify);
    return await finish(deps, manifest, targets);
  } finally {
    await closeTargets(targets);
  }
}

/** @throws OperatorError */
export function requirePostgres(db: OpenDatabase): void {
  if (db.kind !== 'postgres') throw new OperatorError('Cells need PostgreSQL: set DATABASE_URL. Nothing was changed.');
}

/** A cell that is to come back. */
interface Target {
  /** As a sentence begins with it. */
  readonly name: string;
  /** Null: the main one. */
  readonly cell: Cell | null;
  readonly deps: RestoreDeps;
  readonly part: Manifest;
}

async function openTargets(deps: RestoreDeps, manifest: Manifest, cells: readonly Cell[]): Promise<readonly Target[]> {
  const [main, ...parts] = partsOf(manifest);
  const opened: CellDatabase[] = [];
  try {
    for (const cell of cells) opened.push(await openCell(deps, cell));
  } catch (error) {
    for (const { db } of opened) await db.close().catch(() => undefined);
    throw error;
  }
  const all = [deps.db, ...opened.map(({ db }) => db)];
  const withOthers = (own: RestoreDeps): RestoreDeps => ({ ...own, others: all.filter((db) => db !== own.db) });
  const targets = cells.map((cell, index): Target => {
    const own = { ...deps, ...opened[index] };
    return { name: `The cell ${cell.cellId}`, cell, deps: withOthers(own), part: parts[index] ?? manifest };
  });
  return [{ name: 'The cell main', cell: null, deps: withOthers(deps), part: main ?? manifest }, ...targets];
}

/** @throws OperatorError when its server does not let us in */
export async function openCell({ rt }: RestoreDeps, cell: Cell): Promise<CellDatabase> {
  const opened = await openCellDatabase(rt, cell).catch((error: Error) => {
    throw error instanceof ConfigError ? error : cellAway(cell, error);
  });
  try {
    await readPlace(opened.db);
    return opened;
  } catch (error) {
    await opened.db.close().catch(() => undefined);
    throw cellAway(cell, error as Error);
  }
}

function cellAway({ cellId }: Cell, error: Error): OperatorError {
  const reason = error.message.replace(/\.$/, '');
  return new OperatorError(`The cell ${cellId} cannot be reached: ${reason}. Nothing was changed.`, { cause: error });
}

async function closeTargets(targets: readonly Target[]): Promise<void> {
  for (const { cell, deps } of targets) if (cell !== null) await deps.db.close().catch(() => undefined);
}

async function bringCell({ cell, deps, part }: Target, verify: boolean): Promise<void> {
  if (cell !== null && cell.schema !== null) await makeSchema(deps.db, cell.schema);
  await bringBack(deps, part, { verify });
}

/** When the rows of all are there: their histories begin, and the directory is made of what lives in them. */
async function finish(deps: RestoreDeps, manifest: Manifest, targets: readonly Target[]): Promise<RestoredCells> {
  const { rt, db } = deps;
  const migrated: string[] = [];
  for (const { cell, deps: own } of targets) {
    const names = await beginAnew(own, cell === null ? undefined : cellFolder(own.rt, cell.cellId));
    migrated.push(...names.map((name) => (cell === null ? name : `${cell.cellId}/${name}`)));
  }
  const open = targets.map(({ cell, deps: own }) => ({ cellId: cell?.cellId ?? MAIN_CELL, db: own.db }));
  const { faults } = await checkCells({ rt, directory: db, open, missing: [], added: await addedCells(db) });
  await endRestore(db, manifest.id);
  const parts = partsOf(manifest);
  return {
    rows: parts.reduce((sum, part) => sum + rowsIn(part), 0),
    media: parts.reduce((sum, { media }) => sum + filesOf(media), 0),
    migrated,
    cells: open.map(({ cellId }) => cellId),
    faults,
  };
}

function filesOf({ copied, files }: Manifest['media']): number {
  return copied ? files : 0;
}
