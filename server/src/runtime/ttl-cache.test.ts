import { expect, test } from 'vitest';
import { TestClock } from '#testing/test-runtime';
import { TtlCache } from './ttl-cache.ts';

const MAX_AGE_MS = 1_000;

function setup(maxEntries = 10) {
  const clock = new TestClock();
  const questions: { key: string; answer: (value: string) => void; fail: (error: Error) => void }[] = [];
  const read = (key: string) =>
    new Promise<string>((answer, fail) => {
      questions.push({ key, answer, fail });
    });
  const remembered = new TtlCache<string>({ clock, maxAgeMs: MAX_AGE_MS, maxEntries, read });
  const know = async (key: string, value: string) => {
    const asked = remembered.of(key);
    questions.at(-1)?.answer(value);
    await asked;
  };
  return { clock, questions, remembered, know };
}

test('many who ask at once ask the database once, and later ones do not wait at all', async () => {
  const { questions, remembered } = setup();
  const asked = Array.from({ length: 100 }, () => remembered.of('a'));
  expect(questions).toHaveLength(1);
  questions[0]?.answer('first');
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['first']));
  expect(remembered.of('a')).toBe('first');
  expect(questions).toHaveLength(1);
});

test('answers that are kept apart push out no others', async () => {
  const clock = new TestClock();
  const questions: string[] = [];
  const remembered = new TtlCache<boolean>({
    clock,
    maxAgeMs: MAX_AGE_MS,
    maxEntries: 10,
    isApart: (isRight) => !isRight,
    read: async (key) => {
      questions.push(key);
      return key === 'right';
    },
  });
  await remembered.of('right');
  for (let count = 0; count < 100; count += 1) await remembered.of(`wrong ${count}`);
  expect([remembered.of('right'), remembered.of('wrong 99')]).toEqual([true, false]);
  expect(questions).toHaveLength(101);
});

test('what is in use is renewed before it is too old, and nobody waits for that', async () => {
  const { clock, questions, remembered, know } = setup();
  await know('a', 'old');
  clock.advance(MAX_AGE_MS / 2);
  expect([remembered.of('a'), remembered.of('a')]).toEqual(['old', 'old']);
  expect(questions).toHaveLength(2);
  questions[1]?.answer('new');
  await new Promise((resolve) => setImmediate(resolve));
  clock.advance(MAX_AGE_MS / 2);
  expect(remembered.of('a')).toBe('new');
});

test('an answer counts its age from the question, so that a slow one is not used too long', async () => {
  const { clock, questions, remembered } = setup();
  const asked = remembered.of('a');
  clock.advance(MAX_AGE_MS);
  questions[0]?.answer('late');
  expect(await asked).toBe('late');
  expect(remembered.of('a')).toBeInstanceOf(Promise);
});

test('while the database is away an answer is used until it is too old; then whoever asks is told', async () => {
  const { clock, questions, remembered, know } = setup();
  await know('a', 'old');
  clock.advance(MAX_AGE_MS - 1);
  expect(remembered.of('a')).toBe('old');
  questions[1]?.fail(new Error('away'));
  await new Promise((resolve) => setImmediate(resolve));
  clock.advance(1);
  const asked = remembered.of('a');
  questions[2]?.fail(new Error('still away'));
  await expect(asked).rejects.toThrow('still away');
});

test('only so many answers are kept: the one that was asked for longest ago goes', async () => {
  const { questions, remembered, know } = setup(2);
  for (const key of ['a', 'b', 'c']) await know(key, key);
  expect([remembered.of('b'), remembered.of('c')]).toEqual(['b', 'c']);
  expect(remembered.of('a')).toBeInstanceOf(Promise);
  expect(questions).toHaveLength(4);
});

test('whoever reads gets the answer of before, also one that is too old, and so needs to read only what changed', async () => {
  const clock = new TestClock();
  const read = async (_key: string, known: number | undefined) => (known ?? 0) + 1;
  const remembered = new TtlCache<number>({ clock, maxAgeMs: MAX_AGE_MS, maxEntries: 10, read });
  const first = await remembered.of('a');
  clock.advance(MAX_AGE_MS);
  expect([first, await remembered.of('a'), await remembered.of('b')]).toEqual([1, 2, 1]);
});
