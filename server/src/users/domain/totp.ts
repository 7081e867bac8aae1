/** One-time codes by time (RFC 6238), as authenticator apps make them: SHA-1, six digits, a step of 30 seconds. */
import { createHmac, timingSafeEqual } from 'node:crypto';

const STEP_MS = 30_000;
const DIGITS = 6;
/** Clocks of phones differ from ours, and people type slowly: the step before and the one after count too. */
const TOLERATED_STEPS = 1;
/** RFC 4226 asks for at least 128 bits, and recommends as many as SHA-1 has. */
export const TOTP_SECRET_BYTES = 20;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'.toUpperCase();
const ISSUER = 'Postrider';

/** Whether a text has the form of such a code; a recovery code has another one. */
export function isTotpCode(text: string): boolean {
  return /^\d{6}$/.test(text);
}

/** Bytes in the alphabet of RFC 4648, section 6, without padding: the form in which apps take secrets. */
export function toBase32(bytes: Uint8Array): string {
  let text = '';
  let [value, bits] = [0, 0];
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += ALPHABET[(value >> (bits - 5)) & 31];
  }
  return bits === 0 ? text : text + ALPHABET[(value << (5 - bits)) & 31];
}

/** The code of one step. @param secret raw bytes */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The step of a time in milliseconds since 1970. */
export function totpStep(nowMs: number): number {
  return Math.floor(nowMs / STEP_MS);
}

/**
 * The step that a code belongs to, among those that count now and were not used.
 * @param lastStep the last one that was used
 * @returns null when the code is wrong, or was used
 */
export function matchingStep(
  secret: Uint8Array,
  { code, nowMs, lastStep }: { readonly code: string; readonly nowMs: number; readonly lastStep: number },
): number | null {
  const given = Buffer.from(code);
  const current = totpStep(nowMs);
  for (let step = current - TOLERATED_STEPS; step <= current + TOLERATED_STEPS; step += 1) {
    const expected = Buffer.from(totpCode(secret, step));
    if (step > lastStep && given.length === expected.length && timingSafeEqual(given, expected)) return step;
  }
  return null;
}

/** What apps read from a QR code. @param account whose it is, as the app shows it */
export function otpauthUri(secret: Uint8Array, account: string): string {
  const label = `${encodeURIComponent(ISSUER)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${toBase32(secret)}&issuer=${ISSUER}&algorithm=SHA1&digits=${DIGITS}&period=30`;
}
