import { type DaysByKind, type RetentionLimits, retentionLimits } from '#core/retention';
import type { Config } from './config.ts';

export const DAY_MS = 24 * 60 * 60 * 1000;

/** The contract of idempotency keys: kept 24 hours. */
export const IDEMPOTENCY_MS = DAY_MS;
/** Promised to readers of the feed; delivered events can be read for as long. */
export const EVENTS_DAYS = 30;
export const EVENTS_MS = EVENTS_DAYS * DAY_MS;
export const DELIVERIES_MS = EVENTS_MS;
/** A quarter: long enough to look back at, short enough that 50 kB per message do not pile up. */
export const DECISIONS_DAYS = 90;
export const DECISIONS_MS = DECISIONS_DAYS * DAY_MS;

/** How long callbacks are kept, with what nothing could read of them. */
export function retainCallbacksMs({ callbackRetentionDays }: Pick<Config, 'callbackRetentionDays'>): number {
  return callbackRetentionDays * DAY_MS;
}

/** What tenants may choose from, in an installation with these settings. */
export function limitsOfRetention({
  mediaRetentionDays,
  callbackRetentionDays,
}: Pick<Config, 'mediaRetentionDays' | 'callbackRetentionDays'>): RetentionLimits {
  const longest: DaysByKind = {
    messages: null,
    received_media: mediaRetentionDays,
    uploads: mediaRetentionDays,
    events: EVENTS_DAYS,
    webhook_deliveries: EVENTS_DAYS,
    rule_decisions: DECISIONS_DAYS,
  };
  return retentionLimits(longest, callbackRetentionDays);
}
