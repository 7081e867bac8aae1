import { audit } from '#access/actions/audit';
import { OPERATOR } from '#access/domain/audit';
import { isUndecided, type TenantMove } from '#cells/domain/move';
import { splitCallback } from '#cells/domain/split-callback';
import { keepTenants, makeDirectory } from '#cells/store/directory';
import { findFence, passFence } from '#cells/store/fence';
import { copyPeople, forgetPeople, listPeople } from '#cells/store/moved-people';
import { deleteSome, describeTables, findTablesWithRows } from '#cells/store/moved-rows';
import { endMove, listMoves, switchCell, takeMove } from '#cells/store/moves';
import { countClaimed, listAccounts, listNumbers } from '#cells/store/residents';
import type { TenantId } from '#core/ids';
import { OperatorError } from '#core/operator-error';
import type { Database } from '#database/database';
import { handOverCallbacks } from '#inbound/actions/hand-over-callbacks';
import { tablesOfTenant } from '#maintenance/actions/export-tenant';
import type { Runtime } from '#runtime/runtime';
import { JOIN_MS } from './add-cell.ts';
import type { OpenCell } from './cell-locator.ts';
import { TenantCopy } from './copy-tenant.ts';
import { closeFence, copyTenantRow, openFence, placeFence, removeFence } from './fence-tenant.ts';
import { holdMove, MOVE_LEASE_MS, type MoveHold } from './hold-move.ts';
import { type Journey, requireFreeNames, requireMovable } from './requirements-of-move.ts';

interface MoveDeps {
  readonly rt: Runtime;
  /** Of the main cell. */
  readonly directory: Database;
  readonly open: readonly OpenCell[];
  readonly missing: readonly string[];
}

/** What a move did. */
export interface MovedTenant {
  readonly from: string;
  readonly to: string;
  readonly rows: number;
  /** How long nothing of the tenant could be written; null: an earlier command had let it leave. */
  readonly pauseMs: number | null;
  /** Whether it was taken back instead. */
  readonly isBack: boolean;
}

/** Rounds before the pause end when so few rows were written in one, or after so many. */
const FEW_ROWS = 2_000;
const MAX_ROUNDS = 5;
/** Messages that are at the network when the pause begins have so long to be answered. */
const DRAIN_MS = 15_000;
const DRAIN_POLL_MS = 25;
/** What says where somebody is found goes last from the old cell: the command, given again, still finds them by it. */
const LAST_TABLES: ReadonlySet<string> = new Set([
  'api_keys',
  'sessions',
  'agents',
  'number_directory',
  'phone_numbers',
]);

/**
 * Moves a tenant to another cell. Its rows are copied while it works; then nothing of it can be written for a moment, in which the rest is copied and
 * the directory changes; then it works there. Interrupted anywhere, the same command goes on; naming the cell in which the tenant still lives
 * gives the move up.
 * @throws OperatorError when it cannot be moved, or not now; it works where it was
 */
export async function moveTenantToCell(deps: MoveDeps, tenantId: TenantId, toCell: string): Promise<MovedTenant> {
  const { rt, directory } = deps;
  if (directory.kind !== 'postgres') throw new OperatorError('The embedded database has one cell.');
  await makeDirectory(directory);
  const move = await beginMove(deps, tenantId, toCell);
  const hold = holdMove(rt, directory, move);
  try {
    const journey = { tenantId, from: cellOf(deps, move.fromCell), to: cellOf(deps, move.toCell) };
    const moving = { rt, directory, hold, journey, tables: tablesOfMove() };
    if (isUndecided(move)) await stay(moving);
    if (isUndecided(move) && move.fromCell === toCell) return await giveUp(moving);
    const copied = isUndecided(move) ? await leave(moving) : null;
    const pauseMs = await arrive(moving, copied?.pausedMs ?? null);
    await clearUp(moving);
    rt.log.info({ tenantId, from: move.fromCell, to: move.toCell, rows: copied?.rows, pauseMs }, 'cells.tenant_moved');
    return { from: move.fromCell, to: move.toCell, rows: copied?.rows ?? 0, pauseMs, isBack: false };
  } finally {
    await hold.release();
  }
}

interface Moving {
  readonly rt: Runtime;
  readonly directory: Database;
  readonly hold: MoveHold;
  readonly journey: Journey;
  /** All but the one with the tenant itself. */
  readonly tables: readonly string[];
}

function tablesOfMove(): readonly string[] {
  return tablesOfTenant().filter((table) => table !== 'tenants');
}

