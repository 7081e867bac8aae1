import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseQuery, type SearchQuery } from './search-query.ts';
import { snippetOf } from './snippet.ts';
import { tokensOf } from './words.ts';

const shown = ({ terms, ...rest }: SearchQuery) => ({
  ...Object.fromEntries(
    Object.entries(rest).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value !== null)),
  ),
  terms: terms.map(({ tokens, isPrefix }) => tokens.map(({ word }) => word).join(' ') + (isPrefix ? '*' : '')),
});
const day = (text: string) => Date.parse(text);

describe('a query', () => {
  test.each<[string, object]>([
    ['Müller  GmbH', { terms: ['muller*', 'gmbh*'] }],
    ['"left this morning"', { terms: ['left this morning'] }],
    ['"left this', { terms: ['left this'] }],
    ['foo-bar', { terms: ['foo bar*'] }],
    ['from:Ada in:"two words" HAS:Media', { from: ['Ada'], in: ['two words'], has: ['media'], terms: [] }],
    ['from:"Ada Obi" parcel', { from: ['Ada Obi'], terms: ['parcel*'] }],
    ['has:nonsense', { terms: ['has nonsense*'] }],
    ['from:', { terms: ['from*'] }],
    ['https://shop.example/a?b', { terms: ['https shop example a b*'] }],
    ['after:2030-01 before:2030-02-15', { afterMs: day('2030-01-01'), beforeMs: day('2030-02-15'), terms: [] }],
    ['after:2030-01-01T10:00:00+02:00', { afterMs: day('2030-01-01T08:00:00Z'), terms: [] }],
    ['after:2030 after:2031', { afterMs: day('2031-01-01'), terms: [] }],
    ['before:yesterday', { terms: ['before yesterday*'] }],
    ['before:2030-13', { terms: ['before 2030 13*'] }],
    ['call +49 (30) 123-45 67', { terms: ['call*', '49301234567*'] }],
    ['東京都', { terms: ['東京 京都*'] }],
    ['"京"', { terms: ['京*'] }],
    ['👍', { terms: ['👍*'] }],
    ['!!! ??? ""', { terms: [] }],
    ['', { terms: [] }],
  ])('%j means what it says', (text, meaning) => {
    expect(shown(parseQuery(text))).toEqual(meaning);
  });

  test('of more parts than count is cut, not refused', () => {
    expect(parseQuery('a '.repeat(100)).terms).toHaveLength(12);
    expect(parseQuery('from:a '.repeat(100)).from).toHaveLength(12);
  });
});

describe('words', () => {
  test.each<[string, string, readonly string[]]>([
    ['a word that begins like this', 'GRÜ', ['Grüße']],
    ['a phrase', '"frau muller"', ['Frau Müller']],
    ['two words anywhere', 'lodz gru', ['Grüße', 'Łódź']],
  ])('mark %s', (_label, query, marked) => {
    const snippet = snippetOf('Grüße von Frau Müller aus Łódź', parseQuery(query).terms);
    expect(snippet?.marks.map(({ start, end }) => snippet.text.slice(start, end))).toEqual(marked);
  });

  test.each<[string, string, string]>([
    ['any part of a text without spaces', '今日は東京都庁に行く', '東京'],
    ['one character of it', '今日は東京都庁に行く', '庁'],
    ['its last character', '今日は東京', '京'],
    ['Thai', 'ขอบคุณมากครับ', 'มาก'],
    ['a half-width katakana', 'ｶﾞｽ', 'ガス'],
    ['Arabic with and without vowel signs', 'مُحَمَّد', 'محمد'],
    ['Hebrew', 'שלום עולם', 'עולם'],
    ['Korean, by how a word begins', '한국어를 배워요', '한국어'],
    ['an emoji', 'Danke 👍🏽 !', '👍'],
    ['the end of a long number', 'Order 20391234567', '4567'],
    ['a number in another spelling', 'call 493012345678', '+49 30 12345678'],
    ['a ligature', 'oﬃce', 'office'],
  ])('of every script are found: %s', (_label, text, query) => {
    expect(snippetOf(text, parseQuery(query).terms)?.marks).toHaveLength(1);
  });

  test('that are not in a text are not found', () => {
    for (const query of ['京東', '"muller frau"', 'uller', 'mullerx']) {
      expect(snippetOf('Frau Müller in 東京', parseQuery(query).terms)).toBeNull();
    }
  });

  test('of any text find it again, each alone and all as a phrase', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(text, (given) => {
        const tokens = tokensOf(given);
        for (const { start, end } of tokens) {
          expect(snippetOf(given, parseQuery(`"${given.slice(start, end)}"`).terms)).not.toBeNull();
          expect(given.slice(start, end)).not.toBe('');
        }
        const phrase = given.replaceAll('"', ' ');
        expect(snippetOf(phrase, parseQuery(`"${phrase}"`).terms)).not.toBeNull();
      }),
    );
  });
});

describe('a snippet', () => {
  test('is short, whole characters, and marks in order and inside of it, of any text', () => {
    const word = fc.constantFrom('needle', '👍🏽', 'straße', '東京', 'x', '\n', '…');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 200 }), (words) => {
        const text = `${words.join(' ')} needle`;
        const snippet = snippetOf(text, parseQuery('needle').terms);
        const { text: cut = '', marks = [] } = snippet ?? {};
        expect(cut.length).toBeLessThanOrEqual(182);
        // Half a character would be written as another one.
        expect(Buffer.from(cut).toString()).toBe(cut);
        expect(marks.length).toBeGreaterThan(0);
        let before = 0;
        for (const { start, end } of marks) {
          expect(cut.slice(start, end)).toBe('needle');
          expect(start).toBeGreaterThanOrEqual(before);
          before = end;
        }
      }),
    );
  });
});
