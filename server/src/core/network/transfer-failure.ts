import { type AnsweredError, answeredError, parseAnswer, readRetryAfter } from './network-answer.ts';
import { type NetworkErrorRule, ruleForNetworkError } from './network-errors.ts';

/** Why bytes did not get to the network, or from it. None of it leaves anything behind that must be undone. */
export type TransferFailure =
  /** The network answered no. */
  | {
      readonly kind: 'refused';
      readonly rule: NetworkErrorRule;
      readonly networkCode: number | null;
      readonly details: string;
      readonly retryAfterMs: number | null;
    }
  /** No answer, a broken one, or one of something in between. */
  | { readonly kind: 'unreachable'; readonly reason: string }
  /** Not as it should be: too large, another content, an address that must not be asked. */
  | { readonly kind: 'unfit'; readonly reason: string };

/**
 * What an unsuccessful response means for a transfer. Unlike a send it can always be repeated, so everything but a
 * refusal with a reason is merely unreachable.
 * @param retryAfter the header, in seconds
 */
export function transferFailure(
  status: number,
  text: string,
  retryAfter: string | string[] | undefined,
): TransferFailure {
  const error = answeredError(parseAnswer(text));
  if (error === null) return { kind: 'unreachable', reason: `HTTP ${status} without a readable answer` };
  return refusal(error, status, retryAfter);
}

/** What an error of the network means for a transfer. */
export function refusal(
  { code: networkCode, details }: AnsweredError,
  status: number,
  retryAfter: string | string[] | undefined,
): TransferFailure {
  const rule = ruleForNetworkError(networkCode, status);
  return { kind: 'refused', rule, networkCode, details, retryAfterMs: readRetryAfter(retryAfter) };
}

/** What a person reads about it. */
export function describeFailure(failure: TransferFailure): string {
  if (failure.kind !== 'refused') return failure.reason;
  return failure.details === '' ? failure.rule.sentence : `${failure.rule.sentence} (${failure.details})`;
}

/**
 * Whether a later try can help. `auth` ends when a person has acted, which the media survives. What is worth exactly
 * one more try (`isWorthOneMore`) is none of these.
 */
export function isPassing(failure: TransferFailure): boolean {
  if (failure.kind === 'unfit') return false;
  return failure.kind === 'unreachable' || !['never', 'transient_once'].includes(failure.rule.retryClass);
}

/** A refusal that sometimes is a mistake of the network. */
export function isWorthOneMore(failure: TransferFailure): boolean {
  return failure.kind === 'refused' && failure.rule.retryClass === 'transient_once';
}

/** The digest of a callback is base64, that of the media's own address hex; both name the same 32 bytes. Hex, or null. */
export function sha256Hex(text: string | null): string | null {
  if (text === null) return null;
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  const isBase64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(text);
  return isBase64 ? Buffer.from(text, 'base64').toString('hex') : null;
}
