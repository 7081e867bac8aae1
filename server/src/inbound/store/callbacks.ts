import { isAnyFenced } from '#access/store/tenant-states';
import type { CallbackId, NewId, TenantId } from '#core/ids';
import type { JsonValue } from '#core/json';
import { columnsOf } from '#database/arrays';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { RowsHeld } from '#database/pg-errors';
import {
  bodySql,
  CALLBACK_IDS,
  callbackAt,
  holdsCallbackSql,
  PLACES_OF_PAGE,
  pageIdOf,
} from '#messages/store/callback-pages';

/** A callback of the network exactly as it came. */
export interface RawCallback {
  readonly receivedMs: number;
  readonly body: Buffer;
}

/** Bytes from which on a page is full: what is read back one by one is unpacked one by one. */
const PAGE_BYTES = 128 * 1024;

/** One row for many: a single index entry, and PostgreSQL compresses no row of less than 2 kB. */
const CALLBACK_APPEND = statement('callback_append', { hot: true })`
with arrived as (
  select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::text[], $5::boolean[])
    as t (page_id, callback_id, received_ms, body, is_base64)
), queued as (
  insert into callback_queue (callback_id) select callback_id from arrived
)
insert into callbacks (callback_id, received_ms, body, is_base64, bodies)
select page_id, min(received_ms), '', bool_or(is_base64), array_agg(body order by callback_id) from arrived group by page_id`;

/** Makes callbacks durable and queues them for the ingester, in one commit. @returns the ids that they have now */
export async function appendCallbacks(
  db: SqlRunner,
  newId: NewId,
  callbacks: readonly RawCallback[],
): Promise<readonly CallbackId[]> {
  const rows = placed(newId, callbacks);
  await db.run(CALLBACK_APPEND, columnsOf(rows, 'pageId', 'callbackId', 'receivedMs', 'text', 'base64'));
  return rows.map(({ callbackId }) => callbackId);
}

/** Puts callbacks into pages, each of text or of base64 alone. */
function placed(newId: NewId, callbacks: readonly RawCallback[]) {
  let page = { pageId: '', base64: false, callbacks: PLACES_OF_PAGE, bytes: 0 };
  return callbacks.map(({ receivedMs, body }) => {
    const encoded = encodeBody(body);
    const isFull = page.callbacks === PLACES_OF_PAGE || page.bytes + body.length > PAGE_BYTES;
    if (isFull || page.base64 !== encoded.base64)
      page = { pageId: pageIdOf(newId()), base64: encoded.base64, callbacks: 0, bytes: 0 };
    page.callbacks += 1;
    page.bytes += body.length;
    return { ...encoded, pageId: page.pageId, callbackId: callbackAt(page.pageId, page.callbacks), receivedMs };
  });
}

/** Text when the bytes are exactly that text (JSON always is); base64 otherwise, so that no byte is lost. */
function encodeBody(body: Buffer): { text: string; base64: boolean } {
  const text = body.toString('utf8');
  const exact = !text.includes('\0') && Buffer.byteLength(text) === body.length && !text.includes('\ufffd');
  return exact ? { text, base64: false } : { text: body.toString('base64'), base64: true };
}

export interface QueuedCallback {
  readonly callbackId: CallbackId;
  readonly receivedMs: number;
  readonly body: string;
  readonly attempts: number;
}

const CALLBACK_FIND_QUEUED = statement('callback_find_queued')`
select q.callback_id, c.received_ms, ${bodySql('q.callback_id')} as body, c.is_base64, q.attempts
from callback_queue q join callbacks c on ${holdsCallbackSql('q.callback_id')}
where q.callback_id > $1
order by q.callback_id limit $2`;

/** The oldest callbacks still to be interpreted, after a given id. */
export async function findQueuedCallbacks(
  db: SqlRunner,
  after: string,
  limit: number,
): Promise<readonly QueuedCallback[]> {
  const { rows } = await db.run<QueuedCallback & { readonly isBase64: boolean }>(CALLBACK_FIND_QUEUED, [after, limit]);
  return rows.map(({ isBase64, body, ...row }) => {
    return { ...row, body: isBase64 ? Buffer.from(body, 'base64').toString('utf8') : body };
  });
}

const TAKE_QUEUED = statement('callback_take')`
delete from callback_queue where callback_id = any($1::uuid[]) returning callback_id, ${isAnyFenced('$2')} as is_fenced`;
const ARE_FENCED = statement('callback_tenants_fenced')`select ${isAnyFenced('$1')} as is_fenced`;

