import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { withEvents } from '#events/actions/with-events';
import type { EventDraft } from '#events/domain/event';
import type { TestService } from './test-service.ts';

/** What a `message.received` of this customer carries. */
export function receivedData(fields: JsonObject = {}): JsonObject {
  return {
    id: '0190a6f3-1111-7222-8333-444455556666',
    direction: 'inbound',
    type: 'text',
    from: '447700900123',
    from_user_id: null,
    profile_name: 'Ada',
    to: '15550001234',
    phone_number_id: '106540352242922',
    body: 'Hi',
    summary: null,
    media: null,
    network_message_id: 'wamid.1',
    reply_to: null,
    quoted: null,
    forwarded: null,
    referred_product: null,
    network_error: null,
    referral: null,
    flow_response: null,
    group_id: null,
    opens_window: true,
    edits: [],
    deleted_at: null,
    conversation_id: null,
    contact_id: null,
    network_timestamp: '2030-01-01T09:05:00.000Z',
    received_at: '2030-01-01T09:05:01.000Z',
    created_at: '2030-01-01T09:05:01.000Z',
    text: { body: 'Hi' },
    ...fields,
  };
}

/** Records `count` events of a tenant in one transaction, told apart by their body; with `type`, of that type. */
export async function recordEvents(
  { rt, service: { db } }: Pick<TestService, 'rt' | 'service'>,
  tenantId: TenantId,
  drafts: readonly Partial<Omit<EventDraft, 'tenantId'>>[] = [{}],
): Promise<void> {
  await withEvents(rt, db, async (_tx, events) => {
    for (const draft of drafts) {
      const { type = 'message.received', data = {} } = draft;
      events.add({ tenantId, type, data: type === 'message.received' ? receivedData(data) : data });
    }
  });
}
