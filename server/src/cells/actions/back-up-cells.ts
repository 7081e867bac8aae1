import { type BackupDeps, type BackupOptions, copyDatabase, makeBackup } from '#backups/actions/create-backup';
import type { CellEntry, Manifest } from '#backups/domain/manifest';
import { type Cell, MAIN_CELL } from '#cells/domain/cell';
import { Meeting } from '#cells/domain/meeting';
import { makeDirectory } from '#cells/store/directory';
import { listMoves, lockMoves } from '#cells/store/moves';
import { OperatorError } from '#core/operator-error';
import type { OpenCell } from './cell-locator.ts';
import { requireWhole } from './require-whole.ts';

/** What is backed up: `db` is the database of the main cell. */
export interface CellBackupDeps extends BackupDeps {
  /** All cells, the main one first. */
  readonly open: readonly OpenCell[];
  /** Those that were added, as the directory has them. */
  readonly added: readonly Cell[];
}

/**
 * Makes one backup of all cells, while the service goes on: of each cell what it held at one moment. A tenant lives in one cell, so nothing of it is
 * torn. All moments are within the short time in which no tenant may begin to move: one that moved meanwhile would be in both cells, or in none.
 * @throws OperatorError while a tenant is on its way; nothing is left behind
 */
export async function backUpCells(deps: CellBackupDeps, options: BackupOptions): Promise<Manifest> {
  await requireWhole(deps.db);
  await makeDirectory(deps.db);
  return makeBackup(deps, async (id) => {
    const [main, ...others] = await copyCells(deps, { ...options, id });
    if (main === undefined) throw new Error('A backup without its main cell.');
    const { migrations, keys, tables, media } = main;
    return { migrations, keys, tables, media, cells: others };
  });
}

type CellCopy = BackupOptions & { readonly id: string };

/** @returns the cells in their order */
async function copyCells(deps: CellBackupDeps, copy: CellCopy): Promise<readonly CellEntry[]> {
  const meeting = new Meeting(deps.open.length);
  let copies: Promise<readonly PromiseSettledResult<CellEntry>[]> = Promise.resolve([]);
  try {
    await withoutMoves(deps, () => {
      copies = Promise.allSettled(deps.open.map((cell) => copyCell(deps, { cell, copy, meeting })));
      return meeting.complete;
    });
  } catch (error) {
    meeting.fail(error);
    await copies;
    throw error;
  }
  // All of them, so that nothing is written any more when the files of a backup that failed are removed.
  return (await copies).map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

/** Does work while no tenant is on its way, and none can leave. @throws OperatorError when one is */
function withoutMoves({ db }: CellBackupDeps, work: () => Promise<void>): Promise<void> {
  // On a connection without the time limits of requests: a cell may have to wait for a migration.
  return db.aside((connection) =>
    connection.transaction(async (tx) => {
      await lockMoves(tx);
      const [move] = await listMoves(tx);
      if (move !== undefined)
        throw new OperatorError(
          `The tenant ${move.tenantId} is on its way from the cell ${move.fromCell} to ${move.toCell}. Make the backup when it has arrived; "postrider cells check" ends a move that was interrupted. Nothing was written.`,
        );
      await work();
    }),
  );
}

interface Copying {
  readonly cell: OpenCell;
  readonly copy: CellCopy;
  readonly meeting: Meeting;
}

async function copyCell(deps: CellBackupDeps, { cell: { cellId, db }, copy, meeting }: Copying): Promise<CellEntry> {
  const cell = deps.added.find((one) => one.cellId === cellId);
  const folder = cellId === MAIN_CELL ? copy.id : `${copy.id}/cells/${cellId}`;
  const startedAt = new Date(deps.rt.clock.now()).toISOString();
  try {
    const rows = await copyDatabase({ ...deps, db }, { ...copy, folder, onStill: () => meeting.come() });
    const { schema = null, url = null } = cell ?? {};
    return { cellId, schema, hasOwnServer: url !== null, startedAt, ...rows };
  } catch (error) {
    meeting.fail(error);
    throw error;
  }
}
