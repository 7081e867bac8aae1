import type { NoticeItem } from '#accounts/domain/account-notice';
import type { NumberItem } from '#accounts/domain/number-item';
import type { JsonObject, JsonValue } from '#core/json';
import type { Call } from '#messages/domain/call';
import type { MessageContent } from '#messages/domain/content';
import type { ContentChange } from '#messages/domain/message-change';
import type { MessageContext } from '#messages/domain/message-context';
import type { PastStage } from '#messages/domain/past-message';
import type { StatusItem } from '#messages/domain/status-item';
import type { TemplateItem } from '#templates/domain/template-item';
import type { IdentityChange, IdentityItem } from './callback-identity.ts';
import type { PreferenceItem } from './callback-preferences.ts';

/** A message of a customer. At least one of `from` and `userId` is there. */
export interface InboundItem {
  readonly kind: 'inbound';
  readonly phoneNumberId: string;
  readonly networkMessageId: string;
  readonly type: string;
  /** Milliseconds since 1970, the network's clock. */
  readonly at: number;
  /** Digits; null when the user shows only a network user id. */
  readonly from: string | null;
  readonly userId: string | null;
  readonly profileName: string | null;
  readonly username: string | null;
  readonly body: string | null;
  readonly content: JsonObject;
  readonly context: MessageContext | null;
  /** The network's id of the group that it was written in; null: it was written to the business alone. */
  readonly groupId: string | null;
  /** Whether the customer said something to the business, which opens the 24-hour window. */
  readonly opensWindow: boolean;
  /** The advertisement that the customer came from, as the network reports it; null: none. */
  readonly referral: JsonObject | null;
  /** What the message reports of its sender: another number or user id than before. Left out: nothing. */
  readonly identityChange?: IdentityChange;
}

/** A customer's edit or deletion of an earlier message. At least one of `from` and `userId` is there. */
export interface ChangeItem {
  readonly kind: 'change';
  readonly phoneNumberId: string;
  /** The network's id of the message that it changes. */
  readonly networkMessageId: string;
  /** The customer, also where the business changed what it wrote. */
  readonly from: string | null;
  readonly userId: string | null;
  readonly change: ContentChange;
}

/** What a report says of a call between a customer and the business. At least one of `from` and `userId` is there. */
export interface CallItem {
  readonly kind: 'call';
  readonly phoneNumberId: string;
  /** The network's id of the call. */
  readonly networkMessageId: string;
  /** The customer, whoever called: digits; null when only a user id is shown. */
  readonly from: string | null;
  readonly userId: string | null;
  readonly profileName: string | null;
  readonly username: string | null;
  readonly call: Call;
}

/** A message that the business wrote with the app on its phone. At least one of `to` and `userId` is there. */
export interface EchoItem {
  readonly kind: 'echo';
  readonly phoneNumberId: string;
  readonly networkMessageId: string;
  /** Milliseconds since 1970, the network's clock. */
  readonly at: number;
  /** The customer, digits; null when the customer shows only a user id. */
  readonly to: string | null;
  readonly userId: string | null;
  readonly content: MessageContent;
  /** The network's id of the message that it answers; null: it answers none. */
  readonly quotedId: string | null;
}

/** An edit or the deletion of a message from the phone, by the business that wrote it. */
export interface EchoChangeItem extends Omit<ChangeItem, 'kind'> {
  readonly kind: 'echo_change';
}

/** What the book of the business's phone says of somebody. At least one of `from` and `userId` is there. */
export interface BookItem {
  readonly kind: 'book';
  readonly phoneNumberId: string;
  readonly from: string | null;
  readonly userId: string | null;
  /** Null: the entry was removed. */
  readonly name: string | null;
  /** Milliseconds since 1970, the network's clock. */
  readonly at: number;
}

/** A message from before the API, of either direction. At least one of `from` and `userId` is there. */
export interface PastItem {
  readonly kind: 'past';
  readonly phoneNumberId: string;
  readonly networkMessageId: string;
  /** Milliseconds since 1970, the network's clock. */
  readonly at: number;
  /** The customer, also where the business wrote. */
  readonly from: string | null;
  readonly userId: string | null;
  /** Whether its file comes later. */
  readonly isEmpty: boolean;
  /** The network's id of the message that it answers; null: it answers none. */
  readonly quotedId: string | null;
  readonly said: PastReceivedItem | PastSentItem;
}

interface PastReceivedItem {
  readonly direction: 'inbound';
  readonly type: string;
  readonly body: string | null;
  readonly content: JsonObject;
  readonly context: MessageContext | null;
  readonly opensWindow: boolean;
}

interface PastSentItem {
  readonly direction: 'outbound';
  readonly content: MessageContent;
  readonly stage: PastStage;
}

/** A known or new kind of item that has no reader here. */
export interface OtherItem {
  readonly kind: 'other';
  /** The subscribed field, as the network wrote it (its first 48 characters). */
  readonly field: string;
  readonly phoneNumberId: string | null;
  /** The account that its entry names; left out: none. */
  readonly networkAccountId?: string;
  /** When, by the network: milliseconds since 1970, exact to a second; left out: undated. */
  readonly at?: number;
  /** Stable label: the field, `status:<status>` or `value_error`. At most 60 characters of a–z, 0–9, `_`, `:`. */
  readonly name: string;
  /** A status or error as it came; for a whole change `{entry_id, entry_time, field, value}`. */
  readonly raw: JsonValue;
}

/** Something malformed, kept with the reason why nothing could be made of it. */
export interface IgnoredItem {
  readonly kind: 'ignored';
  /** One sentence. */
  readonly reason: string;
  readonly raw: JsonValue;
}

export type CallbackItem =
  | StatusItem
  | InboundItem
  | ChangeItem
  | CallItem
  | EchoItem
  | EchoChangeItem
  | BookItem
  | PastItem
  | PreferenceItem
  | IdentityItem
  | NumberItem
  | NoticeItem
  | TemplateItem
  | OtherItem
  | IgnoredItem;
