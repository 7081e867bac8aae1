import { isUndecided, type TenantMove } from '#cells/domain/move';
import { findFence, listFences } from '#cells/store/fence';
import { listMoves, mendStep } from '#cells/store/moves';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import type { OpenCell } from './cell-locator.ts';
import { openFence } from './fence-tenant.ts';

interface Mending {
  readonly rt: Runtime;
  readonly directory: Database;
  readonly open: readonly OpenCell[];
}

/**
 * Makes tenants work again whose move was interrupted: ends the pause of those that have not left, and opens the new cell for those that
 * have. Every process does it, of each move once its command has been silent for too long. What is left of the move is up to the
 * command, which is given again, and to `cells check`.
 * @returns how many tenants work again
 */
export async function mendMoves({ rt, directory, open }: Mending): Promise<number> {
  let mended = 0;
  for (const { cellId, db } of open) {
    // The fences first: whoever closes one has recorded it before.
    const fences = await listFences(db).catch(() => []);
    if (fences.length === 0) continue;
    for (const move of await listMoves(directory)) await endPause(rt, directory, move);
    const moves = await listMoves(directory);
    for (const { tenantId, fence, fenceBy } of fences) {
      const move = moves.find((one) => one.tenantId === tenantId) ?? null;
      if (fenceBy === null || !mayOpen(rt, move, { cellId, isCopy: fence === 'skip' })) continue;
      if (!(await openFence(db, tenantId, fenceBy))) continue;
      mended += 1;
      rt.log.warn({ tenantId, cell: cellId, step: move?.step ?? null }, 'cells.move_mended');
    }
    for (const move of moves) await noteMended({ rt, directory, open }, move);
  }
  return mended;
}

/** From now on the command cannot let the tenant leave. */
async function endPause(rt: Runtime, directory: Database, { tenantId, step, leaseUntilMs }: TenantMove): Promise<void> {
  const nowMs = rt.clock.now();
  if (step === 'paused' && leaseUntilMs <= nowMs)
    await mendStep(directory, tenantId, { from: 'paused', to: 'returning', nowMs });
}

function mayOpen(
  rt: Runtime,
  move: TenantMove | null,
  { cellId, isCopy }: { readonly cellId: string; readonly isCopy: boolean },
): boolean {
  // A copy that belongs to no move is not the tenant.
  if (move === null) return !isCopy;
  const isSilent = move.leaseUntilMs <= rt.clock.now();
  if (isCopy) return move.step === 'switched' && move.toCell === cellId && isSilent;
  return move.fromCell === cellId && isUndecided(move) && move.step !== 'paused' && isSilent;
}

/** The step says so once the fence is seen to be open. */
async function noteMended(
  { rt, directory, open }: Mending,
  { tenantId, step, fromCell, toCell }: TenantMove,
): Promise<void> {
  if (step !== 'returning' && step !== 'switched') return;
  const cell = open.find(({ cellId }) => cellId === (step === 'returning' ? fromCell : toCell));
  const tenant = cell === undefined ? null : await findFence(cell.db, tenantId).catch(() => null);
  if (tenant === null || tenant.fence !== null) return;
  const to = step === 'returning' ? 'copying' : 'opened';
  await mendStep(directory, tenantId, { from: step, to, nowMs: rt.clock.now() });
}
