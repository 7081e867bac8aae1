import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PRIORITY_WEIGHTS } from '#core/priority-weights';
import { TestClock } from '#testing/test-runtime';
import { Lane, type LaneItem } from './lane.ts';
import { type Contender, chooseItems } from './lane-choice.ts';
import { PAIR_BURST, PAIR_INTERVAL_MS } from './pair-limiter.ts';
import { Shares } from './shares.ts';
import { numberBurst } from './token-bucket.ts';

const START = { wallMs: 1_000_000, monoMs: 0 };
const FOREVER = Number.MAX_SAFE_INTEGER;
const UNLIMITED = { ratePerSecond: 0, pairLimit: false };

interface Item extends LaneItem {
  readonly lane: string;
}

function item(id: string, parts: Partial<Item> = {}): Item {
  return { id, lane: 'lane', priority: 1, group: id, expiresMs: FOREVER, paid: false, ...parts };
}

function later(ms: number) {
  return { wallMs: START.wallMs + ms, monoMs: START.monoMs + ms };
}

function contender(key: string, tenant: string, items: readonly Item[], limits = UNLIMITED): Contender<Item> {
  const lane = new Lane<Item>(limits, START, false);
  lane.offer(items);
  return { key, tenant, lane };
}

function shares(size: number): Shares {
  return new Shares(size, new TestClock());
}

/** Everything that one lane lets go in a row, each item settled immediately. */
function drain(lane: Lane<Item>, now = START): Item[] {
  const gone: Item[] = [];
  for (let verdict = lane.next(now); verdict.kind !== 'stop'; verdict = lane.next(now)) {
    if (verdict.kind === 'defer') continue;
    gone.push(verdict.item);
    lane.ended(verdict.item.group);
  }
  return gone;
}

const steps = fc.array(fc.record({ afterMs: fc.nat(400), priority: fc.nat(2), group: fc.nat(3) }), {
  minLength: 1,
  maxLength: 150,
});

describe('P9: limits of a lane hold for any arrivals', () => {
  test('no window of time sees more items than the burst and the rate allow', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), steps, (ratePerSecond, arrivals) => {
        const lane = new Lane<Item>({ ratePerSecond, pairLimit: false }, START, false);
        const gone = runArrivals(lane, arrivals).map(({ atMs }) => atMs);
        for (const [first, fromMs] of gone.entries()) {
          for (let last = first; last < gone.length; last += 1) {
            const seconds = ((gone[last] ?? 0) - fromMs) / 1000;
            expect(last - first + 1).toBeLessThanOrEqual(numberBurst(ratePerSecond) + ratePerSecond * seconds + 1e-6);
          }
        }
      }),
    );
  });

  test('no recipient gets more than its burst and one in six seconds', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20_000), { minLength: 50, maxLength: 150 }), (pauses) => {
        const lane = new Lane<Item>({ ratePerSecond: 0, pairLimit: true }, START, false);
        const arrivals = pauses.map((pauseMs, index) => ({
          afterMs: index % 10 === 0 ? pauseMs : 0,
          priority: 1,
          group: 0,
        }));
        const gone = runArrivals(lane, arrivals).map(({ atMs }) => atMs);
        for (const [first, fromMs] of gone.entries()) {
          for (let last = first; last < gone.length; last += 1) {
            const allowed = PAIR_BURST + ((gone[last] ?? 0) - fromMs) / PAIR_INTERVAL_MS;
            expect(last - first + 1).toBeLessThanOrEqual(allowed + 1e-6);
          }
        }
      }),
    );
  });

  /** Items arrive one by one and wait their turn; the lane is asked after each. Deferred ones count as gone elsewhere. */
  function runArrivals(lane: Lane<Item>, arrivals: readonly { afterMs: number; priority: number; group: number }[]) {
    let atMs = 0;
    let waiting: Item[] = [];
    const gone: { atMs: number; item: Item }[] = [];
    for (const [index, { afterMs, priority, group }] of arrivals.entries()) {
      atMs += afterMs;
      waiting.push(item(`${index}`, { priority, group: `${group}` }));
      lane.offer(waiting);
      const left = new Set(drain(lane, later(atMs)));
      waiting = waiting.filter((one) => !left.has(one));
      gone.push(...[...left].map((one) => ({ atMs, item: one })));
    }
    return gone;
  }

  test('nothing leaves while the network asked for a rest', () => {
    const { lane } = contender('lane', 't', [item('a')]);
    lane.rest(5_000);
    expect(lane.capacity(later(4_999))).toBe(0);
    expect(lane.next(later(4_999))).toEqual({ kind: 'stop' });
    expect(lane.msUntilReady(later(4_000))).toBe(1_000);
    expect(lane.next(later(5_000)).kind).toBe('go');
  });
});

