import { listTenants } from '#access/store/tenants';
import { addedCells } from '#cells/actions/add-cell';
import { openCellDatabase } from '#cells/actions/cell-database';
import { type Cell, MAIN_CELL } from '#cells/domain/cell';
import { findKept, keepTenants } from '#cells/store/directory';
import { countResidents, findResidents } from '#cells/store/residents';
import { CliError, EXIT } from '#cli/exit';
import { isUuid, type TenantId } from '#core/ids';
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import { OperatorError } from '#core/operator-error';
import { checkHealth } from '#database/health';
import { readMigrations } from '#database/migration-file';
import { prepareDatabase } from '#maintenance/actions/open-database';
import type { OperatorCell, OperatorDeps, OperatorWork } from './command.ts';
import { inputText, optionalText } from './input.ts';

/** Commands about the whole installation: done in every cell, their answers added up. With a tenant, they are about that one. */
const EVERYWHERE: ReadonlySet<string> = new Set([
  ...['tenants.list', 'numbers.list', 'plans.add', 'plans.set', 'wallet.set-price', 'wallet.rerate', 'audit.verify'],
  ...['callbacks.replay', 'callbacks.leftovers', 'held.list', 'held.release', 'held.begin', 'tokens.rotate-key'],
]);
/** Commands about what is equal in every cell, or about the machine. */
const IN_MAIN: ReadonlySet<string> = new Set(['plans.list', 'wallet.prices', 'diagnose', 'backup.create']);

/** The cells of an installation as a command reaches them. */
export interface ReachedCells {
  /** The main one first. */
  readonly open: readonly OperatorCell[];
  readonly missing: readonly string[];
}

/**
 * Runs work on the cells: those of the running server, or those that it opens and closes.
 * @param open how a cell is opened; by default its schema is brought up to date
 */
export async function withCells<T>(
  deps: OperatorDeps,
  work: (cells: ReachedCells) => Promise<T>,
  open: (deps: OperatorDeps, cell: Cell) => Promise<OperatorCell> = openPrepared,
): Promise<T> {
  const main: OperatorCell = { cellId: MAIN_CELL, rt: deps.rt, db: deps.db };
  if (deps.cells) {
    await deps.cells.refresh();
    return work({ open: [main, ...deps.cells.served()], missing: deps.cells.missing() });
  }
  const opened: OperatorCell[] = [];
  const missing: string[] = [];
  try {
    for (const cell of deps.db.kind === 'postgres' ? await addedCells(deps.db) : []) {
      try {
        opened.push(await open(deps, cell));
      } catch {
        missing.push(cell.cellId);
      }
    }
    return await work({ open: [main, ...opened], missing });
  } finally {
    for (const { db } of opened) await db.close().catch(() => undefined);
  }
}

