import { v7 } from 'uuid';

/**
 * Identifiers are UUID version 7: time-ordered, so that a list "newest first" is a walk of the primary key.
 * They are branded: a TenantId cannot be passed where a MessageId is expected.
 */
declare const brand: unique symbol;
type Id<Name extends string> = string & { readonly [brand]: Name };

export type TenantId = Id<'tenant'>;
export type MessageId = Id<'message'>;
export type KeyId = Id<'key'>;
export type UserId = Id<'user'>;
export type SessionId = Id<'session'>;
export type PasskeyId = Id<'passkey'>;
export type PushSubscriptionId = Id<'push_subscription'>;
export type CallbackId = Id<'callback'>;
export type ContactId = Id<'contact'>;
export type AttributeId = Id<'attribute'>;
export type ConsentId = Id<'consent'>;
export type MergeId = Id<'contact_merge'>;
export type ImportId = Id<'imported_file'>;
export type SegmentId = Id<'segment'>;
export type CannedReplyId = Id<'canned_reply'>;
export type SuggestionId = Id<'suggestion'>;
export type ViewId = Id<'conversation_view'>;
export type BulkChangeId = Id<'bulk_change'>;
export type ConversationId = Id<'conversation'>;
export type DispatcherId = Id<'dispatcher'>;
export type MediaId = Id<'media'>;
export type BlobId = Id<'blob'>;
export type UploadId = Id<'upload'>;
export type TopUpId = Id<'top_up'>;
export type AccountId = Id<'account'>;
export type LinkStateId = Id<'link_state'>;
export type CampaignId = Id<'campaign'>;
export type EndpointId = Id<'webhook_endpoint'>;
export type DeliveryId = Id<'webhook_delivery'>;
export type NotifierId = Id<'notifier'>;
export type TemplateId = Id<'template'>;
export type RuleId = Id<'rule'>;
export type TimerId = Id<'timer'>;
export type AgentId = Id<'agent'>;
export type TeamId = Id<'team'>;
export type HoursId = Id<'hours'>;
export type NoteId = Id<'note'>;

/** The network's own identifier of a sending number: a string of digits, never a UUID. */
export type PhoneNumberId = Id<'phone_number'>;

/** Makes ids; handed in wherever one is needed. */
export type NewId = <T extends string>() => T;

/** The highest start of a millisecond's counter: leaves 2^31 further ids before it could wrap. */
const SEQUENCE_START_LIMIT = 0x7fffffff;

/**
 * An id maker whose ids strictly grow, also within one millisecond and when the wall clock steps back: messages
 * posted one after the other keep their order.
 * @param nowMs wall clock, milliseconds since 1970
 * @param random uniform in [0, 1)
 */
export function idMaker(nowMs: () => number, random: () => number): NewId {
  let msecs = 0;
  let seq = 0;
  return <T extends string>() => {
    const now = nowMs();
    if (now > msecs) {
      msecs = now;
      seq = Math.floor(random() * SEQUENCE_START_LIMIT);
    } else {
      seq += 1;
    }
    return v7({ msecs, seq }) as T;
  };
}

/** An id as if it had been made at a time: the same for the same time and the same 16 bytes. */
export function idMadeAt<Id extends string>(ms: number, random: Uint8Array): Id {
  return v7({ msecs: ms, random }) as string as Id;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A UUID in any case, as a part of other patterns; without nested repetitions, which routes refuse. */
export const ANY_UUID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';

/** True for the canonical lower-case spelling of any UUID. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The smallest UUID version 7 of a millisecond. */
export function idFloor<Id extends string = MessageId>(ms: number): Id {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0').slice(-12);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000` as Id;
}

/** When an id of version 7 was made, in milliseconds since 1970 (RFC 9562, section 5.7). */
export function idMadeMs(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