/**
 * Takes callbacks out of the queue inside the transaction that stores what they say: two ingesters that read the same
 * callback meet on the row, and the later one gets nothing back.
 * @param about the tenants whose rows they will be applied to
 * @throws RowsHeld when one of these tenants moves to or from another cell
 */
export async function takeCallbacks(
  tx: Transaction,
  ids: readonly CallbackId[],
  about: Iterable<TenantId> = [],
): Promise<ReadonlySet<string>> {
  const { rows } = await tx.run<FencedRow & { callbackId: string }>(TAKE_QUEUED, [ids, [...about]]);
  refuseFenced(rows);
  return new Set(rows.map((row) => row.callbackId));
}

/**
 * Asked when something was not found: it may have left with its tenant since the callbacks were taken.
 * @throws RowsHeld when one of these tenants moves to or from another cell
 */
export async function requireUnfenced(tx: Transaction, tenants: Iterable<TenantId>): Promise<void> {
  refuseFenced((await tx.run<FencedRow>(ARE_FENCED, [[...tenants]])).rows);
}

interface FencedRow {
  readonly isFenced: boolean;
}

function refuseFenced([row]: readonly FencedRow[]): void {
  if (row?.isFenced) throw new RowsHeld('The tenant is moving to another cell.');
}

const COUNT_FAILURE = statement('callback_count_failure')`
update callback_queue set attempts = attempts + 1 where callback_id = $1 returning attempts`;

/** Notes that a callback could not be ingested. @returns how often that has happened */
export async function countCallbackFailure(db: SqlRunner, callbackId: CallbackId): Promise<number> {
  return (await db.run<{ attempts: number }>(COUNT_FAILURE, [callbackId])).rows[0]?.attempts ?? 0;
}

/** An item of a callback that nothing consumed. */
export interface UnhandledItem {
  readonly callbackId: CallbackId;
  readonly item: number;
  readonly name: string;
  readonly reason: string;
  readonly raw: JsonValue;
}

const KEEP_LEFTOVERS = statement('callback_leftovers')`
insert into callback_leftovers (callback_id, item, name, reason, raw, recorded_ms)
select t.callback_id, t.item, t.name, t.reason, t.raw::jsonb, $6
from unnest($1::uuid[], $2::smallint[], $3::text[], $4::text[], $5::text[]) as t (callback_id, item, name, reason, raw)
on conflict (callback_id, item) do update set name = excluded.name, reason = excluded.reason, recorded_ms = excluded.recorded_ms`;

export async function keepUnhandledItems(
  tx: Transaction,
  leftovers: readonly UnhandledItem[],
  nowMs: number,
): Promise<void> {
  if (leftovers.length === 0) return;
  const raws = leftovers.map(({ raw }) => JSON.stringify(raw));
  const columns = columnsOf(leftovers, 'callbackId', 'item', 'name', 'reason');
  await tx.run(KEEP_LEFTOVERS, [...columns, raws, nowMs]);
}

/** An unhandled item as an operator reads it. */
export interface ShownUnhandledItem extends Pick<UnhandledItem, 'callbackId' | 'item' | 'reason'> {
  readonly recordedMs: number;
  /** The beginning of its JSON. */
  readonly text: string;
  /** Characters of all of it. */
  readonly length: number;
}

const SHOW_LEFTOVERS = statement('callback_leftovers_show')`
select l.callback_id, l.item, l.reason, l.recorded_ms, left(l.raw::text, $3) as text, length(l.raw::text) as length
from callback_leftovers l where l.name = $1
order by l.recorded_ms desc, l.callback_id desc, l.item limit $2`;

/** Unhandled items of a name, newest first, each cut to so many characters. */
export async function showUnhandledItems(
  db: SqlRunner,
  query: { readonly name: string; readonly limit: number; readonly maxCharacters: number },
): Promise<readonly ShownUnhandledItem[]> {
  return (await db.run<ShownUnhandledItem>(SHOW_LEFTOVERS, [query.name, query.limit, query.maxCharacters])).rows;
}

const REPLAY = statement('callback_replay')`
insert into callback_queue (callback_id)
select k.callback_id from callbacks c cross join lateral (${CALLBACK_IDS}) k
where c.received_ms >= $1 and c.received_ms < $2
  and ($3::text is null or exists (select 1 from callback_leftovers l where l.callback_id = k.callback_id and l.name = $3))
on conflict do nothing`;

/** Queues stored callbacks again: all of a time span, or only those with leftovers of a name. @returns how many */
export async function replayCallbacks(
  db: SqlRunner,
  span: { fromMs: number; toMs: number; leftover: string | null },
): Promise<number> {
  return (await db.run(REPLAY, [span.fromMs, span.toMs, span.leftover])).rowCount;
}
