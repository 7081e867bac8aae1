import type { SearchKind } from './search-kind.ts';
import type { Term } from './search-query.ts';
import { tokensOf } from './words.ts';

/*
 * What stands in the index. `~` is the place of the prefix, which says whose it is and in which portion: no folded word has it.
 */

/** Stands for the prefix in a query, until it is known in which portions is searched. */
export const PREFIX = '~';

const LETTER: Readonly<Record<SearchKind, string>> = { messages: 'm', notes: 'n', contacts: 'c', conversations: 'v' };

/**
 * Begins the words of a tenant and a kind, before the number of the portion. Tenants that share one only cost each other time: what
 * is found is always bound to the tenant too.
 */
export function prefixOf(tenantId: string, kind: SearchKind): string {
  return tenantId.slice(-5) + LETTER[kind];
}

/** PostgreSQL keeps no more places of one word. */
const MAX_PLACES = 255;

/** A text and facts as a `tsvector` that is to be read. @param prefix with the number of the portion */
export function vectorOf(prefix: string, text: string, known: readonly string[]): string {
  const places = new Map<string, number[]>();
  for (const { word, place } of tokensOf(text)) {
    const others = places.get(word);
    if (others === undefined) places.set(word, [place]);
    else if (others.length < MAX_PLACES && others.at(-1) !== place) others.push(place);
  }
  const words = [...places].map(([word, at]) => `'${prefix}.${word}':${at.join(',')}`);
  return [...words, ...known.map((fact) => `'${prefix}:${fact}'`)].join(' ');
}

/** Terms and facts as a `tsquery`, with `~` for the prefix. At least one of both must be given. */
export function tsqueryOf(terms: readonly Term[], known: readonly string[]): string {
  return [...terms.map(termQuery), ...known.map((fact) => `'${PREFIX}:${fact}'`)].join(' & ');
}

function termQuery({ tokens, isPrefix }: Term): string {
  let query = '';
  for (const [index, { word, place }] of tokens.entries()) {
    const before = tokens[index - 1];
    if (before !== undefined) query += ` <${place - before.place}> `;
    query += `'${PREFIX}.${word}'${isPrefix && index === tokens.length - 1 ? ':*' : ''}`;
  }
  return tokens.length === 1 ? query : `(${query})`;
}
