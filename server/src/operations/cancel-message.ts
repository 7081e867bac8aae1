import { deliveryErrors } from '#core/errors';
import { isUuid, type TenantId } from '#core/ids';
import type { DeliveryError, MessageStatus, TraceEntry } from '#core/message';
import type { Runtime } from '#runtime/runtime';
import type { Database } from '#storage/database';
import { cancelQueued } from '#storage/dead-letters';
import { findMessage } from '#storage/message-reads';
import { tellNews, withEvents } from './with-events.ts';

export type CancelOutcome =
  | { readonly kind: 'cancelled' }
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
    code: 'cancelled',
    message: deliveryErrors.cancelled,
    networkCode: null,
    retryable: true,
  };
  const trace: TraceEntry = { atMs: nowMs, event: 'cancelled', detail: 'The caller cancelled it.' };
  const cancelled = await withEvents(rt, db, async (tx, events) => {
    const texts = { error: JSON.stringify(error), trace: JSON.stringify([trace]) };
    const news = await cancelQueued(tx, { tenantId, messageId, nowMs, ...texts });
    if (news) tellNews(events, [news]);
    return news !== null;
  });
  if (cancelled) return { kind: 'cancelled' };
  const message = await findMessage(db, tenantId, messageId);
  if (!message || !('delivery' in message)) return { kind: 'not_found' };
  return { kind: 'too_late', status: message.status };
}
