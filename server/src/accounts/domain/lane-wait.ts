import { PRIORITY_WEIGHTS } from '#core/priority-weights';

/** What keeps a whole sending number, or what its messages wait for. */
export const laneWaitReasons = ['number_paused', 'network_outage', 'no_sender', 'rate_limit', 'queue'] as const;
export type LaneWaitReason = (typeof laneWaitReasons)[number];

/** Why something waits, how much goes before it, and for how long that takes. */
export interface QueueWait<Reason extends string> {
  readonly reason: Reason;
  /** Messages that go before it, at most `MOST_AHEAD`. */
  readonly ahead: number;
  /** There are more than that. */
  readonly isMoreAhead: boolean;
  /** Messages per second that may leave; null: no limit. */
  readonly ratePerSecond: number | null;
  /** Seconds until its turn, at least; null: nobody can say. */
  readonly etaSeconds: number | null;
}

/** Further ones are not counted: a read must not cost more because more waits. */
export const MOST_AHEAD = 10_000;

/** What is known of the lane of a sending number. */
export interface LaneFacts {
  readonly isPaused: boolean;
  /** Some process sends from it. */
  readonly hasSender: boolean;
  /** That process holds everything back, because the network does not answer. */
  readonly hasOutage: boolean;
  /** Messages per second of this number; null: as the installation has it; 0: no limit. */
  readonly ratePerSecond: number | null;
  /** Those of each priority that are ready before a place in the queue, each count at most `MOST_AHEAD + 1`. */
  readonly before: readonly number[];
}

/** What holds the whole lane until somebody acts or something ends, if anything does. */
export function laneStop({ isPaused, hasOutage, hasSender }: LaneFacts): LaneWaitReason | null {
  if (isPaused) return 'number_paused';
  if (!hasSender) return 'no_sender';
  return hasOutage ? 'network_outage' : null;
}

/** What may leave in a second; null: there is no limit. @param numberRate that of numbers without one of their own */
export function rateOf({ ratePerSecond }: LaneFacts, numberRate: number): number | null {
  const rate = ratePerSecond ?? numberRate;
  return rate === 0 ? null : rate;
}

/**
 * How many go before a message of this priority. Those of its own are all of the older ones. Of every other priority as many go as its
 * weight gives it in the turns that the message waits (`queue/lane.ts`), at most those that are there.
 */
export function countAhead({ before }: LaneFacts, priority: number): number {
  const own = before[priority] ?? 0;
  const weightOf = (rank: number) => PRIORITY_WEIGHTS[rank] ?? 1;
  return before.reduce((ahead, waiting, rank) => {
    if (rank === priority) return ahead;
    return ahead + Math.min(waiting, Math.floor(((own + 1) * weightOf(rank)) / weightOf(priority)));
  }, own);
}

/** Bounds what was counted. */
export function boundAhead(ahead: number): Pick<QueueWait<string>, 'ahead' | 'isMoreAhead'> {
  return { ahead: Math.min(ahead, MOST_AHEAD), isMoreAhead: ahead > MOST_AHEAD };
}

/** Seconds that so many take at this rate; null: without a limit nobody can say, unless there are none. */
export function secondsFor(ahead: number, ratePerSecond: number | null): number | null {
  if (ahead === 0) return 0;
  return ratePerSecond === null ? null : ahead / ratePerSecond;
}

/** What the due messages of a sending number wait for; null when none is due. */
export function numberWaiting(lane: LaneFacts, numberRate: number): QueueWait<LaneWaitReason> | null {
  const due = lane.before.reduce((sum, count) => sum + count, 0);
  if (due === 0) return null;
  const stop = laneStop(lane);
  const ratePerSecond = rateOf(lane, numberRate);
  const counted = boundAhead(due);
  const seconds = stop === null ? secondsFor(counted.ahead, ratePerSecond) : null;
  return {
    reason: stop ?? (ratePerSecond === null ? 'queue' : 'rate_limit'),
    ...counted,
    ratePerSecond,
    etaSeconds: seconds === null ? null : Math.ceil(seconds),
  };
}
