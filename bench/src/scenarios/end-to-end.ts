import { atLeast, type Figure, makeFigure } from '../figure.ts';
import { API_KEY } from '../harness/server.ts';
import { type Stage, UNLIMITED } from '../harness/stage.ts';
import type { LoadJob, LoadResult } from '../load/job.ts';
import {
  isSteady,
  type Progress,
  STATUSES_PER_MESSAGE,
  unfinished,
  unsent,
  type Watch,
  watchProgress,
  wholeWayRate,
} from '../progress.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';
import { plainRate } from './support/plain-rate.ts';
import { runWatched } from './support/watched-load.ts';

const WANTED_PER_SECOND = { postgres: 5_000, pglite: 3_500 } as const;
/** Enough that the offered rate never waits for a connection: what is measured is the service, not its callers. */
const CONNECTIONS = 256;
const RECIPIENTS = 200_000;
/** Left out at the start: compilers warm up, the first statuses are still on their way. */
const WARM_UP_SHARE = 0.1;
const DRAIN_TIMEOUT_MS = 120_000;

/**
 * Post → sent → three statuses ingested, at a rate that does not wait for anybody. The rate is that of the slowest
 * stage; it counts only when neither the unsent nor the unfinished messages grow. Otherwise it is shown until the last one is finished.
 */
export const endToEnd: Scenario = {
  name: 'end-to-end',
  databases: ['postgres', 'pglite'],
  run: (bench) => onStage(bench, { name: 'end-to-end', settings: UNLIMITED }, (stage) => measure(bench, stage)),
};

async function measure(bench: Bench, stage: Stage): Promise<readonly Figure[]> {
  const { database, sizes } = bench;
  const offered = bench.offeredRate ?? Math.round(WANTED_PER_SECOND[database] * sizes.offeredShare);
  const plain = await plainRate(bench);
  const { result: load, watch } = await runWatched(bench.load, stage.server, job(bench, stage.server.url, offered));
  const endMs = performance.now() + DRAIN_TIMEOUT_MS;
  const after = await watchProgress(stage.server, (latest) => unfinished(latest) <= 0 || performance.now() > endMs);
  const loaded = loadedSamples(watch.samples, sizes.steadySeconds * 1000);
  bench.say(lines(loaded));
  return [figure({ bench, watch, after, loaded, load, offered, plain })];
}

function job(bench: Bench, origin: string, ratePerSecond: number): LoadJob {
  const request = { kind: 'send', path: '/v1/messages', recipients: RECIPIENTS, seed: bench.seed } as const;
  return {
    origin,
    key: API_KEY,
    connections: CONNECTIONS,
    durationMs: bench.sizes.steadySeconds * 1000,
    ratePerSecond,
    request,
  };
}

/** Samples while the load ran, without the warm-up. */
function loadedSamples(samples: readonly Progress[], durationMs: number): readonly Progress[] {
  const startMs = samples[0]?.atMs ?? 0;
  return samples.filter(({ atMs }) => atMs >= startMs + durationMs * WARM_UP_SHARE && atMs <= startMs + durationMs);
}

interface Measured {
  readonly bench: Bench;
  readonly watch: Watch;
  readonly after: Watch;
  readonly loaded: readonly Progress[];
  readonly load: LoadResult;
  readonly offered: number;
  readonly plain: number;
}

function figure({ bench, watch, after, loaded, load, offered, plain }: Measured): Figure {
  const end = after.samples.at(-1);
  const inWindow = rateBetween(loaded[0], loaded.at(-1));
  // In a window of seconds, a slow machine may end nothing.
  const steady = isSteady(loaded, offered, unsent) && isSteady(loaded, offered, unfinished) && inWindow > 0;
  const value = steady ? inWindow : rateBetween(loaded[0] ?? watch.samples[0], end);
  const complete =
    end !== undefined && end.statuses === end.accepted * STATUSES_PER_MESSAGE && end.accepted === load.succeeded;
  const detail = {
    offeredPerSecond: offered,
    seconds: bench.sizes.steadySeconds,
    steady,
    everyStatusIngested: complete,
    maxUnsent: Math.max(0, ...loaded.map(unsent)),
    maxUnfinished: Math.round(Math.max(0, ...loaded.map(unfinished))),
    peakMb: Math.round(Math.max(watch.peakMb, after.peakMb)),
    acceptLatency: load.latency,
    outcomes: load.outcomes,
    accepted: load.succeeded,
  };
  return makeFigure(
    {
      name: 'end to end, steady',
      database: bench.database,
      value,
      unit: 'messages/s',
      limit: atLeast(WANTED_PER_SECOND[bench.database]),
      yardstick: { name: 'requests/s of the route without storage', value: plain },
      detail,
    },
    steady && complete,
  );
}

function rateBetween(first: Progress | undefined, last: Progress | undefined): number {
  return first && last ? wholeWayRate(first, last) : 0;
}

function lines(samples: readonly Progress[]): string {
  const every = Math.max(1, Math.floor(samples.length / 6));
  const shown = samples.filter((_, index) => index % every === 0);
  return shown
    .map(
      (sample) =>
        `  accepted ${sample.accepted}, unsent ${unsent(sample)}, unfinished ${Math.round(unfinished(sample))}`,
    )
    .join('\n');
}
