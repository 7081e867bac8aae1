import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '#core/json';
import { isNewer, readPaymentEvent } from './payment-event.ts';

const session: JsonObject = {
  id: 'cs_1',
  mode: 'payment',
  status: 'complete',
  payment_status: 'paid',
  amount_total: 5000,
  currency: 'eur',
  metadata: { tenant_id: 't', topup_id: 'u' },
};
const checkout = { tenantId: 't', topUpId: 'u', sessionId: 'cs_1', state: 'paid', amount: 5000, currency: 'EUR' };
const event = (type: string, object: JsonValue): JsonObject => ({ type, created: 1_790_000_000, data: { object } });
const subscription = (status: string) => event('customer.subscription.updated', { id: 'sub_1', status });

describe('an event', () => {
  const checkouts: readonly (readonly [string, string, JsonObject, object])[] = [
    ['paid', 'completed', {}, {}],
    ['paid in hundredths', 'completed', { currency: 'isk', amount_total: 500_000 }, { currency: 'ISK' }],
    ['complete, but not paid yet', 'completed', { payment_status: 'unpaid' }, { state: 'open' }],
    ['expired', 'expired', { status: 'expired', payment_status: 'unpaid' }, { state: 'expired' }],
    ['paid after days', 'async_payment_succeeded', {}, {}],
    ['failed after days', 'async_payment_failed', { payment_status: 'unpaid' }, { state: 'failed' }],
  ];
  test.each(checkouts)('of a checkout that is %s', (_label, type, fields, expected) => {
    const read = readPaymentEvent(event(`checkout.session.${type}`, { ...session, ...fields }));
    expect(read).toEqual({ kind: 'checkout', report: { ...checkout, ...expected } });
  });

  test.each([
    ['active', 'active'],
    ['trialing', 'active'],
    ['past_due', 'past_due'],
    ['unpaid', 'past_due'],
    ['paused', 'paused'],
    ['canceled', 'canceled'],
    ['incomplete_expired', 'canceled'],
    ['incomplete', null],
    ['something new', null],
  ])('of a subscription that is %s', (status, ours) => {
    const report = { gatewayId: 'sub_1', status: ours, createdMs: 1_790_000_000_000 };
    expect(readPaymentEvent(subscription(status))).toEqual({ kind: 'subscription', report });
  });

  test('that is not of a top-up or a subscription is none of ours', () => {
    const others: readonly JsonObject[] = [
      event('checkout.session.completed', { ...session, metadata: null }),
      event('checkout.session.completed', { ...session, mode: 'subscription' }),
      event('checkout.session.completed', { ...session, amount_total: '5000' }),
      event('customer.subscription.updated', { status: 'active' }),
      event('charge.refunded', session),
      { type: 'checkout.session.completed' },
      {},
    ];
    expect(others.map((other) => readPaymentEvent(other).kind)).toEqual(others.map(() => 'other'));
  });

  test('of any shape is read without a fault', () => {
    const anything = fc.dictionary(fc.constantFrom('type', 'created', 'data', 'object', 'id'), fc.jsonValue());
    fc.assert(fc.property(anything, (value) => void readPaymentEvent(value as JsonObject)));
    const type = fc.constantFrom('checkout.session.completed', 'customer.subscription.deleted');
    fc.assert(
      fc.property(type, fc.jsonValue(), (name, object) => void readPaymentEvent(event(name, object as JsonValue))),
    );
  });
});

test('of two events the later one is newer, and of one second the one that ends more', () => {
  const heard = { status: 'active', createdMs: 2_000 } as const;
  expect(isNewer({ status: 'past_due', createdMs: 3_000 }, heard)).toBe(true);
  expect(isNewer({ status: 'past_due', createdMs: 1_000 }, heard)).toBe(false);
  expect(isNewer({ status: 'canceled', createdMs: 2_000 }, heard)).toBe(true);
  expect(isNewer({ status: 'past_due', createdMs: 2_000 }, heard)).toBe(false);
  expect(isNewer({ status: 'active', createdMs: 2_000 }, heard)).toBe(false);
  expect(isNewer({ status: 'paused', createdMs: 0 }, { status: null, createdMs: null })).toBe(true);
});
