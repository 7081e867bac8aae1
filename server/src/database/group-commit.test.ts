import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { TestClock } from '#testing/test-runtime';
import { StorageUnavailable } from './database.ts';
import { GroupCommit, type GroupCommitOptions, groupedReads } from './group-commit.ts';

/** What the database says of a row that it cannot take (SQLSTATE 22021: a character that does not exist). */
class RowFault extends Error {
  readonly code = '22021';
}

type Write = (items: readonly number[]) => Promise<readonly string[]>;

function commitsOf(
  write: Write,
  options: Partial<GroupCommitOptions<number, string>> = {},
): GroupCommit<number, string> {
  return new GroupCommit({ name: 'test', maxBatch: 100, maxQueued: 1_000, maxInFlight: 1, write, ...options });
}

/** Writes what it is given, but for batches that hold a poisoned number. */
function storeWithout(poison: ReadonlySet<number>) {
  const batches: number[][] = [];
  const write: Write = async (items) => {
    batches.push([...items]);
    if (items.some((item) => poison.has(item))) throw new RowFault('invalid byte sequence');
    return items.map((item) => `stored ${item}`);
  };
  return { batches, write };
}

/** Writes each batch once it is released. */
function heldWrites() {
  const releases: (() => void)[] = [];
  const batches: (readonly number[])[] = [];
  const write: Write = async (items) => {
    batches.push(items);
    await new Promise<void>((resolve) => releases.push(resolve));
    return items.map(String);
  };
  return { batches, releases, write };
}

