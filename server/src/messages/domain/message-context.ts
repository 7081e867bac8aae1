/** What a message of a customer refers to, as the network reports it. Null stands for what is not there. */
export interface MessageContext {
  /** The message that it answers or reacts to. */
  readonly quoted: QuotedMessage | null;
  /** Whether the customer passed it on from another chat, and whether it has been passed on many times. */
  readonly forwarded: ForwardedMark | null;
  /** The product that the customer asks about. */
  readonly product: ReferredProduct | null;
  /** What the network could not deliver of it. */
  readonly error: ContextError | null;
}

export interface QuotedMessage {
  /** The network's id. */
  readonly id: string;
  /** Who wrote it, digits or a user id; null: the network does not say. */
  readonly from: string | null;
}

export const forwardedMarks = ['forwarded', 'frequently_forwarded'] as const;
export type ForwardedMark = (typeof forwardedMarks)[number];

export interface ReferredProduct {
  readonly catalogId: string | null;
  /** The business's own id of the product. */
  readonly retailerId: string;
}

export interface ContextError {
  readonly code: number | null;
  readonly message: string;
}

/** What the network says of the advertisement or post that a customer came from. `ctwa_clid` is the id of the click. */
export const referralFields = [
  'source_type',
  'source_id',
  'source_url',
  'headline',
  'body',
  'media_type',
  'image_url',
  'video_url',
  'thumbnail_url',
  'ctwa_clid',
] as const;
