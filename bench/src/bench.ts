import type { Figure } from './figure.ts';
import { builtPrograms } from './harness/paths.ts';
import { readBenchOptions } from './options.ts';
import { type Measurement, saveMeasurement } from './report/saved.ts';
import { terminalTable } from './report/table.ts';
import { NO_TIME, runBench } from './run-bench.ts';
import { runProgram } from './run-program.ts';
import { scenarios } from './scenarios/all.ts';

/*
 * npm run bench -- [--only accept,end-to-end] [--database postgres|pglite|both] [--quick] [--seed N] [--rate N] [--seconds N] [--rows N] [--at-most SECONDS] [--save]
 * BENCH_DATABASE_URL or TEST_DATABASE_URL name a PostgreSQL server to use instead of one of our own.
 */
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(): Promise<number> {
  const names = scenarios.map(({ name }) => name);
  const options = readBenchOptions(process.argv.slice(2), names);
  const programs = builtPrograms();
  const postgresUrl = process.env.BENCH_DATABASE_URL ?? process.env.TEST_DATABASE_URL ?? null;
  const onMeasured = (measurement: Measurement) => {
    if (options.save && measurement.figures.every(isMeasured)) saveMeasurement(programs.results, measurement, names);
  };
  const results = await runBench({ programs, options, scenarios, postgresUrl, onMeasured, say });
  say(`\n${terminalTable(results.figures)}`);
  for (const { name, why } of results.notMeasured) say(`not measured: ${name} (${why})`);
  if (options.save) say(`\nsaved in ${programs.results}`);
  const empty = results.figures.filter((figure) => !isMeasured(figure));
  for (const { name, database, value } of empty) say(`not measured: ${name} on ${database} (its value is ${value})`);
  const measured = results.figures.length > 0 && empty.length === 0;
  const excused = results.notMeasured.every(({ why }) => why === NO_TIME || why.includes('not installed'));
  return measured && excused ? 0 : 1;
}

/** A value of nothing means that nothing was counted. */
function isMeasured({ value }: Figure): boolean {
  return value > 0;
}

await runProgram(main);
