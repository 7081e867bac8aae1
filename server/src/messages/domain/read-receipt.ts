/** An inbound message to be marked as read at the network, which marks all earlier ones of its thread too. */
export interface ReadReceipt {
  readonly phoneNumberId: string;
  readonly networkMessageId: string;
  /** Access token of the number's account; null: that of the settings. */
  readonly token: string | null;
  /** Also shows that an answer is being written, for up to 25 s. */
  readonly typing: boolean;
}

/** What the network made of it. */
export type ReadOutcome =
  | { readonly kind: 'done' }
  /** It said no, and would again. */
  | { readonly kind: 'refused'; readonly sentence: string }
  /** It could not be reached, or is too busy: worth another try. */
  | { readonly kind: 'unreachable' };

/** Sends the receipt to the network; never rejects. */
export type SendReadReceipt = (receipt: ReadReceipt) => Promise<ReadOutcome>;
