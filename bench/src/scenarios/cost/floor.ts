import { startPlainServer } from '../../baseline/plain-server.ts';
import { atLeast, atMost, type Figure, makeFigure, noLimit } from '../../figure.ts';
import { openDatabase } from '../../harness/open-database.ts';
import type { Program } from '../../harness/process.ts';
import { API_KEY, PHONE_NUMBER_ID, readCounters } from '../../harness/server.ts';
import { APP_SECRET } from '../../harness/simulator.ts';
import { type Stage, UNLIMITED } from '../../harness/stage.ts';
import { median } from '../../median.ts';
import { type Counting, readProgress, STATUSES_PER_MESSAGE } from '../../progress.ts';
import { type Bench, onStage, type Scenario } from '../../scenario.ts';
import { openPlainRows, type PlainRows } from './plain-rows.ts';
import { ONE_BY_ONE, untilReported } from './until-reported.ts';

/** What both sides carry with ease, so that CPU time is that of messages which come one after the other. */
const EASY_PER_SECOND = 800;
const CONNECTIONS = 64;
const RECIPIENTS = 100_000;
const MICROS_PER_MS = 1_000;
const WANTED = {
  databaseShare: 3,
  serverShare: 1.25,
  wayShare: { postgres: 0.6, pglite: 0.45 },
  walBytes: 2_560,
} as const;

/**
 * What a message costs, compared with what it must cost: the same HTTP work without storage, and its rows by plain statements. In CPU time at an
 * easy rate, and in messages per second when they come as fast as they are accepted.
 */
export const floor: Scenario = {
  name: 'floor',
  databases: ['postgres', 'pglite'],
  run: (bench) => onStage(bench, { name: 'floor', settings: UNLIMITED }, (stage) => measure(bench, stage)),
};

interface Side extends Counting {
  readonly url: string;
  readonly program: Pick<Program, 'cpuMs'>;
}

/** What a round of one side came to. */
interface Way {
  readonly messages: number;
  readonly perSecond: number;
  /** Of the process that is measured, and of PostgreSQL. */
  readonly serverMicros: number;
  readonly databaseMicros: number;
  readonly walBytes: number;
}

interface Round {
  readonly ours: Way;
  readonly floor: Way;
}

async function measure(bench: Bench, stage: Stage): Promise<readonly Figure[]> {
  const ours: Side = { url: stage.server.url, program: stage.server, counters: stage.server.counters };
  const bare = await startFloor(bench, stage);
  for (const side of [ours, bare]) await carry(bench, stage, { side, ratePerSecond: null });
  const easy = await alternating(bench, stage, { ours, bare, ratePerSecond: EASY_PER_SECOND });
  const busy = await alternating(bench, stage, { ours, bare, ratePerSecond: null });
  const rowMicros = await costOfRows(bench, stage);
  return figures(bench, { easy, busy, rowMicros });
}

async function startFloor(bench: Bench, { simulator }: Stage): Promise<Side> {
  const program = await startPlainServer(bench, 'floor-main.js', [simulator.url, APP_SECRET, PHONE_NUMBER_ID]);
  return { url: program.url, program, counters: () => readCounters(`${program.url}/metrics`) };
}

interface Alternating {
  readonly ours: Side;
  readonly bare: Side;
  readonly ratePerSecond: number | null;
}

/** The first of a round alternates, so that a machine that slows down, or tables that grow, favor neither. */
async function alternating(bench: Bench, stage: Stage, sides: Alternating): Promise<readonly Round[]> {
  const { ours, bare, ratePerSecond } = sides;
  const rounds: Round[] = [];
  for (let turn = 0; turn < bench.sizes.floorRounds; turn += 1) {
    const ways = new Map<Side, Way>();
    for (const side of turn % 2 === 0 ? [ours, bare] : [bare, ours])
      ways.set(side, await carry(bench, stage, { side, ratePerSecond }));
    const [mine, floorWay] = [ways.get(ours), ways.get(bare)];
    if (mine !== undefined && floorWay !== undefined) rounds.push({ ours: mine, floor: floorWay });
  }
  return rounds;
}

