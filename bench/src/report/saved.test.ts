import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { atLeast, makeFigure } from '../figure.ts';
import { type Measurement, readSaved, saveMeasurement } from './saved.ts';

const ORDER = ['accept', 'floor', 'reads'];
const machine = { cpu: 'A CPU', cores: 2, memoryGb: 8, node: 'v20.20.0', postgres: 'PostgreSQL 15', commit: 'abc1234' };
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'saved-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function measured(scenario: string, database: 'postgres' | 'pglite', value: number): Measurement {
  const yardstick = { name: 'plain route', value: 10 };
  const figure = { name: `speed of ${scenario}`, database, value, unit: 's', limit: atLeast(1), yardstick, detail: {} };
  const startedAt = '2026-01-02T03:04:05.000Z';
  return { scenario, database, startedAt, seed: 1, machine, figures: [makeFigure(figure)], notMeasured: [] };
}

test('a measurement replaces the last one of the same scenario and database, and no other', () => {
  for (const [scenario, database, value] of [
    ['floor', 'pglite', 2],
    ['accept', 'postgres', 3],
    ['floor', 'postgres', 4],
    ['floor', 'pglite', 5],
  ] as const)
    saveMeasurement(folder, measured(scenario, database, value), ORDER);
  const saved = readSaved(folder).map(({ scenario, database, figures }) => [scenario, database, figures[0]?.value]);
  expect(saved).toEqual([
    ['accept', 'postgres', 3],
    ['floor', 'postgres', 4],
    ['floor', 'pglite', 5],
  ]);
});

test('the page shows all that is saved, and no other file is left', () => {
  saveMeasurement(folder, measured('reads', 'postgres', 7), ORDER);
  saveMeasurement(folder, measured('accept', 'postgres', 8), ORDER);
  const page = readFileSync(join(folder, 'latest.md'), 'utf8');
  expect(page.match(/speed of \w+/g)).toEqual(['speed of accept', 'speed of reads']);
  expect(readdirSync(folder).sort()).toEqual(['latest.json', 'latest.md']);
});

test('figures of a scenario that was removed are dropped', () => {
  saveMeasurement(folder, measured('reads', 'postgres', 7), ORDER);
  saveMeasurement(folder, measured('accept', 'postgres', 8), ['accept', 'floor']);
  expect(readSaved(folder).map(({ scenario }) => scenario)).toEqual(['accept']);
});
