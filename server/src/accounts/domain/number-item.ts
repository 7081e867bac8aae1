import type { JsonObject } from '#core/json';

/** What the network reports of sending numbers; null: not mentioned. */
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
