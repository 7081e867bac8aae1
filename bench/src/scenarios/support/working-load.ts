import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseLedger } from '../../chaos/ledger.ts';
import { API_KEY } from '../../harness/server.ts';
import type { Stage } from '../../harness/stage.ts';
import { Histogram, type LatencySummary } from '../../histogram.ts';
import type { LoadJob } from '../../load/job.ts';
import { type Progress, unfinished, watchProgress, wholeWayRate } from '../../progress.ts';
import type { Bench } from '../../scenario.ts';
import { type Caller, post } from './quiet-callers.ts';
import { runWatched } from './watched-load.ts';

const CONNECTIONS = 64;
const RECIPIENTS = 200_000;
/** Left out at the start of a round: the first statuses are still on their way. */
const WARM_UP_SHARE = 0.1;
const DRAIN_WITHIN_MS = 60_000;
const MICROS_PER_MS = 1_000;

/** What a service at work came to in some seconds. */
export interface WorkRound {
  /** Messages that made the whole way, from the post to the last status. */
  readonly perSecond: number;
  /** From the post of a caller to the network's accept. One that was not sent in time counts with the time that it waited. */
  readonly latency: LatencySummary;
  readonly unsent: number;
  readonly refused: number;
  /** CPU time of the service and the database per message. */
  readonly cpuMicros: number;
}

/** Who works, and where. */
export interface Work {
  readonly bench: Bench;
  readonly stage: Stage;
  /** They post beside the load, to separate recipients, and their messages are timed. */
  readonly callers: readonly Caller[];
  readonly seconds: number;
}

/**
 * Messages per second that make the whole way while callers post as fast as they are answered. Ends with all of them
 * reported.
 */
export async function measureCapacity({ bench, stage }: Work, seconds: number): Promise<number> {
  const { samples } = await underLoad({ bench, stage, seconds, ratePerSecond: null });
  const [from, to] = [samples[0], samples.at(-1)];
  await drain(stage);
  return from && to ? wholeWayRate(from, to) : 0;
}

/** Callers post at a fixed rate. Ends when every message was reported, or a minute later. */
export async function workRound(work: Work, ratePerSecond: number): Promise<WorkRound> {
  const { bench, stage, callers, seconds } = work;
  // The network forgets the messages of earlier rounds, which all have ended.
  await stage.simulator.control('POST', '/_sim/reset');
  const posted = new Map<string, number>();
  const cpuMs = (): number => stage.server.cpuMs() + (bench.postgres?.cpuMs() ?? 0);
  const beforeMs = cpuMs();
  const endMs = Date.now() + seconds * 1000;
  const [{ samples, succeeded, refused }] = await Promise.all([
    underLoad({ bench, stage, seconds, ratePerSecond }),
    ...callers.map((caller) => post(caller, posted, endMs)),
  ]);
  const usedMs = cpuMs() - beforeMs;
  await drain(stage);
  const [from, to] = [samples[0], samples.at(-1)];
  return {
    perSecond: from && to ? wholeWayRate(from, to) : 0,
    ...(await timesOf(stage.simulator.ledgerFile, posted)),
    refused,
    cpuMicros: (usedMs * MICROS_PER_MS) / Math.max(1, succeeded + posted.size),
  };
}

interface Load extends Pick<Work, 'bench' | 'stage' | 'seconds'> {
  readonly ratePerSecond: number | null;
}

interface Loaded {
  /** Progress while the load ran, without the warm-up. */
  readonly samples: readonly Progress[];
  readonly succeeded: number;
  readonly refused: number;
}

async function underLoad({ bench, stage, seconds, ratePerSecond }: Load): Promise<Loaded> {
  const request = { kind: 'send', path: '/v1/messages', recipients: RECIPIENTS, seed: bench.seed } as const;
  const durationMs = seconds * 1000;
  const job: LoadJob = {
    origin: stage.server.url,
    key: API_KEY,
    connections: CONNECTIONS,
    durationMs,
    ratePerSecond,
    request,
  };
  const startMs = performance.now();
  const { result, watch } = await runWatched(bench.load, stage.server, job);
  const { requests, succeeded } = result;
  const [fromMs, toMs] = [startMs + durationMs * WARM_UP_SHARE, startMs + durationMs];
  return {
    samples: watch.samples.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs),
    succeeded,
    refused: requests - succeeded,
  };
}

async function drain({ server }: Stage): Promise<void> {
  const endMs = performance.now() + DRAIN_WITHIN_MS;
  await watchProgress(server, (latest) => unfinished(latest) <= 0 || performance.now() > endMs);
}

/** @param posted by recipient: when it was posted, milliseconds since 1970 */
async function timesOf(
  ledgerFile: string,
  posted: ReadonlyMap<string, number>,
): Promise<Pick<WorkRound, 'latency' | 'unsent'>> {
  const waiting = new Map(posted);
  const latency = new Histogram();
  // A line at a time: the ledger of a long round is larger than a string may be.
  for await (const line of createInterface({ input: createReadStream(ledgerFile) })) {
    const [accept] = parseLedger(line);
    const postedMs = waiting.get(accept?.to ?? '');
    if (accept === undefined || postedMs === undefined) continue;
    latency.record(accept.acceptedAtMs - postedMs);
    waiting.delete(accept.to);
  }
  for (const postedMs of waiting.values()) latency.record(Date.now() - postedMs);
  return { latency: latency.summary(), unsent: waiting.size };
}
