import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RetryClass } from '#core/network/network-errors';
import { MAX_RETRY_AFTER_MS, retryDelayMs, retryPolicies } from './backoff.ts';

const latest = (): number => 1 - Number.EPSILON;
const earliest = (): number => 0;

test.each<[RetryClass, number, number | null, number | null]>([
  ['transient', 1, 200, 2000],
  ['transient', 2, 400, 4000],
  ['transient', 9, 51_200, 512_000],
  ['transient', 10, 90_000, 900_000],
  ['transient', 200, 90_000, 900_000],
  ['transient', 201, null, null],
  ['transient_once', 1, 200, 2000],
  ['transient_once', 2, null, null],
  ['rate', 1, 100, 1000],
  ['rate', 7, 6000, 60_000],
  ['rate', 3001, null, null],
  ['pair_rate', 1, 1000, 1000],
  ['pair_rate', 2, 4000, 4000],
  ['pair_rate', 5, 256_000, 256_000],
  ['pair_rate', 6, 270_000, 270_000],
  ['maintenance', 1, 60_000, 60_000],
  ['maintenance', 30, 60_000, 60_000],
  ['later', 1, 86_400_000, 86_400_000],
  ['later', 2, null, null],
  ['auth', 1, null, null],
  ['never', 1, null, null],
])('%s after attempt %d waits from %j to %j ms', (retryClass, attempt, from, to) => {
  expect(retryDelayMs({ retryClass, attempt, random: earliest })).toBe(from);
  expect(retryDelayMs({ retryClass, attempt, random: latest })).toBe(to);
});

const retrying = fc.constantFrom<RetryClass>(
  'transient',
  'transient_once',
  'rate',
  'pair_rate',
  'maintenance',
  'later',
);
const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

test('a wait stays between its floor and its cap, for every class, attempt and random number', () => {
  fc.assert(
    fc.property(retrying, fc.integer({ min: 1, max: 5000 }), share, (retryClass, attempt, random) => {
      const policy = retryPolicies[retryClass];
      const delay = retryDelayMs({ retryClass, attempt, random: () => random });
      if (policy === null || delay === null) {
        expect(attempt).toBeGreaterThan(policy?.maxRetries ?? 0);
        return;
      }
      expect(Number.isInteger(delay)).toBe(true);
      expect(delay).toBeGreaterThanOrEqual(Math.floor(policy.baseMs * policy.floorShare));
      expect(delay).toBeLessThanOrEqual(policy.capMs);
    }),
  );
});

test('with the same random number a later attempt never waits less', () => {
  fc.assert(
    fc.property(retrying, fc.integer({ min: 1, max: 199 }), share, (retryClass, attempt, random) => {
      const now = retryDelayMs({ retryClass, attempt, random: () => random });
      const next = retryDelayMs({ retryClass, attempt: attempt + 1, random: () => random });
      if (now !== null && next !== null) expect(next).toBeGreaterThanOrEqual(now);
      if (now === null) expect(next).toBeNull();
    }),
  );
});

test('what the network asks for is a minimum, but never makes a finished message retry', () => {
  fc.assert(
    fc.property(
      retrying,
      fc.integer({ min: 1, max: 300 }),
      fc.nat(MAX_RETRY_AFTER_MS),
      (retryClass, attempt, retryAfterMs) => {
        const plain = retryDelayMs({ retryClass, attempt, random: earliest });
        const asked = retryDelayMs({ retryClass, attempt, random: earliest, retryAfterMs });
        expect(asked).toBe(plain === null ? null : Math.max(plain, retryAfterMs));
      },
    ),
  );
});

test.each([
  [Number.POSITIVE_INFINITY, MAX_RETRY_AFTER_MS],
  [1e300, MAX_RETRY_AFTER_MS],
  [1500.2, 1501],
  [-5, 1000],
  [Number.NaN, 1000],
])('a Retry-After of %d ms makes a wait of %d ms', (retryAfterMs, expected) => {
  expect(retryDelayMs({ retryClass: 'rate', attempt: 1, random: latest, retryAfterMs })).toBe(expected);
});

test('waits of messages that failed together spread over the whole interval', () => {
  let state = 1;
  // A fixed linear congruential sequence, so that the spread is the same in each run.
  const random = (): number => {
    state = (state * 16807) % 2147483647;
    return state / 2147483647;
  };
  const tenths = new Set<number>();
  for (let n = 0; n < 1000; n += 1)
    tenths.add(Math.floor((retryDelayMs({ retryClass: 'rate', attempt: 7, random }) ?? 0) / 6000));
  expect([...tenths].toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});
