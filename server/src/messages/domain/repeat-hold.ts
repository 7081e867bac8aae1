/** Whether a message of unknown outcome may be repeated: a missing status proves something only while statuses come in. */

/** How the callbacks of the whole service fare. Milliseconds since 1970; null: there is none. */
export interface CallbackHealth {
  /** When the oldest stored callback came that is not interpreted yet. */
  readonly oldestUnreadMs: number | null;
  /** When the newest stored callback came. */
  readonly newestMs: number | null;
  /** When a callback was last refused for its signature. */
  readonly refusedMs: number | null;
}

/** What is known of one message whose outcome is unknown. */
export interface RepeatFacts {
  /** When its wait for a status ends. */
  readonly dueMs: number;
  /** How many further copies its tenant still allows. */
  readonly resendsLeft: number;
  /** When the newest status of its number, or of the account of its number, came in. */
  readonly statusMs: number | null;
}

export type RepeatHold = 'callbacks_unread' | 'callbacks_refused' | 'no_status';

/** How far the clocks of two machines may differ. */
const CLOCK_SKEW_MS = 1_000;

/** The last word of the network was refused: what it says since then is lost. */
export function areRefused({ refusedMs, newestMs }: CallbackHealth): boolean {
  return refusedMs !== null && refusedMs > (newestMs ?? Number.NEGATIVE_INFINITY);
}

/**
 * Waits that ended by then are over. A callback that came within a wait and is not interpreted yet may hold the status
 * that settles the message: as long as there is one (its process was killed, or is slow) the wait continues.
 */
export function waitsOverMs({ oldestUnreadMs }: CallbackHealth, nowMs: number): number {
  return oldestUnreadMs === null ? nowMs : Math.min(nowMs, oldestUnreadMs - CLOCK_SKEW_MS);
}

/** Why a message whose wait has ended is not repeated yet; null: nothing holds it, or its wait continues. */
export function repeatHold(
  health: CallbackHealth,
  { dueMs, resendsLeft, statusMs }: RepeatFacts,
  { nowMs, waitMs }: { readonly nowMs: number; readonly waitMs: number },
): RepeatHold | null {
  if (dueMs > nowMs) return null;
  if (dueMs > waitsOverMs(health, nowMs)) return 'callbacks_unread';
  if (resendsLeft <= 0) return null;
  if (areRefused(health)) return 'callbacks_refused';
  return statusMs === null || statusMs < dueMs - waitMs ? 'no_status' : null;
}

/** What the trace says of it. */
export const holdSentences: Readonly<Record<RepeatHold, string>> = {
  callbacks_unread: 'It continues to wait for a status: stored callbacks from the network have not been processed yet.',
  callbacks_refused:
    'It is not sent again while callbacks from the network are rejected because of their signature: a status may be among them.',
  no_status:
    'It is not sent again while no status has arrived for its sending number since then: a missing status proves nothing.',
};
