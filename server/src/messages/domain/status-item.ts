import type { NetworkError, NetworkPricing } from '#messages/domain/delivery';

/** What became of one of our messages. Also a `StatusChange` of `delivery.ts`. */
export interface StatusItem {
  readonly kind: 'status';
  readonly phoneNumberId: string;
  readonly networkMessageId: string;
  /** `played` (a voice message was played) counts as read. */
  readonly status: 'sent' | 'delivered' | 'read' | 'failed';
  /** Milliseconds since 1970, the network's clock. */
  readonly at: number;
  /**
   * What we sent as `biz_opaque_callback_data`; see `correlation-token.ts`. Parked statuses are stored with this name.
   */
  readonly echo: string | null;
  /** Digits; null when the user shows only a network user id. */
  readonly recipient: string | null;
  readonly recipientUserId: string | null;
  readonly error: NetworkError | null;
  readonly pricing: NetworkPricing | null;
}
