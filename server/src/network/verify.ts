import { createHmac, timingSafeEqual } from 'node:crypto';
import Stripe from 'stripe';
import { isJsonObject, type JsonObject, toSafeJson } from '#core/json';

const SCHEME = 'sha256=';
const NETWORK_SIGNATURE = /^sha256=[0-9a-f]{64}$/;

/** Whether a header has the form of `X-Hub-Signature-256`: a body without one need not be read. */
export function mayBeNetworkSignature(header: string): boolean {
  return NETWORK_SIGNATURE.test(header);
}

/**
 * Verifies `X-Hub-Signature-256` of the network: HMAC-SHA256 with an app secret over the raw body bytes, lower-case
 * hex, compared in constant time. Never over re-serialised JSON: the network signs its own escaping.
 * @param appSecrets all that may sign: more than one while the secret is changed
 */
export function verifyNetworkSignature(
  appSecrets: readonly string[],
  body: Buffer,
  header: string | undefined,
): boolean {
  if (header === undefined || !mayBeNetworkSignature(header)) return false;
  const given = Buffer.from(header.slice(SCHEME.length), 'latin1');
  // All are compared even after a match, so that the time does not reveal which one matched.
  return appSecrets.map((secret) => isSignedBy(secret, body, given)).includes(true);
}

function isSignedBy(appSecret: string, body: Buffer, given: Buffer): boolean {
  const expected = createHmac('sha256', appSecret).update(body).digest('hex');
  return timingSafeEqual(Buffer.from(expected, 'latin1'), given);
}

/** Compares two secrets of any length in constant time. */
export function equalSecrets(a: string, b: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

const GATEWAY_TIME = /(^|,)t=\d{1,15}(,|$)/;
const GATEWAY_SIGNATURE = /(^|,)v1=[0-9a-f]{64}(,|$)/;
/** A time, and a few signatures while the secret is changed. */
const MAX_GATEWAY_HEADER = 2_048;

/** Whether a header has the form of `Stripe-Signature`: a body without one need not be read. */
export function mayBePaymentSignature(header: string): boolean {
  return header.length <= MAX_GATEWAY_HEADER && GATEWAY_TIME.test(header) && GATEWAY_SIGNATURE.test(header);
}

/** An event that is posted again carries a new signature, so an older one than this is a recording. */
const PAYMENT_TOLERANCE_S = 300;

/**
 * Verifies `Stripe-Signature` over the raw bytes with the gateway's own library.
 * @param nowMs wall clock, milliseconds
 * @returns the event; null when the signature does not match, is too old, or the body is not a JSON object
 */
export function verifyPaymentEvent(
  secret: string,
  { body, header, nowMs }: { readonly body: Buffer; readonly header: string; readonly nowMs: number },
): JsonObject | null {
  try {
    const { webhooks } = Stripe;
    const event = webhooks.constructEvent(body, header, secret, PAYMENT_TOLERANCE_S, undefined, nowMs);
    const value = toSafeJson(event);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
