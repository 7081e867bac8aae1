import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  adjustmentOf,
  applyTransfer,
  costBy,
  holdFor,
  microsPerMinorUnit,
  type Price,
  priceList,
  priceOf,
  pricesAt,
  transferOf,
} from './wallet.ts';

const price = (category: string, region: string, effectiveFromMs: number, unitPriceMicros: number): Price => ({
  category,
  region,
  effectiveFromMs,
  unitPriceMicros,
});
const all = [
  price('marketing', '', 0, 10),
  price('marketing', '49', 0, 20),
  price('marketing', '49', 1_000, 25),
  price('utility', '', 0, 5),
  price('service', '', 0, 1),
];
const prices = priceList(all);

test.each([
  ['another country', '33123', 5_000, 10],
  ['a region of its own', '49151', 999, 20],
  ['the region of a user id', 'DE.1349', 999, 20],
  ['a user id of another country', 'US.1349', 5_000, 10],
  ['the price in force from its first moment on', '49151', 1_000, 25],
])('a marketing message costs the price of %s', (_label, to, atMs, micros) => {
  expect(priceOf(prices, { category: 'marketing', to, atMs })).toBe(micros);
});

test.each([
  ['marketing_lite', 'marketing'],
  ['authentication-international', 'authentication'],
  ['authentication_international', 'authentication'],
])('a message that the network names %s costs what one of %s costs', (named, category) => {
  const list = priceList([{ category, region: '', effectiveFromMs: 0, unitPriceMicros: 77 }]);
  expect(priceOf(list, { category: named, to: '49151', atMs: 1 })).toBe(77);
});

test('a category without a price costs nothing', () => {
  expect(priceOf(prices, { category: 'authentication', to: '49', atMs: 0 })).toBe(0);
});

test('a template holds the dearest category, anything else the price of a service message', () => {
  expect(holdFor(prices, { type: 'template', to: '49151', atMs: 0 })).toBe(20);
  expect(holdFor(prices, { type: 'text', to: '49151', atMs: 0 })).toBe(1);
});

test.each([
  ['the price of the category that it named', { category: 'marketing', billable: true }, 25],
  ['the same when it does not say whether it bills', { category: 'marketing', billable: null }, 25],
  ['nothing when it does not bill', { category: 'marketing', billable: false }, 0],
  ['nothing when it named no category', { category: null, billable: true }, 0],
])('a message that the network has priced costs %s', (_label, reported, micros) => {
  expect(costBy(prices, { type: 'template', to: '49151', createdMs: 1_000, ...reported })).toBe(micros);
});

test('a message never costs more than was held for it, whatever category the network names', () => {
  expect(costBy(prices, { type: 'text', to: '49151', createdMs: 0, category: 'marketing', billable: true })).toBe(1);
});

test('the prices in force are the newest of each category and region', () => {
  const shown = pricesAt(all, 1_000).map(({ category, region, unitPriceMicros }) => [
    category,
    region,
    unitPriceMicros,
  ]);
  expect(shown).toContainEqual(['marketing', '49', 25]);
  expect(shown.length).toBe(4);
});

test('a minor unit is what the currency says', () => {
  expect(['EUR', 'JPY', 'KWD'].map(microsPerMinorUnit)).toEqual([10_000, 1_000_000, 1_000]);
});

test('after any transfers, no account of the tenant is below zero and no money appears from nowhere', () => {
  const amount = fc.integer({ min: 1, max: 1_000 });
  const transfer = fc.oneof(
    fc
      .tuple(fc.constantFrom('topup', 'hold', 'capture', 'release' as const), amount)
      .map(([kind, micros]) => transferOf(kind, micros)),
    amount.map(adjustmentOf),
    amount.map((micros) => adjustmentOf(-micros)),
  );
  fc.assert(
    fc.property(fc.array(transfer), (transfers) => {
      let balances = { availableMicros: 0, heldMicros: 0 };
      const others = { cash: 0, revenue: 0 };
      for (const one of transfers) {
        try {
          balances = applyTransfer(balances, one);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
          continue;
        }
        if (one.from === 'cash' || one.from === 'revenue') others[one.from] -= one.amountMicros;
        if (one.to === 'cash' || one.to === 'revenue') others[one.to] += one.amountMicros;
        expect(balances.availableMicros >= 0 && balances.heldMicros >= 0).toBe(true);
        expect(balances.availableMicros + balances.heldMicros + others.cash + others.revenue).toBe(0);
      }
    }),
  );
});
