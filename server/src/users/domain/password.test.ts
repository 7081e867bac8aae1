import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizePassword, passwordFault } from './password.ts';

const owner = { name: 'Ada Obi', email: 'ada.obi@flowershop.example' };
const isRefused = (password: string) => passwordFault(normalizePassword(password), owner) !== null;

describe('a password is refused', () => {
  test.each([
    ['eleven long', 'vQ8#mLw2z_T'],
    ['257 long', 'vQ8#mLw2z_T9'.repeat(22).slice(0, 257)],
    ['one character', 'aaaaaaaaaaaaaaaa'],
    ['few characters', 'abababbaabba'],
    ['a text again and again', 'tree-tree-tree-'],
    ['a row of digits', '123456789012'],
    ['a row backwards', '9876543210987'],
    ['a row of the keyboard', 'qwertyuiop123'],
    ['the most common word', 'Password123!'],
    ['the same with look-alikes', 'P4$$w0rd2024!'],
    ['two common words', 'welcomeadmin1'],
    ['the name of the product', 'Postrider2026!'],
    ['the address of the person', 'ada.obi@flowershop'],
    ['the name of the person', 'AdaObi-12345'],
    ['written in full width', 'ｐａｓｓｗｏｒｄ１２３４'],
  ])('that is %s', (_case, password) => {
    expect(isRefused(password)).toBe(true);
  });
});

describe('a password is taken', () => {
  test.each([
    ['four words', 'seven quiet lanterns bloom'],
    ['random characters', 'vQ8#mLw2z_T9'],
    ['a sentence with the name in it', 'Ada grows 14 blue tulips'],
    ['another script', 'вечером тихо поёт река'],
    ['a script without spaces', '静かな川の流れに月が映る夜'],
  ])('that is %s', (_case, password) => {
    expect(passwordFault(normalizePassword(password), owner)).toBe(null);
  });

  test('that is random, practically always', () => {
    const character = fc.constantFrom(...'bcdfghjklmnpqrstvwxz23456789');
    const random = fc.array(character, { minLength: 16, maxLength: 40 }).map((all) => all.join(''));
    fc.assert(
      fc.property(random, (password) => {
        fc.pre(new Set(password).size >= 8);
        expect(isRefused(password)).toBe(false);
      }),
    );
  });
});

test('any text is decided about, and never with an error', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.string(), (password, name) => {
      const fault = passwordFault(normalizePassword(password), { name, email: null });
      expect(fault === null || fault.endsWith('.')).toBe(true);
    }),
  );
});

test('the same text is the same password, whichever keyboard wrote it', () => {
  expect(normalizePassword('cafe\u0301 ﬁre')).toBe(normalizePassword('café fire'));
});
