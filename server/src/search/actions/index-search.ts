import type { TenantId } from '#core/ids';
import type { Database, Transaction } from '#database/database';
import { lastSequence } from '#events/store/events';
import { readEventsToIndex } from '#events/store/events-to-index';
import { kindNumber, type SearchKind, searchKinds } from '#search/domain/search-kind';
import { bringsPast, INDEXED_EVENTS, type Touched, touchedBy } from '#search/domain/touched';
import { removeErased } from '#search/store/erased-documents';
import { findUnindexed, lockCursor, mergeWords, moveCursor, type SearchCursor } from '#search/store/search-index';
import { findConversationsOf } from '#search/store/search-sources';
import { indexDocuments } from './index-documents.ts';

/** Tenants that one round looks after. */
const TENANTS_AT_ONCE = 200;
/** Pages of events per transaction: as a rule some hundred messages, so that nobody waits for it on the embedded database. */
const PAGES_AT_ONCE = 4;
/** Older things that one transaction takes in. */
const BACKFILL_AT_ONCE = 500;

/**
 * Makes what happened findable, one portion for each tenant that is behind: first what is new, and when nothing is, what is older than
 * the index. Killed at any time, the next step does the same again; two processes do not do it for the same tenant at once.
 * @returns how many tenants had something to be done; call again while it is not 0
 */
export async function indexSearch(db: Database): Promise<number> {
  let worked = 0;
  const failures: unknown[] = [];
  for (const tenantId of await findUnindexed(db, TENANTS_AT_ONCE)) {
    try {
      if (await indexTenant(db, tenantId)) worked += 1;
    } catch (error) {
      // The others do not wait for a tenant that cannot be indexed.
      failures.push(error);
    }
  }
  if (worked > 0) await mergeWords(db);
  if (worked === 0 && failures.length > 0) throw failures[0];
  return worked;
}

/** The next portion of one tenant. @returns whether there was one; false also while another process is at it */
export function indexTenant(db: Database, tenantId: TenantId): Promise<boolean> {
  return db.transaction(async (tx) => {
    const cursor = await lockCursor(tx, tenantId, kindNumber.messages);
    if (cursor === null) return false;
    const next = (await followEvents(tx, tenantId, cursor)) ?? (await fillBack(tx, tenantId, cursor));
    if (next !== null) await moveCursor(tx, tenantId, next);
    return next !== null;
  });
}

/** Null: nothing happened. */
async function followEvents(tx: Transaction, tenantId: TenantId, cursor: SearchCursor): Promise<SearchCursor | null> {
  const after = cursor.lastSeq;
  const told = await readEventsToIndex(tx, { tenantId, after, pages: PAGES_AT_ONCE, types: INDEXED_EVENTS });
  if (told === null || told.firstSequence > after + 1) {
    const head = told === null ? await lastSequence(tx, tenantId) : told.firstSequence - 1;
    // The events between are kept no more: what they told of is read from the tables, with all the rest.
    return head > after ? { lastSeq: head, backfillKind: kindNumber.messages, backfillBefore: null } : null;
  }
  await indexTouched(tx, tenantId, touchedBy(told.events, told.queued));
  const next = { ...cursor, lastSeq: told.lastSequence };
  return told.events.some(bringsPast) ? { ...next, backfillKind: kindNumber.messages, backfillBefore: null } : next;
}

async function indexTouched(tx: Transaction, tenantId: TenantId, touched: Touched): Promise<void> {
  const renamed = await findConversationsOf(tx, tenantId, [...touched.contacts]);
  const index = (kind: SearchKind, ids: Iterable<string>) => indexDocuments(tx, tenantId, kind, { ids: [...ids] });
  await index('messages', touched.messages);
  await index('notes', touched.notes);
  await index('contacts', touched.contacts);
  await index('conversations', new Set([...touched.conversations, ...renamed]));
  if (touched.erasedContacts.size > 0) await removeErased(tx, tenantId, [...touched.erasedContacts]);
}

/** Takes in what is older than the index, newest first, one kind after the other. Null: everything is in. */
async function fillBack(tx: Transaction, tenantId: TenantId, cursor: SearchCursor): Promise<SearchCursor | null> {
  const place = searchKinds.findIndex((kind) => kindNumber[kind] === cursor.backfillKind);
  const kind = searchKinds[place];
  if (kind === undefined) return null;
  const wanted = { before: cursor.backfillBefore, limit: BACKFILL_AT_ONCE };
  const { count, firstId } = await indexDocuments(tx, tenantId, kind, wanted);
  if (count === BACKFILL_AT_ONCE) return { ...cursor, backfillBefore: firstId };
  const following = searchKinds[place + 1];
  return { ...cursor, backfillKind: following === undefined ? null : kindNumber[following], backfillBefore: null };
}
