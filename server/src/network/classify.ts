import { type NetworkErrorRule, ruleForNetworkError } from '#core/network-errors';

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

/** A failed exchange, by its phase: before, or after the request may have left. */
export function classifyFailure(error: unknown): SendOutcome {
  const code = errorCode(error);
  const reason = code ?? (error instanceof Error ? error.message : 'unknown failure');
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

interface NetworkAnswer {
  readonly messages?: readonly { readonly id?: unknown }[];
  readonly error?: {
    readonly code?: unknown;
    readonly message?: unknown;
    readonly error_data?: { readonly details?: unknown };
  };
}

/**
 * An answer. The error code counts before the HTTP status (the network advises so). A 5xx without a readable error
 * comes from something in between: the message may be there. So may it after a 2xx that cannot be read.
 * @param retryAfter the header, in seconds
 */
export function classifyAnswer(status: number, text: string, retryAfter: string | string[] | undefined): SendOutcome {
  const answer = parseAnswer(text);
  const networkMessageId = answer?.messages?.[0]?.id;
  if (status >= 200 && status < 300 && typeof networkMessageId === 'string')
    return { kind: 'accepted', networkMessageId };
  const code = answer?.error?.code;
  if (typeof code === 'number') return refused({ networkCode: code, status, details: detailsOf(answer), retryAfter });
  if (status >= 400 && status < 500)
    return refused({ networkCode: null, status, details: `HTTP ${status} without a readable error`, retryAfter });
  return { kind: 'unknown', reason: `HTTP ${status} without a readable answer` };
}

function parseAnswer(text: string): NetworkAnswer | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}

function detailsOf(answer: NetworkAnswer | null): string {
  const details = answer?.error?.error_data?.details ?? answer?.error?.message;
  return typeof details === 'string' ? details.slice(0, 500) : '';
}

interface Refusal {
  readonly networkCode: number | null;
  readonly status: number;
  readonly details: string;
  readonly retryAfter: string | string[] | undefined;
}

function refused({ networkCode, status, details, retryAfter }: Refusal): SendOutcome {
  const seconds = typeof retryAfter === 'string' ? Number(retryAfter) : Number.NaN;
  return {
    kind: 'refused',
    rule: ruleForNetworkError(networkCode, status),
    networkCode,
    details,
    retryAfterMs: Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds * 1000) : null,
  };
}
