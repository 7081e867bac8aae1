import { expect, test } from 'vitest';
import { readBenchOptions } from './options.ts';

test('figures are saved only when that is asked for', () => {
  expect([readBenchOptions([], []).save, readBenchOptions(['--save', '--at-most', '60'], []).save]).toEqual([
    false,
    true,
  ]);
});

test.each([
  ['--quick'],
  ['--rate', '5'],
  ['--seconds', '5'],
  ['--rows', '5000'],
])('figures of another size are not saved: %s', (...other) => {
  expect(() => readBenchOptions(['--save', ...other], [])).toThrow(
    `--save ${other[0]}: only figures of full size can be saved.`,
  );
});
