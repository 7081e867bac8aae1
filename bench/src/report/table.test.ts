import { expect, test } from 'vitest';
import { atLeast, makeFigure, noLimit } from '../figure.ts';
import { terminalTable } from './table.ts';

const base = {
  name: 'speed',
  database: 'postgres',
  unit: 'messages/s',
  yardstick: { name: 'plain route', value: 10_000 },
  detail: {},
} as const;
const reached = makeFigure({ ...base, value: 6_000, limit: atLeast(5_000) });
const missed = makeFigure({ ...base, value: 4_000, limit: atLeast(5_000) });
const unsteady = makeFigure({ ...base, value: 6_000, limit: atLeast(5_000) }, false);
const free = makeFigure({ ...base, value: 1, limit: noLimit });

test('the table shows the outcome of each figure', () => {
  const outcomes = terminalTable([reached, missed, unsteady, free]).split('\n').slice(1);
  expect(outcomes[0]).toMatch(/reached$/);
  expect(outcomes[1]).toMatch(/missed by 1000 messages\/s \(20 %\)$/);
  expect(outcomes[2]).toMatch(/missed: see detail$/);
  expect(outcomes[3]).toMatch(/–$/);
});
