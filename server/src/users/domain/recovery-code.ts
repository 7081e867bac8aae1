import { createHash } from 'node:crypto';
import type { UserId } from '#core/ids';

/** How many codes a person gets at a time. */
export const RECOVERY_CODES = 10;
/** Without l, o, 0 and 1, which are mistaken for others: 32 characters, five bits each. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const CHARACTERS = 16;
const GROUP = /.{4}(?=.)/g;

/** A code of 80 random bits, in groups: `k7qf-2m9x-w4tb-ehs3`. */
export function makeRecoveryCode(randomBytes: (count: number) => Uint8Array): string {
  const text = [...randomBytes(CHARACTERS)].map((byte) => ALPHABET[byte & 31]).join('');
  return text.replace(GROUP, '$&-');
}

/** What is stored of a code, however it was typed: SHA-256 in base64. A code is random and long, so a fast hash is right. */
export function hashRecoveryCode(userId: UserId, code: string): string {
  const typed = code.toLowerCase().replace(/[^a-z0-9]/g, '');
  return createHash('sha256').update(`${userId}/${typed}`).digest('base64');
}
