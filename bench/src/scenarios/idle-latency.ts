import { readLedger } from '../chaos/ledger.ts';
import { atMost, type Figure, makeFigure } from '../figure.ts';
import { pause } from '../harness/pause.ts';
import { API_KEY } from '../harness/server.ts';
import { type Stage, UNLIMITED } from '../harness/stage.ts';
import { Histogram } from '../histogram.ts';
import { Connection, refusalOf } from '../load/connection.ts';
import { seededRandom } from '../random.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';

const WANTED_P50_MS = 15;
const WANTED_P99_MS = 50;
/** Posts far enough apart that each finds an idle service; jittered, so that no poll is met by chance. */
const LEAST_GAP_MS = 40;
const MOST_GAP_MS = 90;
const SETTLE_MS = 500;
const FIRST_RECIPIENT = 15_553_000_000;

/** From the moment a post leaves the caller to the network's accept, one message at a time. Clocks: one machine, milliseconds. */
export const idleLatency: Scenario = {
  name: 'idle-latency',
  databases: ['postgres', 'pglite'],
  run: (bench) => onStage(bench, { name: 'idle-latency', settings: UNLIMITED }, (stage) => measure(bench, stage)),
};

async function measure(bench: Bench, stage: Stage): Promise<readonly Figure[]> {
  const count = bench.sizes.idleRequests + bench.sizes.idleWarmUp;
  const plain = await roundTrips(bench, bench.plain.url, { count, first: FIRST_RECIPIENT });
  const posted = await roundTrips(bench, stage.server.url, { count, first: FIRST_RECIPIENT });
  await pause(SETTLE_MS);
  const postedAt = new Map(posted.map(({ to, atMs }) => [to, atMs]));
  const latency = new Histogram();
  for (const { to, acceptedAtMs } of readLedger(stage.simulator.ledgerFile)) {
    const atMs = postedAt.get(to);
    if (atMs === undefined) continue;
    if (acceptedAtMs < atMs)
      throw new Error(
        `The network accepted a message to ${to} before it was posted: the records do not belong together.`,
      );
    latency.record(acceptedAtMs - atMs);
  }
  const yard = new Histogram();
  for (const { tookMs } of plain) yard.record(tookMs);
  return figures(bench, latency, yard);
}

interface Posted {
  readonly to: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly tookMs: number;
}

/** @returns the round trips after the warm-up @throws Error when one is not accepted */
async function roundTrips(
  { seed, sizes }: Bench,
  origin: string,
  { count, first }: { readonly count: number; readonly first: number },
): Promise<readonly Posted[]> {
  const random = seededRandom(seed);
  const connection = new Connection(origin);
  const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };
  const posted: Posted[] = [];
  for (let index = 0; index < count; index += 1) {
    await pause(random.between(LEAST_GAP_MS, MOST_GAP_MS));
    const to = String(first + index);
    const [atMs, startMs] = [Date.now(), performance.now()];
    const body = JSON.stringify({ to, body: 'Your code is 471 100.' });
    const refusal = await refusalOf(connection, { method: 'POST', path: '/v1/messages', headers, body });
    if (refusal !== null) throw new Error(refusal);
    posted.push({ to, atMs, tookMs: performance.now() - startMs });
  }
  await connection.close();
  return posted.slice(sizes.idleWarmUp);
}

function figures({ database, sizes }: Bench, latency: Histogram, yard: Histogram): readonly Figure[] {
  const [ours, plain] = [latency.summary(), yard.summary()];
  const complete = ours.count === sizes.idleRequests;
  const detail = { latency: ours, plainRoundTrip: plain, everyMessageSent: complete };
  const common = { database, unit: 'ms', detail } as const;
  const name = 'idle, post → network';
  return [
    makeFigure(
      {
        ...common,
        name: `${name}, p50`,
        value: ours.p50Ms,
        limit: atMost(WANTED_P50_MS),
        yardstick: { name: 'p50 of a plain round trip', value: plain.p50Ms },
      },
      complete,
    ),
    makeFigure(
      {
        ...common,
        name: `${name}, p99`,
        value: ours.p99Ms,
        limit: atMost(WANTED_P99_MS),
        yardstick: { name: 'p99 of a plain round trip', value: plain.p99Ms },
      },
      complete,
    ),
  ];
}