function addAll(commits: GroupCommit<number, string>, items: readonly number[]) {
  return Promise.allSettled(items.map((item) => commits.add(item)));
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('work that arrives together', () => {
  test('leaves in one batch, each with its own result', async () => {
    const { batches, write } = storeWithout(new Set());
    const results = await addAll(commitsOf(write), upTo(50));
    expect(batches).toEqual([upTo(50)]);
    expect(results.map((result) => result.status === 'fulfilled' && result.value)).toEqual(
      upTo(50).map((item) => `stored ${item}`),
    );
  });

  test('waits while the statements in flight are as many as allowed, and leaves in the next', async () => {
    const releases: (() => void)[] = [];
    const sizes: number[] = [];
    const write: Write = async (items) => {
      sizes.push(items.length);
      await new Promise<void>((resolve) => releases.push(resolve));
      return items.map(String);
    };
    const commits = commitsOf(write, { maxInFlight: 2, maxBatch: 10 });
    const added = addAll(commits, upTo(35));
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect(sizes).toEqual([10, 10]);
    while (sizes.length < 4 || releases.length > 0) {
      releases.shift()?.();
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    await added;
    expect(sizes).toEqual([10, 10, 10, 5]);
  });

  test('is refused as overloaded beyond the bound, without a write', async () => {
    const { batches, write } = storeWithout(new Set());
    const results = await addAll(commitsOf(write, { maxQueued: 5 }), upTo(8));
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(refused).toEqual(['overloaded', 'overloaded', 'overloaded']);
    expect(batches).toEqual([[0, 1, 2, 3, 4]]);
  });

  test('is settled when drain resolves, what was added meanwhile included', async () => {
    const { write } = storeWithout(new Set());
    const commits = commitsOf(write, { maxBatch: 3 });
    let settled = 0;
    for (const item of upTo(10)) void commits.add(item).then(() => settled++);
    await commits.drain();
    expect(settled).toBe(10);
    expect(commits.pending).toBe(0);
    await commits.drain();
  });
});

describe('a backlog', () => {
  const BURST_MS = 100;
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

  /** Two statements of ten rows may be in flight; each ends when it is let go. */
  function held() {
    const clock = new TestClock();
    const releases: (() => void)[] = [];
    const write: Write = async (items) => {
      await new Promise<void>((resolve) => releases.push(resolve));
      return items.map(String);
    };
    const commits = commitsOf(write, { maxInFlight: 2, maxBatch: 10, clock });
    const release = async () => {
      releases.shift()?.();
      await turn();
      await turn();
    };
    return { clock, commits, release };
  }

  test('is what has not fitted into the next statements for a while, not a burst', async () => {
    const { clock, commits, release } = held();
    const added = addAll(commits, upTo(20));
    await turn();
    const burst = addAll(commits, upTo(20));
    expect(commits.isBacklogged).toBe(false);
    clock.advance(BURST_MS - 1);
    expect(commits.isBacklogged).toBe(false);
    clock.advance(1);
    expect(commits.isBacklogged).toBe(true);
    for (let statement = 0; statement < 4; statement += 1) await release();
    await Promise.all([added, burst]);
    expect(commits.isBacklogged).toBe(false);
  });

  test('lets in what a statement made room for, and no second burst, until one has left nothing behind', async () => {
    const { clock, commits, release } = held();
    const added = [addAll(commits, upTo(20))];
    await turn();
    added.push(addAll(commits, upTo(20)));
    clock.advance(BURST_MS);
    await release();
    expect(commits.isBacklogged).toBe(false);
    added.push(addAll(commits, upTo(10)));
    expect(commits.isBacklogged).toBe(true);
    for (let statement = 0; statement < 4; statement += 1) await release();
    added.push(addAll(commits, upTo(30)));
    await turn();
    added.push(addAll(commits, upTo(20)));
    expect(commits.isBacklogged).toBe(false);
    for (let statement = 0; statement < 6; statement += 1) await release();
    await Promise.all(added);
  });

  test('is none while less waits than the next statements take, however long', async () => {
    const { clock, commits, release } = held();
    const added = [addAll(commits, upTo(20))];
    await turn();
    added.push(addAll(commits, upTo(19)));
    clock.advance(60 * BURST_MS);
    expect(commits.isBacklogged).toBe(false);
    for (let statement = 0; statement < 4; statement += 1) await release();
    await Promise.all(added);
  });
});

describe('a batch', () => {
  test('ends as soon as it reaches its maximum weight, and one item that exceeds it still leaves', async () => {
    const { batches, write } = storeWithout(new Set());
    const commits = commitsOf(write, { weightOf: (item) => item, maxWeight: 10, maxBatch: 4 });
    await addAll(commits, [4, 5, 6, 1, 50, 2, 1, 1, 1, 1]);
    expect(batches).toEqual([[4, 5, 6], [1, 50], [2, 1, 1, 1], [1]]);
  });

  test('is split for whatever its owner says, and the item at fault fails alone', async () => {
    const write: Write = async (items) => {
      if (items.includes(7)) throw new TypeError('Cannot read properties of undefined.');
      return items.map(String);
    };
    const results = await addAll(commitsOf(write, { splits: () => true }), upTo(20));
    expect(results.flatMap(({ status }, item) => (status === 'rejected' ? item : []))).toEqual([7]);
    const whole = await addAll(commitsOf(write), upTo(20));
    expect(whole.every(({ status }) => status === 'rejected')).toBe(true);
  });
});

describe('callers that come back', () => {
  const LONG_MS = 60_000;
  const options = { minBatch: 4, callersReturn: true, gatherMs: LONG_MS };
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('are waited for, each of them: they leave together again', async () => {
    const { batches, write } = storeWithout(new Set());
    const commits = commitsOf(write, options);
    await addAll(commits, [1, 2, 3]);
    const again = [commits.add(1), commits.add(2)];
    await turn();
    expect(batches).toEqual([[1, 2, 3]]);
    await Promise.all([...again, commits.add(3)]);
    expect(batches).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  test('are waited for together with who came meanwhile', async () => {
    const { batches, releases, write } = heldWrites();
    const commits = commitsOf(write, options);
    const first = commits.add(1);
    await turn();
    const second = commits.add(2);
    await turn();
    releases.shift()?.();
    await first;
    await turn();
    expect(batches).toEqual([[1]]);
    const third = commits.add(1);
    await turn();
    expect(batches).toEqual([[1], [2, 1]]);
    releases.shift()?.();
    await Promise.all([second, third]);
  });

  test('do not delay one who is alone', async () => {
    const { batches, write } = storeWithout(new Set());
    const commits = commitsOf(write, options);
    for (const item of upTo(5)) await commits.add(item);
    expect(batches).toEqual(upTo(5).map((item) => [item]));
  });

  test('are not waited for when enough are there, nor longer than the others may wait', async () => {
    const { batches, write } = storeWithout(new Set());
    const commits = commitsOf(write, options);
    await addAll(commits, upTo(6));
    await addAll(commits, upTo(4));
    expect(batches).toEqual([upTo(6), upTo(4)]);
    const late = addAll(commits, upTo(2));
    await turn();
    expect(batches).toHaveLength(2);
    vi.advanceTimersByTime(LONG_MS);
    await late;
    expect(batches[2]).toEqual(upTo(2));
  });

  test('are others when they come later than at once: a stream gathers for its whole time, and one alone does not', async () => {
    const { batches, write } = storeWithout(new Set());
    const clock = new TestClock();
    const commits = commitsOf(write, { ...options, minBatch: 64, clock });
    await addAll(commits, upTo(5));
    clock.advance(3);
    const stream = addAll(commits, upTo(6));
    await turn();
    expect(batches).toHaveLength(1);
    vi.advanceTimersByTime(LONG_MS);
    await stream;
    expect(batches[1]).toEqual(upTo(6));
    vi.advanceTimersByTime(LONG_MS);
    await commits.add(1);
    clock.advance(3);
    await commits.add(2);
    expect(batches.slice(2)).toEqual([[1], [2]]);
  });

  test('do not leave beside a statement for having come while it ran', async () => {
    const { batches, releases, write } = heldWrites();
    const commits = commitsOf(write, { ...options, minBatch: 64, maxInFlight: 2 });
    const first = commits.add(0);
    await turn();
    const company = addAll(commits, upTo(8));
    await turn();
    expect(batches).toEqual([[0]]);
    vi.advanceTimersByTime(LONG_MS);
    expect(batches).toEqual([[0], upTo(8)]);
    for (const release of releases) release();
    await Promise.all([first, company]);
  });

  test('gather for as long as what was carried says', async () => {
    const { batches, write } = storeWithout(new Set());
    const commits = commitsOf(write, { minBatch: 64, gatherMs: (carried) => (carried < 4 ? 10 : 2) });
    await addAll(commits, upTo(3));
    const few = addAll(commits, upTo(5));
    vi.advanceTimersByTime(9);
    await turn();
    expect(batches).toHaveLength(1);
    vi.advanceTimersByTime(1);
    await few;
    const many = addAll(commits, upTo(1));
    vi.advanceTimersByTime(2);
    await many;
    expect(batches.map(({ length }) => length)).toEqual([3, 5, 1]);
  });
});

describe('a row at fault', () => {
  test('fails alone; all others of its batch are stored once, in a few writes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 100 }),
        fc.uniqueArray(fc.nat(99), { maxLength: 4 }),
        async (count, poison) => {
          const poisoned = new Set(poison);
          const { batches, write } = storeWithout(poisoned);
          const results = await addAll(commitsOf(write), upTo(count));
          expect(results.map((result) => result.status)).toEqual(
            upTo(count).map((item) => (poisoned.has(item) ? 'rejected' : 'fulfilled')),
          );
          const stored = batches.filter((batch) => !batch.some((item) => poisoned.has(item))).flat();
          expect(stored.sort((a, b) => a - b)).toEqual(upTo(count).filter((item) => !poisoned.has(item)));
          const allowed = 1 + 2 * Math.ceil(Math.log2(Math.max(2, count))) * Math.max(1, poison.length);
          expect(batches.length).toBeLessThanOrEqual(allowed);
        },
      ),
    );
  });

  test('is told its own error', async () => {
    const [result] = await addAll(commitsOf(storeWithout(new Set([7])).write), [7]);
    expect(result).toMatchObject({ status: 'rejected', reason: { message: 'invalid byte sequence' } });
  });
});

describe('a connection that breaks', () => {
  test('rejects the whole batch as unknown, and is not tried again behind the callers back', async () => {
    let writes = 0;
    const write: Write = async () => {
      writes += 1;
      throw new StorageUnavailable('gone');
    };
    const results = await addAll(commitsOf(write), upTo(20));
    expect(writes).toBe(1);
    expect(results.every((result) => result.status === 'rejected' && result.reason instanceof StorageUnavailable)).toBe(
      true,
    );
  });

  test('leaves the next batch alone', async () => {
    const faults: Error[] = [new StorageUnavailable('gone')];
    const write: Write = async (items) => {
      const fault = faults.shift();
      if (fault) throw fault;
      return items.map(String);
    };
    const commits = commitsOf(write, { maxBatch: 2 });
    const results = await addAll(commits, upTo(4));
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled']);
  });
});

describe('grouped reads', () => {
  test('share a statement while others are answered, and each gets its own answer', async () => {
    const batches: (readonly number[])[] = [];
    let answer = (): void => undefined;
    const read = groupedReads('test', async (questions: readonly number[]) => {
      batches.push(questions);
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return questions.map((question) => `answer ${question}`);
    });
    const first = read(1);
    await expect.poll(() => batches).toHaveLength(1);
    answer();
    expect(await first).toBe('answer 1');
    const many = Promise.all(upTo(50).map(read));
    await expect.poll(() => batches).toHaveLength(2);
    answer();
    expect(await many).toEqual(upTo(50).map((question) => `answer ${question}`));
    expect(batches).toEqual([[1], upTo(50)]);
  });
});
