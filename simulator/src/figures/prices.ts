/** What messages cost here, and where customers are: made up, so that figures have something to differ in. */

/** In US dollars; every other category is free. */
const PRICES: Readonly<Record<string, number>> = {
  MARKETING: 0.025,
  MARKETING_LITE: 0.02,
  UTILITY: 0.004,
  AUTHENTICATION: 0.0135,
};
const MICRO = 1_000_000;

/** The price of so many messages, or conversations, of a category. */
export function costOf(category: string, count: number): number {
  return Math.round((PRICES[category] ?? 0) * count * MICRO) / MICRO;
}

/** A few beginnings of phone numbers, the longer ones first. */
const COUNTRIES: readonly (readonly [prefix: string, country: string])[] = [
  ['91', 'IN'],
  ['55', 'BR'],
  ['52', 'MX'],
  ['49', 'DE'],
  ['44', 'GB'],
  ['34', 'ES'],
  ['33', 'FR'],
  ['1', 'US'],
];
const UNKNOWN_COUNTRY = 'ZZ';

/** The country of a phone number, or of a user id such as `US.1349`; ZZ when it is none of a few. */
export function countryOf(to: string): string {
  if (/^[A-Z]{2}\./.test(to)) return to.slice(0, 2);
  return COUNTRIES.find(([prefix]) => to.startsWith(prefix))?.[1] ?? UNKNOWN_COUNTRY;
}
