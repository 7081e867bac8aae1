import { type Cell, MAIN_CELL } from '#cells/domain/cell';
import { isUndecided, type TenantMove } from '#cells/domain/move';
import { forgetTenant, hasDirectory, keepNames, keepTenants, listPlaces, saveCell } from '#cells/store/directory';
import { listMoves } from '#cells/store/moves';
import { listNumbers, listResidents } from '#cells/store/residents';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import type { OpenCell } from './cell-locator.ts';
import { mendMoves } from './mend-moves.ts';
import { moveTenantToCell } from './move-tenant.ts';

/** What a look at the directory and the cells found. */
export interface CheckedCells {
  readonly cells: number;
  readonly tenants: number;
  /** What the directory did not know, or no longer should have, and now does. */
  readonly repaired: readonly string[];
  /** What somebody has to decide. */
  readonly faults: readonly string[];
}

interface Checking {
  readonly rt: Runtime;
  readonly directory: Database;
  /** The cells that can be reached, the main one first. */
  readonly open: readonly OpenCell[];
  /** The cells of the directory that cannot. */
  readonly missing: readonly string[];
  readonly added: readonly Cell[];
}

/**
 * Compares the directory with what lives in the cells, and repairs what a killed command left: the directory is right where the cells leave no
 * doubt. Repeating it changes nothing.
 */
export async function checkCells(checking: Checking): Promise<CheckedCells> {
  const { directory, open, missing, added } = checking;
  if (!(await hasDirectory(directory))) return { cells: 1, tenants: 0, repaired: [], faults: [] };
  const faults = missing.map((cellId) => `The cell ${cellId} cannot be reached.`);
  const repaired: string[] = [];
  for (const cell of added.filter(({ state }) => state === 'joining')) {
    await saveCell(directory, { ...cell, state: 'open' });
    repaired.push(`The cell ${cell.cellId} is open.`);
  }
  const moves = await endMoves(checking);
  repaired.push(...moves.ended);
  faults.push(...moves.faults);
  const places = await placesOf(open, moves.left);
  faults.push(...doubled(places, 'tenant'));
  const tenants = await repairTenants(directory, { places, isWhole: missing.length === 0, moving: moves.left });
  repaired.push(...tenants);
  const numbers = await numbersOf(open, moves.left);
  faults.push(...doubled(numbers.places, 'number'));
  const kept = await keepNames(directory, 'number', numbers.names);
  if (kept > 0) repaired.push(`${kept} numbers are in the directory.`);
  return { cells: open.length + missing.length, tenants: places.size, repaired, faults };
}

/**
 * Ends moves whose command is gone: those that were decided are finished, the others given up.
 * @returns the tenants that still move
 */
async function endMoves({ rt, directory, open, missing }: Checking) {
  await mendMoves({ rt, directory, open });
  const [ended, faults]: [string[], string[]] = [[], []];
  const left = new Set<string>();
  for (const move of await listMoves(directory)) {
    const sentence = move.leaseUntilMs > rt.clock.now() ? null : await endMove({ rt, directory, open, missing }, move);
    if (sentence === null) left.add(move.tenantId);
    else if (sentence.isEnded) ended.push(sentence.text);
    else {
      left.add(move.tenantId);
      faults.push(sentence.text);
    }
  }
  return { ended, faults, left };
}

async function endMove(deps: Omit<Checking, 'added'>, move: TenantMove) {
  const { tenantId, fromCell, toCell } = move;
  const cellId = isUndecided(move) ? fromCell : toCell;
  try {
    await moveTenantToCell(deps, tenantId, cellId);
    return {
      isEnded: true,
      text: `The tenant ${tenantId} is in ${cellId}: its move from ${fromCell} to ${toCell} is over.`,
    };
  } catch (error) {
    const why = (error as Error).message;
    return {
      isEnded: false,
      text: `The move of the tenant ${tenantId} from ${fromCell} to ${toCell} is not over: ${why}`,
    };
  }
}

type Places = ReadonlyMap<string, readonly string[]>;

async function placesOf(open: readonly OpenCell[], moving: ReadonlySet<string>): Promise<Places> {
  const places = new Map<string, string[]>();
  for (const { cellId, db } of open) {
    for (const tenantId of await listResidents(db))
      if (!moving.has(tenantId)) places.set(tenantId, [...(places.get(tenantId) ?? []), cellId]);
  }
  return places;
}

function doubled(places: Places, what: string): readonly string[] {
  return [...places]
    .filter(([, cellIds]) => cellIds.length > 1)
    .map(([name, cellIds]) => `The ${what} ${name} is in several cells: ${cellIds.join(', ')}.`);
}

async function repairTenants(
  directory: Database,
  {
    places,
    isWhole,
    moving,
  }: { readonly places: Places; readonly isWhole: boolean; readonly moving: ReadonlySet<string> },
): Promise<readonly string[]> {
  const repaired: string[] = [];
  for (const { tenantId, cellId } of await listPlaces(directory)) {
    if (moving.has(tenantId)) continue;
    const lives = places.get(tenantId) ?? [];
    // A tenant of a cell that cannot be reached is not gone.
    if (lives.includes(cellId) || (lives.length === 0 && !isWhole)) continue;
    await forgetTenant(directory, tenantId);
    repaired.push(`The tenant ${tenantId} is not in ${cellId}.`);
  }
  const alone = [...places].filter(([, cellIds]) => cellIds.length === 1);
  const kept = await keepTenants(
    directory,
    alone.map(([tenantId, [cellId = MAIN_CELL]]) => ({ tenantId, cellId })),
  );
  if (kept > 0) repaired.push(`${kept} tenants are in the directory.`);
  return repaired;
}

async function numbersOf(open: readonly OpenCell[], moving: ReadonlySet<string>) {
  const places = new Map<string, string[]>();
  const names = new Map<string, { readonly name: string; readonly tenantId: string }>();
  for (const { cellId, db } of open) {
    for (const number of await listNumbers(db)) {
      if (moving.has(number.tenantId)) continue;
      places.set(number.name, [...(places.get(number.name) ?? []), cellId]);
      names.set(number.name, number);
    }
  }
  return { places, names: [...names.values()].filter(({ name }) => places.get(name)?.length === 1) };
}
