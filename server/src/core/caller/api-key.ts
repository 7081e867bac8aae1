/**
 * API keys: `pr_live_` or `pr_test_`, 32 random base62 characters, 6 characters of checksum. The prefix lets people
 * and scanners recognise a key; the checksum refuses a mistyped one without a query.
 */
export type KeyMode = 'live' | 'test';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const PREFIX = /^pr_(?:live|test)_/;
const SHAPE = /^pr_(live|test)_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;
/** Characters of the secret part that may be shown: enough to distinguish keys, far too few to guess one. */
const HINT_LENGTH = 4;
/** Bytes at or above this would make some letters likelier than others. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

/** @param randomBytes a cryptographic source */
export function makeApiKey(mode: KeyMode, randomBytes: (size: number) => Uint8Array): string {
  let secret = '';
  while (secret.length < SECRET_LENGTH) {
    for (const byte of randomBytes(SECRET_LENGTH)) {
      if (byte < FAIR_BYTES && secret.length < SECRET_LENGTH) secret += ALPHABET[byte % ALPHABET.length];
    }
  }
  const head = `pr_${mode}_${secret}`;
  return head + checksum(head);
}

/** Whether a text does not look like a key of ours. Only bootstrap keys may be such texts. */
export function isForeignKey(key: string): boolean {
  return !PREFIX.test(key);
}

/** False only for a string that has the form of one of our keys but cannot be one. */
export function mayBeApiKey(key: string): boolean {
  return isForeignKey(key) || isWellFormed(key);
}

function isWellFormed(key: string): boolean {
  return SHAPE.test(key) && checksum(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH);
}

/** A key of the operator's own making is a live one. */
export function modeOf(key: string): KeyMode {
  return key.startsWith('pr_test_') ? 'test' : 'live';
}

/** The key without the prefix that everybody knows. */
export function secretPart(key: string): string {
  return key.replace(PREFIX, '');
}

/** What may be shown of a key. */
export function keyHint(key: string): string {
  const known = key.length - secretPart(key).length;
  return `${key.slice(0, known + HINT_LENGTH)}…`;
}

/** CRC-32 (IEEE 802.3) in base62. */
function checksum(text: string): string {
  let crc = 0xffffffff;
  for (const char of text) {
    crc ^= char.charCodeAt(0);
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  let value = (crc ^ 0xffffffff) >>> 0;
  let digits = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    digits = ALPHABET[value % ALPHABET.length] + digits;
    value = Math.floor(value / ALPHABET.length);
  }
  return digits;
}
