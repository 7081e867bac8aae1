import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isTotpCode, matchingStep, otpauthUri, toBase32, totpCode, totpStep } from './totp.ts';

const secret = Buffer.from('12345678901234567890');

// RFC 6238, appendix B, with six of its eight digits.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code of second %i is the one of the standard', (seconds, code) => {
  expect(totpCode(secret, totpStep(seconds * 1_000))).toBe(code);
});

test('a secret is written as RFC 4648 writes it, without padding', () => {
  const cases = ['f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) => toBase32(Buffer.from(text)));
  expect(cases).toEqual(['MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI']);
});

test('a code counts for its step, the one before and the one after, and never twice', () => {
  const steps = fc.integer({ min: -4, max: 4 });
  fc.assert(
    fc.property(steps, steps, (offset, last) => {
      const nowMs = 1_900_000_000_000;
      const [current, lastStep] = [totpStep(nowMs), totpStep(nowMs) + last];
      const found = matchingStep(secret, { code: totpCode(secret, current + offset), nowMs, lastStep });
      const counts = Math.abs(offset) <= 1 && offset > last;
      expect(found).toBe(counts ? current + offset : null);
    }),
  );
});

test('what is no code matches nothing', () => {
  for (const code of ['', '12345', '1234567', 'abcdef', '２８７０８２'])
    expect(matchingStep(secret, { code, nowMs: 59_000, lastStep: 0 })).toBe(null);
  expect(['287082', 'k7qf-2m9x-w4tb-ehs3', '28708'].map(isTotpCode)).toEqual([true, false, false]);
});

test('an app reads whose secret it is', () => {
  expect(otpauthUri(secret, 'ana+1@shop.example')).toBe(
    'otpauth://totp/Postrider:ana%2B1%40shop.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Postrider&algorithm=SHA1&digits=6&period=30',
  );
});
