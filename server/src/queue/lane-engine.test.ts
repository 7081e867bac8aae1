import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { silentLog } from '#runtime/log';
import { TestClock } from '#testing/test-runtime';
import { type EngineItem, type EngineLane, type EngineWork, LaneEngine, MAX_LANES, PACE_MS } from './lane-engine.ts';

const FOREVER = Number.MAX_SAFE_INTEGER;
const MAX_IN_FLIGHT = 12;
const UNLIMITED = { ratePerSecond: 0, pairLimit: false };

function item(id: string, laneKey: string, group = id): EngineItem {
  return { id, laneKey, group, priority: 1, expiresMs: FOREVER, paid: false };
}

/** A queue in memory: what the database does for the real one. Runs end when the test says so. */
class FakeQueue {
  readonly clock = new TestClock();
  ready: EngineItem[] = [];
  readonly claimed = new Map<string, EngineItem>();
  readonly runs: string[] = [];
  /** The lanes of each look. */
  readonly looks: (readonly string[])[] = [];
  readonly unclaimed: string[] = [];
  readonly deferred: string[] = [];
  #ends: { readonly id: string; readonly end: () => void }[] = [];
  mostAtOnce = 0;
  /** The next claims fail: before they take effect, or after. */
  claimFaults: ('before' | 'after')[] = [];
  /** Ids that go away between the look and the claim. */
  readonly vanishing = new Set<string>();
  /** Held claims answer only when it is called. */
  releaseClaims: (() => void) | null = null;
  #heldClaims: Promise<void> = Promise.resolve();

  holdClaims(): void {
    this.#heldClaims = new Promise((resolve) => {
      this.releaseClaims = resolve;
    });
  }

  get running(): number {
    return this.#ends.length;
  }

  endOne(): void {
    this.#ends.shift()?.end();
  }

  end(id: string): void {
    this.#ends.find((one) => one.id === id)?.end();
    this.#ends = this.#ends.filter((one) => one.id !== id);
  }

  work(): EngineWork<EngineItem, EngineItem> {
    return {
      find: async (laneKeys, limit) => {
        this.looks.push(laneKeys);
        return laneKeys.flatMap((key) => this.ready.filter((one) => one.laneKey === key).slice(0, limit));
      },
      claim: (items) => this.#claim(items),
      unclaim: async (items) => {
        for (const one of items) this.unclaimed.push(one.id);
        this.ready.unshift(...items.filter((one) => this.claimed.delete(one.id)));
      },
      defer: async (choices) => {
        this.deferred.push(...choices.map(({ item }) => item.id));
        this.ready = this.ready.filter(({ id }) => !this.deferred.includes(id));
      },
      keyOf: (one) => one.id,
      run: (one) => this.#run(one),
    };
  }

  async #claim(items: readonly EngineItem[]): Promise<readonly EngineItem[]> {
    await this.#heldClaims;
    const fault = this.claimFaults.shift();
    if (fault === 'before') throw new Error('The database is away.');
    const there = items.filter((one) => !this.vanishing.has(one.id) && this.ready.includes(one));
    this.ready = this.ready.filter((one) => !items.includes(one));
    for (const one of there) this.claimed.set(one.id, one);
    if (fault === 'after') throw new Error('The answer got lost.');
    return there;
  }

  #run(one: EngineItem): Promise<void> {
    this.runs.push(one.id);
    return new Promise((resolve) => {
      const end = (): void => {
        this.claimed.delete(one.id);
        resolve();
      };
      this.#ends.push({ id: one.id, end });
      this.mostAtOnce = Math.max(this.mostAtOnce, this.#ends.length);
    });
  }
}

function lane(key: string, parts: Partial<EngineLane> = {}): EngineLane {
  return { key, tenant: key, limits: UNLIMITED, open: true, ...parts };
}

function engineOf(
  queue: FakeQueue,
  laneOf: (key: string) => EngineLane | null,
  maxInFlight = MAX_IN_FLIGHT,
): LaneEngine<EngineItem, EngineItem> {
  return new LaneEngine({ clock: queue.clock, log: silentLog, work: queue.work(), laneOf, maxInFlight });
}