/** Messages for the seconds of a round, until the last of their statuses is there. */
async function carry(
  { load, sizes, seed, postgres }: Bench,
  stage: Stage,
  { side, ratePerSecond }: { readonly side: Side; readonly ratePerSecond: number | null },
): Promise<Way> {
  await stage.simulator.control('PUT', '/_sim/config', { callback_url: `${side.url}/webhooks/meta`, ...ONE_BY_ONE });
  const wal = await walPosition(stage);
  const before = await readProgress(side, () => performance.now());
  const [serverMs, databaseMs] = [side.program.cpuMs(), postgres?.cpuMs() ?? 0];
  const { succeeded } = await load.run({
    ...{
      origin: side.url,
      key: API_KEY,
      connections: CONNECTIONS,
      durationMs: sizes.floorSeconds * 1000,
      ratePerSecond,
    },
    request: { kind: 'send', path: '/v1/messages', recipients: RECIPIENTS, seed },
  });
  const end = await untilReported(side, before.statuses + succeeded * STATUSES_PER_MESSAGE);
  const each = (ms: number) => (ms * MICROS_PER_MS) / succeeded;
  return {
    messages: succeeded,
    perSecond: (succeeded * 1000) / (end.atMs - before.atMs),
    serverMicros: each(side.program.cpuMs() - serverMs),
    databaseMicros: each((postgres?.cpuMs() ?? 0) - databaseMs),
    walBytes: ((await walPosition(stage)) - wal) / succeeded,
  };
}

/** Bytes of log that were ever written; 0 on the embedded database. */
async function walPosition({ databaseUrl, dataDir }: Stage): Promise<number> {
  if (databaseUrl === null) return 0;
  const db = await openDatabase({ databaseUrl, dataDir });
  try {
    const [row] = await db.query("select pg_current_wal_lsn() - '0/0' as bytes");
    return Number(row?.bytes ?? 0);
  } finally {
    await db.close();
  }
}

/**
 * CPU time of PostgreSQL for the rows of a message, in µs, while no process of the service works on it; null on the embedded database, and of a
 * server that is not ours, whose time nobody knows.
 */
async function costOfRows({ sizes, postgres, database, say }: Bench, stage: Stage): Promise<number | null> {
  const cpuMs = database === 'postgres' ? postgres?.cpuMs : undefined;
  if (cpuMs === undefined || cpuMs() === null) return null;
  const micros: number[] = [];
  await stage.replaceServer(UNLIMITED, async () => {
    // The time of a connection that is closed is seen some time later, so that all stay open.
    const opened: PlainRows[] = [];
    try {
      for (let turn = 0; turn < sizes.floorRounds; turn += 1) {
        const beforeMs = cpuMs() ?? 0;
        const rows = await openPlainRows(stage.databaseUrl ?? '');
        opened.push(rows);
        await rows.write(sizes.floorRows);
        micros.push((((cpuMs() ?? 0) - beforeMs) * MICROS_PER_MS) / sizes.floorRows);
      }
    } finally {
      for (const rows of opened) await rows.close();
    }
  });
  say(`  plain rows: ${micros.map((each) => each.toFixed(0)).join(', ')} µs each`);
  return median(micros);
}

interface Measured {
  readonly easy: readonly Round[];
  readonly busy: readonly Round[];
  /** Null where the time of the database is not known: on the embedded one it is part of the server's. */
  readonly rowMicros: number | null;
}

function figures(bench: Bench, { easy, busy, rowMicros }: Measured): readonly Figure[] {
  const { database } = bench;
  const of = (rounds: readonly Round[], value: (round: Round) => number) => median(rounds.map(value));
  const server = of(easy, ({ ours }) => ours.serverMicros);
  const bare = of(easy, (round) => round.floor.serverMicros);
  const [mine, most] = [of(busy, ({ ours }) => ours.perSecond), of(busy, (round) => round.floor.perSecond)];
  bench.say(
    `  ${server.toFixed(0)} µs of the server against ${bare.toFixed(0)}; ${mine.toFixed(0)}/s against ${most.toFixed(0)}/s`,
  );
  const common = { database, yardstick: { name: 'itself a ratio', value: 1 }, unit: '', detail: { easy, busy } };
  const all = [
    makeFigure({
      ...common,
      name: 'server CPU per message ÷ the same HTTP work without storage',
      value: server / bare,
      limit: database === 'postgres' ? atMost(WANTED.serverShare) : noLimit,
    }),
    makeFigure({
      ...common,
      name: 'whole way ÷ the same HTTP work without storage',
      value: of(busy, (round) => round.ours.perSecond / round.floor.perSecond),
      limit: atLeast(WANTED.wayShare[database]),
    }),
  ];
  if (rowMicros === null) return all;
  const databaseMicros = of(easy, ({ ours }) => ours.databaseMicros);
  bench.say(`  ${databaseMicros.toFixed(0)} µs of PostgreSQL against ${rowMicros.toFixed(0)} for plain rows`);
  return [
    ...all,
    makeFigure({
      ...{ ...common, detail: { databaseMicros, rowMicros } },
      name: 'database CPU per message ÷ its plain rows',
      value: databaseMicros / rowMicros,
      limit: atMost(WANTED.databaseShare),
    }),
    makeFigure({
      ...{ ...common, unit: 'bytes', yardstick: { name: 'the limit', value: WANTED.walBytes }, detail: {} },
      name: 'log (WAL) per message',
      value: of(easy, ({ ours }) => ours.walBytes),
      limit: atMost(WANTED.walBytes),
    }),
  ];
}
