import type { DatabaseKind } from './harness/stage.ts';
import type { BenchOptions } from './options.ts';
import type { Scenario } from './scenario.ts';

/**
 * What is measured on a database. A quick run of everything measures each scenario on one of its databases, in turn: it shows that
 * scenarios run, and what they do with the service is the same on both.
 */
export function scenariosOn(
  database: DatabaseKind,
  scenarios: readonly Scenario[],
  { only, quick, databases }: BenchOptions,
): readonly Scenario[] {
  return scenarios.filter((scenario, place) => {
    if (only !== null) return only.includes(scenario.name) && scenario.databases.includes(database);
    const possible = scenario.databases.filter((one) => databases.includes(one));
    const chosen = quick ? [possible[place % possible.length]] : possible;
    return scenario.onlyByName !== true && chosen.includes(database);
  });
}
