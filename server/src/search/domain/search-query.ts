import { isUnspaced, type Token, tokensOf } from './words.ts';

/** Words that must follow each other. */
export interface Term {
  readonly tokens: readonly Pick<Token, 'word' | 'place'>[];
  /** Whether the last word may go on: of a word that was typed, but not of a phrase in quotes. */
  readonly isPrefix: boolean;
}

export const HAS_WORDS = ['media', 'link', 'note'] as const;
export type HasWord = (typeof HAS_WORDS)[number];

/** What a query asks for; everything has to hold. */
export interface SearchQuery {
  readonly terms: readonly Term[];
  /** Who wrote it: me, customer, an id, or the beginnings of a name. */
  readonly from: readonly string[];
  /** Where: a conversation, a number or a tag. */
  readonly in: readonly string[];
  readonly has: readonly HasWord[];
  /** From this moment on, in milliseconds since 1970. */
  readonly afterMs: number | null;
  readonly beforeMs: number | null;
}

/** More parts of a query narrow nothing down, and are passed over. */
const MAX_PARTS = 12;

const NUMBER = /\+\d[\d\s()./-]{3,}\d/g;
const PART = /(?:(from|in|has|before|after):)?(?:"([^"]*)"?|([^\s"]+))/gi;

type Parts = { -readonly [K in keyof SearchQuery]: SearchQuery[K] };

/** What a query means. Every text means something: what is no operator, or one with a value that it does not take, is words. */
export function parseQuery(text: string): SearchQuery {
  const query: Parts = { terms: [], from: [], in: [], has: [], afterMs: null, beforeMs: null };
  const compact = text.replace(NUMBER, (number) => number.replace(/\D/g, ''));
  for (const { 0: part, 1: operator, 2: quoted, 3: bare } of compact.matchAll(PART)) {
    const value = (quoted ?? bare ?? '').trim();
    if (operator !== undefined && value !== '' && addOperator(query, operator.toLowerCase(), value)) continue;
    const isPhrase = operator === undefined && quoted !== undefined;
    const term = termOf(isPhrase ? value : part, !isPhrase);
    if (term !== null && query.terms.length < MAX_PARTS) query.terms = [...query.terms, term];
  }
  return query;
}

/** @returns whether the operator takes this value */
function addOperator(query: Parts, operator: string, value: string): boolean {
  switch (operator) {
    case 'from':
    case 'in':
      if (query[operator].length < MAX_PARTS) query[operator] = [...query[operator], value];
      return true;
    case 'has': {
      const word = HAS_WORDS.find((one) => one === value.toLowerCase());
      if (word !== undefined && !query.has.includes(word)) query.has = [...query.has, word];
      return word !== undefined;
    }
    default:
      return addTime(query, operator === 'after' ? 'afterMs' : 'beforeMs', value);
  }
}

function addTime(query: Parts, name: 'afterMs' | 'beforeMs', value: string): boolean {
  const ms = timeOf(value);
  if (ms === null) return false;
  const given = query[name];
  if (name === 'afterMs') query.afterMs = given === null ? ms : Math.max(given, ms);
  else query.beforeMs = given === null ? ms : Math.min(given, ms);
  return true;
}

const TIME = /^\d{4}(?:-\d{2}(?:-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?)?)?$/i;

/** The beginning of a year, a month or a day of UTC, or a moment (RFC 3339). */
function timeOf(value: string): number | null {
  const ms = TIME.test(value) ? Date.parse(value.toUpperCase()) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

/** The words of a part of a query; null: it has none. */
export function termOf(text: string, isPrefix: boolean): Term | null {
  const tokens = tokensOf(text).filter(({ isPart }) => isPart !== true);
  // The last character of a script without spaces also stands alone in a text, but here it is in the pair before it.
  const meant = tokens.filter((token, index) => token.end !== tokens[index - 1]?.end);
  const last = meant.at(-1);
  if (last === undefined) return null;
  const isOneCharacter = isUnspaced(last.word) && [...last.word].length === 1;
  return { tokens: meant.map(({ word, place }) => ({ word, place })), isPrefix: isPrefix || isOneCharacter };
}
