import type { QueueWait } from '#accounts/domain/lane-wait';
import type { JsonObject } from '#core/json';

/** Why something waits, as the API shows it; null: it waits for nothing. */
export function presentWaiting(waiting: QueueWait<string> | null): JsonObject | null {
  if (waiting === null) return null;
  return {
    reason: waiting.reason,
    ahead: waiting.ahead,
    ahead_is_more: waiting.isMoreAhead,
    rate_per_s: waiting.ratePerSecond,
    eta_s: waiting.etaSeconds,
  };
}
