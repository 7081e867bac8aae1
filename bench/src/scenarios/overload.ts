import { atMost, type Figure, makeFigure, noLimit } from '../figure.ts';
import { openDatabase } from '../harness/open-database.ts';
import { API_KEY, type Server } from '../harness/server.ts';
import { type Stage, UNLIMITED } from '../harness/stage.ts';
import type { LoadResult } from '../load/job.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';
import { seedTenants } from './support/seed-tenants.ts';

const SETTINGS = { ...UNLIMITED, MESSAGING_ROLES: 'api' } as const;
/** A statement takes so long that the generator can offer several times what the database stores, on any machine. */
const STATEMENT_S = 0.5;
const OTHER_TENANTS = 3;
/**
 * As many wait in closed loop as statements in flight and the next ones take: no request is refused, and no statement
 * is idle.
 */
const PROBE_CONNECTIONS = 1_500;
/** More than may ever wait; a server that refuses nothing has this many waiting. */
const CONNECTIONS = 8_000;
/** Several times as long as a statement takes. */
const LEAST_MS = 2_000;
const CALM_SHARE = 0.6;
const OVERLOAD = 5;
const WANTED_RATIO = 2;
const WANTED_MB = 350;
const FIRST_RECIPIENT = 15_558_000_000;
const ALLOWED = new Set(['202', '429', '503']);

/**
 * Five times as many posts as the database stores, at times that no answer changes, from several tenants: how long those
 * take that are accepted, against a calm round. The database is slow by a trigger, so that it is the bottleneck.
 */
export const overload: Scenario = {
  name: 'overload',
  databases: ['postgres', 'pglite'],
  run: (bench) => onStage(bench, { name: 'overload', settings: SETTINGS }, (stage) => prepare(bench, stage)),
};

async function prepare(bench: Bench, stage: Stage): Promise<readonly Figure[]> {
  let keys: readonly string[] = [];
  const server = await stage.replaceServer(SETTINGS, async () => {
    const tenants = await seedTenants(stage, { count: OTHER_TENANTS, nowMs: Date.now() });
    keys = [API_KEY, ...tenants.map(({ key }) => key)];
    await makeSlow(stage);
  });
  const rounds = await measure(bench, server, keys);
  const peakMb = server.peakMb();
  let stored: ReadonlySet<number> = new Set();
  await stage.replaceServer(SETTINGS, async () => {
    stored = await storedRecipients(stage);
  });
  return figures(bench, { rounds, stored, peakMb });
}

async function makeSlow(stage: Stage): Promise<void> {
  const database = await openDatabase(stage);
  try {
    await database.query(
      `create function bench_slow() returns trigger language plpgsql as 'begin perform pg_sleep(${STATEMENT_S}); return null; end'`,
    );
    await database.query(
      'create trigger bench_slow before insert on outbound_messages for each statement execute function bench_slow()',
    );
  } finally {
    await database.close();
  }
}

async function storedRecipients(stage: Stage): Promise<ReadonlySet<number>> {
  const database = await openDatabase(stage);
  try {
    const rows = await database.query('select to_phone from outbound_messages');
    return new Set(rows.map((row) => Number(row.to_phone)));
  } finally {
    await database.close();
  }
}

interface Rounds {
  readonly capacity: number;
  readonly idleMb: number;
  readonly calm: readonly LoadResult[];
  readonly overloaded: readonly LoadResult[];
}

async function measure(bench: Bench, server: Server, keys: readonly string[]): Promise<Rounds> {
  const { load, sizes, say } = bench;
  const idleMb = server.residentMb();
  let first = FIRST_RECIPIENT;
  const run = async (connections: number, ratePerSecond: number | null): Promise<LoadResult> => {
    const durationMs = Math.max(sizes.overloadSeconds * 1000, LEAST_MS);
    const request = { kind: 'numbered', path: '/v1/messages', keys, first } as const;
    const job = { origin: server.url, key: API_KEY, connections, durationMs, ratePerSecond, request };
    const result = await load.run({ ...job, dropsWhenBusy: true });
    first += result.requests;
    return result;
  };
  // Once uncounted: the server has just started.
  await run(PROBE_CONNECTIONS, null);
  const { perSecond: capacity } = await run(PROBE_CONNECTIONS, null);
  const [calm, overloaded]: [LoadResult[], LoadResult[]] = [[], []];
  for (let round = 0; round < sizes.overloadRounds; round += 1) {
    calm.push(await run(CONNECTIONS, capacity * CALM_SHARE));
    overloaded.push(await run(CONNECTIONS, capacity * OVERLOAD));
  }
  const outcomes = overloaded.map((one) => JSON.stringify(one.outcomes)).join(' ');
  say(
    `  stores ${capacity.toFixed(0)}/s; p99 ${worstP99(calm)} ms calm, ${worstP99(overloaded)} ms overloaded: ${outcomes}`,
  );
  return { capacity, idleMb, calm, overloaded };
}

function worstP99(rounds: readonly LoadResult[]): number {
  return Math.round(Math.max(...rounds.map(({ latency }) => latency.p99Ms)));
}

interface Measured {
  readonly rounds: Rounds;
  readonly stored: ReadonlySet<number>;
  readonly peakMb: number;
}

function figures({ database }: Bench, { rounds, stored, peakMb }: Measured): readonly Figure[] {
  const { capacity, idleMb, calm, overloaded } = rounds;
  const all = [...calm, ...overloaded];
  const missing = all.flatMap(({ accepted }) => accepted).filter((recipient) => !stored.has(recipient)).length;
  const others = all.flatMap(({ outcomes }) => Object.keys(outcomes)).filter((status) => !ALLOWED.has(status));
  const refused = overloaded.reduce((sum, { refusals }) => sum + refusals.count, 0);
  const detail = {
    storedPerSecond: capacity,
    statementSeconds: STATEMENT_S,
    connections: CONNECTIONS,
    calm: calm.map(summary),
    overloaded: overloaded.map(summary),
    acceptedAndNotStored: missing,
  };
  const p99 = makeFigure(
    {
      name: `accepted while ${OVERLOAD} times as much is offered as can be stored, p99`,
      database,
      value: worstP99(calm) === 0 ? 0 : worstP99(overloaded) / worstP99(calm),
      unit: '× calm',
      limit: atMost(WANTED_RATIO),
      yardstick: { name: 'itself a ratio', value: 1 },
      detail,
    },
    missing === 0 && others.length === 0 && refused > 0,
  );
  const memory = makeFigure({
    name: `server memory while ${OVERLOAD} times as much is offered`,
    database,
    value: peakMb,
    unit: 'MB',
    // The embedded database lives in the same process.
    limit: database === 'postgres' ? atMost(WANTED_MB) : noLimit,
    yardstick: { name: 'the same server idle', value: idleMb },
    detail: { connections: CONNECTIONS },
  });
  return [p99, memory];
}

function summary({ outcomes, dropped, latency, refusals }: LoadResult) {
  return { outcomes, dropped, accepted: latency, refused: refusals };
}
