import { type Cell, isCellName, MAIN_CELL, type NewCell, schemaOfCell } from '#cells/domain/cell';
import { OperatorError } from '#core/operator-error';
import { sealToken } from '#core/sealed-token';
import { openKeyring } from '#runtime/keyring';
import type { Runtime } from '#runtime/runtime';
import { addressOfCell, ownerOfAddress } from './cell-database.ts';

/** @throws OperatorError for a name or an address that cannot be one */
export function describeCell(rt: Runtime, { cellId, url, schema }: NewCell): Cell {
  if (!isCellName(cellId) || cellId === MAIN_CELL)
    throw new OperatorError(
      'A cell is named by 1 to 40 lowercase letters, digits and underscores, beginning with a letter; "main" is the one of DATABASE_URL.',
    );
  if (schema !== null && !isCellName(schema))
    throw new OperatorError(
      'A schema is named by 1 to 40 lowercase letters, digits and underscores, beginning with a letter.',
    );
  return {
    cellId,
    schema: schema ?? (url === null ? schemaOfCell(cellId) : null),
    url: url === null ? null : sealAddress(rt, cellId, url),
    state: 'joining',
    addedMs: rt.clock.now(),
  };
}

function sealAddress(rt: Runtime, cellId: string, url: string): NonNullable<Cell['url']> {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new OperatorError('The address of a cell must be like postgres://user:password@host:5432/database.');
  const key = openKeyring(rt.config).current();
  if (key === null)
    throw new OperatorError('Addresses of cells are stored encrypted: set MESSAGING_ENCRYPTION_KEY first.');
  return sealToken(key, ownerOfAddress(cellId), url);
}

/** The same for two descriptions of one cell, as far as their addresses are written alike. */
export function placeOfCell(rt: Runtime, cell: Cell): string {
  return `${addressOfCell(rt, cell)} ${cell.schema ?? ''}`;
}

/** @throws OperatorError when there is such a cell, or another one where it would be */
export function requireNewCell(rt: Runtime, cell: Cell, known: readonly Cell[]): void {
  const placeOf = (one: Cell) => placeOfCell(rt, one);
  const same = known.find(({ cellId }) => cellId === cell.cellId);
  if (same?.state === 'open') throw new OperatorError(`There is a cell ${cell.cellId} already.`);
  if (same !== undefined && placeOf(same) !== placeOf(cell))
    throw new OperatorError(`The cell ${cell.cellId} is being made elsewhere: repeat the command that made it.`);
  const other = known.find((one) => one.cellId !== cell.cellId && placeOf(one) === placeOf(cell));
  const isMain = addressOfCell(rt, cell) === rt.config.databaseUrl && cell.schema === null;
  const taken = isMain ? MAIN_CELL : other?.cellId;
  if (taken !== undefined)
    throw new OperatorError(`The cell ${taken} is there. Name another schema, or another server.`);
}
