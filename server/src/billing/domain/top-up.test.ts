import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CheckoutReport,
  evaluateTopUp,
  gatewayUnits,
  nextAskMs,
  refundOwed,
  type TopUp,
  type TopUpStatus,
} from './top-up.ts';

const asked = { status: 'pending', sessionId: 'cs_1', amount: 5000, currency: 'EUR' } as const;
const report: CheckoutReport = {
  tenantId: 't',
  topUpId: 'u',
  sessionId: 'cs_1',
  state: 'paid',
  amount: 5000,
  currency: 'EUR',
};

describe('a report of a checkout', () => {
  const cases: readonly (readonly [string, Partial<TopUp>, Partial<CheckoutReport>, object])[] = [
    ['that it is paid', {}, {}, { kind: 'credit', amount: 5000, paidAmount: 5000, note: null }],
    ['before we know its id', { sessionId: null }, {}, { kind: 'credit', amount: 5000, paidAmount: 5000, note: null }],
    ['of another session', {}, { sessionId: 'cs_2' }, { kind: 'nothing' }],
    ['that it is open', {}, { state: 'open' }, { kind: 'nothing' }],
    ['that it has expired', {}, { state: 'expired' }, { kind: 'end', status: 'expired', note: null }],
    ['that it failed', {}, { state: 'failed' }, { kind: 'end', status: 'failed', note: null }],
    [
      'that more was paid',
      {},
      { amount: 6000 },
      { kind: 'credit', amount: 5000, paidAmount: 6000, note: expect.stringMatching(/^10\.00 EUR more/) },
    ],
    [
      'that less was paid',
      {},
      { amount: 4000 },
      { kind: 'credit', amount: 4000, paidAmount: 4000, note: expect.any(String) },
    ],
    [
      'that more was paid, of a currency without decimals',
      { currency: 'JPY' },
      { currency: 'JPY', amount: 6000 },
      { kind: 'credit', amount: 5000, paidAmount: 6000, note: expect.stringMatching(/^1000 JPY more/) },
    ],
    [
      'that dollars were paid',
      {},
      { currency: 'USD' },
      { kind: 'end', status: 'failed', note: expect.stringMatching(/^50\.00 USD was paid/) },
    ],
    [
      'that something was paid that is no currency',
      {},
      { currency: 'a€' },
      { kind: 'end', status: 'failed', note: expect.stringMatching(/^5000 a€ was paid/) },
    ],
    ['that nothing was paid', {}, { amount: 0 }, { kind: 'end', status: 'failed', note: expect.any(String) }],
    ['that it is paid, again', { status: 'paid' }, {}, { kind: 'nothing' }],
    ['that it has expired, after it was paid', { status: 'paid' }, { state: 'expired' }, { kind: 'nothing' }],
    [
      'that it is paid, after it expired',
      { status: 'expired' },
      {},
      { kind: 'credit', amount: 5000, paidAmount: 5000, note: null },
    ],
    ['that it failed, after it expired', { status: 'expired' }, { state: 'failed' }, { kind: 'nothing' }],
  ];
  test.each(cases)('%s', (_label, topUp, reported, verdict) => {
    expect(evaluateTopUp({ ...asked, ...topUp }, { ...report, ...reported })).toEqual(verdict);
  });

  test('credits at most once, whatever is reported, in any order and any number of times', () => {
    const reported = fc.record({
      state: fc.constantFrom('open', 'paid', 'expired', 'failed'),
      sessionId: fc.constantFrom('cs_1', 'cs_2'),
      amount: fc.constantFrom(0, 4000, 5000),
      currency: fc.constantFrom('EUR', 'USD'),
    });
    fc.assert(
      fc.property(fc.array(reported, { maxLength: 12 }), (sequence) => {
        let status: TopUpStatus = 'pending';
        let credits = 0;
        for (const one of sequence) {
          const verdict = evaluateTopUp({ ...asked, status }, { ...report, ...(one as Partial<CheckoutReport>) });
          if (verdict.kind === 'credit') credits += 1;
          if (verdict.kind !== 'nothing') status = verdict.kind === 'credit' ? 'paid' : verdict.status;
        }
        expect(credits).toBe(status === 'paid' ? 1 : 0);
      }),
    );
  });
});

test('a wallet never gets more than was asked for, and a refund takes no more than it got', () => {
  const money = fc.nat({ max: 10_000 });
  fc.assert(
    fc.property(money, money, fc.array(money), (amount, paid, refunds) => {
      const verdict = evaluateTopUp({ ...asked, amount }, { ...report, amount: paid });
      const credited = verdict.kind === 'credit' ? verdict.amount : 0;
      expect(credited).toBe(Math.min(amount, paid));
      let refundTaken = 0;
      let refundReported = 0;
      for (const refund of refunds) {
        refundReported = Math.min(paid, Math.max(refundReported, refund));
        refundTaken += refundOwed({ amount, paidAmount: paid, refundReported, refundTaken });
      }
      expect(refundTaken).toBe(Math.max(0, Math.min(credited, refundReported - (paid - credited))));
    }),
  );
});

test('the gateway is asked after a minute, then ever more rarely, at last every hour', () => {
  const minutes = [0, 1, 2, 5, 6, 40].map((times) => nextAskMs(times, 0) / 60_000);
  expect(minutes).toEqual([1, 2, 4, 32, 60, 60]);
});

test('currencies without decimals that the gateway counts in hundredths are converted', () => {
  expect(['EUR', 'JPY', 'ISK', 'UGX'].map(gatewayUnits)).toEqual([1, 1, 100, 100]);
});
