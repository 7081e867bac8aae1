import { pause } from './harness/pause.ts';
import type { Server } from './harness/server.ts';

/** Whatever counts what it has done. */
export type Counting = Pick<Server, 'counters'>;

/** How far the messages of a server have come; each counts all since it started. */
export interface Progress {
  readonly atMs: number;
  readonly accepted: number;
  readonly sent: number;
  readonly statuses: number;
}

export const STATUSES_PER_MESSAGE = 3;

/** @param nowMs monotonic */
export async function readProgress(server: Counting, nowMs: () => number): Promise<Progress> {
  const counters = await server.counters();
  const of = (name: string): number => counters.get(name) ?? 0;
  return {
    atMs: nowMs(),
    accepted: of('postrider_messages_accepted_total'),
    sent: of('postrider_sends_total{outcome="accepted"}'),
    statuses: of('postrider_callback_items_total{kind="status"}'),
  };
}

export interface Watch {
  readonly samples: readonly Progress[];
  /** Largest resident memory of the server that was seen, MB. */
  readonly peakMb: number;
}

const SAMPLE_MS = 500;

/** Samples progress twice a second until `until` says that it is over. */
export async function watchProgress(server: Server, until: (latest: Progress) => boolean): Promise<Watch> {
  const samples: Progress[] = [];
  let peakMb = 0;
  while (true) {
    const sample = await readProgress(server, () => performance.now());
    samples.push(sample);
    peakMb = Math.max(peakMb, server.residentMb());
    if (until(sample)) return { samples, peakMb };
    await pause(SAMPLE_MS);
  }
}

/** Messages per second that made the whole way between two samples: the slowest stage counts. */
export function wholeWayRate(from: Progress, to: Progress): number {
  const seconds = (to.atMs - from.atMs) / 1000;
  const sent = to.sent - from.sent;
  const reported = (to.statuses - from.statuses) / STATUSES_PER_MESSAGE;
  return seconds <= 0 ? 0 : Math.min(sent, reported) / seconds;
}

/**
 * True when the queue does not grow: over the last third of the samples the mean backlog is at most the mean of the
 * middle third plus what half a second adds.
 * @param waiting how many wait at a sample
 */
export function isSteady(
  samples: readonly Progress[],
  ratePerSecond: number,
  waiting: (sample: Progress) => number,
): boolean {
  const third = Math.floor(samples.length / 3);
  if (third === 0) return false;
  const mean = (part: readonly Progress[]): number =>
    part.reduce((sum, sample) => sum + waiting(sample), 0) / part.length;
  return mean(samples.slice(-third)) <= mean(samples.slice(third, -third)) + ratePerSecond / 2;
}

/** Messages that are accepted and not yet sent. */
export function unsent(sample: Progress): number {
  return sample.accepted - sample.sent;
}

/** Messages whose statuses are not all ingested, sent or not. */
export function unfinished(sample: Progress): number {
  return sample.accepted - sample.statuses / STATUSES_PER_MESSAGE;
}
