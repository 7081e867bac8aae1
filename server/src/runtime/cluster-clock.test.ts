import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Clock } from './clock.ts';
import { makeClusterClock, SLEW_LIMIT_MS, STEADY_MS } from './cluster-clock.ts';

const START_MS = Date.UTC(2030, 0, 1);
const BEAT_MS = 5_000;

/** True time, and two clocks that are off by what the test says: that of the machine and the reference. */
function world(machineAheadMs = 0, referenceAheadMs = 0) {
  let passedMs = 0;
  const state = { machineAheadMs, referenceAheadMs };
  const machine: Clock = {
    now: () => START_MS + passedMs + state.machineAheadMs,
    monotonic: () => passedMs,
    after: () => () => undefined,
  };
  const clock = makeClusterClock(machine);
  return {
    state,
    clock,
    pass: (ms: number) => {
      passedMs += ms;
    },
    /** @param lateMs how much later than in the middle of the round trip the reference was really read */
    sample: (roundTripMs = 0, lateMs = 0) => {
      const referenceMs = START_MS + passedMs + roundTripMs / 2 + lateMs + state.referenceAheadMs;
      const monotonicMs = passedMs + roundTripMs / 2;
      passedMs += roundTripMs;
      return clock.correct({ referenceMs, monotonicMs, uncertaintyMs: roundTripMs / 2 });
    },
    /** What the reference is ahead of the clock. */
    behindMs: () => START_MS + passedMs + state.referenceAheadMs - clock.now(),
  };
}

describe('the time of a process', () => {
  test('is that of the reference from the first sample on, and says how far the machine is off', () => {
    const ahead = world(60_000);
    expect(ahead.sample()).toEqual({ machineAheadMs: 60_000, steppedMs: -60_000 });
    expect(ahead.behindMs()).toBe(0);
  });

  test('does not notice that the wall clock of its machine jumps', () => {
    const { clock, sample, pass, state, behindMs } = world();
    sample();
    state.machineAheadMs = 3_600_000;
    expect(behindMs()).toBe(0);
    pass(BEAT_MS);
    expect(sample()).toEqual({ machineAheadMs: 3_600_000, steppedMs: 0 });
    expect(behindMs()).toBe(0);
    expect(clock.now()).toBe(START_MS + BEAT_MS);
  });

  test('does not follow a reference that jumps by an hour for 12 s and comes back', () => {
    const { clock, sample, pass, state, behindMs } = world();
    sample();
    state.referenceAheadMs = 3_600_000;
    for (const ms of [1_000, 5_000, 6_000]) {
      pass(ms);
      sample();
      expect(clock.now()).toBe(START_MS + clock.monotonic());
    }
    state.referenceAheadMs = 0;
    sample();
    expect(behindMs()).toBe(0);
  });

  test.each([3_600_000, -3_600_000])('follows a reference that stays %i ms off after half a minute', (offMs) => {
    const { sample, pass, state, behindMs } = world();
    sample();
    state.referenceAheadMs = offMs;
    const steps = Array.from({ length: 2 + STEADY_MS / BEAT_MS }, () => {
      pass(BEAT_MS);
      return sample().steppedMs;
    });
    expect(steps.filter((ms) => ms !== 0)).toEqual([offMs]);
    expect(behindMs()).toBe(0);
  });

  test('property: never runs backwards nor twice as fast, whatever small differences are reported', () => {
    const step = fc.record({
      passMs: fc.integer({ min: 0, max: 8_000 }),
      offMs: fc.integer({ min: -SLEW_LIMIT_MS / 2, max: SLEW_LIMIT_MS / 2 }),
      roundTripMs: fc.integer({ min: 0, max: 2_000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { clock, sample, pass, state } = world();
        sample();
        let [beforeMs, monotonicMs] = [clock.now(), clock.monotonic()];
        for (const { passMs, offMs, roundTripMs } of steps) {
          state.referenceAheadMs = offMs;
          sample(roundTripMs);
          pass(passMs);
          const passedMs = clock.monotonic() - monotonicMs;
          const ranMs = clock.now() - beforeMs;
          expect(ranMs).toBeGreaterThanOrEqual(0);
          expect(ranMs).toBeLessThanOrEqual(passedMs * 1.5 + 1);
          [beforeMs, monotonicMs] = [clock.now(), clock.monotonic()];
        }
      }),
    );
  });

  test('property: after a minute and a half of beats it is as near as the round trips allow, whatever happened before', () => {
    const event = fc.record({
      passMs: fc.integer({ min: 0, max: 60_000 }),
      referenceAheadMs: fc.integer({ min: -7_200_000, max: 7_200_000 }),
      machineAheadMs: fc.integer({ min: -7_200_000, max: 7_200_000 }),
    });
    const roundTripMs = 40;
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), fc.integer({ min: -20, max: 20 }), (events, lateMs) => {
        const { sample, pass, state, behindMs } = world();
        for (const { passMs, ...off } of events) {
          pass(passMs);
          Object.assign(state, off);
          sample();
        }
        for (let beat = 0; beat < 90_000 / BEAT_MS; beat += 1) {
          pass(BEAT_MS);
          sample(roundTripMs, lateMs);
        }
        expect(Math.abs(behindMs())).toBeLessThanOrEqual(roundTripMs + 1);
      }),
    );
  });
});
