import { facts } from './search-kind.ts';
import type { SearchQuery } from './search-query.ts';
import { PREFIX, tsqueryOf } from './search-words.ts';

/** One reading of an operator: what has to be true, and where. */
export interface Reading {
  readonly facts: readonly string[];
  /** Only in these conversations; null: anywhere. */
  readonly conversationIds: readonly string[] | null;
  /** Only in conversations with these tags. */
  readonly tags: readonly string[];
}

/** A way to look for something. What a query finds is what all of its ways find. */
export interface Way {
  /** See tsqueryOf. */
  readonly query: string;
  readonly conversationIds: readonly string[] | null;
  readonly tags: readonly string[];
}

/** `from:` a name that agents and customers have is read in both ways; many such names at once are a few ways. */
const MAX_WAYS = 8;

const NOTHING: Reading = { facts: [facts.none], conversationIds: null, tags: [] };

/**
 * The ways of a query.
 * @param readings of each operator of the query that names somebody or some place: how it can be read; none: it names nothing
 */
export function waysOf(query: SearchQuery, readings: readonly (readonly Reading[])[]): readonly Way[] {
  const start: Reading = { facts: query.has.map((word) => facts[word]), conversationIds: null, tags: [] };
  let all: readonly Reading[] = [start];
  for (const alternatives of readings) {
    const given = alternatives.length === 0 ? [NOTHING] : alternatives;
    all = all.flatMap((one) => given.map((other) => both(one, other))).slice(0, MAX_WAYS);
  }
  return all.map(({ facts: known, conversationIds, tags }) => {
    const needed = query.terms.length + known.length === 0 ? [facts.any] : known;
    return { query: tsqueryOf(query.terms, needed), conversationIds, tags };
  });
}

function both(one: Reading, other: Reading): Reading {
  const conversationIds =
    one.conversationIds === null || other.conversationIds === null
      ? (one.conversationIds ?? other.conversationIds)
      : one.conversationIds.filter((id) => other.conversationIds?.includes(id));
  return { facts: [...one.facts, ...other.facts], conversationIds, tags: [...one.tags, ...other.tags] };
}

/** Whether a text can stand in a query: nothing of it may be taken for the prefix. */
export function isPlainFact(text: string): boolean {
  return !text.includes(PREFIX) && !text.includes("'") && !text.includes('\\');
}
