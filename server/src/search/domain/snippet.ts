import type { Term } from './search-query.ts';
import { type Token, tokensOf } from './words.ts';

/** A part of a text, from `start` up to but without `end`, in UTF-16 code units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A part of a text, and what of it was looked for. */
export interface Snippet {
  readonly text: string;
  readonly marks: readonly TextRange[];
}

const LENGTH = 180;
/** What stands before the first mark at most, so that its sentence can be understood. */
const BEFORE = 40;

/**
 * The part of a text that shows best why it was found.
 * @returns null: not every term is in the text as it is now
 */
export function snippetOf(text: string, terms: readonly Term[]): Snippet | null {
  const ranges = findTerms(text, terms);
  if (ranges === null) return null;
  const start = beginOf(text, ranges[0]?.start ?? 0);
  const end = wholeCharacter(text, Math.min(text.length, start + LENGTH));
  const [before, after] = [start > 0 ? '…' : '', end < text.length ? '…' : ''];
  const shown = text.slice(start, end).replace(/\s/g, ' ');
  const marks = ranges
    .filter((range) => range.start >= start && range.end <= end)
    .map((range) => ({ start: range.start - start + before.length, end: range.end - start + before.length }));
  return { text: before + shown + after, marks };
}

/** At the beginning of a word when there is one near. */
function beginOf(text: string, first: number): number {
  if (first <= BEFORE) return 0;
  const from = wholeCharacter(text, first - BEFORE);
  const space = text.slice(from, first).search(/\s/);
  return space === -1 ? from : from + space + 1;
}

/** A place that does not cut a character in two. */
function wholeCharacter(text: string, place: number): number {
  const code = text.charCodeAt(place);
  return code >= 0xdc00 && code <= 0xdfff ? place - 1 : place;
}

/** Where the terms are, in order and without overlaps; null: one of them is nowhere. */
function findTerms(text: string, terms: readonly Term[]): readonly TextRange[] | null {
  if (terms.length === 0) return [];
  const places = new Map<number, Token[]>();
  for (const token of tokensOf(text)) {
    const others = places.get(token.place);
    if (others === undefined) places.set(token.place, [token]);
    else others.push(token);
  }
  const found: TextRange[] = [];
  for (const term of terms) {
    const ranges = [...places.keys()].flatMap((place) => rangeFrom(places, term, place) ?? []);
    if (ranges.length === 0) return null;
    found.push(...ranges);
  }
  return joined(found);
}

/** The term from a place of the text on; null: it does not stand there. */
function rangeFrom(places: ReadonlyMap<number, readonly Token[]>, term: Term, from: number): TextRange | null {
  const begin = term.tokens[0]?.place ?? 0;
  const found: Token[] = [];
  for (const [index, { word, place }] of term.tokens.entries()) {
    const mayGoOn = term.isPrefix && index === term.tokens.length - 1;
    const candidates = places.get(from + place - begin) ?? [];
    const token = candidates.find((one) => (mayGoOn ? one.word.startsWith(word) : one.word === word));
    if (token === undefined) return null;
    found.push(token);
  }
  const [first, last] = [found[0], found.at(-1)];
  return first === undefined || last === undefined ? null : { start: first.start, end: last.end };
}

function joined(ranges: readonly TextRange[]): readonly TextRange[] {
  const merged: TextRange[] = [];
  for (const range of ranges.toSorted((left, right) => left.start - right.start || left.end - right.end)) {
    const last = merged.at(-1);
    if (last === undefined || range.start >= last.end) merged.push(range);
    else merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
  }
  return merged;
}
