import { readFuzzOptions } from './fuzz/fuzz-options.ts';
import { fuzzOnStage, storeAndReadOnStage } from './fuzz/fuzz-stage.ts';
import { linesOf, statusLines, storeAndReadLines } from './fuzz/report.ts';
import { findPostgresBin, type Postgres, startPostgres } from './harness/postgres.ts';
import type { DatabaseKind } from './harness/stage.ts';
import { makeWorkspace } from './harness/workspace.ts';
import { runProgram } from './run-program.ts';

/*
 * node bench/dist/src/fuzz.js [--minutes N | --seconds N] [--seed S] [--cases N] [--database postgres|pglite|both] [--kill-backends]
 * First odd values are stored wherever the OpenAPI document has a place for one, and read in every way; then requests are
 * made from the document at random: all against the built service. Exit 1 when a check failed.
 */
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const SEEDS = 2 ** 31;
/** So many requests at random for each value that is stored at a place: there are hundreds of places. */
const CASES_PER_VALUE = 10;

async function main(): Promise<number> {
  const options = readFuzzOptions(process.argv.slice(2), () => Math.floor(Math.random() * SEEDS));
  say(`seed ${options.seed}`);
  let failed = false;
  for (const database of options.databases) {
    if (database === 'postgres' && findPostgresBin() === null) {
      say('PostgreSQL is not installed: it is left out.');
      failed ||= options.databases.length === 1;
      continue;
    }
    failed = !(await fuzz(database, options)) || failed;
  }
  return failed ? 1 : 0;
}

/** @returns whether every check held */
async function fuzz(
  database: DatabaseKind,
  { seed, cases, lastsMs, killBackends }: ReturnType<typeof readFuzzOptions>,
): Promise<boolean> {
  const workspace = makeWorkspace();
  try {
    const postgres: Postgres | null = database === 'postgres' ? await startPostgres(workspace.folder) : null;
    if (postgres) workspace.onClose(() => postgres.stop());
    const endMs = performance.now() + lastsMs;
    const hasNextRound = (round: number): boolean => round === 0 || performance.now() < endMs;
    const spec = { database, postgres, workspace, seed, cases, killBackends, hasNextRound };
    const read = killBackends
      ? null
      : await storeAndReadOnStage({ ...spec, name: 'read', each: Math.ceil(cases / CASES_PER_VALUE) });
    for (const line of read === null ? [] : [...storeAndReadLines(database, read), '']) say(line);
    const report = await fuzzOnStage({ ...spec, name: 'fuzz' });
    for (const line of [...linesOf(database, report), '', 'statuses seen', ...statusLines(report)]) say(line);
    return report.failures.length === 0 && (read?.failures ?? []).length === 0;
  } finally {
    await workspace.close();
  }
}

await runProgram(main);
