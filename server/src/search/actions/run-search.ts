import { idFloor } from '#core/ids';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { kindNumber, type SearchKind } from '#search/domain/search-kind';
import { parseQuery, type SearchQuery } from '#search/domain/search-query';
import { beginIndex, readIndexState } from '#search/store/search-index';
import { collect } from './collect-ids.ts';
import { type Hit, readHits } from './read-hits.ts';
import { resolveQuery, type Searcher } from './resolve-query.ts';

/**
 * How long a search looks before it answers with what it has: the next page goes on from there. With what it takes to read the hits it is
 * below what a person notices.
 */
const PATIENCE_MS = 50;

/** What happened just now is about to be indexed, and nobody has to be told. */
const USUAL_LAG_MS = 10_000;

/** A search, as it was asked for. */
export interface SearchRequest extends Searcher {
  readonly text: string;
  /** What to look for. */
  readonly kinds: readonly SearchKind[];
  /** Hits of each kind. */
  readonly limit: number;
  /** Only what is older than this id; null: from the newest on. */
  readonly beforeId: string | null;
}

/** What was found of one kind, newest first. */
export interface FoundGroup {
  readonly kind: SearchKind;
  readonly hits: readonly Hit[];
  /** Older hits may follow below this id; null: these are all. */
  readonly downTo: string | null;
}

export interface SearchResult {
  readonly groups: readonly FoundGroup[];
  /** False while something cannot be found yet that was stored more than a moment ago. */
  readonly complete: boolean;
}

/** Looks for what a text asks for. Every text is a query; one that asks for nothing finds nothing. */
export async function runSearch(rt: Runtime, db: Database, request: SearchRequest): Promise<SearchResult> {
  const { tenantId, text, kinds, limit, beforeId } = request;
  const endMs = rt.clock.monotonic() + PATIENCE_MS;
  const { isBegun, isComplete: complete } = await readIndexState(db, tenantId, rt.clock.now() - USUAL_LAG_MS);
  if (!isBegun) await beginIndex(db, tenantId, kindNumber.messages);
  const query = parseQuery(text);
  if (!asksForSomething(query)) return { groups: kinds.map((kind) => ({ kind, hits: [], downTo: null })), complete };
  const span = {
    beforeId: earlier(beforeId, query.beforeMs),
    fromId: query.afterMs === null ? null : idFloor(query.afterMs),
  };
  const ways = await resolveQuery(db, request, query);
  const leftMs = () => endMs - rt.clock.monotonic();
  const groups = kinds.map(async (kind): Promise<FoundGroup> => {
    const { ids, downTo } = await collect(db, { tenantId, kind, ways, limit, ...span, leftMs });
    return { kind, hits: await readHits(db, { tenantId, kind, ids, terms: query.terms }), downTo };
  });
  return { groups: await Promise.all(groups), complete };
}

function asksForSomething({ terms, from, in: places, has, afterMs, beforeMs }: SearchQuery): boolean {
  return terms.length + from.length + places.length + has.length > 0 || afterMs !== null || beforeMs !== null;
}

function earlier(beforeId: string | null, beforeMs: number | null): string | null {
  if (beforeMs === null) return beforeId;
  const floor = idFloor<string>(beforeMs);
  return beforeId === null || floor < beforeId ? floor : beforeId;
}
