import { deliveryErrors } from '#core/delivery-errors';
import { isUuid, type TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { emitChanges, withEvents } from '#events/actions/with-events';
import type { DeliveryError, MessageStatus, TraceEntry } from '#messages/domain/message';
import { cancelQueued } from '#messages/store/dead-letters';
import { findMessage } from '#messages/store/message-reads';
import type { Runtime } from '#runtime/runtime';

export type CancelOutcome =
  | { readonly kind: 'canceled' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'too_late'; readonly status: MessageStatus };

/** Cancels a message that still waits in the queue; one that is being sent, or was, is left alone. */
export async function cancelMessage(
  rt: Runtime,
  db: Database,
  tenantId: TenantId,
  messageId: string,
): Promise<CancelOutcome> {
  if (!isUuid(messageId)) return { kind: 'not_found' };
  const nowMs = rt.clock.now();
  const error: DeliveryError = {
    code: 'canceled',
    message: deliveryErrors.canceled,
    networkCode: null,
    retryable: true,
  };
  const trace: TraceEntry = { atMs: nowMs, event: 'canceled', detail: 'Canceled by the caller.' };
  const canceled = await withEvents(rt, db, async (tx, events) => {
    const texts = { error: JSON.stringify(error), trace: JSON.stringify([trace]) };
    const change = await cancelQueued(tx, { tenantId, messageId, nowMs, ...texts });
    if (change) emitChanges(events, [change]);
    return change !== null;
  });
  if (canceled) return { kind: 'canceled' };
  const message = await findMessage(db, tenantId, messageId);
  if (!message || !('delivery' in message)) return { kind: 'not_found' };
  return { kind: 'too_late', status: message.status };
}
