import { isAnyFenced } from '#access/store/tenant-states';
import type { CallbackId, TenantId } from '#core/ids';
import type { JsonValue } from '#core/json';
import { columnsOf } from '#database/arrays';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { RowsHeld } from '#database/pg-errors';

/** A callback of the network exactly as it came. */
export interface RawCallback {
  readonly callbackId: CallbackId;
  readonly receivedMs: number;
  readonly body: Buffer;
}

const CALLBACK_APPEND = statement('callback_append', { hot: true })`
with stored as (
  insert into callbacks (callback_id, received_ms, body, is_base64)
  select * from unnest($1::uuid[], $2::bigint[], $3::text[], $4::boolean[])
  returning callback_id
)
insert into callback_queue (callback_id) select callback_id from stored`;

/** Makes callbacks durable and queues them for the ingester, in one commit. */
export async function appendCallbacks(db: SqlRunner, callbacks: readonly RawCallback[]): Promise<void> {
  const encoded = callbacks.map(({ body }) => encodeBody(body));
  await db.run(CALLBACK_APPEND, [
    ...columnsOf(callbacks, 'callbackId', 'receivedMs'),
    ...columnsOf(encoded, 'text', 'base64'),
  ]);
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
select c.callback_id, c.received_ms, c.body, c.is_base64, q.attempts
from callback_queue q join callbacks c on c.callback_id = q.callback_id
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
select c.callback_id from callbacks c
where c.received_ms >= $1 and c.received_ms < $2
  and ($3::text is null or exists (select 1 from callback_leftovers l where l.callback_id = c.callback_id and l.name = $3))
on conflict do nothing`;

/** Queues stored callbacks again: all of a time span, or only those with leftovers of a name. @returns how many */
export async function replayCallbacks(
  db: SqlRunner,
  span: { fromMs: number; toMs: number; leftover: string | null },
): Promise<number> {
  return (await db.run(REPLAY, [span.fromMs, span.toMs, span.leftover])).rowCount;
}
