import { audit } from '#access/actions/audit';
import { OPERATOR } from '#access/domain/audit';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import type { TraceEntry } from '#messages/domain/message';
import { requeueDeadLetter } from '#messages/store/dead-letters';
import type { Runtime } from '#runtime/runtime';

/**
 * Queues failed messages of a tenant again, for the operator; the dispatcher finds them with its next poll.
 * @returns the ids of those that were failed messages of this tenant
 */
export function requeueDeadLetters(
  rt: Runtime,
  db: Database,
  { tenantId, messageIds }: { readonly tenantId: TenantId; readonly messageIds: readonly string[] },
): Promise<readonly string[]> {
  const nowMs = rt.clock.now();
  const detail = 'Queued again by the operator, with a new validity period.';
  const trace: TraceEntry = { atMs: nowMs, event: 'requeued', detail };
  return withEvents(rt, db, async (tx, events) => {
    const requeued: string[] = [];
    for (const messageId of messageIds) {
      const data = await requeueDeadLetter(tx, { tenantId, messageId, nowMs, trace: JSON.stringify([trace]) });
      if (data === null) continue;
      events.add({ tenantId, type: 'message.queued', data });
      requeued.push(messageId);
    }
    const details = { messages: requeued.length };
    if (requeued.length > 0)
      await audit(rt, tx, { tenantId, origin: OPERATOR, action: 'messages.requeued', targetId: tenantId, details });
    return requeued;
  });
}
