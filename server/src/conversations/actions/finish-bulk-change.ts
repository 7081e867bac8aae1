import { type BulkChange, type BulkStatus, describeBulkEnd } from '#conversations/domain/bulk-change';
import { type BulkKey, endBulkChange } from '#conversations/store/bulk-changes';
import type { Transaction } from '#database/database';
import type { EventSink } from '#events/actions/with-events';

/**
 * Ends a bulk change and emits that it ended.
 * @returns it as it is now; null when it ended before, or cannot be completed yet
 */
export async function finishBulkChange(
  tx: Transaction,
  events: EventSink,
  of: BulkKey,
  end: { readonly status: BulkStatus; readonly nowMs: number },
): Promise<BulkChange | null> {
  const ended = await endBulkChange(tx, of, end);
  if (ended === null) return null;
  events.add({ tenantId: ended.tenantId, type: 'bulk_change.finished', data: describeBulkEnd(ended, end.nowMs) });
  return ended;
}
