import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PairLimiter } from './pair-limiter.ts';

const ADA = '15550002222';
const BO = '15550003333';

function drain(limiter: PairLimiter, recipient: string, now: number): number {
  let taken = 0;
  while (taken < 1000 && limiter.tryTake(recipient, now).ok) taken += 1;
  return taken;
}

test('45 messages may leave immediately, then one every six seconds', () => {
  const limiter = new PairLimiter({ enabled: true });
  expect(drain(limiter, ADA, 0)).toBe(45);
  expect(limiter.tryTake(ADA, 0)).toEqual({ ok: false, retryAt: 6000 });
  expect(limiter.tryTake(ADA, 5999)).toEqual({ ok: false, retryAt: 6000 });
  expect(limiter.tryTake(ADA, 6000)).toEqual({ ok: true });
  expect(limiter.tryTake(ADA, 6000)).toEqual({ ok: false, retryAt: 12_000 });
  expect(drain(limiter, ADA, 6000 + 45 * 6000)).toBe(45);
});

test('one recipient does not hold back another', () => {
  const limiter = new PairLimiter({ enabled: true });
  drain(limiter, ADA, 0);
  expect(limiter.tryTake(BO, 0)).toEqual({ ok: true });
});

test('in any window of length w at most burst + w / interval leave for a recipient, at random times', () => {
  const step = fc.tuple(fc.integer({ min: 0, max: 5000 }), fc.constantFrom(ADA, BO));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 10 }), (steps, burst) => {
      const limiter = new PairLimiter({ enabled: true, intervalMs: 600, burst });
      let now = 0;
      const granted = new Map<string, number[]>();
      for (const [wait, recipient] of steps) {
        now += wait;
        const times = granted.get(recipient) ?? [];
        for (let n = drain(limiter, recipient, now); n > 0; n -= 1) times.push(now);
        granted.set(recipient, times);
      }
      for (const times of granted.values()) expect(worstExcess(times, 600)).toBeLessThanOrEqual(burst);
    }),
  );
});

/** The most that any window of the sorted times holds beyond its length in intervals. */
function worstExcess(times: readonly number[], intervalMs: number): number {
  let worst = 0;
  for (const [first, start] of times.entries()) {
    for (let last = first; last < times.length; last += 1) {
      worst = Math.max(worst, last - first + 1 - ((times[last] ?? start) - start) / intervalMs);
    }
  }
  return worst;
}

test('at the time that a refusal names the message leaves', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 60 }), (waits) => {
      const limiter = new PairLimiter({ enabled: true, burst: 3 });
      let now = 0;
      for (const wait of waits) {
        now += wait;
        const result = limiter.tryTake(ADA, now);
        if (result.ok) continue;
        expect(result.retryAt).toBeGreaterThan(now);
        expect(limiter.tryTake(ADA, result.retryAt - 1).ok).toBe(false);
        now = result.retryAt;
        expect(limiter.tryTake(ADA, now).ok).toBe(true);
      }
    }),
  );
});

describe('a pair that the network refused', () => {
  test('waits until then and continues as after a spent burst', () => {
    const limiter = new PairLimiter({ enabled: true });
    limiter.blocked(ADA, 64_000);
    expect(limiter.tryTake(ADA, 63_999)).toEqual({ ok: false, retryAt: 64_000 });
    expect(drain(limiter, ADA, 64_000)).toBe(1);
    expect(limiter.tryTake(ADA, 64_000)).toEqual({ ok: false, retryAt: 70_000 });
  });

  test('is never set free by an earlier refusal', () => {
    const limiter = new PairLimiter({ enabled: true });
    limiter.blocked(ADA, 64_000);
    limiter.blocked(ADA, 1000);
    expect(limiter.tryTake(ADA, 1000)).toEqual({ ok: false, retryAt: 64_000 });
  });
});

describe('memory', () => {
  test('recipients whose burst is whole again are forgotten as others are sent to', () => {
    const limiter = new PairLimiter({ enabled: true });
    let largest = 0;
    for (let n = 0; n < 100_000; n += 1) {
      limiter.tryTake(String(n), n);
      largest = Math.max(largest, limiter.size);
    }
    // 1,000 new recipients a second are live for six seconds each; the walk lags by at most as many again.
    expect(largest).toBeLessThanOrEqual(12_000);
    for (let n = 0; n < 12_000; n += 1) limiter.tryTake(ADA, 1e9);
    expect(limiter.size).toBe(1);
  });

  test('it never exceeds its limit, and above it the one remembered longest is forgotten', () => {
    const limiter = new PairLimiter({ enabled: true, burst: 1, maxEntries: 3 });
    for (const recipient of ['1', '2', '3', '4']) limiter.tryTake(recipient, 0);
    expect(limiter.size).toBe(3);
    expect(limiter.tryTake('4', 0).ok).toBe(false);
    expect(limiter.tryTake('1', 0).ok).toBe(true);
    for (let n = 0; n < 100; n += 1) limiter.blocked(`blocked ${n}`, 1e6);
    expect(limiter.size).toBe(3);
  });
});

test('switched off it lets everything pass and remembers nothing', () => {
  const limiter = new PairLimiter({ enabled: false });
  limiter.blocked(ADA, 1e6);
  expect(drain(limiter, ADA, 0)).toBe(1000);
  expect(limiter.size).toBe(0);
});

test.each([[{ intervalMs: 0 }], [{ burst: 0 }], [{ maxEntries: 0 }]])('figures like %j are refused', (options) => {
  expect(() => new PairLimiter({ enabled: true, ...options })).toThrow(RangeError);
});
