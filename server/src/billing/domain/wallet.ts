import { regionDigits } from '#core/phone/recipient';

/** Where money is: at the gateway, the tenant's own, set aside for a message, or ours. */
export type Account = 'cash' | 'available' | 'held' | 'revenue';
export type TransferKind = 'topup' | 'hold' | 'capture' | 'release' | 'adjustment';

/** Millionths of the currency unit. */
export interface Balances {
  readonly availableMicros: number;
  readonly heldMicros: number;
}

/** Takes from one account and gives to another; so nothing comes from nowhere. */
export interface Transfer {
  readonly kind: TransferKind;
  readonly from: Account;
  readonly to: Account;
  /** More than 0. */
  readonly amountMicros: number;
}

/** The accounts of each kind. An adjustment may go either way between the tenant and us. */
const routes = {
  topup: { from: 'cash', to: 'available' },
  hold: { from: 'available', to: 'held' },
  capture: { from: 'held', to: 'revenue' },
  release: { from: 'held', to: 'available' },
} as const satisfies Record<Exclude<TransferKind, 'adjustment'>, { readonly from: Account; readonly to: Account }>;

export function transferOf(kind: keyof typeof routes, amountMicros: number): Transfer {
  return { kind, ...routes[kind], amountMicros };
}

/** A later change of a price: positive gives back to the tenant, negative takes more. */
export function adjustmentOf(amountMicros: number): Transfer {
  const back = amountMicros > 0;
  const [from, to] = back ? (['revenue', 'available'] as const) : (['available', 'revenue'] as const);
  return { kind: 'adjustment', from, to, amountMicros: Math.abs(amountMicros) };
}

/**
 * The balances after a transfer.
 * @throws RangeError when an account of the tenant would fall below zero: the caller has to look before
 */
export function applyTransfer(balances: Balances, { from, to, amountMicros }: Transfer): Balances {
  const change = (account: Account): number =>
    (to === account ? amountMicros : 0) - (from === account ? amountMicros : 0);
  const next = {
    availableMicros: balances.availableMicros + change('available'),
    heldMicros: balances.heldMicros + change('held'),
  };
  if (next.availableMicros < 0 || next.heldMicros < 0) throw new RangeError('A wallet must not be overdrawn.');
  return next;
}

/** The price of a category from a time on. */
export interface Price {
  readonly category: string;
  /** Leading digits of the recipient; empty: everywhere else. */
  readonly region: string;
  readonly effectiveFromMs: number;
  readonly unitPriceMicros: number;
}

/** The categories that every price list has. */
export const priceCategories = ['marketing', 'utility', 'authentication', 'service'] as const;

/** What a message is paid as, where the network names a category of its own for a way of sending or of receiving it. */
const PAID_AS: Readonly<Record<string, (typeof priceCategories)[number]>> = {
  marketing_lite: 'marketing',
  'authentication-international': 'authentication',
  authentication_international: 'authentication',
};

/** Prices by category and region, of each the newest first. */
export type PriceList = ReadonlyMap<string, readonly Price[]>;

/** Leading digits that a region has at most. */
const MAX_REGION_DIGITS = 6;

function placeOf(category: string, region: string): string {
  return `${category}/${region}`;
}

/** Sorts prices so that each message finds its own without a walk through all of them. */
export function priceList(prices: readonly Price[]): PriceList {
  const list = new Map<string, Price[]>();
  for (const price of prices.toSorted((a, b) => b.effectiveFromMs - a.effectiveFromMs)) {
    const place = placeOf(price.category, price.region);
    const others = list.get(place);
    if (others) others.push(price);
    else list.set(place, [price]);
  }
  return list;
}

/** What a message to this recipient costs: the longest region that fits, and of it the price in force. 0 without any. */
export function priceOf(
  prices: PriceList,
  { category, to, atMs }: { readonly category: string; readonly to: string; readonly atMs: number },
): number {
  const region = regionDigits(to).slice(0, MAX_REGION_DIGITS);
  for (let digits = region.length; digits >= 0; digits -= 1) {
    const ofRegion = prices.get(placeOf(PAID_AS[category] ?? category, region.slice(0, digits)));
    const inForce = ofRegion?.find(({ effectiveFromMs }) => effectiveFromMs <= atMs);
    if (inForce) return inForce.unitPriceMicros;
  }
  return 0;
}

/** What is set aside at accept: the highest that the network can bill a message of this type as. */
export function holdFor(
  prices: PriceList,
  message: { readonly type: string; readonly to: string; readonly atMs: number },
): number {
  const categories = message.type === 'template' ? priceCategories : (['service'] as const);
  return Math.max(...categories.map((category) => priceOf(prices, { ...message, category })));
}

/** A message that the network has priced. */
export interface PricedMessage {
  readonly type: string;
  readonly to: string;
  readonly createdMs: number;
  readonly category: string | null;
  readonly billable: boolean | null;
}

/**
 * What a message costs by a price list: as it is captured when those are the prices from the beginning, so never more
 * than would have been held for it.
 */
export function costBy(prices: PriceList, { type, to, createdMs, category, billable }: PricedMessage): number {
  if (billable === false || category === null) return 0;
  const message = { to, atMs: createdMs };
  return Math.min(priceOf(prices, { ...message, category }), holdFor(prices, { ...message, type }));
}

/** The prices in force at a moment: of each category and region the newest. */
export function pricesAt(prices: readonly Price[], atMs: number): readonly Price[] {
  const newest = new Map<string, Price>();
  for (const price of prices.toSorted((a, b) => a.effectiveFromMs - b.effectiveFromMs)) {
    if (price.effectiveFromMs <= atMs) newest.set(placeOf(price.category, price.region), price);
  }
  return [...newest.values()];
}

/** Micros in one minor unit of a currency (ISO 4217): 10,000 for EUR, 1,000,000 for JPY. */
export function microsPerMinorUnit(currency: string): number {
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  return 10 ** (6 - maximumFractionDigits);
}
