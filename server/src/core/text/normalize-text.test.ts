import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold, foldedWords, foldWhole } from './normalize-text.ts';

test('case, accents and compatible forms do not distinguish texts', () => {
  const same: readonly (readonly [string, string])[] = [
    ['Ação', 'acao'],
    ['STRASSE', 'straße'],
    ['İptal', 'iptal'],
    ['Łódź', 'lodz'],
    ['Ｓｔｏｐ', 'stop'],
    ['ΣΤΟΠ', 'στοπ'],
    ['إلغاءً', 'إلغاء'],
  ];
  for (const [one, other] of same) expect(fold(one)).toBe(fold(other));
});

test('vowel signs of Indic scripts stay: without them another word would be meant', () => {
  expect(fold('कि')).not.toBe(fold('का'));
});

test('folding twice is folding once, for any text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => fold(fold(text)) === fold(text)));
});

test('words are separated by blanks and punctuation', () => {
  expect(foldedWords('Olá, preço: R$ 10?')).toEqual(['ola', 'preco', 'r', '10']);
  expect(foldWhole('  Two\n words ')).toBe('two words');
});

test('no two folded signs differ by case alone: a folded text can be searched without further folding', () => {
  const signs = Array.from({ length: 0x11_0000 }, (_one, code) =>
    code >> 11 === 0x1b ? '' : String.fromCodePoint(code),
  );
  const folded = signs.filter((sign) => /\p{Changes_When_Casemapped}/u.test(sign) && fold(sign) === sign);
  expect(folded.length).toBeGreaterThan(500);
  expect(new Set(folded.map((sign) => sign.toUpperCase())).size).toBe(folded.length);
});