/** @throws OperatorError for a cell that is not there, or away */
function cellOf({ open, missing }: MoveDeps, cellId: string): OpenCell {
  const found = open.find((cell) => cell.cellId === cellId);
  if (found !== undefined) return found;
  if (missing.includes(cellId)) throw new OperatorError(`The cell ${cellId} cannot be reached. Nothing was done.`);
  throw new OperatorError(`There is no cell "${cellId}". Add one with "postrider cells add".`);
}

/** Records the move, or takes over the one that was interrupted. @throws OperatorError */
async function beginMove(deps: MoveDeps, tenantId: TenantId, toCell: string): Promise<TenantMove> {
  const { rt, directory } = deps;
  const known = (await listMoves(directory)).find((move) => move.tenantId === tenantId);
  const [fromCell, target] = known ? [known.fromCell, known.toCell] : [await homeOf(deps, tenantId), toCell];
  const isBack = known !== undefined && isUndecided(known) && known.fromCell === toCell;
  if (known !== undefined && known.toCell !== toCell && !isBack)
    throw new OperatorError(`The tenant is on its way from ${fromCell} to ${target}: finish that move first.`);
  const [from, to] = [cellOf(deps, fromCell), cellOf(deps, target)];
  if (known === undefined) {
    if (fromCell === toCell) throw new OperatorError(`The tenant is in the cell ${toCell} already.`);
    await requireMovable({ tenantId, from, to });
    await keepTenants(directory, [{ tenantId, cellId: fromCell }]);
  }
  const nowMs = rt.clock.now();
  const taken = await takeMove(directory, {
    ...{ tenantId, fromCell, toCell: target, holder: rt.newId<string>() },
    ...{ leaseUntilMs: nowMs + MOVE_LEASE_MS, startedMs: nowMs },
  });
  if (taken === null)
    throw new OperatorError(
      'Another command is moving this tenant, or has just been interrupted. Try again in 10 seconds.',
    );
  return taken;
}

/** @throws OperatorError when no cell that can be reached has the tenant */
async function homeOf({ open, missing }: MoveDeps, tenantId: TenantId): Promise<string> {
  for (const { cellId, db } of open) {
    const found = await findFence(db, tenantId).catch(() => null);
    if (found !== null && found.fence !== 'skip') return cellId;
  }
  if (missing.length > 0)
    throw new OperatorError(`The cell ${missing.join(', ')} cannot be reached. The tenant may be there.`);
  throw new OperatorError('The tenant does not exist.');
}

/** Ends a pause that an earlier command began. */
async function stay({ hold, journey: { tenantId, from } }: Moving): Promise<void> {
  await hold.tryStep('paused', 'returning');
  const tenant = await findFence(from.db, tenantId);
  if (tenant?.fenceBy) await openFence(from.db, tenantId, tenant.fenceBy);
  await hold.tryStep('returning', 'copying');
}

/** Copies everything, and lets the tenant leave. When anything fails before that, it works on where it was. */
async function leave(moving: Moving): Promise<{ readonly rows: number; readonly pausedMs: number }> {
  const { rt, hold, journey, tables } = moving;
  const { tenantId, from, to } = journey;
  await placeFence(to.db, tenantId, ['tenants', ...tables]);
  await placeFence(from.db, tenantId, ['tenants', ...tables]);
  await copyTenantRow(from.db, to.db, { tenantId, fence: 'skip', by: hold.move.holder });
  const described = await describeTables(from.db, tables);
  const copy = new TenantCopy({ from: from.db, to: to.db, tenantId, tables: described, require: hold.require });
  for (let rounds = 0; rounds < MAX_ROUNDS; rounds += 1)
    if ((await copy.round({ atOnce: 1, isLast: false })).written <= FEW_ROWS && rounds > 0) break;
  await requireFreeNames(journey);
  const pausedMs = rt.clock.monotonic();
  try {
    await pause(moving);
    const { rows } = await copy.round({ atOnce: COPIES_AT_ONCE, isLast: true });
    await copyPeople(from.db, to.db, await listPeople(from.db, tenantId));
    await copyTenantRow(from.db, to.db, { tenantId, fence: 'skip', by: hold.move.holder });
    await switchOver(moving);
    return { rows, pausedMs };
  } catch (error) {
    // Not when it has left already: then the step is another one.
    if (await hold.tryStep('paused', 'returning').catch(() => false)) await stay(moving).catch(() => undefined);
    throw error;
  }
}

/** Tables whose last changes are looked for at the same time. */
const COPIES_AT_ONCE = 4;

