import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { numberBurst, TokenBucket, type TokenBucketOptions } from './token-bucket.ts';

function bucket(options: Partial<TokenBucketOptions> = {}): TokenBucket {
  return new TokenBucket({ ratePerSecond: 10, burst: 5, now: 0, ...options });
}

/** Takes until refused; the number of takes. */
function drain(limiter: TokenBucket, now: number, reserved = true): number {
  let taken = 0;
  while (taken < 10_000 && limiter.tryTake(now, reserved)) taken += 1;
  return taken;
}

/** The most that any window of the sorted times holds beyond rate × its length. */
function worstExcess(times: readonly number[], ratePerSecond: number): number {
  let worst = 0;
  for (const [first, start] of times.entries()) {
    for (let last = first; last < times.length; last += 1) {
      const seconds = ((times[last] ?? start) - start) / 1000;
      worst = Math.max(worst, last - first + 1 - ratePerSecond * seconds);
    }
  }
  return worst;
}

const rates = fc.oneof(fc.integer({ min: 1, max: 200 }), fc.double({ min: 0.1, max: 50, noNaN: true }));
const gaps = fc.array(
  fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 300 }), fc.double({ min: 0, max: 50, noNaN: true })),
  {
    maxLength: 150,
  },
);

describe('in any window of w seconds at most burst + rate × w are granted', () => {
  test('at random times, with high and normal messages and refusals of the network between', () => {
    const step = fc.record({ reserved: fc.boolean(), limited: fc.boolean() });
    fc.assert(
      fc.property(
        rates,
        fc.integer({ min: 1, max: 30 }),
        gaps,
        fc.infiniteStream(step),
        (ratePerSecond, burst, waits, steps) => {
          const limiter = bucket({ ratePerSecond, burst });
          let now = 0;
          const granted: number[] = [];
          for (const wait of waits) {
            now += wait;
            const { reserved, limited } = steps.next().value ?? { reserved: true, limited: false };
            while (limiter.tryTake(now, reserved)) granted.push(now);
            if (limited) limiter.rateLimited(now);
          }
          expect(worstExcess(granted, ratePerSecond)).toBeLessThanOrEqual(burst + 1e-6);
        },
      ),
    );
  });

  test('also when the rate is changed on the way, by the fastest of the rates', () => {
    const changes = fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 1, max: 100 })), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(changes, (plan) => {
        const limiter = bucket({ ratePerSecond: 100, burst: 7 });
        let now = 0;
        const granted: number[] = [];
        for (const [wait, rate] of plan) {
          now += wait;
          while (limiter.tryTake(now, true)) granted.push(now);
          limiter.configure(rate, now);
        }
        expect(worstExcess(granted, 100)).toBeLessThanOrEqual(7 + 1e-6);
      }),
    );
  });
});

test('nothing is lost: asked often enough, a number sends at its rate', () => {
  fc.assert(
    fc.property(rates, (ratePerSecond) => {
      const limiter = bucket({ ratePerSecond, burst: 5 });
      let granted = 0;
      for (let now = 0; now <= 10_000; now += 10) granted += drain(limiter, now);
      const due = 5 + ratePerSecond * 10;
      expect(granted).toBeLessThanOrEqual(due + 1e-6);
      // At up to 200/s two tokens at most come due between two calls, so the burst never overflows once it is spent.
      expect(granted).toBeGreaterThan(due - 1 - 1e-6);
    }),
  );
});

test('what available() counts can be taken, and not one more', () => {
  fc.assert(
    fc.property(rates, fc.integer({ min: 1, max: 30 }), gaps, fc.boolean(), (ratePerSecond, burst, waits, reserved) => {
      const limiter = bucket({ ratePerSecond, burst });
      let now = 0;
      for (const wait of waits) {
        now += wait;
        expect(limiter.available(now, reserved)).toBe(drain(limiter, now, reserved));
      }
    }),
  );
});

test('after the wait that it names, a take succeeds; and immediately when it names none', () => {
  fc.assert(
    fc.property(rates, fc.integer({ min: 1, max: 30 }), gaps, fc.boolean(), (ratePerSecond, burst, waits, reserved) => {
      const limiter = bucket({ ratePerSecond, burst });
      let now = 0;
      for (const wait of waits) {
        now += wait;
        if (wait > 200) limiter.rateLimited(now);
        drain(limiter, now, reserved);
        const ms = limiter.msUntilAvailable(now, reserved);
        expect(ms).toBeGreaterThan(0);
        now += ms;
        expect(limiter.tryTake(now, reserved)).toBe(true);
      }
    }),
  );
});

describe('the reserve', () => {
  test('normal messages leave the last fifth of the burst to high ones', () => {
    const limiter = bucket({ ratePerSecond: 80, burst: 20 });
    expect(drain(limiter, 0, false)).toBe(16);
    expect(limiter.available(0, false)).toBe(0);
    expect(drain(limiter, 0, true)).toBe(4);
  });

  test('at a burst of one it never stops sending', () => {
    const limiter = bucket({ ratePerSecond: 1, burst: 1 });
    expect(limiter.tryTake(0, false)).toBe(true);
    expect(limiter.tryTake(999, false)).toBe(false);
    expect(limiter.tryTake(1000, false)).toBe(true);
  });

  test('it can be switched off', () => {
    expect(drain(bucket({ burst: 20, reserveFraction: 0 }), 0, false)).toBe(20);
  });
});

