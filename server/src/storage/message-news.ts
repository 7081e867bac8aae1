import type { ContactId, ConversationId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { MessageNews } from '#core/message-news';

/** What a statement that changes messages returns of those with news; `m` is the message. */
export const NEWS_COLUMNS = `m.tenant_id, m.message_id, m.news, m.status, m.type, m.to_phone, m.phone_number_id, m.campaign_name,
  m.client_ref, m.conversation_id, m.contact_id, m.accepted_ms, m.sent_ms, m.delivered_ms, m.read_ms, m.failed_ms, m.error, m.pricing,
  case when m.type = 'template' then m.content ->> 'name' end as template`;

/** True of a message of which `sent` was told in the life since its last requeue. */
export const SENT_IS_TOLD = 'coalesce(m.accepted_ms, m.sent_ms, m.delivered_ms, m.read_ms) is not null';

export interface NewsRow {
  readonly tenant_id: TenantId;
  readonly message_id: MessageId;
  readonly news: number;
  readonly status: 'queued' | 'sent' | 'failed';
  readonly type: string;
  readonly template: string | null;
  readonly to_phone: string;
  readonly phone_number_id: PhoneNumberId;
  readonly campaign_name: string | null;
  readonly client_ref: string | null;
  readonly conversation_id: ConversationId | null;
  readonly contact_id: ContactId | null;
  readonly accepted_ms: number | null;
  readonly sent_ms: number | null;
  readonly delivered_ms: number | null;
  readonly read_ms: number | null;
  readonly failed_ms: number | null;
  readonly error: JsonObject | null;
  readonly pricing: JsonObject | null;
}

export function toNews(row: NewsRow): MessageNews {
  return {
    tenantId: row.tenant_id,
    messageId: row.message_id,
    bits: row.news,
    status: row.status,
    type: row.type,
    template: row.template,
    to: row.to_phone,
    phoneNumberId: row.phone_number_id,
    campaignName: row.campaign_name,
    clientRef: row.client_ref,
    conversationId: row.conversation_id,
    contactId: row.contact_id,
    sentMs: row.sent_ms ?? row.accepted_ms ?? row.delivered_ms ?? row.read_ms,
    deliveredMs: row.delivered_ms ?? row.read_ms,
    readMs: row.read_ms,
    failedMs: row.failed_ms,
    error: row.error,
    pricing: row.pricing,
  };
}
