import { ApiProblem } from '#core/errors';
import type { TenantId } from '#core/ids';
import type { Database, SqlRunner } from '#database/database';
import { type EventType, type StoredEvent, sequenceOfEventId } from '#events/domain/event';
import { type EventBounds, findEvent, readEventBounds, readEvents } from '#events/store/events';
import type { Runtime } from '#runtime/runtime';
import type { EventReader, EventWaiters } from './event-waiters.ts';

/** How often a waiting reader polls: another process may be the one that records. */
const POLL_MS = 1_000;

export interface FeedDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly watch: EventWaiters;
}

/** The position of a reader in the events of a tenant. */
export interface FeedPlace {
  readonly tenantId: TenantId;
  /** Number of the last event that the reader has seen, or that its types left out. */
  readonly after: number;
  /** Id of that event; null when nothing is known of it. */
  readonly cursor: string | null;
}

/** The next events, and the position of the reader after them. */
export interface FeedPage {
  readonly events: readonly StoredEvent[];
  readonly hasMore: boolean;
  readonly place: FeedPlace;
}

/** What of the events a reader wants. */
export interface FeedInput {
  /** Null: all types. */
  readonly types: readonly EventType[] | null;
  readonly limit: number;
}

/**
 * The place after an event.
 * @param afterId null: before the oldest event that is kept
 * @throws ApiProblem validation_failed for an id that is not an event of this tenant, events_expired when events
 * between it and the oldest that is kept were removed, or when the database that was restored or promoted does not have
 * it
 */
export async function placeAfter(db: SqlRunner, tenantId: TenantId, afterId: string | null): Promise<FeedPlace> {
  // 0: the place before the first event, where a stream may have begun.
  const after = afterId === null ? 0 : sequenceOfEventId(tenantId, afterId);
  if (after === null) throw notAnEvent();
  const bounds = await readEventBounds(db, tenantId, after);
  if (afterId === null) return { tenantId, after: bounds.oldestSeq - 1, cursor: null };
  const place = { tenantId, after, cursor: afterId };
  if (after < bounds.oldestSeq - 1) throw new ApiProblem('events_expired');
  requireSameHistory(bounds, place);
  return place;
}

/**
 * A database that was restored from a backup, or a replica that was behind, records other events under numbers that
 * readers have already seen: a reader that continued from such a number would miss them.
 * @throws ApiProblem events_expired when the place is not one of the events that the database has
 */
function requireSameHistory({ lastSeq, placeId }: EventBounds, { after, cursor }: FeedPlace): void {
  const isOther = placeId !== null && cursor !== null && placeId !== cursor;
  if (after > lastSeq || isOther) throw new ApiProblem('events_expired');
}

/** The place behind the newest event: what happens from now on. */
export async function placeAtEnd(db: SqlRunner, tenantId: TenantId): Promise<FeedPlace> {
  const { lastSeq, newestId } = await readEventBounds(db, tenantId);
  return { tenantId, after: lastSeq, cursor: newestId };
}

function notAnEvent(): ApiProblem {
  const message = 'after is not an event of this tenant.';
  return new ApiProblem('validation_failed', { sentence: message, details: [{ path: 'query.after', message }] });
}

/**
 * The events after a place, without waiting; empty when there are none. @throws ApiProblem events_expired, as
 * placeAfter does
 */
export async function readFeed(db: SqlRunner, place: FeedPlace, { types, limit }: FeedInput): Promise<FeedPage> {
  const { tenantId, after } = place;
  // Before the events: all up to this one are then seen, whatever is recorded in the meantime.
  const bounds = await readEventBounds(db, tenantId, after);
  requireSameHistory(bounds, place);
  const { lastSeq, newestId } = bounds;
  if (lastSeq <= after) return { events: [], hasMore: false, place };
  const found = await readEvents(db, { tenantId, after, types, limit: limit + 1 });
  const events = found.slice(0, limit);
  const hasMore = found.length > limit;
  const last = events.at(-1);
  const lastRead = last === undefined ? place : { tenantId, after: last.sequence, cursor: last.id };
  // The end was scanned: what the types left out need not be scanned again.
  const isBehind = !hasMore && newestId !== null && lastSeq > lastRead.after;
  return { events, hasMore, place: isBehind ? { tenantId, after: lastSeq, cursor: newestId } : lastRead };
}

/**
 * The events behind a place; when there are none, those that come within `waitMs`.
 * @throws what `requireAllowed` throws, which is asked once a second
 */
export async function awaitFeed(
  { rt, db, watch }: FeedDeps,
  place: FeedPlace,
  wish: FeedInput & { readonly waitMs: number; readonly requireAllowed: () => Promise<void> },
): Promise<FeedPage> {
  if (wish.waitMs === 0 || watch.full) return readFeed(db, place, wish);
  const endMs = rt.clock.monotonic() + wish.waitMs;
  const reader = watch.enter(place.tenantId);
  try {
    let page = await readFeed(db, place, wish);
    while (page.events.length === 0 && !watch.closed) {
      const leftMs = endMs - rt.clock.monotonic();
      if (leftMs <= 0) break;
      await reader.within(Math.min(POLL_MS, leftMs));
      await wish.requireAllowed();
      page = await readFeed(db, page.place, wish);
    }
    return page;
  } finally {
    reader.leave();
  }
}

interface StreamInput extends FeedInput {
  /** Asked between the steps: false ends the stream. A change to false must wake the reader. */
  readonly continuesWith: () => boolean;
}

/**
 * Events as they come, and now and then none, with the place behind them: the next are read only when the last were
 * taken.
 * @param reader from the watch; the caller lets it leave
 */
export async function* followFeed(
  { db, watch }: Omit<FeedDeps, 'rt'>,
  reader: EventReader,
  from: FeedPlace,
  { continuesWith, ...wish }: StreamInput,
): AsyncGenerator<FeedPage> {
  let place = from;
  while (!watch.closed && continuesWith()) {
    const page = await readFeed(db, place, wish);
    place = page.place;
    yield page;
    if (!page.hasMore) await reader.within(POLL_MS);
  }
}

/** One event by its id. @throws ApiProblem not_found, events_expired */
export async function getEvent(db: SqlRunner, tenantId: TenantId, id: string): Promise<StoredEvent> {
  const sequence = sequenceOfEventId(tenantId, id);
  const event = sequence === null ? null : await findEvent(db, tenantId, sequence);
  if (event?.id === id) return event;
  if (sequence !== null && event === null) {
    const { oldestSeq } = await readEventBounds(db, tenantId);
    if (sequence >= 1 && sequence < oldestSeq) throw new ApiProblem('events_expired');
  }
  throw new ApiProblem('not_found');
}
