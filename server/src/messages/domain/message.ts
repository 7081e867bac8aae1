import type { MessageAuthor, NamedAuthor } from '#core/caller/author';
import type { ContactId, ConversationId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { InboundMedia } from '#media/domain/inbound-media';
import type { MessageContent } from './content.ts';
import type { DeliveryState } from './delivery.ts';
import type { MessageVersion } from './message-change.ts';
import type { MessageContext } from './message-context.ts';
import type { MessageWaiting } from './message-wait.ts';

/** The contract's four values (its section 3). Delivered and read are `delivery`, not status. */
export type MessageStatus = 'queued' | 'sending' | 'sent' | 'failed';

/** `high` one-time codes, `normal`, `bulk` campaigns. The number is what the queue sorts by. */
export const priorityRank = { high: 0, normal: 1, bulk: 2 } as const;
export type Priority = keyof typeof priorityRank;
export const priorities: readonly Priority[] = ['high', 'normal', 'bulk'];

/** Default validity of a message, and the furthest a send may be scheduled. */
export const DEFAULT_TTL_S = 24 * 60 * 60;
export const MAX_TTL_S = 30 * 24 * 60 * 60;
export const MAX_SCHEDULE_AHEAD_S = 30 * 24 * 60 * 60;

/** A send that passed validation and waits to be made durable. Times are milliseconds since 1970. */
export interface NewMessage {
  readonly tenantId: TenantId;
  readonly messageId: MessageId;
  readonly content: MessageContent;
  /** Digits only. */
  readonly to: string;
  readonly phoneNumberId: PhoneNumberId;
  readonly campaignName: string | null;
  readonly clientRef: string | null;
  readonly replyTo: MessageId | null;
  /** The failed message that this one repeats. */
  readonly resendOf: MessageId | null;
  /** Who had it sent; null: it is from before this was kept. */
  readonly author: MessageAuthor | null;
  readonly priority: Priority;
  readonly sendAtMs: number | null;
  readonly expiresMs: number;
  readonly createdMs: number;
  /** The step of its trace in which it is accepted; null or absent: traces are off. */
  readonly traceParent?: string | null;
}

/** Why a message failed, as the tenant reads it. `code` is listed in docs/errors.md. */
export interface DeliveryError {
  readonly code: string;
  readonly message: string;
  readonly networkCode: number | null;
  readonly retryable: boolean;
}

/** One line of the trace of a message. */
export interface TraceEntry {
  readonly atMs: number;
  /** Stable name: accepted, scheduled, claimed, attempt, retry_scheduled, waiting, unknown, reconciled, status_sent … */
  readonly event: string;
  /** One sentence: what happened and why. */
  readonly detail: string;
  readonly data?: JsonObject;
}

/** What the trace says of a message that the network has twice: learned from its answer, or from a status. */
export const TAKEN_TWICE = 'The network accepted it a second time.';

/** An outbound message as storage returns it. Times are milliseconds since 1970. */
export interface OutboundMessage extends Omit<NewMessage, 'traceParent' | 'author'> {
  readonly author: NamedAuthor | null;
  readonly status: MessageStatus;
  readonly delivery: {
    readonly state: DeliveryState;
    readonly networkMessageId: string | null;
    readonly attempts: number;
    readonly nextAttemptMs: number | null;
    readonly acceptedMs: number | null;
    readonly sentMs: number | null;
    readonly deliveredMs: number | null;
    readonly readMs: number | null;
    readonly failedMs: number | null;
    readonly pricing: {
      readonly category: string | null;
      readonly billable: boolean | null;
      readonly model: string | null;
    } | null;
    readonly error: DeliveryError | null;
    readonly possibleDuplicate: boolean;
  };
  readonly from: string;
  readonly contactId: ContactId | null;
  readonly conversationId: ConversationId | null;
  readonly updatedMs: number;
  /** What it said at first and after each edit on the phone, oldest first; null: it was never edited. */
  readonly versions: readonly MessageVersion[] | null;
  /** When it was deleted on the phone, by the network's clock; null: it is not deleted. */
  readonly deletedMs: number | null;
  /** What it waits for; only of one that is read alone. */
  readonly waiting?: MessageWaiting | null;
}

/** An inbound message as storage returns it. */
export interface InboundMessage {
  readonly tenantId: TenantId;
  readonly messageId: MessageId;
  readonly networkMessageId: string;
  readonly type: string;
  /** The customer's number, digits only; null for a user who shows only a network user id. */
  readonly from: string | null;
  readonly fromUserId: string | null;
  /** The business number it was sent to, digits only. */
  readonly to: string;
  readonly phoneNumberId: PhoneNumberId;
  /** What an inbox shows: text, caption, button title, emoji. */
  readonly body: string | null;
  /** The network's object of this type, verbatim. */
  readonly content: JsonObject;
  /** The bytes that came with it; null for a message without any. */
  readonly media: InboundMedia | null;
  readonly profileName: string | null;
  readonly replyTo: MessageId | null;
  readonly context: MessageContext | null;
  /** The advertisement that brought the customer, as the network tells it; null: none. */
  readonly referral: JsonObject | null;
  /** The network's id of the group that it was written in; null: it was written to the business alone. */
  readonly groupId: string | null;
  /** Whether it opened the customer's 24-hour window, waits for an answer and is unread. */
  readonly opensWindow: boolean;
  /** What it said at first and after each edit, oldest first; null: it was never edited. */
  readonly versions: readonly MessageVersion[] | null;
  /** When the customer deleted it, by the network's clock; null: it is not deleted. */
  readonly deletedMs: number | null;
  readonly contactId: ContactId;
  /** Null: it belongs to none, as what is said in a group. */
  readonly conversationId: ConversationId | null;
  /** When the network says the customer sent it. */
  readonly networkMs: number;
  readonly createdMs: number;
}
