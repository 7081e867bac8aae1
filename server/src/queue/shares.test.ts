import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TestClock } from '#testing/test-runtime';
import { Shares, SLOW_MS } from './shares.ts';

const SIZE = 128;

/** Takes for a lane until it may hold no more. @returns the ids of its places */
function fill(shares: Shares, key: string, tenant = key): string[] {
  const ids: string[] = [];
  while (shares.mayTake({ key, tenant })) {
    const id = `${key}-${crypto.randomUUID()}`;
    shares.take(id, { key, tenant });
    ids.push(id);
  }
  return ids;
}

/** A lane takes what it may while its work comes back quickly, all but its first piece. */
function flow(shares: Shares, clock: TestClock, key: string): void {
  const [, ...ids] = fill(shares, key);
  for (let turn = 0; turn < 50; turn += 1) {
    clock.advance(SLOW_MS / 10);
    for (const id of ids.splice(0)) shares.release(id);
    ids.push(...fill(shares, key));
  }
}

describe('shares of places', () => {
  test('a lane alone gets most places once its work has come back quickly, although one piece hangs', () => {
    const clock = new TestClock();
    const shares = new Shares(SIZE, clock);
    flow(shares, clock, 'a');
    expect(shares.heldBy('a')).toBeGreaterThan(SIZE * 0.75);
    expect(shares.free).toBeGreaterThan(SIZE * 0.15);
  });

  test('a lane whose work never comes back keeps a third, and twenty of them leave a place in twelve', () => {
    const shares = new Shares(SIZE, new TestClock());
    fill(shares, 'hung');
    expect(shares.heldBy('hung')).toBeLessThanOrEqual(SIZE / 3);
    const together = new Shares(SIZE, new TestClock());
    const keys = Array.from({ length: 20 }, (_, index) => `hung-${index}`);
    for (let round = 0; round < SIZE; round += 1) {
      for (const key of keys) {
        const holder = { key, tenant: key };
        if (together.mayTake(holder)) together.take(`${key}-${round}`, holder);
      }
    }
    expect(together.free).toBeGreaterThanOrEqual(Math.floor(SIZE / 12));
  });

  test('a lane at 80 in a second that begins to hang keeps no more than one that always hung', () => {
    const clock = new TestClock();
    const shares = new Shares(SIZE, clock);
    const holder = { key: 'a', tenant: 't' };
    const latencyMs = 50;
    for (let index = 0; index < 800; index += 1) {
      clock.advance(1000 / 80);
      if (shares.mayTake(holder)) shares.take(index, holder);
      // From the middle on nothing comes back.
      if (index < 400) shares.release(index - (latencyMs * 80) / 1000);
    }
    expect(shares.heldBy('a')).toBeLessThanOrEqual(SIZE / 3);
  });

  test('a tenant whose numbers all hang leaves places to the others', () => {
    const shares = new Shares(SIZE, new TestClock());
    for (let lane = 0; lane < 200; lane += 1) fill(shares, `lane-${lane}`, 'hung');
    expect(shares.free).toBeGreaterThanOrEqual(SIZE / 10);
    expect(shares.mayTake({ key: 'other', tenant: 'other' })).toBe(true);
  });

  test('in any order of taking and releasing, a free place goes to a tenant that holds none, and no holder grows past its multiple', () => {
    const steps = fc.array(fc.record({ lane: fc.nat(5), take: fc.boolean(), afterMs: fc.nat(700) }), {
      maxLength: 300,
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), steps, (size, wanted) => {
        const clock = new TestClock();
        const shares = new Shares(size, clock);
        const held: { id: number; key: string }[] = [];
        for (const [id, { lane, take, afterMs }] of wanted.entries()) {
          clock.advance(afterMs);
          const key = `lane-${lane}`;
          const holder = { key, tenant: `tenant-${lane % 2}` };
          const may = shares.mayTake(holder);
          const isAlone = held.every((place) => Number(place.key.at(-1)) % 2 !== lane % 2);
          if (isAlone && shares.free > 0) expect(may).toBe(true);
          if (take && may) {
            shares.take(id, holder);
            held.push({ id, key });
            if (shares.heldBy(key) > 1) expect(shares.heldBy(key)).toBeLessThanOrEqual(4 * shares.free);
          } else if (!take && held.length > 0) {
            shares.release(held.splice(id % held.length, 1)[0]?.id);
          }
          expect(shares.held).toBe(held.length);
          expect(shares.heldBy(key)).toBe(held.filter((place) => place.key === key).length);
        }
      }),
    );
  });
});
