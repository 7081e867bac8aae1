import type { RetryClass } from '#core/network/network-errors';

interface RetryPolicy {
  /** Wait after the first failed attempt, before jitter. */
  readonly baseMs: number;
  /** Each further attempt multiplies the wait by this. */
  readonly factor: number;
  readonly capMs: number;
  /** Retries in all; the validity of the message usually ends it sooner. */
  readonly maxRetries: number;
  /**
   * Part of the wait that jitter never removes: without it a retry could be immediate. 1 = no jitter below the wait.
   */
  readonly floorShare: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A longer wait is the fault of something in between, and must not use up the validity of the message. */
export const MAX_RETRY_AFTER_MS = HOUR;

/** Jitter spreads what failed together over the wait, but never below a tenth of it. */
const FLOOR_SHARE = 0.1;

export const retryPolicies: Readonly<Record<RetryClass, RetryPolicy | null>> = {
  // 200 retries at up to 15 min last longer than the default validity of 24 h, so an outage of hours loses nothing.
  transient: { baseMs: 2 * SECOND, factor: 2, capMs: 15 * MINUTE, maxRetries: 200, floorShare: FLOOR_SHARE },
  transient_once: { baseMs: 2 * SECOND, factor: 2, capMs: 15 * MINUTE, maxRetries: 1, floorShare: FLOOR_SHARE },
  // The number's bucket does the slowing down; 3,000 retries at up to a minute again outlast the default validity.
  rate: { baseMs: SECOND, factor: 2, capMs: MINUTE, maxRetries: 3000, floorShare: FLOOR_SHARE },
  // 4^k s, k from 0, is the network's own rule. After 45 × 6 s = 270 s an exhausted pair is whole again.
  pair_rate: { baseMs: SECOND, factor: 4, capMs: 270 * SECOND, maxRetries: 400, floorShare: 1 },
  // An upgrade of the number takes up to a minute; a day of it is a fault.
  maintenance: { baseMs: MINUTE, factor: 1, capMs: MINUTE, maxRetries: 1440, floorShare: 1 },
  // "At least 24 hours": sooner, or more often, makes the network restrict the account.
  later: { baseMs: 24 * HOUR, factor: 1, capMs: 24 * HOUR, maxRetries: 1, floorShare: 1 },
  auth: null,
  never: null,
};

/**
 * Milliseconds until the next attempt, or null to give up. Full jitter over an exponential wait, above a floor.
 * @param input.attempt Attempts made so far, 1 after the first failure, of any class: a message that failed for other
 * reasons before has used up its one retry of the `once` classes.
 * @param input.random Yields a number from 0 to below 1.
 * @param input.retryAfterMs What the network asked for: a minimum, up to MAX_RETRY_AFTER_MS.
 */
export function retryDelayMs(input: {
  readonly retryClass: RetryClass;
  readonly attempt: number;
  readonly random: () => number;
  readonly retryAfterMs?: number;
}): number | null {
  const policy = retryPolicies[input.retryClass];
  if (policy === null || input.attempt > policy.maxRetries) return null;
  const waitMs = Math.min(policy.capMs, policy.baseMs * policy.factor ** (input.attempt - 1));
  const jittered = waitMs * (policy.floorShare + (1 - policy.floorShare) * input.random());
  return Math.max(Math.round(jittered), askedMs(input.retryAfterMs));
}

function askedMs(retryAfterMs: number | undefined): number {
  if (retryAfterMs === undefined || Number.isNaN(retryAfterMs)) return 0;
  return Math.min(Math.ceil(retryAfterMs), MAX_RETRY_AFTER_MS);
}
