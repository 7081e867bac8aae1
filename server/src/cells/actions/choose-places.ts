import type { CellEntry } from '#backups/domain/manifest';
import type { Cell, NewCell } from '#cells/domain/cell';
import { OperatorError } from '#core/operator-error';
import type { Runtime } from '#runtime/runtime';
import { describeCell, placeOfCell, requireNewCell } from './describe-cell.ts';

/** Where the operator wants cells to be, by their names: an address, or a schema on the server of DATABASE_URL. */
export type GivenPlaces = ReadonlyMap<string, string>;

interface Choosing {
  readonly rt: Runtime;
  readonly entries: readonly CellEntry[];
  /** The cells that are in the directory already. */
  readonly known: readonly Cell[];
  readonly given: GivenPlaces;
}

/**
 * Where the cells of a backup come back: where the directory has them, else where the operator wants them, else in the schema that they had.
 * @throws OperatorError when a name fits no cell of the backup, or nobody says where one goes
 */
export function choosePlaces({ rt, entries, known, given }: Choosing): readonly Cell[] {
  requireKnownNames(entries, [...given.keys(), ...known.map(({ cellId }) => cellId)]);
  const chosen: Cell[] = [];
  for (const [index, entry] of entries.entries()) {
    const there = known.find(({ cellId }) => cellId === entry.cellId);
    const wanted = given.get(entry.cellId);
    if (there !== undefined && wanted === undefined) chosen.push(there);
    else {
      const cell = describeCell(rt, describePlace(entry, wanted));
      if (there !== undefined) requireSamePlace(rt, there, cell);
      else requireNewCell(rt, cell, [...known, ...chosen]);
      // In their order: an email address that several cells know leads to the one that was added first.
      chosen.push(there ?? { ...cell, addedMs: cell.addedMs + index });
    }
  }
  return chosen;
}

function requireKnownNames(entries: readonly CellEntry[], names: readonly string[]): void {
  const other = names.find((name) => !entries.some(({ cellId }) => cellId === name));
  if (other === undefined) return;
  const own = entries.map(({ cellId }) => cellId).join(', ');
  throw new OperatorError(
    `The backup has no cell "${other}". Besides main it has ${own === '' ? 'none' : own}. Nothing was changed.`,
  );
}

/** @param wanted an address or a schema; absent: the schema that the cell had on the server of the main one */
export function describePlace({ cellId, schema, hasOwnServer }: CellEntry, wanted: string | undefined): NewCell {
  if (wanted === undefined && hasOwnServer)
    throw new OperatorError(
      `The cell ${cellId} was on a server of its own. Say where it goes: --cell-at ${cellId}=postgres://user:password@host/database, or --cell-at ${cellId}=cell_${cellId} for a schema on the server of DATABASE_URL.`,
    );
  if (wanted === undefined) return { cellId, url: null, schema };
  return wanted.includes('://') ? { cellId, url: wanted, schema } : { cellId, url: null, schema: wanted };
}

function requireSamePlace(rt: Runtime, there: Cell, wanted: Cell): void {
  if (placeOfCell(rt, there) !== placeOfCell(rt, wanted))
    throw new OperatorError(
      `The directory has the cell ${there.cellId} in another place. Leave out --cell-at, or begin with an empty database. Nothing was changed.`,
    );
}
