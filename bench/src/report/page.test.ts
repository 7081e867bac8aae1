import { expect, test } from 'vitest';
import { atLeast, atMost, makeFigure } from '../figure.ts';
import { resultsPage } from './page.ts';
import type { Measurement } from './saved.ts';

const base = {
  name: 'speed',
  database: 'postgres',
  unit: 'messages/s',
  yardstick: { name: 'plain route', value: 10_000 },
  detail: {},
} as const;
const reached = makeFigure({ ...base, value: 6_000, limit: atLeast(5_000) });
const machine = { cpu: 'A CPU', cores: 2, memoryGb: 8, node: 'v20.20.0', postgres: 'PostgreSQL 15', commit: 'abc1234' };
const measurement: Measurement = {
  scenario: 'accept',
  database: 'postgres',
  startedAt: '2026-01-02T03:04:05.000Z',
  seed: 9,
  machine,
  figures: [reached],
  notMeasured: [],
};

test('the page names machine, commit and seed of every run, and what was not measured', () => {
  const notMeasured = [{ name: 'BullMQ', why: 'Redis is not installed' }];
  const later = { ...measurement, startedAt: '2026-01-02T04:00:00.000Z', machine: { ...machine, commit: 'aaa5678' } };
  const text = resultsPage([measurement, { ...measurement, notMeasured }, later]);
  const runs = text.split('\n').filter((line) => line.startsWith('- 2026'));
  expect(runs).toEqual([
    '- 2026-01-02, aaa5678: A CPU, 2 cores, 8 GB · Node v20.20.0 · PostgreSQL 15 · seed 9',
    '- 2026-01-02, abc1234: A CPU, 2 cores, 8 GB · Node v20.20.0 · PostgreSQL 15 · seed 9',
  ]);
  expect(text).toContain('- not measured: BullMQ (Redis is not installed)');
});

test('the page leads with what means the same on every machine, and says why a limit was missed and when each was measured', () => {
  const ratio = { ...base, unit: '', yardstick: { name: 'itself a ratio', value: 1 } } as const;
  const figures = [
    reached,
    makeFigure({ ...base, name: 'end to end, steady', value: 1_000, limit: atLeast(5_000) }),
    makeFigure({ ...ratio, name: 'a ratio', value: 2, limit: atMost(1) }),
  ];
  const text = resultsPage([{ ...measurement, figures }]);
  const lines = text.split('\n').filter((line) => /^(## |\| (speed|end|a ratio))/.test(line));
  expect(lines).toEqual([
    expect.stringMatching(/^## Ratios/),
    expect.stringMatching(/^\| a ratio .* missed by 1 \(100 %\)\. Not explained yet \| 2026-01-02, abc1234 \|$/),
    expect.stringMatching(/^## Times and rates/),
    expect.stringMatching(/^\| speed .* reached \| 2026-01-02, abc1234 \|$/),
    expect.stringMatching(/^\| end to end, steady .* missed by 4000 messages\/s \(80 %\)\. The cores run /),
  ]);
});
