/** What a push service answered. */
export interface PushAnswer {
  /** HTTP status; null: there was no answer. */
  readonly status: number | null;
  /** The address is none that we may reach for a tenant. */
  readonly isRefused: boolean;
  /** What Retry-After asked for, in milliseconds. */
  readonly retryAfterMs: number | null;
}

/** What follows from an attempt. */
export type PushOutcome =
  | { readonly kind: 'sent' }
  /** The subscription has ended. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'again'; readonly dueMs: number }
  /** Another attempt would end like this one, or come too late. */
  | { readonly kind: 'given_up' };

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** Nobody wants to be called to what happened half a day ago. */
export const PUSH_LIFETIME_MS = 12 * HOUR_MS;
/** Waits after each attempt; after the last one there is none. */
const WAITS_MS = [10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS];
/** Part of a wait by which it may be longer, so that what failed together does not return together. */
const JITTER = 0.2;
const GONE: ReadonlySet<number> = new Set([404, 410]);
const TOO_MANY = 429;
const OUR_FAULT = 500;

export interface PushAttempt {
  readonly answer: PushAnswer;
  /** This one included. */
  readonly attempts: number;
  /** When the notification was created. */
  readonly createdMs: number;
  readonly nowMs: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/** Decides what an answer means for a push and its subscription (RFC 8030, 5 and 7.3). */
export function evaluatePush({ answer, attempts, createdMs, nowMs, random }: PushAttempt): PushOutcome {
  const { status, isRefused, retryAfterMs } = answer;
  if (status !== null && status >= 200 && status < 300) return { kind: 'sent' };
  if (status !== null && GONE.has(status)) return { kind: 'gone' };
  const mayPass = status === null ? !isRefused : status === TOO_MANY || status >= OUR_FAULT;
  const waitMs = WAITS_MS[attempts - 1];
  if (!mayPass || waitMs === undefined) return { kind: 'given_up' };
  const dueMs = nowMs + Math.max(Math.round(waitMs * (1 + JITTER * random())), retryAfterMs ?? 0);
  return dueMs < createdMs + PUSH_LIFETIME_MS ? { kind: 'again', dueMs } : { kind: 'given_up' };
}
