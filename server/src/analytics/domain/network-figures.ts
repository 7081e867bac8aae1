import type { Asked } from '#accounts/domain/account-network';
import type { Period } from '#core/calendar';
import type { AccountAccess } from '#templates/domain/network';

/** Steps that the network counts in; its days and months are those of UTC. */
export const networkIntervals = ['day', 'month'] as const;
export type NetworkInterval = (typeof networkIntervals)[number];

/** What the network tells prices apart by. */
export const priceKeys = ['category', 'type', 'country', 'phone_number_id', 'tier'] as const;
export type PriceKey = (typeof priceKeys)[number];

/** The same of conversations. */
export const networkConversationKeys = ['category', 'direction', 'type', 'country', 'phone_number_id'] as const;
export type NetworkConversationKey = (typeof networkConversationKeys)[number];

/** Figures of one step. What the network leaves out is null, here and in the others. */
export interface MessagePoint extends Period {
  readonly sent: number | null;
  readonly delivered: number | null;
}

export interface PricePoint extends Period {
  /** In lower case; of a number, its digits. */
  readonly key: string;
  readonly volume: number | null;
  readonly cost: number | null;
}

export interface NetworkConversationPoint extends Period {
  /** As of prices. */
  readonly key: string;
  readonly conversations: number | null;
  readonly cost: number | null;
}

/** Taps on one button. */
export interface ButtonClicks {
  readonly type: string | null;
  readonly button: string | null;
  readonly count: number | null;
}

export interface TemplatePoint extends Period {
  readonly networkTemplateId: string;
  readonly sent: number | null;
  readonly delivered: number | null;
  readonly read: number | null;
  readonly clicks: readonly ButtonClicks[];
  readonly amountSpent: number | null;
  readonly costPerDelivered: number | null;
  readonly costPerClick: number | null;
}

/** Which figures of an account. */
export interface FiguresWish {
  readonly period: Period;
  readonly interval: NetworkInterval;
  /** The numbers that are counted, as the network shows them; at least one. */
  readonly phones: readonly string[];
}

export interface TemplateFiguresWish {
  readonly period: Period;
  readonly networkTemplateIds: readonly string[];
}

/** The part of the network that counts. Each call tries once and never rejects. */
export interface FiguresNetwork {
  messageFigures(at: AccountAccess, wish: FiguresWish): Promise<Asked<readonly MessagePoint[]>>;
  priceFigures(at: AccountAccess, wish: FiguresWish, by: PriceKey): Promise<Asked<readonly PricePoint[]>>;
  conversationFigures(
    at: AccountAccess,
    wish: FiguresWish,
    by: NetworkConversationKey,
  ): Promise<Asked<readonly NetworkConversationPoint[]>>;
  templateFigures(at: AccountAccess, wish: TemplateFiguresWish): Promise<Asked<readonly TemplatePoint[]>>;
}
