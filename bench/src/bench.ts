import { builtPrograms } from './harness/paths.ts';
import { readBenchOptions } from './options.ts';
import { terminalTable, writeResults } from './report/results.ts';
import { NO_TIME, runBench } from './run-bench.ts';
import { runProgram } from './run-program.ts';
import { scenarios } from './scenarios/all.ts';

/*
 * npm run bench -- [--only accept,end-to-end] [--database postgres|pglite|both] [--quick] [--seed N] [--rate N] [--seconds N] [--rows N] [--at-most SECONDS]
 * BENCH_DATABASE_URL or TEST_DATABASE_URL name a PostgreSQL server to use instead of one of our own.
 */
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(): Promise<number> {
  const options = readBenchOptions(
    process.argv.slice(2),
    scenarios.map(({ name }) => name),
  );
  const programs = builtPrograms();
  const postgresUrl = process.env.BENCH_DATABASE_URL ?? process.env.TEST_DATABASE_URL ?? null;
  const results = await runBench({
    programs,
    options,
    scenarios,
    postgresUrl,
    startedAt: new Date().toISOString(),
    say,
  });
  say(`\n${terminalTable(results.figures)}`);
  for (const { name, why } of results.notMeasured) say(`not measured: ${name} (${why})`);
  const label = options.databases.join('-');
  // A smoke run, a part or a shortened one must not overwrite what was measured.
  const whole =
    !options.quick &&
    options.only === null &&
    options.rate === null &&
    options.seconds === null &&
    options.rows === null &&
    options.atMostSeconds === null;
  if (whole) say(`\nwritten: ${writeResults(programs.results, results, label).join(', ')}`);
  const empty = results.figures.filter(({ value }) => !(value > 0));
  for (const { name, database, value } of empty) say(`not measured: ${name} on ${database} (its value is ${value})`);
  const measured = results.figures.length > 0 && empty.length === 0;
  const excused = results.notMeasured.every(({ why }) => why === NO_TIME || why.includes('not installed'));
  return measured && excused ? 0 : 1;
}

await runProgram(main);
