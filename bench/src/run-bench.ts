import { startPlainServer } from './baseline/plain-server.ts';
import { scenariosOn } from './chosen-scenarios.ts';
import type { Figure } from './figure.ts';
import { copyServer, type Programs } from './harness/paths.ts';
import { findPostgresBin, type Postgres, startPostgres, usePostgres } from './harness/postgres.ts';
import type { DatabaseKind } from './harness/stage.ts';
import { makeWorkspace, type Workspace } from './harness/workspace.ts';
import { startLoadProcess } from './load/load-process.ts';
import type { BenchOptions } from './options.ts';
import { describeMachine, type Machine } from './report/machine.ts';
import type { Measurement, NotMeasured } from './report/saved.ts';
import type { Bench, Scenario } from './scenario.ts';
import { FULL, QUICK, withRows, withSeconds } from './sizes.ts';

interface RunBench {
  readonly programs: Programs;
  readonly options: BenchOptions;
  readonly scenarios: readonly Scenario[];
  /** A PostgreSQL server to use instead of one of our own; its databases are made and dropped. */
  readonly postgresUrl: string | null;
  /** Called with the figures of each scenario as soon as it ends, unless it failed. */
  readonly onMeasured: (measurement: Measurement) => void;
  readonly say: (line: string) => void;
}

/** What a run came to. */
interface Results {
  readonly figures: readonly Figure[];
  /** Scenarios that ended with an error, and what could not be measured here. */
  readonly notMeasured: readonly NotMeasured[];
}

/** Why a scenario is not measured that `--at-most` left no time for. */
export const NO_TIME = 'no time was left for it';

/** Runs the chosen scenarios on the chosen databases. A scenario that fails is reported, and the others continue. */
export async function runBench(run: RunBench): Promise<Results> {
  const { options } = run;
  const workspace = makeWorkspace();
  const programs = copyServer(run.programs, workspace.folder);
  try {
    const notMeasured: NotMeasured[] = [];
    const postgres = options.databases.includes('postgres') ? await choosePostgres(run, workspace) : null;
    if (options.databases.includes('postgres') && postgres === null)
      notMeasured.push({ name: 'everything on postgres', why: 'PostgreSQL is not installed' });
    // Before the run: a commit during it is not what was measured.
    const machine = describeMachine(programs.root, postgres?.version ?? 'no PostgreSQL used');
    const wheres = options.databases
      .filter((database) => database === 'pglite' || postgres !== null)
      .map((database) => ({ database, postgres, workspace, machine }));
    const parts = await runOnAll({ ...run, programs }, wheres);
    const figures = parts.flatMap((part) => part.figures);
    notMeasured.push(...parts.flatMap((part) => part.failed));
    return { figures, notMeasured };
  } finally {
    await workspace.close();
  }
}

async function choosePostgres({ postgresUrl }: RunBench, workspace: Workspace): Promise<Postgres | null> {
  if (postgresUrl !== null) return usePostgres(postgresUrl);
  if (findPostgresBin() === null) return null;
  const postgres = await startPostgres(workspace.folder);
  workspace.onClose(() => postgres.stop());
  return postgres;
}

interface Where {
  readonly database: DatabaseKind;
  readonly postgres: Postgres | null;
  readonly workspace: Workspace;
  readonly machine: Machine;
}

interface Part {
  readonly figures: readonly Figure[];
  readonly failed: readonly NotMeasured[];
}

/** One database after the other; both together in a quick run, whose figures mean nothing, and which mostly waits. */
async function runOnAll(run: RunBench, wheres: readonly Where[]): Promise<readonly Part[]> {
  if (run.options.quick) {
    const named = ({ database }: Where): RunBench => ({ ...run, say: (line) => run.say(`${database}: ${line}`) });
    return Promise.all(wheres.map((where) => runOn(named(where), where)));
  }
  const parts: Part[] = [];
  for (const where of wheres) parts.push(await runOn(run, where));
  return parts;
}

async function runOn({ programs, options, scenarios, onMeasured, say }: RunBench, where: Where): Promise<Part> {
  const { workspace, database, machine } = where;
  const plain = await startPlainServer({ programs, workspace });
  const load = startLoadProcess();
  workspace.onClose(() => load.close());
  const sizes = withRows(withSeconds(options.quick ? QUICK : FULL, options.seconds), options.rows);
  const bench: Bench = { ...where, programs, load, plain, sizes, seed: options.seed, offeredRate: options.rate, say };
  const figures: Figure[] = [];
  const failed: NotMeasured[] = [];
  const endMs = options.atMostSeconds === null ? Infinity : performance.now() + options.atMostSeconds * 1_000;
  for (const scenario of scenariosOn(database, scenarios, options)) {
    if (performance.now() > endMs) {
      failed.push({ name: `${scenario.name} on ${database}`, why: NO_TIME });
      continue;
    }
    say(`${scenario.name} on ${database} …`);
    const begunMs = performance.now();
    const common = {
      scenario: scenario.name,
      database,
      startedAt: new Date().toISOString(),
      seed: options.seed,
      machine,
    };
    const notMeasured = scenario.absent?.() ?? [];
    failed.push(...notMeasured);
    try {
      const reached = await scenario.run(bench);
      figures.push(...reached);
      onMeasured({ ...common, figures: reached, notMeasured });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      failed.push({ name: `${scenario.name} on ${database}`, why });
      say(`  failed: ${why}`);
    }
    say(`  took ${((performance.now() - begunMs) / 1000).toFixed(1)} s`);
  }
  await plain.stop();
  return { figures, failed };
}
