import { isUuid, type MessageId, type TenantId } from '#core/ids';
import type { Database } from '#database/database';
import type { StoredEvent } from '#events/domain/event';
import { readTraceParents } from '#messages/store/message-traces';
import type { Runtime } from '#runtime/runtime';
import type { TraceStep } from '#runtime/tracing';
import type { ReadyDelivery } from './endpoint-lane.ts';

interface Posting {
  readonly tenantId: TenantId;
  readonly event: StoredEvent | null;
  readonly delivery: ReadyDelivery;
}

/**
 * The step of a trace that an attempt to deliver is: of the message that the event is about, or of a trace of its own. Null: traces are
 * off.
 */
export async function beginWebhook(
  { rt, db }: { readonly rt: Runtime; readonly db: Database },
  { tenantId, event, delivery }: Posting,
): Promise<TraceStep | null> {
  const { tracing } = rt;
  if (tracing === null) return null;
  const { eventId, type, attempts } = delivery;
  const facts = { 'postrider.event_id': eventId, 'postrider.event_type': type, 'postrider.attempt': attempts + 1 };
  const parent = event === null ? null : await parentOf(db, tenantId, event);
  return tracing.start('webhook', { kind: 'client', parent, follows: parent, facts });
}

async function parentOf(db: Database, tenantId: TenantId, { type, data }: StoredEvent): Promise<string | null> {
  const { id } = data;
  if (!type.startsWith('message.') || typeof id !== 'string' || !isUuid(id)) return null;
  const parents = await readTraceParents(db, [{ tenantId, messageId: id as MessageId }]).catch(() => null);
  return parents?.get(id) ?? null;
}
