import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openToken, sealToken } from './sealed-token.ts';

const key = { id: 'k1', bytes: randomBytes(32) };
const OWNER = 'tenant/account';
const TOKEN = 'EAAJexampleToken';
const NONCE_AND_TAG = 28;

test('any token comes back, and no two seals of it are alike', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'binary' }), (token) => {
      const [first, second] = [sealToken(key, OWNER, token), sealToken(key, OWNER, token)];
      expect(openToken(key, OWNER, first.sealed)).toBe(Buffer.from(token).toString('utf8'));
      expect(second.sealed).not.toBe(first.sealed);
    }),
  );
});

test('a seal is nonce, tag of 16 bytes and ciphertext, and holds nothing in clear', () => {
  const { sealed, keyId } = sealToken(key, OWNER, TOKEN);
  const bytes = Buffer.from(sealed, 'base64');
  expect([bytes.length, keyId]).toEqual([NONCE_AND_TAG + TOKEN.length, 'k1']);
  expect(bytes.includes(TOKEN)).toBe(false);
});

test('it does not open after any bit is changed', () => {
  const bytes = Buffer.from(sealToken(key, OWNER, TOKEN).sealed, 'base64');
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    expect(openToken(key, OWNER, changed.toString('base64'))).toBeNull();
  }
});

test('it opens neither with another key, nor for another owner, nor cut short', () => {
  const { sealed } = sealToken(key, OWNER, TOKEN);
  expect(openToken({ ...key, bytes: randomBytes(32) }, OWNER, sealed)).toBeNull();
  expect(openToken(key, 'tenant/other', sealed)).toBeNull();
  for (const length of [0, 12, NONCE_AND_TAG, NONCE_AND_TAG + 1]) {
    const cut = Buffer.from(sealed, 'base64').subarray(0, length).toString('base64');
    expect(openToken(key, OWNER, cut)).toBeNull();
  }
});
