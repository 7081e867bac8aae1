import type { TenantId } from '#core/ids';
import type { SqlRunner } from '#database/database';
import type { SearchKind } from '#search/domain/search-kind';
import type { Way } from '#search/domain/search-ways';
import { prefixOf } from '#search/domain/search-words';
import {
  type Look,
  type Looked,
  lookAmongNewest,
  lookInConversations,
  lookInPortions,
} from '#search/store/search-candidates';

const LARGEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const SMALLEST_ID = '00000000-0000-0000-0000-000000000000';

/** What is wanted of one kind. */
export interface Collecting {
  readonly tenantId: TenantId;
  readonly kind: SearchKind;
  readonly ways: readonly Way[];
  readonly limit: number;
  /** Only ids below this one. */
  readonly beforeId?: string | null;
  /** Only this id and larger ones. */
  readonly fromId?: string | null;
  /** For how long further looks may begin, in milliseconds. */
  readonly leftMs?: () => number;
}

/** What was found, newest first. */
export interface Collected {
  readonly ids: readonly string[];
  /** What is older than this was not looked at, or is more than was wanted; null: that is all. */
  readonly downTo: string | null;
}

/** On the embedded database everybody else waits for a look, so it is short, and others come between two. */
const LOOK_MS = 25;

/** Entries of conversations of each look: a common word is found in the first. */
const ENTRIES = [100, 500] as const;

/** However late it is: a page that gets no further than the newest entries helps nobody. */
const LEAST_LOOKS = 2;

/** How far one way was looked through. */
interface Progress {
  readonly way: Way;
  readonly ids: readonly string[];
  /** Null: to the end. */
  readonly downTo: string | null;
  readonly looks: number;
}

/** Collects what the ways find, newest first, until there is enough, everything was looked at, or time is up. */
export async function collect(db: SqlRunner, collecting: Collecting): Promise<Collected> {
  const { ways, limit, beforeId, leftMs = () => Number.POSITIVE_INFINITY } = collecting;
  const start = beforeId ?? LARGEST_ID;
  let all: readonly Progress[] = ways.map((way) => ({ way, ids: [], downTo: start, looks: 0 }));
  for (;;) {
    // The way that has come least far bounds what is known: that one goes on.
    const next = all.reduce<Progress | null>((least, one) => (isBehind(one, least) ? one : least), null);
    const end = next?.downTo ?? null;
    const ids = idsDownTo(all, end);
    const isLate = leftMs() <= 0 && next !== null && next.looks >= LEAST_LOOKS;
    if (next === null || isLate || ids.length >= limit) return newestOf(ids, limit, end);
    const looked = await lookOnce(db, collecting, next, leftMs());
    // Older ones than these may match too, when they are as many as were wanted.
    const downTo = looked.ids.length < limit ? looked.downTo : (looked.ids.at(-1) ?? null);
    const progressed = { ...next, ids: [...next.ids, ...looked.ids], downTo, looks: next.looks + 1 };
    all = all.map((one) => (one === next ? progressed : one));
  }
}

function isBehind(one: Progress, other: Progress | null): boolean {
  return one.downTo !== null && (other === null || other.downTo === null || one.downTo > other.downTo);
}

/** What was found as far as every way was looked through. */
function idsDownTo(all: readonly Progress[], end: string | null): readonly string[] {
  return [...new Set(all.flatMap(({ ids }) => ids))].filter((id) => end === null || id >= end);
}

function newestOf(ids: readonly string[], limit: number, end: string | null): Collected {
  const newest = ids.toSorted().reverse().slice(0, limit);
  return { ids: newest, downTo: ids.length > newest.length ? (newest.at(-1) ?? end) : end };
}

function lookOnce(db: SqlRunner, collecting: Collecting, progress: Progress, leftMs: number): Promise<Looked> {
  const { tenantId, kind, fromId, limit } = collecting;
  const { way, downTo, looks } = progress;
  const look: Look = {
    ...{ tenantId, query: way.query, prefix: prefixOf(tenantId, kind), tags: way.tags },
    ...{ beforeId: downTo ?? SMALLEST_ID, fromId: fromId ?? SMALLEST_ID, limit },
  };
  if (way.conversationIds !== null) {
    const count = ENTRIES[Math.min(looks, ENTRIES.length - 1)] ?? 1;
    return lookInConversations(db, kind, look, { conversationIds: way.conversationIds, count });
  }
  return looks === 0 ? lookAmongNewest(db, kind, look) : lookInPortions(db, kind, look, Math.min(LOOK_MS, leftMs));
}
