import { pollUntil } from '../../harness/pause.ts';
import { type Counting, type Progress, readProgress } from '../../progress.ts';

/**
 * Settings of the simulator with which each status is a callback of its own, as nearly always at the network. There are as many connections as
 * a receiver needs that takes its time: the network allows 250 ms for an answer.
 */
export const ONE_BY_ONE = { callback_batch_max: 1, callback_connections: 128 };
const WITHIN_MS = 180_000;
const LOOK_MS = 100;

/** Waits until so many statuses have been applied since the start of `side`. @returns how far it is then */
export function untilReported(side: Counting, statuses: number): Promise<Progress> {
  return pollUntil({
    what: 'statuses are missing',
    everyMs: LOOK_MS,
    timeoutMs: WITHIN_MS,
    probe: async () => {
      const now = await readProgress(side, () => performance.now());
      return now.statuses >= statuses ? now : null;
    },
  });
}
