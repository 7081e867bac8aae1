import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from '../figure.ts';
import type { DatabaseKind } from '../harness/stage.ts';
import type { Machine } from './machine.ts';
import { resultsPage } from './page.ts';

/** What a scenario came to on a database. */
export interface Measurement {
  readonly scenario: string;
  readonly database: DatabaseKind;
  readonly startedAt: string;
  readonly seed: number;
  readonly machine: Machine;
  readonly figures: readonly Figure[];
  /** What belongs to the scenario and could not be measured there. */
  readonly notMeasured: readonly NotMeasured[];
}

export interface NotMeasured {
  readonly name: string;
  readonly why: string;
}

const JSON_FILE = 'latest.json';
const PAGE_FILE = 'latest.md';

/**
 * Replaces the last measurement of the same scenario and database, and rewrites the page.
 * @param order names of all scenarios; measurements of any other are dropped
 */
export function saveMeasurement(folder: string, measurement: Measurement, order: readonly string[]): void {
  const isSame = ({ scenario, database }: Measurement) =>
    scenario === measurement.scenario && database === measurement.database;
  const all = [...readSaved(folder).filter((saved) => !isSame(saved)), measurement]
    .filter(({ scenario }) => order.includes(scenario))
    .toSorted((one, other) => order.indexOf(one.scenario) - order.indexOf(other.scenario) || byDatabase(one, other));
  mkdirSync(folder, { recursive: true });
  replace(join(folder, JSON_FILE), `${JSON.stringify(all, null, 2)}\n`);
  replace(join(folder, PAGE_FILE), resultsPage(all));
}

/** PostgreSQL comes first. */
function byDatabase(one: Measurement, other: Measurement): number {
  return other.database.localeCompare(one.database);
}

/** What was saved so far. */
export function readSaved(folder: string): readonly Measurement[] {
  const path = join(folder, JSON_FILE);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [];
}

/** A run that is stopped in the middle leaves the whole old file or the whole new one. */
function replace(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}