/** Lets the engine take its turns of the event loop. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

async function runToEnd(queue: FakeQueue): Promise<void> {
  for (let round = 0; round < 500 && (queue.ready.length > 0 || queue.running > 0); round += 1) {
    queue.clock.advance(300);
    await settle();
    while (queue.running > 0) queue.endOne();
    await settle();
  }
}

const offers = fc.array(fc.record({ lane: fc.nat(3), group: fc.nat(5), vanishes: fc.boolean() }), {
  minLength: 1,
  maxLength: 60,
});
const faults = fc.array(fc.constantFrom('before' as const, 'after' as const), { maxLength: 4 });

describe('work in lanes', () => {
  test('everything offered is run exactly once unless it went away, within the slots, whichever claims fail', async () => {
    await fc.assert(
      fc.asyncProperty(offers, faults, async (wanted, claimFaults) => {
        const queue = new FakeQueue();
        queue.claimFaults = claimFaults;
        queue.ready = wanted.map((one, index) => item(`${index}`, `lane-${one.lane}`, `${one.group}`));
        wanted.forEach((one, index) => {
          if (one.vanishes) queue.vanishing.add(`${index}`);
        });
        const engine = engineOf(queue, (key) => lane(key));
        for (const key of [0, 1, 2, 3]) engine.wake(`lane-${key}`);
        await runToEnd(queue);
        const expected = wanted.flatMap((one, index) => (one.vanishes ? [] : [`${index}`]));
        expect([...queue.runs].sort()).toEqual(expected.sort());
        expect(queue.mostAtOnce).toBeLessThanOrEqual(MAX_IN_FLIGHT);
        expect(engine.inFlight).toBe(0);
        await engine.stop();
      }),
      { numRuns: 60 },
    );
  });

  test('work that arrives later is found after a wake-up of its lane', async () => {
    const queue = new FakeQueue();
    const engine = engineOf(queue, (key) => lane(key));
    engine.wake('a');
    await settle();
    queue.ready.push(item('late', 'a'));
    engine.wake('a');
    await settle();
    expect(queue.runs).toEqual(['late']);
  });

  test('a closed lane sends nothing, and resumes when it opens', async () => {
    const queue = new FakeQueue();
    let open = false;
    const engine = engineOf(queue, (key) => lane(key, { open }));
    queue.ready = [item('1', 'a')];
    engine.wake('a');
    await settle();
    expect(queue.runs).toEqual([]);
    open = true;
    engine.wake('a');
    await settle();
    expect(queue.runs).toEqual(['1']);
  });

  test('more than there are places waits until one is free', async () => {
    const queue = new FakeQueue();
    queue.ready = Array.from({ length: 2 * MAX_IN_FLIGHT }, (_, index) => item(`${index}`, `lane-${index}`));
    const engine = engineOf(queue, (key) => lane(key));
    for (const { laneKey } of queue.ready) engine.wake(laneKey);
    await settle();
    expect(queue.running).toBe(MAX_IN_FLIGHT);
    queue.endOne();
    queue.clock.advance(PACE_MS);
    await settle();
    expect(queue.runs.length).toBe(MAX_IN_FLIGHT + 1);
    expect(queue.running).toBe(MAX_IN_FLIGHT);
  });

  test('a lane whose work never ends makes no other lane wait', async () => {
    const queue = new FakeQueue();
    queue.ready = Array.from({ length: 10 * MAX_IN_FLIGHT }, (_, index) => item(`hung-${index}`, 'hung'));
    const engine = engineOf(queue, (key) => lane(key, { tenant: 'one' }));
    engine.wake('hung');
    await settle();
    for (let round = 0; round < 5; round += 1) {
      queue.ready.push(item(`other-${round}`, 'other'));
      engine.wake('other');
      queue.clock.advance(PACE_MS);
      await settle();
      expect(queue.runs.at(-1)).toBe(`other-${round}`);
      queue.end(`other-${round}`);
      await settle();
    }
  });

  test('a lane at its rate resumes when its next token is due, without a wake-up', async () => {
    const queue = new FakeQueue();
    queue.ready = Array.from({ length: 5 }, (_, index) => item(`${index}`, 'a'));
    const engine = engineOf(queue, (key) => lane(key, { limits: { ratePerSecond: 2, pairLimit: false } }));
    engine.wake('a');
    await settle();
    expect(queue.runs.length).toBe(0);
    for (let second = 1; second <= 2; second += 1) {
      for (let step = 0; step < 10; step += 1) {
        queue.clock.advance(100);
        await settle();
      }
      expect(queue.runs.length).toBe(second * 2);
    }
  });
});

test('a lane that goes to another process is left alone, and its limiter is forgotten', async () => {
  const queue = new FakeQueue();
  let ours = true;
  queue.ready = [item('1', 'a')];
  const engine = engineOf(queue, (key) => (ours ? lane(key) : null));
  engine.wake('a');
  await settle();
  queue.endOne();
  await settle();
  ours = false;
  queue.ready.push(item('2', 'a'));
  queue.clock.advance(300);
  engine.wake('a');
  await settle();
  expect(queue.runs).toEqual(['1']);
  expect(engine.lane('a')).toBeUndefined();
});

test('when all candidates of a read step aside, those behind them are read without a wake-up', async () => {
  const queue = new FakeQueue();
  const engine = engineOf(queue, (key) => lane(key, { limits: { ratePerSecond: 0, pairLimit: true } }));
  engine.wake('a');
  await settle();
  engine.lane('a')?.pairs.blocked('one person', queue.clock.now() + 60_000);
  queue.ready = Array.from({ length: 10 * MAX_IN_FLIGHT }, (_, index) => item(`${index}`, 'a', 'one person'));
  engine.wake('a');
  await runToEnd(queue);
  expect(queue.deferred).toHaveLength(10 * MAX_IN_FLIGHT);
});

describe('thousands of lanes that wake up together', () => {
  const LANES = 2_000;

  test('are read once each, some hundred in a statement, and all of them send', async () => {
    const queue = new FakeQueue();
    queue.ready = Array.from({ length: LANES }, (_, index) => item(`m${index}`, `l${index}`));
    const engine = engineOf(queue, (key) => lane(key), LANES);
    for (let index = 0; index < LANES; index += 1) engine.wake(`l${index}`);
    await runToEnd(queue);
    expect(queue.runs).toHaveLength(LANES);
    expect(queue.looks.flat()).toHaveLength(LANES);
    expect(Math.max(...queue.looks.map((keys) => keys.length))).toBe(MAX_LANES);
  });

  test('delay a tenant with a single lane by no look', async () => {
    const queue = new FakeQueue();
    queue.ready = Array.from({ length: LANES }, (_, index) => item(`m${index}`, `l${index}`));
    queue.ready.push(item('alone', 'other'));
    const engine = engineOf(queue, (key) => lane(key, { tenant: key === 'other' ? 'small' : 'large' }), LANES);
    for (let index = 0; index < LANES; index += 1) engine.wake(`l${index}`);
    engine.wake('other');
    await engine.runOnce();
    expect(queue.looks[0]).toContain('other');
    expect(queue.runs).toContain('alone');
    queue.clock.advance(0);
    await runToEnd(queue);
    await engine.stop();
  });

  test('a lane with more than was chosen of it is asked again, after those that were not asked yet', async () => {
    const queue = new FakeQueue();
    queue.ready = Array.from({ length: LANES }, (_, index) => item(`m${index}`, `l${index}`));
    // One recipient: the second waits for the first.
    queue.ready.push(item('second', 'l0', 'm0'));
    const engine = engineOf(queue, (key) => lane(key), LANES);
    for (let index = 0; index < LANES; index += 1) engine.wake(`l${index}`);
    await runToEnd(queue);
    expect(queue.runs).toHaveLength(LANES + 1);
    const asked = queue.looks.flat();
    expect(asked.indexOf('l0', 1)).toBeGreaterThanOrEqual(LANES);
  });
});

describe('a claim that fails', () => {
  test('gives its items back, and they are run later', async () => {
    const queue = new FakeQueue();
    queue.claimFaults = ['after'];
    queue.ready = [item('1', 'a'), item('2', 'a')];
    const engine = engineOf(queue, (key) => lane(key));
    engine.wake('a');
    await settle();
    expect(queue.unclaimed).toEqual(['1', '2']);
    expect(queue.runs).toEqual([]);
    expect(engine.inFlight).toBe(0);
    await runToEnd(queue);
    expect(queue.runs).toEqual(['1', '2']);
  });
});

describe('stopping', () => {
  test('waits for what is on its way and starts nothing more', async () => {
    const queue = new FakeQueue();
    queue.ready = Array.from({ length: MAX_IN_FLIGHT * 2 }, (_, index) => item(`${index}`, 'a'));
    const engine = engineOf(queue, (key) => lane(key));
    engine.wake('a');
    await settle();
    const started = queue.running;
    let stopped = false;
    const stopping = engine.stop().then(() => {
      stopped = true;
    });
    await settle();
    expect(stopped).toBe(false);
    while (queue.running > 0) queue.endOne();
    await stopping;
    expect(queue.runs.length).toBe(started);
  });

  test('waits for a claim under way and for the work that it yields', async () => {
    const queue = new FakeQueue();
    queue.ready = [item('1', 'a')];
    queue.holdClaims();
    const engine = engineOf(queue, (key) => lane(key));
    engine.wake('a');
    await settle();
    let stopped = false;
    const stopping = engine.stop().then(() => {
      stopped = true;
    });
    await settle();
    expect(stopped).toBe(false);
    queue.releaseClaims?.();
    await settle();
    expect(queue.runs).toEqual(['1']);
    expect(stopped).toBe(false);
    queue.endOne();
    await stopping;
    expect(engine.inFlight).toBe(0);
  });
});
