import { createHmac, timingSafeEqual } from 'node:crypto';

const SCHEME = 'sha256=';
const HEX_LENGTH = 64;

/**
 * Verifies `X-Hub-Signature-256` of the network: HMAC-SHA256 with the app secret over the raw body bytes, lower-case
 * hex, compared in constant time. Never over re-serialised JSON: the network signs its own escaping.
 */
export function verifyNetworkSignature(appSecret: string, body: Buffer, header: string | undefined): boolean {
  if (header === undefined || !header.startsWith(SCHEME) || header.length !== SCHEME.length + HEX_LENGTH) return false;
  const expected = createHmac('sha256', appSecret).update(body).digest('hex');
  return timingSafeEqual(Buffer.from(expected, 'latin1'), Buffer.from(header.slice(SCHEME.length), 'latin1'));
}

/** Compares two secrets of any length in constant time. */
export function equalSecrets(a: string, b: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
