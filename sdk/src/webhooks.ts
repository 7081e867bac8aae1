import { WebhookSignatureError } from './errors.ts';
import type { Event } from './generated/types.ts';

/** Headers of a request, as servers and frameworks have them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** What counts as recent. */
export interface UnwrapOptions {
  /** How far the time of the request may be away from now, so that an old one cannot be sent again. Default: 300. */
  readonly toleranceS?: number | undefined;
  /** Now, in milliseconds since 1970. */
  readonly nowMs?: number | undefined;
}

const DEFAULT_TOLERANCE_S = 300;
const PREFIX = 'whsec_';

/**
 * Verifies a webhook and returns its event.
 * @param body the body as it came, before anything parses it
 * @param secrets of the endpoint; several while it is being rotated
 * @throws {WebhookSignatureError} when no secret has signed it, or not lately
 */
export async function unwrapWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceS = DEFAULT_TOLERANCE_S, nowMs = Date.now() }: UnwrapOptions = {},
): Promise<Event> {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature');
  if (!(Math.abs(nowMs / 1000 - Number(timestamp)) <= toleranceS)) {
    throw refused(`webhook-timestamp is not within ${toleranceS} seconds of now.`);
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  for (const secret of [secrets].flat()) {
    const key = await keyOf(secret);
    for (const signature of signatures.split(' ')) {
      if (await matches(key, signature, signed)) return JSON.parse(text) as Event;
    }
  }
  throw refused('webhook-signature is not from any of the secrets. Is the body exactly as it came?');
}

function header(headers: WebhookHeaders, name: string): string {
  const found =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers)
          .find(([key]) => key.toLowerCase() === name)?.[1]
          ?.toString();
  if (!found) throw refused(`The header ${name} is missing.`);
  return found;
}

type Key = Parameters<typeof crypto.subtle.verify>[1];

function keyOf(secret: string): Promise<Key> {
  const bytes = bytesOf(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (bytes === null || bytes.length === 0)
    throw new TypeError(`A secret of a webhook endpoint begins with ${PREFIX}.`);
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Compares in constant time, as Web Crypto does. */
async function matches(key: Key, signature: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const bytes = signature.startsWith('v1,') ? bytesOf(signature.slice('v1,'.length)) : null;
  return bytes !== null && crypto.subtle.verify('HMAC', key, bytes, signed);
}

/** Null: the text is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function refused(why: string): WebhookSignatureError {
  return new WebhookSignatureError(`The webhook cannot be trusted: ${why}`, { code: 'invalid_signature' });
}
