import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addMonths, monthAt, monthName, monthNamed, periodAt } from '#core/calendar';
import {
  currentPeriod,
  fairUseGate,
  fairUseOf,
  type Plan,
  type Subscription,
  statusAt,
  subscriptionGate,
} from './subscription.ts';

const plan: Plan = {
  planId: 'standard',
  name: 'Standard',
  priceMinorUnits: 0,
  currency: 'EUR',
  interval: 'month',
  fairUseMessages: 100,
  fairUseEnforcement: 'hard',
  fairUseWarningPercent: 80,
  lowBalanceMicros: null,
  mediaBytes: null,
  graceDays: 7,
  isDefault: true,
};
const active: Subscription = {
  plan,
  status: 'active',
  anchorMs: null,
  trialEndsMs: null,
  cancelAtMs: null,
  pastDueSinceMs: null,
};
const NOW = Date.UTC(2026, 10, 20, 12);
const DAY_MS = 86_400_000;

describe('the calendar', () => {
  test('a month begins and ends at midnight UTC', () => {
    expect(monthAt(Date.UTC(2026, 11, 31, 23, 59, 59, 999))).toEqual({
      startMs: Date.UTC(2026, 11, 1),
      endMs: Date.UTC(2027, 0, 1),
    });
    expect(monthNamed('2026-02')).toEqual({ startMs: Date.UTC(2026, 1, 1), endMs: Date.UTC(2026, 2, 1) });
    expect([monthNamed('2026-13'), monthNamed('2026-2'), monthNamed('')]).toEqual([null, null, null]);
    expect([monthNamed('1999-12'), monthNamed('0026-01'), monthNamed('9999-12')]).toEqual([null, null, null]);
    expect(monthName(NOW)).toBe('2026-11');
  });

  test('a day that a month lacks becomes its last one', () => {
    expect(addMonths(Date.UTC(2026, 0, 31, 8), 1)).toBe(Date.UTC(2026, 1, 28, 8));
    expect(addMonths(Date.UTC(2028, 1, 29), 12)).toBe(Date.UTC(2029, 1, 28));
  });

  test('every moment after the anchor lies in exactly one period, and periods leave no gap', () => {
    const moment = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) });
    fc.assert(
      fc.property(moment, moment, fc.constantFrom(1, 12), (anchorMs, later, months) => {
        const nowMs = Math.max(anchorMs, later);
        const { startMs, endMs } = periodAt(anchorMs, months, nowMs);
        expect(startMs <= nowMs && nowMs < endMs).toBe(true);
        expect(periodAt(anchorMs, months, endMs).startMs).toBe(endMs);
      }),
    );
  });
});

describe('a subscription', () => {
  test('nobody moved has calendar months and an open gate', () => {
    expect(currentPeriod(active, NOW)).toEqual(monthAt(NOW));
    expect(subscriptionGate(active, NOW)).toEqual({ open: true, reason: null });
  });

  test('in trial becomes active when the trial ends', () => {
    const trial: Subscription = { ...active, status: 'trialing', trialEndsMs: NOW };
    expect([statusAt(trial, NOW - 1), statusAt(trial, NOW)]).toEqual(['trialing', 'active']);
  });

  test('ends when its time has come, and the gate closes', () => {
    const ending: Subscription = { ...active, cancelAtMs: NOW };
    expect([statusAt(ending, NOW - 1), statusAt(ending, NOW)]).toEqual(['active', 'canceled']);
    expect([subscriptionGate(ending, NOW - 1).open, subscriptionGate(ending, NOW).open]).toEqual([true, false]);
  });

  test('past due sends until the grace of its plan is over', () => {
    const due: Subscription = { ...active, status: 'past_due', pastDueSinceMs: NOW };
    expect(subscriptionGate(due, NOW + 7 * DAY_MS - 1).open).toBe(true);
    expect(subscriptionGate(due, NOW + 7 * DAY_MS)).toEqual({ open: false, reason: expect.stringContaining('7 days') });
  });

  test('paused keeps sending', () => {
    expect(subscriptionGate({ ...active, status: 'paused' }, NOW).open).toBe(true);
  });
});

describe('fair use', () => {
  test.each([
    [0, 'ok', true],
    [79, 'ok', true],
    [80, 'warning', true],
    [99, 'warning', true],
    [100, 'exceeded', false],
    [101, 'exceeded', false],
  ])('of 100 with %i used is %s', (used, state, open) => {
    const fairUse = fairUseOf(plan, used);
    expect([fairUse.state, fairUseGate(fairUse).open]).toEqual([state, open]);
    expect(fairUseGate(fairUseOf({ ...plan, fairUseEnforcement: 'soft' }, used)).open).toBe(true);
  });

  test('without a limit is never used up', () => {
    const fairUse = fairUseOf({ ...plan, fairUseMessages: null }, 10 ** 9);
    expect(fairUse).toMatchObject({ limit: null, remaining: null, percent: null, state: 'ok' });
  });

  test('of nothing refuses the first message', () => {
    expect(fairUseGate(fairUseOf({ ...plan, fairUseMessages: 0 }, 0)).open).toBe(false);
  });
});
