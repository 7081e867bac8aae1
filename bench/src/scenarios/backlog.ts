import { atLeast, type Figure, makeFigure } from '../figure.ts';
import { API_KEY } from '../harness/server.ts';
import { type Stage, UNLIMITED } from '../harness/stage.ts';
import { type Progress, STATUSES_PER_MESSAGE, watchProgress, wholeWayRate } from '../progress.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';
import { plainRate } from './support/plain-rate.ts';

const WANTED_PER_SECOND = { postgres: 8_000, pglite: 5_000 } as const;
const CONNECTIONS = 64;
const RECIPIENTS = 200_000;
const TIMEOUT_MS = 180_000;
/** Both ends are left out: the start, and the last statuses of an already empty queue. */
const FIRST_SHARE = 0.05;
const LAST_SHARE = 0.95;

/** A backlog that was posted while nothing was sent; then the same database is started with all roles, and sends. */
export const backlog: Scenario = {
  name: 'backlog',
  databases: ['postgres', 'pglite'],
  run: (bench) => {
    const settings = { ...UNLIMITED, MESSAGING_ROLES: 'api' };
    return onStage(bench, { name: 'backlog', settings }, (stage) => measure(bench, stage));
  },
};

async function measure(bench: Bench, stage: Stage): Promise<readonly Figure[]> {
  const posted = await fill(bench, stage);
  const plain = await plainRate(bench);
  let startMs = 0;
  const server = await stage.replaceServer(UNLIMITED, async () => {
    startMs = performance.now();
  });
  const endMs = performance.now() + TIMEOUT_MS;
  const allStatuses = posted * STATUSES_PER_MESSAGE;
  const { samples, peakMb } = await watchProgress(
    server,
    (latest) => latest.statuses >= allStatuses || performance.now() > endMs,
  );
  const drained = samples.at(-1)?.statuses === allStatuses;
  const [from, to] = middle([{ atMs: startMs, accepted: 0, sent: 0, statuses: 0 }, ...samples], posted);
  const value = from && to ? wholeWayRate(from, to) : 0;
  const seconds = ((samples.at(-1)?.atMs ?? 0) - (samples[0]?.atMs ?? 0)) / 1000;
  const detail = { messages: posted, seconds, everyStatusIngested: drained, peakMb: Math.round(peakMb) };
  const yardstick = { name: 'requests/s of the route without storage', value: plain };
  const limit = atLeast(WANTED_PER_SECOND[bench.database]);
  const name = 'draining a backlog';
  return [makeFigure({ name, database: bench.database, value, unit: 'messages/s', limit, yardstick, detail }, drained)];
}

/** Posts until there are enough. @returns how many were accepted */
async function fill(bench: Bench, stage: Stage): Promise<number> {
  let posted = 0;
  while (posted < bench.sizes.backlogMessages) {
    const request = { kind: 'send', path: '/v1/messages', recipients: RECIPIENTS, seed: bench.seed + posted } as const;
    const durationMs = Math.min(1_000, bench.sizes.backlogMessages);
    const job = {
      origin: stage.server.url,
      key: API_KEY,
      connections: CONNECTIONS,
      durationMs,
      ratePerSecond: null,
      request,
    };
    const { succeeded } = await bench.load.run(job);
    if (succeeded === 0) throw new Error('The server accepts nothing: there will be no backlog.');
    posted += succeeded;
  }
  bench.say(`  posted ${posted}`);
  return posted;
}

/**
 * The samples between which most of the backlog was sent; from the start of the process when it was sent within one
 * sample.
 */
function middle(samples: readonly Progress[], posted: number): readonly [Progress | undefined, Progress | undefined] {
  const from = samples.find((sample) => sample.sent >= posted * FIRST_SHARE);
  const to = samples.find((sample) => sample.statuses >= posted * STATUSES_PER_MESSAGE * LAST_SHARE);
  // All of it may have been sent before the first sample: then there is nothing between the two.
  const useful = from !== undefined && to !== undefined && to.atMs > from.atMs && to.sent > from.sent;
  return useful ? [from, to] : [samples[0], samples.at(-1)];
}
