import { expect, test } from 'vitest';
import { readFuzzOptions } from './fuzz-options.ts';

const read = (...args: readonly string[]) => readFuzzOptions(args, () => 42);

test('the runner continues for the minutes that are given, otherwise for one round, with a seed that is drawn once', () => {
  expect(read('--minutes', '30')).toMatchObject({ lastsMs: 30 * 60_000, seed: 42 });
  expect(read('--seconds', '60')).toMatchObject({ lastsMs: 60_000 });
  expect(read()).toMatchObject({ lastsMs: 0, databases: ['postgres', 'pglite'] });
});

test('a seed that is given makes the same run again', () => {
  expect(read('--seed', '7', '--cases', '12')).toMatchObject({ seed: 7, cases: 12 });
});

test('connections are ended on PostgreSQL alone', () => {
  expect(read('--kill-backends', '--database', 'both')).toMatchObject({ databases: ['postgres'], killBackends: true });
});

test.each([
  [['--minutes', '1', '--seconds', '1']],
  [['--minutes', 'x']],
  [['--seed', '-1']],
  [['--colour', 'red']],
])('%j is refused', (args) => {
  expect(() => read(...args)).toThrow();
});
