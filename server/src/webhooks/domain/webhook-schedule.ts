import type { WebhookAttempt } from './webhook.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Waits before each attempt, the first without one: about 75 hours in all. */
export const WEBHOOK_WAITS_MS: readonly number[] = [
  0,
  5 * SECOND,
  30 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** Part of a wait by which it may be shorter or longer, so that what failed together does not return together. */
const JITTER = 0.1;
/** A longer rest is nothing that a receiver can mean. */
export const MAX_REST_MS = DAY;
/** How long an endpoint that says "slow down", without saying how much, is left alone. */
const DEFAULT_REST_MS = 5 * SECOND;
/** An endpoint where nothing succeeded for so long is switched off. */
export const FAILING_LIMIT_MS = 5 * DAY;
/**
 * After so long without a success of an endpoint its tenant gets one event: four attempts of the schedule have failed
 * by then.
 */
export const FAILING_REPEAT_MS = 30 * MINUTE;
/** How long a failed delivery holds back what comes behind it in its conversation. */
export const MAX_BLOCK_MS = 30 * MINUTE;

const GONE = 410;
/** "The receiver is overloaded or away": as Standard Webhooks reads them. */
const SLOW_DOWN: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** What follows from an attempt. */
export type WebhookVerdict =
  | { readonly kind: 'delivered' }
  | {
      readonly kind: 'again';
      readonly dueMs: number;
      /** Until when nothing else is sent to this endpoint either; null: no rest. */
      readonly restUntilMs: number | null;
    }
  | { readonly kind: 'given_up' }
  /** The receiver wants nothing any more. */
  | { readonly kind: 'gone' };

export interface AttemptInput {
  readonly attempt: WebhookAttempt;
  /** Attempts of the schedule, this one included. */
  readonly attempts: number;
  /** What Retry-After asked for, in milliseconds. */
  readonly retryAfterMs: number | null;
  readonly nowMs: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/** Decides what an attempt means for its delivery and its endpoint. */
export function evaluateWebhook({ attempt, attempts, retryAfterMs, nowMs, random }: AttemptInput): WebhookVerdict {
  if (attempt.error === null) return { kind: 'delivered' };
  if (attempt.status === GONE) return { kind: 'gone' };
  if (attempt.error === 'event_expired') return { kind: 'given_up' };
  const waitMs = WEBHOOK_WAITS_MS[attempts];
  if (waitMs === undefined) return { kind: 'given_up' };
  const restMs = attempt.status !== null && SLOW_DOWN.has(attempt.status) ? restOf(retryAfterMs) : 0;
  const jittered = Math.round(waitMs * (1 - JITTER + 2 * JITTER * random()));
  const dueMs = nowMs + Math.max(jittered, restMs);
  return { kind: 'again', dueMs, restUntilMs: restMs === 0 ? null : nowMs + restMs };
}

function restOf(retryAfterMs: number | null): number {
  return retryAfterMs === null ? DEFAULT_REST_MS : Math.min(Math.max(retryAfterMs, 0), MAX_REST_MS);
}

/**
 * Retry-After in milliseconds (RFC 9110, 10.2.3): seconds or a date.
 * @returns null without the header, or when it is neither
 */
export function readWebhookRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header.trim()) * SECOND;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}
