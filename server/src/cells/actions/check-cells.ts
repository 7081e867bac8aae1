import { type Cell, MAIN_CELL } from '#cells/domain/cell';
import { forgetTenant, hasDirectory, keepNames, keepTenants, listPlaces, saveCell } from '#cells/store/directory';
import { listNumbers, listResidents } from '#cells/store/residents';
import type { Database } from '#database/database';
import type { OpenCell } from './cell-locator.ts';

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
export async function checkCells({ directory, open, missing, added }: Checking): Promise<CheckedCells> {
  if (!(await hasDirectory(directory))) return { cells: 1, tenants: 0, repaired: [], faults: [] };
  const faults = missing.map((cellId) => `The cell ${cellId} cannot be reached.`);
  const repaired: string[] = [];
  for (const cell of added.filter(({ state }) => state === 'joining')) {
    await saveCell(directory, { ...cell, state: 'open' });
    repaired.push(`The cell ${cell.cellId} is open.`);
  }
  const places = await placesOf(open);
  faults.push(...doubled(places, 'tenant'));
  const tenants = await repairTenants(directory, { places, isWhole: missing.length === 0 });
  repaired.push(...tenants);
  const numbers = await numbersOf(open);
  faults.push(...doubled(numbers.places, 'number'));
  const kept = await keepNames(directory, 'number', numbers.names);
  if (kept > 0) repaired.push(`${kept} numbers are in the directory.`);
  return { cells: open.length + missing.length, tenants: places.size, repaired, faults };
}

type Places = ReadonlyMap<string, readonly string[]>;

async function placesOf(open: readonly OpenCell[]): Promise<Places> {
  const places = new Map<string, string[]>();
  for (const { cellId, db } of open) {
    for (const tenantId of await listResidents(db)) places.set(tenantId, [...(places.get(tenantId) ?? []), cellId]);
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
  { places, isWhole }: { readonly places: Places; readonly isWhole: boolean },
): Promise<readonly string[]> {
  const repaired: string[] = [];
  for (const { tenantId, cellId } of await listPlaces(directory)) {
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

async function numbersOf(open: readonly OpenCell[]) {
  const places = new Map<string, string[]>();
  const names = new Map<string, { readonly name: string; readonly tenantId: string }>();
  for (const { cellId, db } of open) {
    for (const number of await listNumbers(db)) {
      places.set(number.name, [...(places.get(number.name) ?? []), cellId]);
      names.set(number.name, number);
    }
  }
  return { places, names: [...names.values()].filter(({ name }) => places.get(name)?.length === 1) };
}
