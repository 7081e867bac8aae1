import type { Config } from './config.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The contract of idempotency keys: kept 24 hours. */
export const IDEMPOTENCY_MS = DAY_MS;
/** Promised to readers of the feed; delivered events can be read for as long. */
export const EVENTS_MS = 30 * DAY_MS;
export const DELIVERIES_MS = EVENTS_MS;

/** How long callbacks are kept, with what nothing could read of them. */
export function retainCallbacksMs({ callbackRetentionDays }: Pick<Config, 'callbackRetentionDays'>): number {
  return callbackRetentionDays * DAY_MS;
}