describe('when the network says that the number is too fast', () => {
  test('the rate falls to 0.7 of itself, once for all refusals of a second, and never under 1/s', () => {
    const limiter = bucket({ ratePerSecond: 100 });
    for (const now of [0, 1, 500, 999]) limiter.rateLimited(now);
    expect(limiter.currentRatePerSecond()).toBeCloseTo(70, 9);
    for (let now = 1000; now < 60_000; now += 1000) limiter.rateLimited(now);
    expect(limiter.currentRatePerSecond()).toBeGreaterThanOrEqual(1);
    expect(limiter.currentRatePerSecond()).toBeLessThan(10);
  });

  test('two hundredths of the configured rate come back each second, up to the configured rate', () => {
    const limiter = bucket({ ratePerSecond: 100 });
    limiter.rateLimited(0);
    limiter.available(5000, true);
    expect(limiter.currentRatePerSecond()).toBeCloseTo(80, 9);
    limiter.available(15_000, true);
    expect(limiter.currentRatePerSecond()).toBeCloseTo(100, 9);
    limiter.available(99_000, true);
    expect(limiter.currentRatePerSecond()).toBe(100);
  });

  test('what is earned while recovering is the area under the rate, however often it is read', () => {
    const once = bucket({ ratePerSecond: 100, burst: 1e6, startEmpty: true });
    const often = bucket({ ratePerSecond: 100, burst: 1e6, startEmpty: true });
    for (const limiter of [once, often]) limiter.rateLimited(0);
    for (let now = 0; now <= 20_000; now += 7) often.available(now, true);
    // 15 s from 70/s to 100/s are 1,275 messages, 5 s more at 100/s are 500.
    expect(once.available(20_000, true)).toBe(1775);
    expect(often.available(20_000, true)).toBe(1775);
  });

  test('a number slower than 1/s is not made faster by it', () => {
    const limiter = bucket({ ratePerSecond: 0.5 });
    limiter.rateLimited(0);
    expect(limiter.currentRatePerSecond()).toBe(0.5);
  });
});

test('a rate of 0 limits nothing, and a refusal does not change that', () => {
  const limiter = bucket({ ratePerSecond: 0 });
  limiter.rateLimited(0);
  expect(drain(limiter, 0, false)).toBe(10_000);
  expect(limiter.available(0, false)).toBe(Number.POSITIVE_INFINITY);
  expect(limiter.msUntilAvailable(0, false)).toBe(0);
  expect(limiter.currentRatePerSecond()).toBe(0);
});

test('a lane that was taken over starts with nothing saved', () => {
  const limiter = bucket({ startEmpty: true });
  expect(limiter.tryTake(0, true)).toBe(false);
  expect(limiter.msUntilAvailable(0, true)).toBe(100);
});

test('tokens given back can be taken again, but never exceed the burst', () => {
  const limiter = bucket();
  drain(limiter, 0);
  limiter.giveBack(3);
  expect(drain(limiter, 0)).toBe(3);
  limiter.giveBack(100);
  expect(drain(limiter, 0)).toBe(5);
});

test('a clock that goes back earns nothing and breaks nothing', () => {
  const limiter = bucket({ now: 1000 });
  drain(limiter, 1000);
  expect(limiter.tryTake(0, true)).toBe(false);
  expect(limiter.tryTake(1000, true)).toBe(false);
  expect(limiter.tryTake(1100, true)).toBe(true);
});

describe('another rate', () => {
  test('holds from now on, with the burst that belongs to it', () => {
    const limiter = new TokenBucket({ ratePerSecond: 80, now: 0 });
    expect(drain(limiter, 0)).toBe(20);
    limiter.configure(1000, 0);
    expect(drain(limiter, 100)).toBe(100);
    expect(drain(limiter, 60_000)).toBe(250);
  });

  test('does not undo a cut', () => {
    const limiter = bucket({ ratePerSecond: 100 });
    limiter.rateLimited(0);
    limiter.configure(1000, 0);
    expect(limiter.currentRatePerSecond()).toBeCloseTo(70, 9);
    limiter.configure(20, 0);
    expect(limiter.currentRatePerSecond()).toBe(20);
  });

  test('after none begins with nothing saved', () => {
    const limiter = bucket({ ratePerSecond: 0 });
    limiter.configure(10, 5000);
    expect(limiter.tryTake(5000, true)).toBe(false);
    expect(limiter.tryTake(5100, true)).toBe(true);
  });
});

test.each([
  [0, 1],
  [1, 1],
  [20, 5],
  [80, 20],
  [1000, 250],
])('a number of %d messages/s has a burst of %d', (ratePerSecond, burst) => {
  expect(numberBurst(ratePerSecond)).toBe(burst);
});

test.each([
  ['a negative rate', { ratePerSecond: -1 }],
  ['no rate', { ratePerSecond: Number.NaN }],
  ['an infinite rate', { ratePerSecond: Number.POSITIVE_INFINITY }],
  ['a burst below one', { burst: 0.5 }],
  ['a reserve above all', { reserveFraction: 1.1 }],
])('%s is refused', (_label, options) => {
  expect(() => bucket(options)).toThrow(RangeError);
});
