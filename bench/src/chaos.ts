import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { certificate, recoveriesOf } from './chaos/certificate.ts';
import { type ChaosOptions, readChaosOptions } from './chaos/chaos-options.ts';
import { type ChaosResult, runChaos } from './chaos/run-chaos.ts';
import { builtPrograms } from './harness/paths.ts';
import { findPostgresBin, type Postgres, startPostgres } from './harness/postgres.ts';
import type { DatabaseKind } from './harness/stage.ts';
import { makeWorkspace } from './harness/workspace.ts';
import { describeMachine, type Machine } from './report/machine.ts';
import { runProgram } from './run-program.ts';

/*
 * npm run chaos -- [--rounds N] [--seed S] [--database postgres|pglite|both] [--quick] [--faults a,b] [--audit-every K] [--keep]
 * PostgreSQL is always one of our own in a temporary folder, because it is killed. Exit 1 on any violation.
 */
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(): Promise<number> {
  const options = readChaosOptions(process.argv.slice(2));
  const startedAt = new Date().toISOString();
  let failed = false;
  for (const database of options.databases) {
    if (database === 'postgres' && findPostgresBin() === null) {
      say('PostgreSQL is not installed: its rounds are left out.');
      failed ||= options.databases.length === 1;
      continue;
    }
    // Before the run: what is committed meanwhile is not what was measured.
    const machine = describeMachine(builtPrograms().root, database);
    const result = await runOne(options, database);
    say(certificate(result, machine.commit));
    if (options.isWhole) keepResult(result, startedAt, machine);
    failed ||= result.report.violations.length > 0;
  }
  return failed ? 1 : 0;
}

async function runOne(
  { seed, auditEvery, keep, roundsOn, faultsOn }: ChaosOptions,
  database: DatabaseKind,
): Promise<ChaosResult> {
  const workspace = makeWorkspace();
  try {
    const postgres: Postgres | null = database === 'postgres' ? await startPostgres(workspace.folder) : null;
    if (postgres !== null) workspace.onClose(() => postgres.stop());
    const rounds = roundsOn(database);
    const faults = faultsOn(database);
    say(`chaos on ${database}: ${rounds} rounds, seed ${seed}`);
    return await runChaos({
      programs: builtPrograms(),
      database,
      postgres,
      rounds,
      seed,
      faults,
      auditEvery,
      keep,
      say,
    });
  } finally {
    await workspace.close();
  }
}

function keepResult(result: ChaosResult, startedAt: string, machine: Machine): void {
  const programs = builtPrograms();
  mkdirSync(programs.results, { recursive: true });
  const file = join(
    programs.results,
    `chaos-${startedAt.slice(0, 10)}-${result.database}-${result.rounds.length}-rounds-seed-${result.seed}.json`,
  );
  const content = {
    startedAt,
    passed: result.report.violations.length === 0,
    machine,
    recoveries: recoveriesOf(result.rounds),
    ...result,
  };
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
  say(`written: ${file}\n`);
}

await runProgram(main);
