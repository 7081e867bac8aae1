import type { NetworkError, NetworkPricing } from './delivery.ts';
import type { JsonObject, JsonValue } from './json.ts';
import type { TemplateCategory } from './template/definition.ts';
import type { TemplateQuality, TemplateStatus } from './template/status.ts';

/** What became of one of our messages. Also a `StatusChange` of `delivery.ts`. */
export interface StatusItem {
  readonly kind: 'status';
  readonly phoneNumberId: string;
  readonly networkMessageId: string;
  /** `played` (a voice message was heard) counts as read. */
  readonly status: 'sent' | 'delivered' | 'read' | 'failed';
  /** Milliseconds since 1970, the network's clock. */
  readonly at: number;
  /** What we sent as `biz_opaque_callback_data`; see `echo.ts`. */
  readonly echo: string | null;
  /** Digits; null when the user shows only a network user id. */
  readonly recipient: string | null;
  readonly recipientUserId: string | null;
  readonly error: NetworkError | null;
  readonly pricing: NetworkPricing | null;
}

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
  readonly replyToNetworkId: string | null;
  readonly body: string | null;
  readonly content: JsonObject;
  /** The advertisement that brought the customer, as the network tells it; null: none. */
  readonly referral: JsonObject | null;
}

/** What the network tells of sending numbers; null is not spoken of. */
export interface NumberItem {
  readonly kind: 'number';
  /** The account that the numbers belong to. */
  readonly networkAccountId: string;
  /** Milliseconds since 1970, exact to a second; null: undated. */
  readonly at: number | null;
  /** Digits of the one number that it is about; null: all numbers of the account. */
  readonly displayPhone: string | null;
  readonly quality: string | null;
  readonly messagingLimit: string | null;
  readonly throughput: string | null;
  readonly networkStatus: string | null;
  readonly raw: JsonObject;
}

/** What the network tells of a template. */
export type TemplateNews =
  | {
      readonly about: 'status';
      /** The network's own word. */
      readonly word: string;
      /** Null: the word changes nothing about sending. */
      readonly status: TemplateStatus | null;
      readonly reason: string | null;
    }
  | { readonly about: 'quality'; readonly quality: TemplateQuality }
  | { readonly about: 'category'; readonly category: TemplateCategory }
  /** It will be this one later. */
  | { readonly about: 'category_announced'; readonly category: TemplateCategory }
  /** Its texts were changed at the network. */
  | {
      readonly about: 'components';
      readonly body: string;
      readonly header: string | null;
      readonly footer: string | null;
    };

/** News of a template of an account of the network. */
export interface TemplateItem {
  readonly kind: 'template';
  readonly networkAccountId: string;
  readonly networkTemplateId: string;
  readonly name: string;
  readonly language: string;
  /** Milliseconds since 1970, the network's clock; null when it did not say. */
  readonly at: number | null;
  readonly news: TemplateNews;
  readonly raw: JsonValue;
}

/** A known or new kind of news that has no reader here. */
export interface OtherItem {
  readonly kind: 'other';
  /** The subscribed field, as the network wrote it (its first 48 characters). */
  readonly field: string;
  readonly phoneNumberId: string | null;
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

export type CallbackItem = StatusItem | InboundItem | NumberItem | TemplateItem | OtherItem | IgnoredItem;
