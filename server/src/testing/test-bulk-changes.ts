import type { Traces } from '#conversations/domain/bulk-change';
import { addItems, settleItem } from '#conversations/store/bulk-change-items';
import { addBulkChange, endBulkChange } from '#conversations/store/bulk-changes';
import type { BulkChangeId, ConversationId, TenantId } from '#core/ids';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';

const HOUR_MS = 3_600_000;
/** So many are held at a time. */
const HELD = 5;
const TRACES: Traces = { before: { priority: 'normal' }, after: { priority: 'high' } };

/**
 * A bulk change of two conversations that are nobody's. Nothing of it moves by itself: the one that is running is held by a
 * process that is not there, and has changed the first; the one that is completed has changed both. Of those that
 * are held, the oldest end, so that there is always room for another one.
 */
export function makeBulkChange(
  { rt, db, tenantId }: { readonly rt: Runtime; readonly db: Database; readonly tenantId: TenantId },
  status: 'running' | 'completed',
): Promise<BulkChangeId> {
  const nowMs = rt.clock.now();
  const of = { tenantId, bulkChangeId: rt.newId<BulkChangeId>() };
  const actor = { kind: 'key', id: rt.newId<string>() } as const;
  const added = { ...of, change: { priority: 'high' }, undoes: null, actor, total: 2, nowMs } as const;
  const changed = { outcome: 'changed', code: null, reason: null, traces: TRACES } as const;
  const lease = { nowMs, untilMs: nowMs + HOUR_MS };
  return db.transaction(async (tx) => {
    const end = `update bulk_changes set status = 'canceled', finished_ms = $2 where tenant_id = $1 and bulk_change_id in (
      select bulk_change_id from bulk_changes where tenant_id = $1 and status = 'running' order by bulk_change_id desc offset ${HELD})`;
    await tx.run({ name: 'test_end_bulk_changes', text: end }, [tenantId, nowMs]);
    await addBulkChange(tx, added);
    await addItems(tx, of, [rt.newId<ConversationId>(), rt.newId<ConversationId>()]);
    const text = `update bulk_changes set status = 'running' where tenant_id = $1 and bulk_change_id = $2`;
    await tx.run({ name: 'test_run_bulk_change', text }, [tenantId, of.bulkChangeId]);
    for (const place of status === 'running' ? [1] : [1, 2]) await settleItem(tx, of, { ...changed, place }, lease);
    if (status === 'completed') await endBulkChange(tx, of, { status, nowMs });
    return of.bulkChangeId;
  });
}
