import { hash, timingSafeEqual } from 'node:crypto';

/**
 * What we send as `biz_opaque_callback_data` and get back in every status of a message: `<messageId>.<attempt>.<mac>`.
 * The id comes first and in plain, so that a person can search for it. The mac proves that we wrote it, for this tenant
 * and number: a message cannot be settled with a status that was forged or taken from another tenant.
 */
export interface CorrelationParts {
  readonly tenantId: string;
  readonly phoneNumberId: string;
  readonly messageId: string;
  /** 1 for the first. */
  readonly attempt: number;
}

/** A key made ready by `correlationSecret`. Its buffers are reused by each call: it cannot be shared between threads. */
export interface CorrelationSecret {
  /** The inner padded key, with room for the message after it. */
  readonly inner: Buffer;
  /** The outer padded key, with room for the inner digest after it. */
  readonly outer: Buffer;
}

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
/** 96 bits: a forger gets it right once in 2^96 tries, and the token stays short. */
const MAC_LENGTH = 16;
/** Far above the four parts together; a longer text must never be cut in silence, or two of them share a mac. */
const MAX_SIGNED_LENGTH = 512;
const UTF8_BYTES_PER_UNIT = 3;

const TOKEN = /^([0-9A-Za-z_-]{1,64})\.([1-9][0-9]{0,8})\.([0-9A-Za-z_-]{16})$/;

/** Prepares a key once, at start. All processes must use the same key, or they reject each other's tokens. */
export function correlationSecret(key: string): CorrelationSecret {
  const given = Buffer.from(key, 'utf8');
  const short = given.length > BLOCK_BYTES ? hash('sha256', given, 'buffer') : given;
  const padded = Buffer.concat([short], BLOCK_BYTES);
  const inner = Buffer.alloc(BLOCK_BYTES + MAX_SIGNED_LENGTH * UTF8_BYTES_PER_UNIT);
  const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES);
  inner.set(padded.map((byte) => byte ^ 0x36));
  outer.set(padded.map((byte) => byte ^ 0x5c));
  return { inner, outer };
}

/**
 * The token of one attempt. Ids are UUIDs and digits, so neither `.` nor `|` occurs in them.
 * @throws RangeError when the ids are too long to be signed.
 */
export function makeCorrelationToken(secret: CorrelationSecret, parts: CorrelationParts): string {
  return `${parts.messageId}.${parts.attempt}.${macOf(secret, parts)}`;
}

/**
 * The content of a token, given the tenant and number that its status came for; null when it is not ours, forged, or of
 * another tenant or number.
 */
export function readCorrelationToken(
  secret: CorrelationSecret,
  token: string,
  context: { readonly tenantId: string; readonly phoneNumberId: string },
): { messageId: string; attempt: number } | null {
  const [, messageId, attemptText, mac] = TOKEN.exec(token) ?? [];
  if (messageId === undefined || mac === undefined) return null;
  const attempt = Number(attemptText);
  const expected = macOf(secret, { ...context, messageId, attempt });
  return timingSafeEqual(Buffer.from(expected, 'latin1'), Buffer.from(mac, 'latin1')) ? { messageId, attempt } : null;
}

/**
 * HMAC-SHA256 (RFC 2104) as two one-shot hashes: 0.9 µs per mac, against 1.6 µs for createHmac with a prepared key
 * (Node 20, 100,000 macs of one token each). A test compares it with createHmac.
 */
function macOf({ inner, outer }: CorrelationSecret, parts: CorrelationParts): string {
  const signed = `v1|${parts.tenantId}|${parts.phoneNumberId}|${parts.messageId}|${parts.attempt}`;
  if (signed.length > MAX_SIGNED_LENGTH) throw new RangeError('The ids of an echo are too long to be signed.');
  const length = inner.write(signed, BLOCK_BYTES, 'utf8');
  const digest = hash('sha256', inner.subarray(0, BLOCK_BYTES + length), 'binary');
  outer.write(digest, BLOCK_BYTES, 'latin1');
  return hash('sha256', outer, 'base64url').slice(0, MAC_LENGTH);
}
