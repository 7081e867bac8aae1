/** Reads what the network answers: any bytes, any status, any header. What comes out can be stored and shown. */

import { cutText, isJsonObject, type JsonObject, parseSafeJson } from '#core/json';
import { objectOf } from '#core/json-fields';
import { isKnownNetworkCode } from './network-errors.ts';

/** An error in the network's own envelope. */
export interface AnsweredError {
  readonly code: number;
  /** What it says in words, at most MAX_DETAILS characters; may be empty. */
  readonly details: string;
}

const MAX_DETAILS = 500;
const MAX_INT32 = 2_147_483_647;
const SECOND = 1000;

/** The object that an answer consists of; an empty one for anything else. Its texts can be stored. */
export function parseAnswer(text: string): JsonObject {
  try {
    const value = parseSafeJson(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/**
 * The error of an answer, if the network itself wrote it. Gateways use `{"error": {"code": 403}}` too: a code that the
 * network does not document counts only beside the marks of its envelope.
 */
export function answeredError(answer: JsonObject): AnsweredError | null {
  const error = objectOf(answer.error);
  const { code } = error;
  if (typeof code !== 'number' || !Number.isInteger(code) || code < 0 || code > MAX_INT32) return null;
  const isMarked = typeof error.type === 'string' || typeof error.fbtrace_id === 'string';
  if (!isMarked && !isKnownNetworkCode(code)) return null;
  const details = objectOf(error.error_data).details ?? error.message;
  return { code, details: typeof details === 'string' ? cutText(details, MAX_DETAILS) : '' };
}

/** Retry-After in milliseconds; the network writes whole seconds. Null without the header, or for anything else. */
export function readRetryAfter(header: string | readonly string[] | undefined): number | null {
  const text = typeof header === 'string' ? header : header?.[0];
  return text !== undefined && /^\s*\d{1,9}\s*$/.test(text) ? Number(text) * SECOND : null;
}
