import { expect, test } from 'vitest';
import { atLeast, atMost, makeFigure, noLimit } from '../figure.ts';
import { markdownReport, terminalTable } from './results.ts';

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

test('the report names machine, commit, seed and what was not measured', () => {
  const machine = {
    cpu: 'A CPU',
    cores: 2,
    memoryGb: 8,
    node: 'v20.20.0',
    postgres: 'PostgreSQL 15',
    commit: 'abc1234',
  };
  const notMeasured = [{ name: 'BullMQ', why: 'Redis is not installed' }];
  const text = markdownReport({
    startedAt: '2026-01-02T03:04:05.000Z',
    seed: 9,
    quick: false,
    machine,
    figures: [reached],
    notMeasured,
  });
  for (const part of [
    'abc1234',
    'seed 9',
    'A CPU, 2 cores, 8 GB',
    'v20.20.0',
    'PostgreSQL 15',
    '- not measured: BullMQ (Redis is not installed)',
  ])
    expect(text).toContain(part);
});

test('the report leads with what means the same on every machine, and says why a limit was missed', () => {
  const ratio = { ...base, unit: '', yardstick: { name: 'itself a ratio', value: 1 } } as const;
  const text = markdownReport({
    ...{ startedAt: '2026-01-02T03:04:05.000Z', seed: 9, quick: false, notMeasured: [] },
    machine: { cpu: 'A CPU', cores: 2, memoryGb: 8, node: 'v20.20.0', postgres: 'PostgreSQL 15', commit: 'abc1234' },
    figures: [
      reached,
      makeFigure({ ...base, name: 'end to end, steady', value: 1_000, limit: atLeast(5_000) }),
      makeFigure({ ...ratio, name: 'a ratio', value: 2, limit: atMost(1) }),
    ],
  });
  const lines = text.split('\n').filter((line) => /^(## |\| (speed|end|a ratio))/.test(line));
  expect(lines).toEqual([
    expect.stringMatching(/^## Ratios/),
    expect.stringMatching(/^\| a ratio .* missed by 1 \(100 %\)\. Not explained yet \|$/),
    expect.stringMatching(/^## Times and rates/),
    expect.stringMatching(/^\| speed .* reached \|$/),
    expect.stringMatching(/^\| end to end, steady .* missed by 4000 messages\/s \(80 %\)\. The cores run /),
  ]);
});
