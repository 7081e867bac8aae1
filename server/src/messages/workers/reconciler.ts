import type { DispatcherId } from '#core/ids';
import { queueState } from '#core/queue-state';
import type { Database } from '#database/database';
import { findUnknownDue, type Settler } from '#messages/actions/dispatch-messages';
import type { LaneRow } from '#messages/store/leases';
import { findExpired, type UnknownDue } from '#messages/store/queue-due';
import type { SettleRow } from '#messages/store/settle-batch';
import type { Runtime } from '#runtime/runtime';
import { deliveryUnknownError, overdueError } from './decide-outcome.ts';

/**
 * Unknown sends whose wait is over without a status: sent again as often as their tenant allows, then failed. Sending
 * again may make a second message; it carries `possible_duplicate` from then on.
 */
export async function reconcileUnknown(
  rt: Runtime,
  db: Database,
  owner: DispatcherId,
  settler: Settler,
): Promise<number> {
  const due = await findUnknownDue(rt, db, owner);
  const nowMs = rt.clock.now();
  await Promise.all(due.map((row) => settler.other(settleUnknown(row, nowMs))));
  return due.length;
}

function settleUnknown(row: UnknownDue, nowMs: number): SettleRow {
  const { tenantId, messageId, resends, unknownResends, expiresMs } = row;
  const common = { tenantId, messageId, epoch: null, fromState: queueState.unknown, attempt: 0, nowMs } as const;
  if (resends < unknownResends && expiresMs > nowMs) {
    const detail = 'No status arrived in time: it is sent again, and may arrive twice.';
    return {
      ...common,
      settlement: { kind: 'again', dueMs: nowMs, possibleDuplicate: true, uncounted: false },
      trace: { atMs: nowMs, event: 'resend_after_unknown', detail, data: { resend: resends + 1, of: unknownResends } },
    };
  }
  const why = expiresMs > nowMs ? 'No status arrived in time' : 'Its validity ended without a status';
  const detail = `${why}: it counts as failed, but may have arrived.`;
  return {
    ...common,
    settlement: { kind: 'failed', error: deliveryUnknownError() },
    trace: { atMs: nowMs, event: 'failed', detail },
  };
}

export interface SweepDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly owner: DispatcherId;
  readonly settler: Settler;
}

/**
 * A pass reads everything that waits for the paused numbers. After a long one it rests, so that passes take little of
 * the database's time.
 */
const REST_PER_PASS = 500;
/** The longest rest: an expiry is reported at most this late. */
const MOST_REST_MS = 60_000;

/** @returns a step that settles messages that expired while their number is paused: lanes that send find theirs themselves */
export function makeExpirySweep({ rt, db, owner, settler }: SweepDeps): (lanes: readonly LaneRow[]) => Promise<void> {
  let notBeforeMs = Number.NEGATIVE_INFINITY;
  return async (lanes) => {
    const phoneNumberIds = lanes.filter((lane) => lane.paused).map((lane) => lane.phoneNumberId);
    const startMs = rt.clock.monotonic();
    if (phoneNumberIds.length === 0 || startMs < notBeforeMs) return;
    const nowMs = rt.clock.now();
    const expired = await findExpired(db, { owner, phoneNumberIds, nowMs });
    const endMs = rt.clock.monotonic();
    notBeforeMs = endMs + Math.min(MOST_REST_MS, REST_PER_PASS * (endMs - startMs));
    const trace = { atMs: nowMs, event: 'expired', detail: 'It expired while its sending number was paused.' };
    await Promise.all(
      expired.map(({ tenantId, messageId, resends }) => {
        const settlement = { kind: 'failed', error: overdueError(resends) } as const;
        return settler.other({
          tenantId,
          messageId,
          epoch: null,
          fromState: queueState.ready,
          attempt: 0,
          nowMs,
          settlement,
          trace,
        });
      }),
    );
  };
}
