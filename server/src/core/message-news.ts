import type { EventDraft, EventType } from './event.ts';
import type { ContactId, ConversationId, MessageId, PhoneNumberId, TenantId } from './ids.ts';
import type { JsonObject } from './json.ts';

/**
 * What a change was the first to say of an outbound message. Each stage is told once in the life of a message, and none
 * after one that is further: a `read` that overtook its `delivered` tells both, and the late one tells nothing.
 */
export interface MessageNews {
  readonly tenantId: TenantId;
  readonly messageId: MessageId;
  /** See NEWS_BITS. */
  readonly bits: number;
  readonly status: 'queued' | 'sent' | 'failed';
  readonly type: string;
  /** Name of the template that it is. */
  readonly template: string | null;
  readonly to: string;
  readonly phoneNumberId: PhoneNumberId;
  readonly campaignName: string | null;
  readonly clientRef: string | null;
  readonly conversationId: ConversationId | null;
  readonly contactId: ContactId | null;
  /** The network's times; a stage that was only implied has the time of the one that implied it. */
  readonly sentMs: number | null;
  readonly deliveredMs: number | null;
  readonly readMs: number | null;
  readonly failedMs: number | null;
  /** As it is stored: a DeliveryError. */
  readonly error: JsonObject | null;
  readonly pricing: JsonObject | null;
}

interface Stage {
  readonly bit: number;
  readonly type: EventType;
  readonly atMs: (news: MessageNews) => number | null;
}

/** In the order in which they are told. */
const STAGES: readonly Stage[] = [
  { bit: 1, type: 'message.sent', atMs: (news) => news.sentMs },
  { bit: 2, type: 'message.delivered', atMs: (news) => news.deliveredMs },
  { bit: 4, type: 'message.read', atMs: (news) => news.readMs },
  { bit: 8, type: 'message.failed', atMs: (news) => news.failedMs },
];

/** The events of a message's news, in order. */
export function newsEvents(news: MessageNews): readonly EventDraft[] {
  return STAGES.filter(({ bit }) => (news.bits & bit) !== 0).map((stage) => ({
    tenantId: news.tenantId,
    type: stage.type,
    data: { ...describe(news), at: timeOrNull(stage.atMs(news)), ...outcomeOf(stage, news) },
  }));
}

function describe(news: MessageNews): JsonObject {
  return {
    id: news.messageId,
    status: news.status,
    type: news.type,
    template: news.template,
    to: news.to,
    phone_number_id: news.phoneNumberId,
    campaign_name: news.campaignName,
    client_ref: news.clientRef,
    conversation_id: news.conversationId,
    contact_id: news.contactId,
  };
}

function outcomeOf({ type }: Stage, { error, pricing }: MessageNews): JsonObject {
  if (type !== 'message.failed') return { pricing: pricing && withoutBatch(pricing) };
  return { error: error && publicError(error) };
}

/** Only what a price says; the mark of the statement that stored it stays inside. */
function withoutBatch({ category = null, billable = null, model = null }: JsonObject): JsonObject {
  return { category, billable, model };
}

function publicError({ code = null, message = null, networkCode = null, retryable = null }: JsonObject): JsonObject {
  return { code, message, network_code: networkCode, retryable };
}

function timeOrNull(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}
