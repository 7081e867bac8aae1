import { expect, test } from 'vitest';
import { scenariosOn } from './chosen-scenarios.ts';
import { readBenchOptions } from './options.ts';
import type { Scenario } from './scenario.ts';
import { scenarios } from './scenarios/all.ts';

const names = scenarios.map(({ name }) => name);
const databases = ['postgres', 'pglite'] as const;

/** On which databases each scenario is measured. */
function chosen(...args: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const options = readBenchOptions(args, names);
  const on = databases.map((database) => ({ database, of: scenariosOn(database, scenarios, options) }));
  const measured = (one: Scenario) => on.flatMap(({ database, of }) => (of.includes(one) ? [database] : []));
  return new Map(scenarios.map((one) => [one.name, measured(one)]));
}

test('a quick run measures every scenario once, and uses both databases', () => {
  const quick = chosen('--quick');
  for (const { name, onlyByName } of scenarios)
    expect([name, quick.get(name)?.length]).toEqual([name, onlyByName ? 0 : 1]);
  expect(new Set([...quick.values()].flat())).toEqual(new Set(databases));
});

test('a quick run on one database measures everything that runs there', () => {
  const quick = chosen('--quick', '--database', 'pglite');
  for (const { name, onlyByName, databases: its } of scenarios) {
    const isThere = !onlyByName && its.includes('pglite');
    expect([name, quick.get(name)]).toEqual([name, isThere ? ['pglite'] : []]);
  }
});

test('a whole run, and a quick one of named scenarios, measure on every database', () => {
  expect(chosen().get('accept')).toEqual(databases);
  expect(chosen('--quick', '--only', 'accept').get('accept')).toEqual(databases);
});
