import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LeaseWorld } from '#queue/testing/lease-world';
import { silentLog } from '#runtime/log';
import { TestClock } from '#testing/test-runtime';
import { DEAD_MS, type LeaseStore, Ownership } from './ownership.ts';

const LANES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
/** The promise: with someone alive, every lane has an owner within this time. */
const HANDOVER_MS = 10_000;

interface Turn {
  readonly kind: 'freeze' | 'kill' | 'leave' | 'join';
  /** Which of the living. */
  readonly who: number;
  readonly forMs: number;
  readonly pauseMs: number;
}

const turn: fc.Arbitrary<Turn> = fc.record({
  kind: fc.constantFrom('freeze', 'freeze', 'freeze', 'kill', 'leave', 'join'),
  who: fc.nat(2),
  forMs: fc.integer({ min: 500, max: 15_000 }),
  pauseMs: fc.integer({ min: 0, max: 9_000 }),
});

/** A small seeded generator (mulberry32): the latencies of a run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function expectOneHolder(world: LeaseWorld): void {
  const doubled = LANES.filter((key) => world.holders(key).length > 1);
  if (doubled.length > 0) expect.fail(`Two processes hold ${doubled.join(', ')} at the same instant.`);
}

async function play(world: LeaseWorld, { kind, who, forMs, pauseMs }: Turn): Promise<void> {
  const process = world.living[who % Math.max(1, world.living.length)];
  if (kind === 'join' && world.living.length < 3) world.join();
  if (kind === 'kill' && world.living.length > 1) process?.kill();
  if (kind === 'leave' && world.living.length > 1) void process?.leave();
  if (kind === 'freeze' && process) {
    process.freeze();
    world.clock.after(forMs, () => process.thaw());
  }
  await world.pass(pauseMs, () => expectOneHolder(world));
}

function worldOf(processes: number, random: () => number): LeaseWorld {
  const world = new LeaseWorld(LANES, random);
  for (let index = 0; index < processes; index += 1) world.join();
  return world;
}

function calmWorld(processes: number): LeaseWorld {
  const world = worldOf(processes, seeded(1));
  world.turbulent = false;
  return world;
}

function ownersOf(world: LeaseWorld): readonly (string | undefined)[] {
  return LANES.map((key) => world.holders(key)[0]);
}

describe('any mix of freezes, kills, joins, leaves and slow answers', () => {
  test('never makes two holders of one lane, and every lane is held again in time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.array(turn, { minLength: 3, maxLength: 10 }), async (seed, turns) => {
        const world = worldOf(3, seeded(seed));
        await world.pass(2_000, () => expectOneHolder(world));
        for (const one of turns) await play(world, one);
        world.turbulent = false;
        // The last freeze and the last slow answer end first; the promise counts from there.
        await world.pass(22_000, () => expectOneHolder(world));
        await world.pass(HANDOVER_MS, () => expectOneHolder(world));
        expect(ownersOf(world)).not.toContain(undefined);
      }),
      { numRuns: 60 },
    );
  });
});

describe('lanes among processes', () => {
  test('a single process holds all of them immediately', async () => {
    const world = calmWorld(1);
    await world.pass(1_500);
    expect(new Set(ownersOf(world))).toEqual(new Set(['p0']));
  });

  test('a second process gets a share of them, and in between neither sends', async () => {
    const world = calmWorld(1);
    await world.pass(2_000);
    world.join();
    await world.pass(HANDOVER_MS, () => expectOneHolder(world));
    expect(new Set(ownersOf(world))).toEqual(new Set(['p0', 'p1']));
  });

  test('lanes of a killed process are held by the others within 10 s', async () => {
    const world = calmWorld(3);
    await world.pass(5_000);
    world.living[1]?.kill();
    await world.pass(HANDOVER_MS, () => expectOneHolder(world));
    expect(ownersOf(world)).not.toContain(undefined);
    expect(ownersOf(world)).not.toContain('p1');
  });

  test('lanes of a process that left are held by the others within 3 s', async () => {
    const world = calmWorld(2);
    await world.pass(5_000);
    void world.living[0]?.leave();
    await world.pass(3_000, () => expectOneHolder(world));
    expect(new Set(ownersOf(world))).toEqual(new Set(['p1']));
  });

  test('a frozen process holds nothing well before the others take over', async () => {
    const world = calmWorld(2);
    await world.pass(5_000);
    const [first] = world.living;
    const mine = LANES.filter((key) => first?.holds(key));
    first?.freeze();
    await world.pass(5_000, () => expectOneHolder(world));
    expect(mine.length).toBeGreaterThan(0);
    expect(mine.flatMap((key) => world.holders(key))).toEqual([]);
    await world.pass(5_000, () => expectOneHolder(world));
    expect(mine.flatMap((key) => world.holders(key))).toEqual(mine.map(() => 'p1'));
  });

  test('a process that thaws after its lanes were taken over does not believe in its old lease for an instant', async () => {
    const world = calmWorld(2);
    await world.pass(5_000);
    const [first] = world.living;
    first?.freeze();
    await world.pass(12_000);
    first?.thaw();
    await world.pass(12_000, () => expectOneHolder(world));
    expect(new Set(ownersOf(world))).toEqual(new Set(['p0', 'p1']));
  });
});

describe('an owner that seems dead', () => {
  test.each([
    ['and has beaten since it was listed keeps its lanes', false, []],
    ['and still has not loses them', true, ['a']],
  ])('%s', async (_label, removed, expected) => {
    const clock = new TestClock();
    const taken: string[] = [];
    const store: LeaseStore<null> = {
      beat: async () => undefined,
      listOwners: async () => [{ id: 'other', beat: 1 }],
      removeOwner: async () => removed,
      listLanes: async () => [{ key: 'a', ownerId: 'other', epoch: 1, lane: null }],
      acquire: async (lanes) => {
        taken.push(...lanes.map((lane) => lane.key));
        return new Map();
      },
      release: async () => undefined,
    };
    const parts = { id: 'me', clock, log: silentLog, store, onAcquired: async () => undefined, isBusy: () => false };
    const ownership = new Ownership<null>(parts);
    await ownership.step();
    clock.advance(DEAD_MS);
    await ownership.step();
    expect(taken).toEqual(expected);
  });
});
