import { atLeast, atMost, type Figure, makeFigure, noLimit } from '../figure.ts';
import { openDatabase } from '../harness/open-database.ts';
import { runSql } from '../harness/postgres.ts';
import { API_KEY } from '../harness/server.ts';
import { type Stage, UNLIMITED } from '../harness/stage.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';
import { holdSnapshot, type Neglect, scanBusyTables, switchOffAutovacuum } from './support/neglects.ts';
import { openCallers } from './support/quiet-callers.ts';
import { measureCapacity, type Work, type WorkRound, workRound } from './support/working-load.ts';

/** Together they post twenty times a second. */
const CALLERS = 50;
/** Of what the service carries: as much as an installation with some air to breathe. */
const WORKING_SHARE = 0.5;
const WANTED_P99_RATIO = 2;
const MOST_PROBE_SECONDS = 20;
/** Tables with fewer dead rows are left out of the detail. */
const MENTIONED_DEAD_ROWS = 1_000;

interface Variant {
  readonly name: string;
  readonly begin: Neglect;
  readonly wantedThroughput: number;
  /** Whether the time from the post to the network is limited too. */
  readonly limitsLatency: boolean;
}

const VARIANTS: readonly Variant[] = [
  { name: 'a held snapshot', begin: holdSnapshot, wantedThroughput: 0.9, limitsLatency: true },
  { name: 'four scanning readers', begin: scanBusyTables, wantedThroughput: 0.85, limitsLatency: false },
  { name: 'no autovacuum', begin: switchOffAutovacuum, wantedThroughput: 0.9, limitsLatency: false },
];

/**
 * A service at half of what it carries while its database is neglected: a forgotten transaction holds a snapshot, readers scan the busy
 * tables without end, or autovacuum is off. Each lasts several rounds, because dead rows take time to pile up; the last round is compared with
 * the round in calm before it, and a round in calm follows. The service itself vacuums the embedded database alone: on PostgreSQL
 * nothing but autovacuum removes dead rows.
 */
export const neglectedDatabase: Scenario = {
  name: 'neglected-database',
  databases: ['postgres'],
  run: (bench) => onStage(bench, { name: 'neglected-database', settings: UNLIMITED }, (stage) => measure(bench, stage)),
};

async function measure(bench: Bench, stage: Stage): Promise<readonly Figure[]> {
  const seconds = bench.sizes.neglectSeconds;
  const tenants = Array.from({ length: CALLERS }, () => ({ key: API_KEY, phoneNumberIds: [] }));
  const callers = openCallers({ server: stage.server, tenants }, bench.seed);
  const work: Work = { bench, stage, callers, seconds };
  try {
    const carried = await measureCapacity(work, Math.min(seconds, MOST_PROBE_SECONDS));
    const offered = Math.max(1, Math.round(carried * WORKING_SHARE));
    bench.say(`  carries ${carried.toFixed(0)}/s, is offered ${offered}/s`);
    const figures: Figure[] = [];
    for (const variant of VARIANTS) {
      // What the rounds before have left must not burden the calm.
      await runSql(stage.databaseUrl ?? '', 'vacuum analyze');
      const calm = await round(work, 'calm', offered);
      const neglected = await neglect(work, variant, offered);
      const after = await round(work, 'calm', offered);
      figures.push(...figuresOf(work, { variant, offered, calm, neglected, after }));
    }
    return figures;
  } finally {
    await Promise.all(callers.map(({ connection }) => connection.close()));
  }
}

interface Round extends WorkRound {
  /** By table. */
  readonly deadRows: Readonly<Record<string, number>>;
}

async function neglect(work: Work, { name, begin }: Variant, offered: number): Promise<readonly Round[]> {
  const end = await begin(work.stage.databaseUrl ?? '');
  const rounds: Round[] = [];
  try {
    for (let time = 0; time < work.bench.sizes.neglectRounds; time += 1) rounds.push(await round(work, name, offered));
  } finally {
    await end();
  }
  return rounds;
}

async function round(work: Work, name: string, offered: number): Promise<Round> {
  const done = { ...(await workRound(work, offered)), deadRows: await countDeadRows(work.stage) };
  const { perSecond, latency, cpuMicros } = done;
  work.bench.say(
    `  ${name}: ${perSecond.toFixed(0)}/s, p50/p99 ${latency.p50Ms.toFixed(1)}/${latency.p99Ms.toFixed(1)} ms, CPU ${cpuMicros.toFixed(0)} µs each, dead ${JSON.stringify(done.deadRows)}`,
  );
  return done;
}

async function countDeadRows(stage: Stage): Promise<Round['deadRows']> {
  const database = await openDatabase(stage);
  try {
    const rows = await database.query(
      'select relname, n_dead_tup from pg_stat_user_tables where n_dead_tup >= $1 order by n_dead_tup desc',
      [MENTIONED_DEAD_ROWS],
    );
    return Object.fromEntries(rows.map((row) => [String(row.relname), Number(row.n_dead_tup)]));
  } finally {
    await database.close();
  }
}

interface Measured {
  readonly variant: Variant;
  readonly offered: number;
  readonly calm: Round;
  readonly neglected: readonly Round[];
  readonly after: Round;
}

function figuresOf({ bench }: Work, { variant, offered, calm, neglected, after }: Measured): readonly Figure[] {
  const { name, wantedThroughput, limitsLatency } = variant;
  const last = neglected.at(-1) ?? after;
  const { neglectSeconds: seconds, neglectRounds: rounds } = bench.sizes;
  const detail = { offered, seconds, rounds, calm, neglected, after };
  const common = { database: bench.database, yardstick: { name: 'itself a ratio', value: 1 } };
  const complete = [calm, ...neglected, after].every(({ unsent, refused }) => unsent === 0 && refused === 0);
  const recovered = after.perSecond >= calm.perSecond * wantedThroughput;
  return [
    makeFigure(
      {
        ...common,
        name: `throughput beside ${name}, last round ÷ calm`,
        value: calm.perSecond === 0 ? 0 : last.perSecond / calm.perSecond,
        unit: '',
        limit: atLeast(wantedThroughput),
        detail,
      },
      complete && recovered,
    ),
    makeFigure({
      ...common,
      name: `post → network beside ${name}, p99 of the last round`,
      value: calm.latency.p99Ms === 0 ? 0 : last.latency.p99Ms / calm.latency.p99Ms,
      unit: '× calm',
      limit: limitsLatency ? atMost(WANTED_P99_RATIO) : noLimit,
      detail: { calm: calm.latency, last: last.latency, after: after.latency },
    }),
  ];
}
