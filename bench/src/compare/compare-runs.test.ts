import { expect, test } from 'vitest';
import { type Figure, makeFigure, noLimit } from '../figure.ts';
import { terminalTable } from '../report/table.ts';
import { compareRuns } from './compare-runs.ts';

/** What a run prints whose figures have these ratios. */
function printed(accept: number, endToEnd: number): string {
  const figure = (name: string, ratio: number): Figure =>
    makeFigure({
      name,
      database: 'postgres',
      value: ratio * 1_000,
      unit: 'messages/s',
      limit: noLimit,
      yardstick: { name: 'requests/s of the route without storage', value: 1_000 },
      detail: {},
    });
  const figures = [
    figure('durable accept ÷ the same route without storage', accept),
    figure('durable accept, p99 (worst round)', 3),
    figure('end to end, steady', endToEnd),
  ];
  return `accept on postgres …\n  figure it out\n\n${terminalTable(figures)}\n`;
}

test('two versions compare by the median of their pairs, each figure relative to its own run', () => {
  const pairs = [
    { here: printed(0.4, 0.06), other: printed(0.5, 0.08) },
    { here: printed(0.48, 0.08), other: printed(0.5, 0.08) },
    { here: printed(0.46, 0.04), other: printed(0.5, 0.08) },
  ];
  const [accept, endToEnd] = compareRuns(pairs, 'postgres');
  expect(accept).toMatchObject({ value: 0.92, pass: true });
  expect(endToEnd).toMatchObject({ value: 0.75, pass: true });
  const worse = compareRuns(pairs.slice(0, 1), 'postgres');
  expect(worse.map(({ pass }) => pass)).toEqual([false, true]);
});

test('a run without one of the figures compares with nothing', () => {
  const pairs = [{ here: printed(0.4, 0.06), other: 'end to end on postgres …\n  failed: no database\n' }];
  expect(() => compareRuns(pairs, 'postgres')).toThrow('A run has no figure');
  expect(() => compareRuns([{ here: printed(0.4, 0.06), other: printed(0.4, 0.06) }], 'pglite')).toThrow('on pglite');
});
