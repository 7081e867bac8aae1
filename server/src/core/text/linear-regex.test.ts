import { describe, expect, test } from 'vitest';
import { countReads } from '#core/testing/count-reads';
import { evilPatterns } from '#core/testing/evil-patterns';
import { compilePattern, MAX_PATTERN_STEPS, MAX_REGEX_CHARACTERS } from './linear-regex.ts';

function matches(pattern: string, text: string): boolean {
  const compiled = compilePattern(pattern);
  if (!compiled.ok) throw new Error(`${pattern} ${compiled.reason}`);
  return compiled.regex.testWhole(text);
}

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
  test('are many, and the reads of most of them are seen', () => {
    expect(evilPatterns.length).toBeGreaterThanOrEqual(30);
    const seen = evilPatterns.filter(([pattern, textOf]) => countReads(() => matches(pattern, textOf(1_000))) >= 1_000);
    expect(seen.length).toBeGreaterThan(evilPatterns.length / 2);
  });

  test.each(
    evilPatterns,
  )('%s reads each character a few times, in a text of twice the length as in a short one', (pattern, textOf) => {
    const [text, half] = [textOf(MAX_REGEX_CHARACTERS), textOf(MAX_REGEX_CHARACTERS / 2)];
    const compiled = compilePattern(pattern);
    if (!compiled.ok) throw new Error(compiled.reason);
    const { regex } = compiled;
    expect(regex.steps).toBeLessThanOrEqual(MAX_PATTERN_STEPS);
    expect(countReads(() => regex.testWhole(text))).toBeLessThanOrEqual(READS_PER_CHARACTER * text.length);
    const [small, large] = [countReads(() => regex.testWhole(half)), countReads(() => regex.testWhole(text))];
    expect(large).toBeLessThanOrEqual(2 * small + READS_PER_CHARACTER);
  });
});

/** Characters are read forwards by the machine, and by its look at what begins a match. */
const READS_PER_CHARACTER = 4;
