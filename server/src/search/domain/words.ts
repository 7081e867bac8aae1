import { cutText } from '#core/json';
import { fold } from '#core/text/normalize-text';

/*
 * The words of a text, as they are indexed and as they are looked for: both go through here, so what is found does not depend on a
 * dictionary or an extension of the database. Scripts without spaces are taken in pairs of characters, which finds any part of them.
 */

/** A word of a text. */
export interface Token {
  /** Folded: without case and accents. */
  readonly word: string;
  /** Its place among the words, from 1: phrases compare places. */
  readonly place: number;
  /** Where it stands in the text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** True of a word that another one at its place contains: texts are found by it, but nobody who looks for a word means it. */
  readonly isPart?: true;
}

/** Longer words are cut: nobody types them. */
export const MAX_WORD = 64;
/** Longer texts are searched up to here, in UTF-16 code units: the longest message of the network has half as many. */
const MAX_TEXT = 10_000;
/** Places that PostgreSQL keeps of a text. */
const MAX_PLACE = 16_000;

const RUN = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*|\p{Extended_Pictographic}/gu;
const UNSPACED = '\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}';
/** A character of a script without spaces, with its marks (also those of half width), or what stands between such. */
const PIECE = new RegExp(`[${UNSPACED}][\\p{M}\\uff9e\\uff9f]*|[^${UNSPACED}]+`, 'gu');
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');

/** Digits in a row that are found by their last ones too: numbers of phones, orders and parcels. */
const LONG_NUMBER = /^\d{7,20}$/;
const SHORTEST_END = 4;

/** All words of a text, in order. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let place = 1;
  for (const { 0: run, index } of text.slice(0, MAX_TEXT).matchAll(RUN)) {
    if (place > MAX_PLACE) break;
    place = addRun(tokens, { text: run, start: index }, place);
  }
  return tokens;
}

/** Whether a word is of a script without spaces: a single character of it stands for all pairs that begin with it. */
export function isUnspaced(word: string): boolean {
  return IS_UNSPACED.test(word);
}

interface Run {
  readonly text: string;
  readonly start: number;
}

function addRun(tokens: Token[], { text, start }: Run, from: number): number {
  let place = from;
  let characters: Token[] = [];
  const flush = () => {
    for (const [index, one] of characters.entries()) {
      const next = characters[index + 1];
      tokens.push(next === undefined ? one : { ...one, word: one.word + next.word, end: next.end });
    }
    characters = [];
  };
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    const words = fold(piece).match(RUN) ?? [];
    const spot = { start: start + index, end: start + index + piece.length };
    if (IS_UNSPACED.test(piece)) {
      for (const word of words) characters.push({ word: cutText(word, MAX_WORD), place: place++, ...spot });
      continue;
    }
    flush();
    for (const word of words) addWord(tokens, { word: cutText(word, MAX_WORD), place: place++, ...spot });
  }
  flush();
  return place;
}

function addWord(tokens: Token[], token: Token): void {
  tokens.push(token);
  const { word, end } = token;
  if (!LONG_NUMBER.test(word) || end - token.start !== word.length) return;
  for (let length = word.length - 1; length >= SHORTEST_END; length -= 1) {
    tokens.push({ ...token, word: word.slice(-length), start: end - length, isPart: true });
  }
}
