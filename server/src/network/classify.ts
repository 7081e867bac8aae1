import { cutText, isJsonList } from '#core/json';
import { idOf, objectOf } from '#core/json-fields';
import { answeredError, parseAnswer, readRetryAfter } from '#core/network/network-answer';
import { fallbackErrorRules, type NetworkErrorRule, ruleForNetworkError } from '#core/network/network-errors';

/** What one attempt to send came to. */
export type SendOutcome =
  | { readonly kind: 'accepted'; readonly networkMessageId: string }
  /** The network said no: it has not taken the message. */
  | {
      readonly kind: 'refused';
      readonly rule: NetworkErrorRule;
      readonly networkCode: number | null;
      readonly details: string;
      readonly retryAfterMs: number | null;
    }
  /** Nothing reached the network: safe to send again. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** The request left and nothing certain came back: the network may have the message. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** Failures before the first byte left (undici and Node error codes). Anything else may have reached the network. */
const NOT_SENT_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EMFILE',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** A reason becomes part of a sentence of the trace. */
const MAX_REASON = 200;

/** A failed exchange, by its phase: before, or after the request may have left. */
export function classifyFailure(error: unknown): SendOutcome {
  const code = errorCode(error);
  const reason = cutText(code ?? (error instanceof Error ? error.message : 'unknown failure'), MAX_REASON);
  return code !== null && NOT_SENT_CODES.has(code) ? { kind: 'not_sent', reason } : { kind: 'unknown', reason };
}

/** undici wraps a failed connection; several addresses make an AggregateError whose members carry the code. */
function errorCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  if (typeof code === 'string') return code;
  if (Array.isArray(errors)) return errorCode(errors[0]);
  return cause === undefined ? null : errorCode(cause);
}

/**
 * An answer. What the network itself says counts before the HTTP status (it advises so). Without its own envelope the
 * answer comes from something in between: refused there (3xx, 4xx, and the few 5xx that say so by their definition), the
 * message has not reached the network and is tried again; after another 5xx, or a 2xx that cannot be read, it may be there.
 * @param retryAfter the header, in seconds
 */
export function classifyAnswer(status: number, text: string, retryAfter: string | string[] | undefined): SendOutcome {
  const answer = parseAnswer(text);
  const error = answeredError(answer);
  const retryAfterMs = readRetryAfter(retryAfter);
  if (isSuccess(status) && error === null) {
    const id = idOf(objectOf(isJsonList(answer.messages) ? answer.messages[0] : undefined).id);
    if (id !== null) return { kind: 'accepted', networkMessageId: id };
  }
  if (error !== null) {
    const { code: networkCode, details } = error;
    return { kind: 'refused', rule: ruleForNetworkError(networkCode, status), networkCode, details, retryAfterMs };
  }
  if (isTurnedAway(status)) {
    const rule = status === 429 ? fallbackErrorRules.rate : fallbackErrorRules.turnedAway;
    return {
      kind: 'refused',
      rule,
      networkCode: null,
      details: `HTTP ${status} without an error of the network`,
      retryAfterMs,
    };
  }
  return { kind: 'unknown', reason: `HTTP ${status} without a readable answer` };
}

/** "Not Implemented", "HTTP Version Not Supported", "Network Authentication Required" (RFC 9110, RFC 6585): nothing was passed on. */
const TURNED_AWAY_5XX: ReadonlySet<number> = new Set([501, 505, 511]);

function isTurnedAway(status: number): boolean {
  return (status >= 300 && status < 500) || TURNED_AWAY_5XX.has(status);
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
