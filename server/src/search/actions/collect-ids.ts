import type { TenantId } from '#core/ids';
import type { SqlRunner } from '#database/database';
import type { SearchKind } from '#search/domain/search-kind';
import type { Way } from '#search/domain/search-ways';
import { prefixOf } from '#search/domain/search-words';
import { type Look, type Looked, lookInConversations, lookInPortions } from '#search/store/search-candidates';

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
  /** Whether there is still time for a further look. */
  readonly mayGoOn?: () => boolean;
}

/** What was found, newest first. */
export interface Collected {
  readonly ids: readonly string[];
  /** What is older than this was not looked at, or is more than was wanted; null: that is all. */
  readonly downTo: string | null;
}

/** The portions of each look: a common word is found in the first, a rare one is soon looked for in all. */
const PORTIONS = [1, 4, 16, 64] as const;

/** Collects what the ways find, newest first, until there is enough, everything was looked at, or time is up. */
export async function collect(db: SqlRunner, collecting: Collecting): Promise<Collected> {
  const found: Collected[] = [];
  for (const way of collecting.ways) found.push(await collectBy(db, collecting, way));
  const ends = found.map(({ downTo }) => downTo).filter((id) => id !== null);
  // Below the highest of these ends one way may have found what another has not looked for yet.
  const end = ends.toSorted().at(-1) ?? null;
  const ids = [...new Set(found.flatMap((one) => one.ids))].filter((id) => end === null || id >= end);
  const newest = ids.toSorted().reverse().slice(0, collecting.limit);
  return { ids: newest, downTo: ids.length > newest.length ? (newest.at(-1) ?? end) : end };
}

async function collectBy(db: SqlRunner, collecting: Collecting, way: Way): Promise<Collected> {
  const { tenantId, kind, limit, fromId, mayGoOn = () => true } = collecting;
  const ids: string[] = [];
  let beforeId = collecting.beforeId ?? LARGEST_ID;
  for (let step = 0; ; step += 1) {
    const look: Look = {
      ...{ tenantId, query: way.query, prefix: prefixOf(tenantId, kind), tags: way.tags },
      ...{ beforeId, fromId: fromId ?? SMALLEST_ID, limit: limit - ids.length },
    };
    const looked = await lookOnce(db, kind, { look, way, step });
    ids.push(...looked.ids);
    if (ids.length >= limit) return { ids, downTo: ids.at(-1) ?? null };
    if (looked.downTo === null || !mayGoOn()) return { ids, downTo: looked.downTo };
    beforeId = looked.downTo;
  }
}

interface Step {
  readonly look: Look;
  readonly way: Way;
  readonly step: number;
}

function lookOnce(db: SqlRunner, kind: SearchKind, { look, way, step }: Step): Promise<Looked> {
  if (way.conversationIds !== null) return lookInConversations(db, kind, look, way.conversationIds);
  return lookInPortions(db, kind, look, PORTIONS[Math.min(step, PORTIONS.length - 1)] ?? 1);
}