/** Its schema is brought up to date, as a command does with that of the main one. */
async function openPrepared({ rt: main, migrationsFolder }: OperatorDeps, cell: Cell): Promise<OperatorCell> {
  const { rt, db } = await openCellDatabase(main, cell);
  try {
    await prepareDatabase(rt, db, readMigrations(migrationsFolder));
    return { cellId: cell.cellId, rt, db };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** As it is, of whichever schema. */
export async function openUnchanged({ rt: main }: OperatorDeps, cell: Cell): Promise<OperatorCell> {
  const { rt, db } = await openCellDatabase(main, cell);
  return { cellId: cell.cellId, rt, db };
}

/** Does the work of a command in the cells that it is about. Without other cells it is done as ever. */
export async function runOverCells(
  deps: OperatorDeps,
  { name, input, work }: { readonly name: string; readonly input: JsonObject; readonly work: OperatorWork },
): Promise<JsonObject> {
  const hasOthers = deps.db.kind === 'postgres' && (await addedCells(deps.db)).length > 0;
  if (!hasOthers) requireMain(input);
  if (!hasOthers || IN_MAIN.has(name)) return work(deps, input);
  return withCells(deps, async (cells) => {
    const workIn = ({ rt, db }: OperatorCell) => work({ ...deps, rt, db }, input);
    if (name === 'tenants.create') return createIn(deps, { cells, input, workIn });
    if (!EVERYWHERE.has(name) || optionalText(input, 'tenant') !== null) {
      const home = await cellOfTenant(deps, cells, input);
      if (name === 'numbers.add') await requireFree(cells, home, inputText(input, 'phone_number_id'));
      return workIn(home);
    }
    await requireAll(cells);
    const answers: JsonObject[] = [];
    for (const cell of cells.open) answers.push(await workIn(cell));
    return answers.reduce(addUp);
  });
}

function requireMain(input: JsonObject): void {
  const wanted = optionalText(input, 'cell');
  if (wanted !== null && wanted !== MAIN_CELL)
    throw new OperatorError(`There is no cell "${wanted}". Add one with "postrider cells add".`);
}

/** A number belongs to one tenant: within a cell its table says so. */
async function requireFree({ open, missing }: ReachedCells, home: OperatorCell, phoneNumberId: string): Promise<void> {
  await requireAll({ open, missing });
  for (const { cellId, db } of open.filter((cell) => cell !== home)) {
    const [taken] = await findResidents(db, 'number', [phoneNumberId]);
    if (taken) throw new OperatorError(`The number ${phoneNumberId} belongs to another tenant, in the cell ${cellId}.`);
  }
}

/** Before anything is done: half of a price list would be worse than none. */
export async function requireAll({ open, missing }: ReachedCells): Promise<void> {
  const asked = await Promise.all(open.map(async ({ cellId, db }) => ((await checkHealth(db)).ok ? [] : [cellId])));
  const away = [...asked.flat(), ...missing];
  if (away.length > 0) throw new OperatorError(`The cell ${away.join(', ')} cannot be reached. Nothing was done.`);
}

interface Creating {
  readonly cells: ReachedCells;
  readonly input: JsonObject;
  readonly workIn: (cell: OperatorCell) => Promise<JsonObject>;
}

/** In the cell that is named, or in the one with the fewest tenants. */
async function createIn(deps: OperatorDeps, { cells, input, workIn }: Creating): Promise<JsonObject> {
  const joining = (await addedCells(deps.db)).filter(({ state }) => state === 'joining').map(({ cellId }) => cellId);
  const wanted = optionalText(input, 'cell');
  const open = cells.open.filter(({ cellId }) => !joining.includes(cellId));
  const cell = wanted === null ? await emptiest(open) : open.find(({ cellId }) => cellId === wanted);
  if (cell === undefined) throw new OperatorError(`There is no cell "${wanted}" that takes tenants now.`);
  const answer = await workIn(cell);
  await keepTenants(deps.db, [{ tenantId: String(answer.id), cellId: cell.cellId }]);
  return { ...answer, cell: cell.cellId };
}

async function emptiest(open: readonly OperatorCell[]): Promise<OperatorCell | undefined> {
  const counted = await Promise.all(open.map(async (cell) => ({ cell, tenants: await countResidents(cell.db) })));
  return counted.reduce((least, one) => (one.tenants < least.tenants ? one : least)).cell;
}

/**
 * The cell of the tenant that a command means: by its ID, by a name that only one has, or the only one there is.
 * @throws CliError (usage) when several could be meant, OperatorError when the cell of the tenant may be away
 */
async function cellOfTenant(
  deps: OperatorDeps,
  { open, missing }: ReachedCells,
  input: JsonObject,
): Promise<OperatorCell> {
  const wanted = optionalText(input, 'tenant');
  const lists = await Promise.all(
    open.map(async (cell) => (await listTenants(cell.db)).map((tenant) => ({ cell, tenant }))),
  );
  const fitting = lists
    .flat()
    .filter(({ tenant }) => wanted === null || (isUuid(wanted) ? tenant.tenantId : tenant.name) === wanted);
  const ids = [...new Set(fitting.map(({ tenant }) => tenant.tenantId))];
  if (ids.length > 1 && wanted === null)
    throw new CliError(EXIT.usage, 'There are several tenants. Name one with --tenant.');
  if (ids.length > 1) throw new CliError(EXIT.usage, `Several tenants are called "${wanted}": give the id of one.`);
  const [first] = fitting;
  if (first === undefined) {
    if (missing.length > 0)
      throw new OperatorError(`The cell ${missing.join(', ')} cannot be reached. The tenant may be there.`);
    return open[0] as OperatorCell;
  }
  if (fitting.length === 1) return first.cell;
  const [kept] = await findKept(deps.db, 'tenant', ids);
  return fitting.find(({ cell }) => cell.cellId === kept?.cellId)?.cell ?? first.cell;
}

/** @throws CliError (usage) when several tenants have the name, OperatorError when none has */
export async function idOfTenant({ open, missing }: ReachedCells, wanted: string): Promise<TenantId> {
  if (isUuid(wanted)) return wanted as TenantId;
  const lists = await Promise.all(open.map(({ db }) => listTenants(db)));
  const ids = [...new Set(lists.flat().flatMap(({ tenantId, name }) => (name === wanted ? [tenantId] : [])))];
  if (ids.length > 1) throw new CliError(EXIT.usage, `Several tenants are called "${wanted}": give the id of one.`);
  const [id] = ids;
  if (id !== undefined) return id;
  if (missing.length > 0)
    throw new OperatorError(`The cell ${missing.join(', ')} cannot be reached. The tenant may be there.`);
  throw new OperatorError(`There is no tenant "${wanted}".`);
}

/** Lists one after the other, numbers added up; of the rest, what the first cell says. */
function addUp(one: JsonObject, other: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(one).map(([name, value]) => [name, sumOf(value, other[name])]));
}

function sumOf(one: JsonValue | undefined, other: JsonValue | undefined): JsonValue {
  if (typeof one === 'number' && typeof other === 'number') return one + other;
  if (isJsonList(one) && isJsonList(other)) return [...one, ...other];
  if (isJsonObject(one) && isJsonObject(other)) return addUp(one, other);
  return one ?? null;
}