describe('priorities', () => {
  const of = (priority: number, count: number) =>
    Array.from({ length: count }, (_, index) => item(`${priority}-${index}`, { priority }));

  test('share a lane by their weights while all of them wait', () => {
    const { lane } = contender('lane', 't', [...of(0, 100), ...of(1, 100), ...of(2, 100)]);
    const firsts = drain(lane).slice(0, 63);
    const counts = [0, 1, 2].map((priority) => firsts.filter((one) => one.priority === priority).length);
    expect(counts).toEqual(PRIORITY_WEIGHTS.map((weight) => weight * 3));
  });

  test('no class starves: of any 21 in a row each class that waits has one', () => {
    const { lane } = contender('lane', 't', [...of(0, 200), ...of(1, 200), ...of(2, 200)]);
    const order = drain(lane)
      .map((one) => one.priority)
      .slice(0, 210);
    for (let from = 0; from + 21 <= order.length; from += 1) {
      expect(new Set(order.slice(from, from + 21)).size, `places ${from} to ${from + 21}`).toBe(3);
    }
  });

  test('the oldest of a class goes first', () => {
    const { lane } = contender('lane', 't', of(1, 5));
    expect(drain(lane).map((one) => one.id)).toEqual(['1-0', '1-1', '1-2', '1-3', '1-4']);
  });

  test('bulk leaves the reserve of the burst to high', () => {
    const limits = { ratePerSecond: 80, pairLimit: false };
    const { lane } = contender('lane', 't', [...of(2, 40)], limits);
    const bulk = drain(lane).length;
    expect(bulk).toBeLessThan(numberBurst(80));
    lane.offer(of(0, 40));
    expect(drain(lane).length).toBe(numberBurst(80) - bulk);
  });
});

