import { describe, expect, test } from 'vitest';
import { compilePattern, MAX_PATTERN_STEPS, MAX_REGEX_CHARACTERS } from './linear-regex.ts';

function matches(pattern: string, text: string): boolean {
  const compiled = compilePattern(pattern);
  if (!compiled.ok) throw new Error(`${pattern} ${compiled.reason}`);
  return compiled.regex.test(text);
}

function filled(piece: string, end = ''): string {
  return piece.repeat(Math.ceil(MAX_REGEX_CHARACTERS / piece.length)).slice(0, MAX_REGEX_CHARACTERS - end.length) + end;
}

/** Patterns that make a backtracking machine run for years, each with its worst text of the size of a message. */
const evil: readonly (readonly [string, string])[] = [
  ['(a+)+$', filled('a', '!')],
  ['^(a+)+$', filled('a', '!')],
  ['([a-z]+)*$', filled('a', '!')],
  ['(a|aa)+$', filled('a', '!')],
  ['(a|a?)+$', filled('a', '!')],
  ['(a|a)*$', filled('a', '!')],
  ['(.*a){12}$', filled('a', '!')],
  ['(.*a){20}!$', filled('a')],
  ['(x+x+)+y', filled('x')],
  ['(x*)*y$', filled('x')],
  ['(.*)*=.*', filled('x')],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', filled('a')],
  ['(\\w+\\s?)*$', filled('ab ', '!!')],
  ['^(\\w+\\s?)*\\?$', filled('ab ')],
  ['\\s+$', filled(' ', '!')],
  ['^\\s+|\\s+$', filled('\t', 'x')],
  ['([a-z0-9]+[._-]?)+@', filled('a')],
  ['^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}[a-z]{2,3}$', filled('a')],
  ['^(https?://)?([\\da-z.-]+)\\.([a-z.]{2,6})([/\\w .-]*)*/?$', `http://a.bc/${filled('d', '!')}`],
  ['(\\d+)*-(\\d+)*$', filled('1')],
  ['^(\\d+\\.?)+$', filled('1', 'x')],
  ['^\\d*[0-9](|.\\d*[0-9]|)*$', filled('1', 'x')],
  ['(?:(?:a*)*)*b', filled('a')],
  ['((a*)*)*$', filled('a', 'b')],
  ['<a.*href=.*>.*</a>', filled('<a href=')],
  ['"(\\\\"|[^"])*"x', `"${filled('\\"')}`],
  ['/\\*(.|\\n)*\\*/x', filled('/*')],
  ['.*.*.*.*.*.*=', filled('a')],
  ['(a?){30}a{30}$', filled('a', '!')],
  ['[ab]*a[ab]{12}$', filled('ab', 'b!')],
  ['(a|b|ab)*c', filled('ab')],
  ['^(.+)+\\b$', filled('a', '!')],
  ['(\\pL|\\d)*!x', filled('a1')],
  ['(ab?c?)*d$', filled('abcac')],
  ['^(?:.?)*z', filled('y')],
];

describe('a linear regular expression', () => {
  test.each([
    ['order \\d{4}', 'my order 1234 please', true],
    ['^order', 'my order', false],
    ['CAFÉ', 'a cafe', true],
    ['stra(ß|ss)e', 'strasse', true],
    ['[à-ü]+$', 'u', true],
    ['\\S+@\\S+', 'mail a@b', true],
    ['\\D', '1', false],
    ['（x）', '(x)', true],
    ['a.c', 'a😀c', true],
  ])('%s finds in "%s": %s', (pattern, text, found) => {
    expect(matches(pattern, text)).toBe(found);
  });

  test.each([
    ['(', 'is not a regular expression of RE2'],
    ['(a)\\1', 'is not a regular expression of RE2'],
    ['(?=a)', 'is not a regular expression of RE2'],
    ['(?<!a)b', 'is not a regular expression of RE2'],
    ['a{9999}', 'is not a regular expression of RE2'],
    ['(a{20}){20}', 'is too complex'],
    ['((a{30}){30}){30}', 'is'],
    ['a'.repeat(251), 'has 251 characters'],
  ])('%s is refused: it %s', (pattern, reason) => {
    const compiled = compilePattern(pattern);
    expect(compiled.ok ? 'it was compiled' : compiled.reason).toContain(reason);
  });
});

describe('patterns that ruin a backtracking machine', () => {
  test('are many', () => expect(evil.length).toBeGreaterThanOrEqual(30));

  test.each(evil)('%s takes time in proportion to the text', (pattern, text) => {
    const compiled = compilePattern(pattern);
    if (!compiled.ok) throw new Error(compiled.reason);
    expect(compiled.regex.steps).toBeLessThanOrEqual(MAX_PATTERN_STEPS);
    compiled.regex.test(text);
    const half = fastestMs(() => compiled.regex.test(text.slice(0, MAX_REGEX_CHARACTERS / 4)));
    const whole = fastestMs(() => compiled.regex.test(text));
    // Four times the text: 16 for a quadratic machine, beyond all measure for an exponential one. The floor takes noise.
    expect(whole).toBeLessThan(Math.max(half, 0.05) * 12);
  });
});

function fastestMs(work: () => void): number {
  const times = Array.from({ length: 7 }, () => {
    const startMs = performance.now();
    work();
    return performance.now() - startMs;
  });
  return Math.min(...times);
}
