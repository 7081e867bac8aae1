import { RE2JS, RE2JSException } from 're2js';
import { fold } from './normalize-text.ts';
import { type AnyOf, holdsRequired, requiredTexts } from './required-texts.ts';

/** Longer patterns are programs, which cannot be reviewed in a rule. */
export const MAX_PATTERN_CHARACTERS = 250;
/**
 * Steps that a pattern may have when compiled. A match costs at most steps × characters: a counted repetition of a
 * repetition, as `(a{50}){50}`, is short to write and long to run.
 */
export const MAX_PATTERN_STEPS = 200;
/** A message has no more characters than this; only the beginning of a longer text is matched. */
export const MAX_REGEX_CHARACTERS = 4_096;

/** A pattern that is matched in time linear in the text, for any pattern and any text. */
export interface LinearRegex {
  /** How much a character costs at most; see MAX_PATTERN_STEPS. */
  readonly steps: number;
  /** @param folded a text as `fold` makes it */
  test(folded: string): boolean;
  /** The same by the machine alone, without the look at what a text must hold to match. */
  testWhole(folded: string): boolean;
}

export type CompiledPattern =
  | { readonly ok: true; readonly regex: LinearRegex }
  /** `reason` completes a sentence that begins with the name of the field. */
  | { readonly ok: false; readonly reason: string };

/**
 * Compiles a regular expression in the syntax of RE2: no back-references and no look-around, which no machine can match in
 * linear time. It finds its place anywhere in a folded text: case and accents do not matter, in the pattern neither.
 */
export function compilePattern(pattern: string): CompiledPattern {
  if (pattern.length > MAX_PATTERN_CHARACTERS) {
    return { ok: false, reason: `has ${pattern.length} characters; a regular expression has at most 250` };
  }
  const compiled = compileFolded(pattern);
  if (typeof compiled === 'string') return { ok: false, reason: `is not a regular expression of RE2: ${compiled}` };
  const steps = compiled.programSize();
  if (steps > MAX_PATTERN_STEPS) {
    const reason = `is too complex: its repetitions make ${steps} steps, and at most ${MAX_PATTERN_STEPS} are allowed`;
    return { ok: false, reason };
  }
  return { ok: true, regex: { steps, ...tests(compiled, requiredTexts(compiled.pattern())) } };
}

function tests(compiled: RE2JS, required: readonly AnyOf[]): Pick<LinearRegex, 'test' | 'testWhole'> {
  const testWhole = (folded: string) => compiled.test(folded.slice(0, MAX_REGEX_CHARACTERS));
  return { testWhole, test: (folded) => holdsRequired(required, folded) && testWhole(folded) };
}

/** The fault in words instead of an expression. */
function compileFolded(pattern: string): RE2JS | string {
  try {
    return RE2JS.compile(foldPattern(pattern), RE2JS.CASE_INSENSITIVE);
  } catch (error) {
    if (error instanceof RE2JSException) return error.message.replace(/^error parsing regexp: /, '');
    throw error;
  }
}

const BEYOND_ASCII = /[^\p{ASCII}]/gu;

/**
 * Folds what a pattern says literally. Signs of ASCII keep their meaning, also upper case, as in `\S`; what only becomes
 * such a sign, as a full-width bracket, stays a literal.
 */
function foldPattern(pattern: string): string {
  return pattern.normalize('NFC').replace(BEYOND_ASCII, (sign) => RE2JS.quote(fold(sign)));
}
