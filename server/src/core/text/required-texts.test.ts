import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compilePattern } from './linear-regex.ts';
import { fold } from './normalize-text.ts';
import { requiredTexts } from './required-texts.ts';

test.each([
  ['refund', [['refund']]],
  ['\\border[ -]?12\\d{3}\\b', [['order'], ['12']]],
  ['Order', [['order']]],
  ['refund|money back', [['refund', 'money back']]],
  ['(cancel|stop) my order', [['cancel', 'stop'], [' my order']]],
  ['(?:a|b(?P<n>c|dd)+)', [['a', 'b']]],
  ['colou?r', [['colo'], ['r']]],
  ['lo+ng', [['lo'], ['ng']]],
  ['(ab){2,}c', [['ab'], ['c']]],
  ['(ab)*c{0,3}d*?', []],
  ['\\$9\\.99', [['$9.99']]],
  ['\\p{Greek}x\\pLy', [['x'], ['y']]],
  ['[]ab|(]x[[:alpha:]\\]]', [['x']]],
  ['.*', []],
  ['(?i)ab', []],
  ['\\Qab\\E', []],
  ['\\x{61}b', []],
  ['refund|', []],
  ['a|b|c|d|e|f|g|h|i', []],
])('what matches %s holds one of each of %j', (pattern, required) => {
  expect(requiredTexts(pattern)).toEqual(required);
});

const LETTERS = [
  'a',
  'b',
  'A',
  'B',
  'k',
  'ſ',
  'ß',
  'в',
  'ᲀ',
  'Σ',
  'ς',
  'é',
  '😀',
  ' ',
  '-',
  '{',
  '}',
  ']',
  ',',
  '1',
  '0',
];
const SIGNS = ['.', '\\d', '\\w', '\\b', '\\B', '^', '$', '\\pL', '\\p{Greek}', '\\-', '\\.', '\\x61', '\\Qa|b\\E'];
const CLASSES = ['[ab]', '[^a]', '[]a]', '[^]a]', '[[:alpha:]]', '[a\\]b]', '[a[]', '[\\pL(|]', '[A-Z]'];
const REPEATS = ['', '', '', '*', '+', '?', '{2}', '{0}', '{0,2}', '{1,}', '{2,3}?', '+?', '{,2}'];
const OPENINGS = ['(', '(?:', '(?P<n>', '(?<m>', '(?i:', '(?-i:', '(?s)('];

/** Mostly the same two: patterns and texts meet often. */
const anyLetter = fc.oneof({ weight: 4, arbitrary: fc.constantFrom('a', 'b') }, fc.constantFrom(...LETTERS));

const { pattern: anyPattern } = fc.letrec<{ pattern: string; sequence: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 4, arbitrary: anyLetter },
    fc.constantFrom(...SIGNS),
    fc.constantFrom(...CLASSES),
    fc.tuple(fc.constantFrom(...OPENINGS), tie('pattern')).map(([opening, inside]) => `${opening}${inside})`),
  ),
  sequence: fc
    .array(
      fc.tuple(tie('atom'), fc.constantFrom(...REPEATS)).map((both) => both.join('')),
      { maxLength: 4 },
    )
    .map((parts) => parts.join('')),
  pattern: fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }).map((branches) => branches.join('|')),
}));

const anyText = fc
  .array(fc.oneof({ weight: 9, arbitrary: anyLetter }, fc.constantFrom('|', '(', '.', 'α')), { maxLength: 12 })
  .map((signs) => fold(signs.join('')));

test('any pattern finds in any text what its machine finds without the filter', () => {
  const found = { matches: 0, spared: 0 };
  const same = (pattern: string, texts: readonly string[]) => {
    const compiled = compilePattern(pattern);
    fc.pre(compiled.ok);
    for (const text of texts) {
      const matches = compiled.regex.testWhole(text);
      expect(compiled.regex.test(text)).toBe(matches);
      found.matches += Number(matches);
    }
    found.spared += Number(requiredTexts(pattern).length > 0);
  };
  fc.assert(fc.property(anyPattern, fc.array(anyText, { minLength: 1, maxLength: 8 }), same), { numRuns: 3_000 });
  expect(found.matches).toBeGreaterThan(1_000);
  expect(found.spared).toBeGreaterThan(300);
});
