import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiProblem } from '#core/errors';
import { TestClock } from '#testing/test-runtime';
import { TenantCommits, type TenantCommitsOptions } from './tenant-commits.ts';

/** What the database says when a lock was waited for in vain (SQLSTATE 55P03). */
class LockTimeout extends Error {
  readonly code = '55P03';
}

const LOCK_TIMEOUT_MS = 250;

interface Row {
  readonly tenant: string;
  readonly id: number;
}

/** A database in which somebody may hold rows of tenants: who writes one of those waits in vain. */
function world(options: Partial<TenantCommitsOptions<Row, number>> = {}) {
  const locked = new Set<string>();
  const clock = new TestClock();
  let statements = 0;
  const write = async (rows: readonly Row[]) => {
    statements += 1;
    if (rows.some(({ tenant }) => locked.has(tenant))) {
      await new Promise((resolve) => setTimeout(resolve, LOCK_TIMEOUT_MS));
      if (rows.some(({ tenant }) => locked.has(tenant)))
        throw new LockTimeout('canceling statement due to lock timeout');
    }
    return rows.map(({ id }) => id);
  };
  const common = { name: 'test', maxBatch: 100, maxQueued: 1_000, maxInFlight: 2, isShared: true, hangingMs: 30 };
  const tenantOf = ({ tenant }: Row) => tenant;
  const commits = new TenantCommits<Row, number>({ ...common, clock, tenantOf, write, ...options });
  let nowMs = 0;
  const ended = new Map<string, number>();
  let id = 0;
  let refused = 0;
  const add = (tenant: string): string => {
    id += 1;
    const name = `${tenant}${id}`;
    const end = () => ended.set(name, nowMs);
    commits.add({ tenant, id }).then(end, (error: unknown) => {
      if (error instanceof ApiProblem && error.code === 'overloaded') refused += 1;
      end();
    });
    return name;
  };
  /** Lets time pass, a millisecond at a time. */
  const pass = async (ms: number) => {
    for (let time = 0; time < ms; time += 1) {
      nowMs += 1;
      clock.advance(1);
      await vi.advanceTimersByTimeAsync(1);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return {
    add,
    pass,
    locked,
    commits,
    ended,
    statements: () => statements,
    refused: () => refused,
    nowMs: () => nowMs,
  };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a tenant whose row somebody holds', () => {
  test('delays nobody who comes after the statements that hang for more than 40 ms, at first and from then on', async () => {
    const { add, pass, locked, ended, nowMs } = world();
    locked.add('held');
    add('held');
    const beside = add('beside');
    await pass(1);
    add('held');
    await pass(1);
    const waits: number[] = [];
    for (let time = 0; time < 300; time += 1) {
      if (time % 2 === 0) add('held');
      const [name, fromMs] = [add('free'), nowMs()];
      await pass(10);
      if (!ended.has(name)) await pass(40);
      waits.push((ended.get(name) ?? Number.POSITIVE_INFINITY) - fromMs);
    }
    expect(Math.max(...waits)).toBeLessThanOrEqual(40);
    // Only while the first statements hung did anybody wait at all.
    expect(waits.filter((ms) => ms > 5).length).toBeLessThanOrEqual(4);
    expect(ended.get(beside)).toBeLessThanOrEqual(2 * LOCK_TIMEOUT_MS);
  });

  test('hangs with few of its rows: those that waited meanwhile join no statement of others', async () => {
    const { add, pass, locked, ended, nowMs } = world();
    locked.add('held');
    for (let time = 0; time < 20; time += 1) {
      add('held');
      await pass(20);
    }
    // The first statements have given up, and those that repeat them by now.
    await pass(3 * LOCK_TIMEOUT_MS);
    for (let time = 0; time < 50; time += 1) {
      const [name, fromMs] = [add('free'), nowMs()];
      await pass(10);
      expect((ended.get(name) ?? Number.POSITIVE_INFINITY) - fromMs).toBeLessThanOrEqual(2);
    }
  });

  test('has every row refused or written in the end, and rows of others once each', async () => {
    const { add, pass, locked, commits, ended } = world();
    locked.add('held');
    const names = Array.from({ length: 60 }, (_, index) => add(index % 3 === 0 ? 'held' : `t${index % 4}`));
    await pass(100);
    names.push(...Array.from({ length: 60 }, (_, index) => add(index % 3 === 0 ? 'held' : `t${index % 4}`)));
    await pass(700);
    locked.clear();
    await pass(LOCK_TIMEOUT_MS * 4);
    await commits.drain();
    expect(names.filter((name) => !ended.has(name))).toEqual([]);
  });

  test('has so many rows waiting apart and no more: the others keep their room', async () => {
    const { add, pass, locked, refused, commits } = world({ maxQueued: 50, maxApart: 10 });
    locked.add('held');
    add('held');
    await pass(3 * LOCK_TIMEOUT_MS);
    for (let time = 0; time < 100; time += 1) add('held');
    for (let time = 0; time < 40; time += 1) add('free');
    await pass(5);
    expect(refused()).toBe(90);
    expect(commits.pending).toBe(0);
  });

  test('has no more rows handed over when its lock is noticed, and the rest refused', async () => {
    const { add, pass, locked, refused, commits } = world({ maxQueued: 50, maxApart: 10, maxInFlight: 1 });
    locked.add('held');
    add('held');
    await pass(1);
    for (let time = 0; time < 50; time += 1) add('held');
    await pass(LOCK_TIMEOUT_MS + 5);
    expect(refused()).toBe(40);
    expect(commits.pending).toBe(0);
  });

  test('has rows that wait in vain refused together: they are not tried in halves, each of which would wait again', async () => {
    const { add, pass, locked, ended, statements } = world({ splits: () => true });
    locked.add('held');
    const names = Array.from({ length: 64 }, () => add('held'));
    await pass(2 * LOCK_TIMEOUT_MS);
    expect(names.filter((name) => !ended.has(name))).toEqual([]);
    expect(statements()).toBe(1);
  });

  test('is written with the others again some time after its row was free', async () => {
    const { add, pass, locked, statements, ended } = world();
    locked.add('held');
    add('held');
    await pass(3 * LOCK_TIMEOUT_MS);
    locked.clear();
    await pass(11_000);
    const before = statements();
    const names = [add('held'), add('free')];
    await pass(10);
    expect(names.filter((name) => ended.has(name))).toEqual(names);
    expect(statements() - before).toBe(1);
  });
});

test('the rows of each tenant are written in the order they arrived, even while another tenant is locked', async () => {
  const step = fc.record({ tenant: fc.constantFrom('a', 'b', 'c', 'held'), afterMs: fc.integer({ min: 0, max: 60 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      const { add, pass, locked, ended } = world({ maxInFlight: 1 });
      locked.add('held');
      const names: string[] = [];
      for (const { tenant, afterMs } of steps) {
        names.push(add(tenant));
        await pass(afterMs);
      }
      await pass(4 * LOCK_TIMEOUT_MS);
      const order = [...ended.keys()];
      for (const tenant of ['a', 'b', 'c'])
        expect(order.filter((name) => name.startsWith(tenant))).toEqual(
          names.filter((name) => name.startsWith(tenant)),
        );
    }),
    { numRuns: 20 },
  );
});

test('in a database with one session, no statement runs beside a slow one', async () => {
  const releases: (() => void)[] = [];
  const write = async (rows: readonly Row[]) => {
    await new Promise<void>((resolve) => releases.push(resolve));
    return rows.map(({ id }) => id);
  };
  const { add, pass } = world({ write, isShared: false, maxInFlight: 1 });
  add('a');
  await pass(1);
  add('b');
  await pass(1_000);
  expect(releases.length).toBe(1);
});