async function pause({ rt, hold, journey: { tenantId, from } }: Moving): Promise<void> {
  const by = hold.move.holder;
  await hold.step('copying', 'paused');
  const endMs = rt.clock.monotonic() + DRAIN_MS;
  if (!(await closeFence(from.db, tenantId, { from: null, to: 'drain', by }))) hold.require();
  for (;;) {
    while ((await countClaimed(from.db, tenantId)) > 0) {
      if (rt.clock.monotonic() >= endMs)
        throw new OperatorError(
          'The network has not answered all messages that are being sent. The tenant stays where it is; try again when it answers.',
        );
      await new Promise<void>((resolve) => rt.clock.after(DRAIN_POLL_MS, resolve));
    }
    if (!(await closeFence(from.db, tenantId, { from: 'drain', to: 'refuse', by })))
      throw new OperatorError('The pause has taken too long. The tenant stays where it is; try again.');
    if ((await countClaimed(from.db, tenantId)) === 0) return;
    await closeFence(from.db, tenantId, { from: 'refuse', to: 'drain', by });
  }
}

async function switchOver({ rt, directory, hold }: Moving): Promise<void> {
  const hasLeft = await directory.transaction((tx) => switchCell(tx, hold.move, rt.clock.now()));
  if (!hasLeft) throw new OperatorError('The pause has taken too long. The tenant stays where it is; try again.');
}

/** Opens the new cell. @returns how long nothing could be written */
async function arrive({ rt, hold, journey }: Moving, pausedMs: number | null): Promise<number | null> {
  const { tenantId, to } = journey;
  const tenant = await findFence(to.db, tenantId);
  if (tenant?.fenceBy) await openFence(to.db, tenantId, tenant.fenceBy);
  const pauseMs = pausedMs === null ? null : Math.round(rt.clock.monotonic() - pausedMs);
  if (await hold.tryStep('switched', 'opened')) await auditMove(rt, to.db, hold.move);
  return pauseMs;
}

async function auditMove(rt: Runtime, db: Database, { tenantId, fromCell, toCell }: TenantMove): Promise<void> {
  const details = { from: fromCell, to: toCell };
  await db.transaction((tx) =>
    audit(rt, tx, { tenantId, origin: OPERATOR, action: 'tenant.moved', targetId: tenantId, details }),
  );
}

/**
 * Removes the tenant from its old cell once every process knows where it lives now: until then somebody may be looking for its rows there.
 * Callbacks that were stored there meanwhile follow it.
 */
async function clearUp(moving: Moving): Promise<void> {
  const { rt, directory, hold, journey, tables } = moving;
  const { tenantId, from, to } = journey;
  await handOver(moving);
  await new Promise<void>((resolve) => rt.clock.after(JOIN_MS, resolve));
  await handOver(moving);
  const [first, last] = [tables.filter((table) => !LAST_TABLES.has(table)), [...LAST_TABLES]];
  await empty(moving, from.db, first);
  await empty(moving, from.db, last);
  const people = await listPeople(to.db, tenantId);
  await from.db.transaction((tx) => forgetPeople(tx, people));
  await empty(moving, from.db, ['tenants']);
  await removeFence(from.db, tenantId, ['tenants', ...tables]);
  await removeFence(to.db, tenantId, ['tenants', ...tables]);
  await endMove(directory, hold.move);
}

/** Removes what was copied: the tenant stays where it is. */
async function giveUp(moving: Moving): Promise<MovedTenant> {
  const { directory, hold, journey, tables } = moving;
  const { tenantId, from, to } = journey;
  await empty(moving, to.db, tables);
  await empty(moving, to.db, ['tenants']);
  for (const { db } of [to, from]) await removeFence(db, tenantId, ['tenants', ...tables]);
  await endMove(directory, hold.move);
  return { from: from.cellId, to: to.cellId, rows: 0, pauseMs: null, isBack: true };
}

async function empty({ hold, journey: { tenantId } }: Moving, db: Database, tables: readonly string[]): Promise<void> {
  for (const table of await findTablesWithRows(db, tables, tenantId))
    for (let rows = 1; rows > 0; ) {
      hold.require();
      rows = await db.transaction(async (tx) => {
        await passFence(tx, tenantId);
        return deleteSome(tx, table, tenantId);
      });
    }
}

async function handOver({ rt, journey: { tenantId, from, to } }: Moving): Promise<void> {
  const own = (await listNumbers(from.db)).filter((number) => number.tenantId === tenantId);
  const names = {
    number: new Set(own.map(({ name }) => name)),
    account: new Set(await listAccounts(from.db, tenantId)),
  };
  await handOverCallbacks({ rt, from: from.db, to: to.db, split: (body) => splitCallback(body, names) });
}
