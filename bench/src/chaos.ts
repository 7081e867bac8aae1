import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { certificate, recoveriesOf } from './chaos/certificate.ts';
import { type ChaosOptions, readChaosOptions } from './chaos/chaos-options.ts';
import { FAULTS, type Fault } from './chaos/faults/all.ts';
import type { FaultAction } from './chaos/faults/fault.ts';
import { type ChaosResult, runChaos } from './chaos/run-chaos.ts';
import { builtPrograms } from './harness/paths.ts';
import { findPostgresBin, type Postgres, startPostgres } from './harness/postgres.ts';
import { mayMount, mountSmallDisk } from './harness/small-disk.ts';
import type { DatabaseKind } from './harness/stage.ts';
import { makeWorkspace } from './harness/workspace.ts';
import { type LossResult, tryLosses } from './history/try-losses.ts';
import { describeMachine, type Machine } from './report/machine.ts';
import { runProgram } from './run-program.ts';

/*
 * npm run chaos -- [--rounds N] [--seed S] [--database postgres|pglite|both] [--quick] [--faults a,b] [--audit-every K] [--keep]
 * PostgreSQL is always one of our own in a temporary folder, because it is killed. Exit 1 on any violation.
 */
/** A run of 100 rounds leaves half of it free. */
const DISK_MB = 3_000;
const ROUNDS_PER_LOSS = 25;
const LOSS_S = 5;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(): Promise<number> {
  const options = readChaosOptions(process.argv.slice(2));
  const canMount = await mayMount();
  if (!canMount) say('Nothing may be mounted here: full disks are left out.');
  const here = options.databases.filter((database) => database === 'pglite' || findPostgresBin() !== null);
  if (here.length < options.databases.length) say('PostgreSQL is not installed: its rounds are left out.');
  if (here.length === 0) return 1;
  return (await all(here, options, canMount)).every((passed) => passed) ? 0 : 1;
}

/** One database after the other, because the times of recovery are kept; a quick run keeps none and mostly waits. */
async function all(
  databases: readonly DatabaseKind[],
  options: ChaosOptions,
  canMount: boolean,
): Promise<readonly boolean[]> {
  const tryOn = (database: DatabaseKind): Promise<boolean> =>
    passes(options, database, canMount).catch((error: unknown) => {
      say(`FAILED  chaos on ${database}: ${inspect(error)}`);
      return false;
    });
  if (options.isQuick) return Promise.all(databases.map(tryOn));
  const passed: boolean[] = [];
  for (const database of databases) passed.push(await tryOn(database));
  return passed;
}

async function passes(options: ChaosOptions, database: DatabaseKind, canMount: boolean): Promise<boolean> {
  const startedAt = new Date().toISOString();
  // Before the run: a commit during it is not what was measured.
  const machine = describeMachine(builtPrograms().root, database);
  const result = await runOne(options, database, canMount);
  say(certificate(result, machine.commit));
  const losses = await lossesOf(options, database);
  if (options.isWhole) keepResult({ ...result, losses }, startedAt, machine);
  return [result.report, ...losses].every(({ violations }) => violations.length === 0);
}

async function runOne(
  { seed, auditEvery, keep, roundsOn, faultsOn }: ChaosOptions,
  database: DatabaseKind,
  canMount: boolean,
): Promise<ChaosResult> {
  const workspace = makeWorkspace();
  const faults = faultsOn(database).filter((fault) => canMount || !needsDisk(fault));
  try {
    const folder = join(workspace.folder, database);
    const disk = faults.some(needsDisk) ? mountSmallDisk(folder, DISK_MB, workspace) : null;
    const postgres: Postgres | null = database === 'postgres' ? await startPostgres(workspace.folder) : null;
    if (postgres !== null) workspace.onClose(() => postgres.stop());
    const rounds = roundsOn(database);
    say(`chaos on ${database}: ${rounds} rounds, seed ${seed}`);
    return await runChaos({
      programs: builtPrograms(),
      database,
      postgres,
      disk,
      rounds,
      seed,
      faults,
      auditEvery,
      keep,
      say: (line) => say(`${database}: ${line.trimStart()}`),
    });
  } finally {
    await workspace.close();
  }
}

/**
 * A database that goes back in time ends the records that a run compares: it is tried separately, in a run of
 * everything.
 */
async function lossesOf(
  { isWhole, keep, roundsOn }: ChaosOptions,
  database: DatabaseKind,
): Promise<readonly LossResult[]> {
  if (!isWhole || database !== 'postgres') return [];
  return tryLosses({ times: Math.ceil(roundsOn(database) / ROUNDS_PER_LOSS), seconds: LOSS_S, keep, say });
}

function needsDisk(fault: Fault): boolean {
  const { needsDisk: needs = false }: FaultAction = FAULTS[fault];
  return needs;
}

function keepResult(
  result: ChaosResult & { readonly losses: readonly LossResult[] },
  startedAt: string,
  machine: Machine,
): void {
  const programs = builtPrograms();
  mkdirSync(programs.results, { recursive: true });
  const file = join(
    programs.results,
    `chaos-${startedAt.slice(0, 10)}-${result.database}-${result.rounds.length}-rounds-seed-${result.seed}.json`,
  );
  const content = {
    startedAt,
    passed: [result.report, ...result.losses].every(({ violations }) => violations.length === 0),
    machine,
    recoveries: recoveriesOf(result.rounds),
    ...result,
  };
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
  say(`written: ${file}\n`);
}

await runProgram(main);
