import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TenantId } from '#core/ids';
import { TestClock } from '#testing/test-runtime';
import { RequestLimits } from './request-limits.ts';

const caller = (keyRate: number, tenantRate = 0, key = 'k') => ({
  callerId: key,
  keyRate,
  tenantId: 't' as TenantId,
  tenantRate,
});
const alone = { processes: 1, isNew: false };

/** Requests at random times at random processes; more of them than any of the rates lets through. */
const requests = fc.array(
  fc.record({ afterMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 700 })), process: fc.nat() }),
  { minLength: 1, maxLength: 300 },
);

/** The times at which requests passed, over all processes. */
function passedAt(rate: number, processes: number, plan: readonly { afterMs: number; process: number }[]): number[] {
  const clock = new TestClock();
  const all = Array.from({ length: processes }, () => new RequestLimits());
  const passed: number[] = [];
  for (const { afterMs, process } of plan) {
    clock.advance(afterMs);
    const limits = all[process % processes];
    const verdict = limits?.admit(caller(rate), { processes, isNew: false }, clock.monotonic());
    if (verdict?.retryAfterMs === 0) passed.push(clock.monotonic());
  }
  return passed;
}

describe('the limit of a rate', () => {
  test('over all processes at most burst + rate × time passes, in every window', () => {
    const rates = fc.integer({ min: 1, max: 50 });
    fc.assert(
      fc.property(rates, fc.integer({ min: 1, max: 5 }), requests, (rate, processes, plan) => {
        const passed = passedAt(rate, processes, plan);
        const burst = Math.max(rate, processes);
        for (const [from, startMs] of passed.entries()) {
          for (const [to, endMs] of passed.entries()) {
            if (to >= from) expect(to - from + 1).toBeLessThanOrEqual(burst + (rate * (endMs - startMs)) / 1000 + 1e-6);
          }
        }
      }),
    );
  });

  test('a caller that waits as long as the response says passes, however low the rate and many the processes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 9 }),
        requests,
        (rate, processes, plan) => {
          const clock = new TestClock();
          const limits = new RequestLimits();
          const ask = () => limits.admit(caller(rate), { processes, isNew: false }, clock.monotonic()).retryAfterMs;
          for (const { afterMs } of plan) {
            clock.advance(afterMs);
            const waitMs = ask();
            if (waitMs === 0) continue;
            clock.advance(waitMs);
            expect(ask()).toBe(0);
          }
        },
      ),
    );
  });

  test('a change of the number of processes never lends what was not earned', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 60 }), (counts) => {
        const limits = new RequestLimits();
        const clock = new TestClock();
        let passed = 0;
        for (const processes of counts) {
          const share = { processes, isNew: false };
          while (limits.admit(caller(12), share, clock.monotonic()).retryAfterMs === 0) passed += 1;
          clock.advance(250);
        }
        expect(passed).toBeLessThanOrEqual(12 + 12 * 0.25 * (counts.length - 1) + 1e-6);
      }),
    );
  });
});

describe('limits', () => {
  test('a process that the others have made no room for yet begins with nothing saved', () => {
    const limits = new RequestLimits();
    const verdict = limits.admit(caller(10), { processes: 2, isNew: true }, 0);
    expect(verdict).toEqual({
      retryAfterMs: 200,
      limits: [{ name: 'key', perSecond: 10, remaining: 0, msUntilFull: 1000 }],
    });
  });

  test('a request that the tenant has no room for costs its key nothing', () => {
    const limits = new RequestLimits();
    for (const key of ['a', 'b']) expect(limits.admit(caller(5, 2, key), alone, 0).retryAfterMs).toBe(0);
    const refused = limits.admit(caller(5, 2, 'a'), alone, 0);
    expect([refused.retryAfterMs, refused.limits.map(({ remaining }) => remaining)]).toEqual([500, [4, 0]]);
  });

  test('without a rate nothing is counted', () => {
    expect(new RequestLimits().admit(caller(0), alone, 0)).toEqual({ retryAfterMs: 0, limits: [] });
  });
});
