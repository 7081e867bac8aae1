import type { NamedAuthor } from '#core/caller/author';
import type { ContactId, ConversationId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { EventDraft, EventType } from './event.ts';

/** The stages that a change may contain, as bits. */
export const STAGE_BITS = { sent: 1, delivered: 2, read: 4, failed: 8 } as const;

/** What the events of a message's change contain. */
export interface MessageFacts {
  readonly messageId: MessageId;
  readonly status: 'queued' | 'sent' | 'failed';
  readonly type: string;
  /** Name of the template that it is. */
  readonly template: string | null;
  readonly to: string;
  readonly phoneNumberId: PhoneNumberId;
  readonly campaignName: string | null;
  readonly clientRef: string | null;
  /** Who had it sent, and what that one is called when it is told. */
  readonly author: NamedAuthor | null;
  readonly conversationId: ConversationId | null;
  readonly contactId: ContactId | null;
  /** As it is stored: a DeliveryError. */
  readonly error: JsonObject | null;
  readonly pricing: JsonObject | null;
  /** Whether the message had been sent again after an unknown outcome at that time. */
  readonly possibleDuplicate: boolean;
}

/**
 * What a change was the first to report of an outbound message. Each stage is recorded once in the life of a message,
 * and none after a later one: a `read` that overtook its `delivered` records both, and the late one records nothing.
 */
export interface MessageChange extends MessageFacts {
  readonly tenantId: TenantId;
  /** See STAGE_BITS. */
  readonly bits: number;
  /** The network's times; a stage that was only implied has the time of the one that implied it. */
  readonly sentMs: number | null;
  readonly deliveredMs: number | null;
  readonly readMs: number | null;
  readonly failedMs: number | null;
}

/** One stage of a message, as a page of events stores it. */
export interface StageChange extends MessageFacts {
  /** One of STAGE_BITS. */
  readonly bits: number;
  readonly atMs: number | null;
}

interface Stage {
  readonly bit: number;
  readonly type: EventType;
  readonly atMs: (change: MessageChange) => number | null;
}

/** In the order in which they are recorded. */
const STAGES: readonly Stage[] = [
  { bit: STAGE_BITS.sent, type: 'message.sent', atMs: (change) => change.sentMs },
  { bit: STAGE_BITS.delivered, type: 'message.delivered', atMs: (change) => change.deliveredMs },
  { bit: STAGE_BITS.read, type: 'message.read', atMs: (change) => change.readMs },
  { bit: STAGE_BITS.failed, type: 'message.failed', atMs: (change) => change.failedMs },
];

/** The events of a message's change, in order. */
export function eventsOfMessage(change: MessageChange): readonly EventDraft[] {
  return STAGES.filter(({ bit }) => (change.bits & bit) !== 0).map((stage) => ({
    tenantId: change.tenantId,
    type: stage.type,
    data: dataOf(stage, change, stage.atMs(change)),
  }));
}

/** The event of one stage. */
export function stageEvent(change: StageChange): Pick<EventDraft, 'type' | 'data'> {
  const stage = STAGES.find(({ bit }) => bit === change.bits);
  if (stage === undefined) throw new Error(`No stage of a message is ${change.bits}.`);
  return { type: stage.type, data: dataOf(stage, change, change.atMs) };
}

function dataOf(stage: Stage, facts: MessageFacts, atMs: number | null): JsonObject {
  const { possibleDuplicate } = facts;
  return {
    ...describe(facts),
    at: timeOrNull(atMs),
    possible_duplicate: possibleDuplicate,
    ...outcomeOf(stage, facts),
  };
}

function describe(facts: MessageFacts): JsonObject {
  return {
    id: facts.messageId,
    status: facts.status,
    type: facts.type,
    template: facts.template,
    to: facts.to,
    phone_number_id: facts.phoneNumberId,
    campaign_name: facts.campaignName,
    client_ref: facts.clientRef,
    author: facts.author && { kind: facts.author.kind, id: facts.author.id, name: facts.author.name },
    conversation_id: facts.conversationId,
    contact_id: facts.contactId,
  };
}

function outcomeOf({ type }: Stage, { error, pricing }: MessageFacts): JsonObject {
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
