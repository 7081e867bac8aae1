import {
  boundAhead,
  countAhead,
  type LaneFacts,
  laneStop,
  laneWaitReasons,
  type QueueWait,
  rateOf,
  secondsFor,
} from '#accounts/domain/lane-wait';
import { ruleForNetworkError } from '#core/network/network-errors';
import { queueState } from '#core/queue-state';

/** Why a message waits: for its sending number, or for something of its own. */
export const messageWaitReasons = [
  ...laneWaitReasons,
  'scheduled',
  'retry',
  'throttled',
  'pair_limit',
  'outcome_unknown',
  'held',
] as const;
export type MessageWaitReason = (typeof messageWaitReasons)[number];
export type MessageWaiting = QueueWait<MessageWaitReason>;

/** The row of a message in the queue. Times are milliseconds since 1970. */
export interface QueuedFacts {
  readonly state: number;
  /** Rank of its priority. */
  readonly priority: number;
  readonly dueMs: number;
  /** 0 or less: the operator must release it, since the database was restored. */
  readonly epoch: number | null;
  readonly sendAtMs: number | null;
  /** Its turn within the limit of its recipient is reserved. */
  readonly pairReserved: boolean;
  /** The code of the network's last answer, if the last thing that happened was a refusal that may pass. */
  readonly retryCode: number | null;
}

/** The moment of the read, and the rate of numbers that have none of their own. */
export interface WaitMoment {
  readonly nowMs: number;
  readonly numberRate: number;
}

/** What a message of the queue waits for; null while it is being sent. */
export function messageWaiting(queued: QueuedFacts, lane: LaneFacts, moment: WaitMoment): MessageWaiting | null {
  if (queued.state === queueState.claimed) return null;
  const ratePerSecond = rateOf(lane, moment.numberRate);
  if (queued.state === queueState.unknown) {
    const reason = queued.epoch !== null && queued.epoch <= 0 ? 'held' : 'outcome_unknown';
    return { reason, ahead: 0, isMoreAhead: false, ratePerSecond, etaSeconds: null };
  }
  const counted = boundAhead(countAhead(lane, queued.priority));
  const stop = stopOf(queued, lane, moment.nowMs);
  const reason =
    stop ?? ownReason(queued, moment.nowMs) ?? (counted.ahead > 0 && ratePerSecond !== null ? 'rate_limit' : 'queue');
  const etaSeconds = stop === null ? etaOf(queued, counted.ahead, ratePerSecond, moment.nowMs) : null;
  return { reason, ...counted, ratePerSecond, etaSeconds };
}

/** Seconds until its turn: its time, or that of those before it, whichever is later. */
function etaOf({ dueMs }: QueuedFacts, ahead: number, ratePerSecond: number | null, nowMs: number): number | null {
  const untilDue = Math.max(0, dueMs - nowMs) / 1000;
  const seconds = secondsFor(ahead, ratePerSecond);
  // Without a limit, what goes before it delays what is due later by nothing that counts.
  if (seconds === null) return untilDue > 0 ? Math.ceil(untilDue) : null;
  return Math.ceil(Math.max(seconds, untilDue));
}

/** What needs a person stops also what is due later; an outage or a missing process may be over by then. */
function stopOf(queued: QueuedFacts, lane: LaneFacts, nowMs: number) {
  const stop = laneStop(lane);
  const mayEnd = stop === 'network_outage' || stop === 'no_sender';
  return mayEnd && isScheduled(queued, nowMs) ? null : stop;
}

function isScheduled({ dueMs, sendAtMs }: QueuedFacts, nowMs: number): boolean {
  return dueMs > nowMs && dueMs === sendAtMs;
}

/** Why the message itself may not leave before its time; null when it may leave now. */
function ownReason(queued: QueuedFacts, nowMs: number): MessageWaitReason | null {
  if (queued.dueMs <= nowMs) return null;
  if (queued.pairReserved) return 'pair_limit';
  if (isScheduled(queued, nowMs)) return 'scheduled';
  if (queued.retryCode === null) return 'retry';
  const { retryClass } = ruleForNetworkError(queued.retryCode, null);
  if (retryClass === 'pair_rate') return 'pair_limit';
  return retryClass === 'rate' ? 'throttled' : 'retry';
}