describe('one recipient', () => {
  test('has at most one item on its way, in order of arrival', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(3), { minLength: 1, maxLength: 60 }),
        fc.infiniteStream(fc.boolean()),
        (groups, settles) => {
          const { lane } = contender('lane', 't', []);
          let waiting = groups.map((group, index) => item(`${index}`, { group: `${group}` }));
          const onWay = new Set<string>();
          const seen: Item[] = [];
          while (waiting.length > 0) {
            lane.offer(waiting);
            for (let verdict = lane.next(START); verdict.kind === 'go'; verdict = lane.next(START)) {
              const { id, group } = verdict.item;
              expect(onWay.has(group)).toBe(false);
              onWay.add(group);
              seen.push(verdict.item);
              waiting = waiting.filter((one) => one.id !== id);
            }
            for (const group of onWay) if (settles.next().value) settle(lane, onWay, group);
          }
          for (const group of new Set(groups)) {
            const ids = seen.filter((one) => one.group === `${group}`).map((one) => Number(one.id));
            expect(ids).toEqual([...ids].sort((a, b) => a - b));
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  function settle(lane: Lane<Item>, onWay: Set<string>, group: string): void {
    onWay.delete(group);
    lane.ended(group);
  }

  test('that has had enough does not delay the others, and its reserved turns come one after the other', () => {
    const crowd = Array.from({ length: PAIR_BURST + 3 }, (_, index) => item(`crowd-${index}`, { group: 'crowd' }));
    const { lane } = contender('lane', 't', [], { ratePerSecond: 0, pairLimit: true });
    const deferred: number[] = [];
    for (const one of crowd) {
      lane.offer([one, item(`other-${one.id}`)]);
      const verdicts = [lane.next(START), lane.next(START)];
      for (const verdict of verdicts) {
        if (verdict.kind === 'defer') deferred.push(verdict.dueMs - START.wallMs);
        if (verdict.kind === 'go') lane.ended(verdict.item.group);
      }
      expect(verdicts.map((verdict) => ('item' in verdict ? verdict.item.id : null))).toContain(`other-${one.id}`);
    }
    expect(deferred).toEqual([PAIR_INTERVAL_MS, 2 * PAIR_INTERVAL_MS, 3 * PAIR_INTERVAL_MS]);
  });

  test('whose turn is paid for pays no second time', () => {
    const { lane } = contender('lane', 't', [], { ratePerSecond: 0, pairLimit: true });
    for (let index = 0; index < PAIR_BURST + 10; index += 1) lane.pairs.reserve('crowd', START.wallMs);
    lane.offer([item('paid', { group: 'crowd', paid: true })]);
    expect(lane.next(START)).toMatchObject({ kind: 'go', item: { id: 'paid' } });
  });

  test('an item whose validity is over is called expired and takes no token', () => {
    const limits = { ratePerSecond: 4, pairLimit: true };
    const { lane } = contender('lane', 't', [item('old', { expiresMs: START.wallMs })], limits);
    expect(lane.next(START)).toMatchObject({ kind: 'expired', item: { id: 'old' } });
    expect(lane.tokens.available(START.monoMs, true)).toBe(numberBurst(4));
  });
});

describe('tenants', () => {
  test('P8: one with a single item waits for at most one turn behind one with thousands', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.integer({ min: 2, max: 8 }), (start, lanes) => {
        const many = Array.from({ length: lanes }, (_, lane) =>
          contender(
            `big-${lane}`,
            'big',
            Array.from({ length: 500 }, (_, index) => item(`big-${lane}-${index}`)),
          ),
        );
        const { go } = chooseItems([...many, contender('small', 'small', [item('small')])], shares(10), START, start);
        expect(go.findIndex((one) => one.id === 'small')).toBeLessThan(2);
      }),
    );
  });

  test('that wait get equal shares, however many lanes each has', () => {
    const fill = (key: string) => Array.from({ length: 100 }, (_, index) => item(`${key}-${index}`, { lane: key }));
    const lanes = ['a', 'b', 'c'].map((key) => contender(key, 'three', fill(key)));
    const { go } = chooseItems([...lanes, contender('z', 'one', fill('z'))], shares(1_000), START, 0);
    const firsts = go.slice(0, 60);
    expect(firsts.filter((one) => one.lane === 'z').length).toBe(30);
    expect(['a', 'b', 'c'].map((key) => firsts.filter((one) => one.lane === key).length)).toEqual([10, 10, 10]);
  });

  test('never get more places than there are, expired items included', () => {
    fc.assert(
      fc.property(fc.nat(30), fc.array(fc.boolean(), { maxLength: 60 }), (free, ages) => {
        const items = ages.map((old, index) => item(`${index}`, old ? { expiresMs: 0 } : {}));
        const places = shares(free);
        const { go, expired } = chooseItems([contender('lane', 't', items)], places, START, 0);
        expect(go.length + expired.length).toBe(places.held);
        expect(places.held).toBeLessThanOrEqual(Math.min(free, items.length));
        expect(places.held > 0).toBe(free > 0 && items.length > 0);
      }),
    );
  });
});
