import { slotOf } from '#billing/store/usage';
import { authorKindNumber } from '#core/caller/author';
import { plainArray, sparse, sparsePlain, tokenArray } from '#database/arrays';
import { type SqlRunner, statement } from '#database/database';
import { identityKindSql } from '#database/phone-key-sql';
import { takingNumbersSql } from '#events/store/message-events';
import { storedContent } from '#messages/domain/content';
import type { NewMessage } from '#messages/domain/message';
import { priorityRank } from '#messages/domain/message';

/** A message to store, with the idempotency key it was posted under. */
export interface AcceptRow {
  readonly message: NewMessage;
  readonly idempotency: { readonly keyHash: string; readonly fingerprint: string } | null;
  /** Key of the recipient (see phoneKey) whose window the caller wants to know of; absent: it does not matter. */
  readonly windowKey?: string | null;
}

/** What a batch brings, a column each; `acceptParameters` fills them. */
const COLUMNS = `$1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], string_to_array($6::text, E'\\n'), $7::text[], $8::text[], $9::uuid[],
    $10::smallint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::text[], $15::text[], $16::uuid[], $17::text[], $18::smallint[], $19::uuid[],
    $20::text[]`;
const COLUMN_NAMES = `tenant_id, message_id, type, to_phone, phone_number_id, content, campaign_name, client_ref, reply_to,
    priority, send_at_ms, expires_ms, created_ms, key_hash, fingerprint, resend_of, window_key,
    author_kind, author_id, trace_parent`;

/**
 * Stores what is in `input`; what was stored is in `stored`, and what a closed window stands against in `outside`: whoever
 * sends should be warned, and here that costs a look at two indexes and no statement of its own. A row whose key or id exists already is left out. Events are
 * numbered after all that may wait (told reads counted, counted reads stored, stored reads claimed): see event_heads.
 */
const STORING = `
claimed as (
  insert into idempotency_keys (tenant_id, key_hash, fingerprint, status_code, message_id, created_ms)
  select tenant_id, key_hash, fingerprint, 202, message_id, created_ms from input where key_hash is not null
  order by tenant_id, key_hash, message_id
  on conflict do nothing
  returning message_id
), stored as (
  insert into outbound_messages (
    tenant_id, message_id, type, to_phone, phone_number_id, content, campaign_name, client_ref, reply_to,
    priority, send_at_ms, expires_ms, created_ms, updated_ms, resend_of, author_kind, author_id,
    trace_parent)
  select tenant_id, message_id, type, to_phone, phone_number_id, content::jsonb, campaign_name, client_ref, reply_to,
    priority, send_at_ms, expires_ms, created_ms, created_ms, resend_of, author_kind, author_id,
    trace_parent
  from input
  where key_hash is null or message_id in (select message_id from claimed)
  on conflict (tenant_id, message_id) do nothing
  returning tenant_id, message_id, type, phone_number_id, priority, send_at_ms, expires_ms, created_ms, to_phone
), queued as (
  insert into send_queue (tenant_id, message_id, phone_number_id, priority, due_ms, expires_ms, to_phone)
  select tenant_id, message_id, phone_number_id, priority, coalesce(send_at_ms, created_ms), expires_ms, to_phone from stored
), counted as (
  insert into usage_counters (tenant_id, day, fact, phone_number_id, name, slot, amount)
  select tenant_id, (created_ms / 86400000)::integer, 'outbound', phone_number_id, type, $21::smallint, count(*)
  from stored
  group by 1, 2, 4, 5
  order by 1, 2, 4, 5
  on conflict (tenant_id, day, fact, phone_number_id, name, slot)
  do update set amount = usage_counters.amount + excluded.amount
  returning 1
), told as (
  select tenant_id, array_agg(message_id order by message_id) as message_ids, count(*) as events, max(created_ms) as recorded_ms
  from stored where (select count(*) from counted) > 0
  group by tenant_id
), heads as (${takingNumbersSql('told')}
), paged as (
  insert into event_pages (tenant_id, last_seq, first_seq, recorded_ms, types, message_ids)
  select t.tenant_id, h.last_seq, h.last_seq - t.events + 1, t.recorded_ms, '{message.queued}', t.message_ids
  from told t join heads h on h.tenant_id = t.tenant_id
), outside as (
  select message_id from input i where window_key is not null and (
    select 1 from contact_identities c
    join conversations v on v.tenant_id = c.tenant_id and v.contact_id = c.contact_id
    where c.tenant_id = i.tenant_id and c.kind = ${identityKindSql('i.window_key')} and c.value = i.window_key
      and v.phone_number_id = i.phone_number_id and v.window_expires_ms > i.created_ms
    limit 1) is null
)`;

/**
 * Message row, queue row, idempotency row, usage and event in one statement, hence one commit. A row whose key or
 * id exists already is left out and not returned; of equal keys in one batch the first wins. Keys go in sorted, and so do counters:
 * two batches that share some wait for each other instead of deadlocking. Events are numbered after all that may wait
 * (told reads counted, counted reads stored, stored reads claimed): see event_heads.
 */
const ACCEPT_BATCH = statement('accept_batch', { insertsOnly: true })`
with input as materialized (
  select * from unnest(${COLUMNS}) as t (${COLUMN_NAMES})
), ${STORING}
select message_id, message_id in (select message_id from outside) as is_outside from stored`;

/** What became of a batch, by message ids; those that are in neither are replays of an idempotency key. */
export interface StoredBatch {
  readonly stored: ReadonlySet<string>;
  /** Stored, and their recipients have not written within 24 hours; only of those with a `windowKey`. */
  readonly outside: ReadonlySet<string>;
}

/** Stores a batch; returns the ids that were stored. Absent ids are replays of an idempotency key. */
export async function insertAcceptedBatch(db: SqlRunner, rows: readonly AcceptRow[]): Promise<ReadonlySet<string>> {
  return (await insertBatch(db, rows)).stored;
}

/** The same, with the windows that were asked for. */
export async function insertBatch(db: SqlRunner, rows: readonly AcceptRow[]): Promise<StoredBatch> {
  const result = await db.run<{ messageId: string; isOutside: boolean }>(ACCEPT_BATCH, acceptParameters(rows));
  return { stored: idsOf(result.rows), outside: idsOf(result.rows.filter(({ isOutside }) => isOutside)) };
}

function idsOf(rows: readonly { readonly messageId: string }[]): ReadonlySet<string> {
  return new Set(rows.map(({ messageId }) => messageId));
}

/** The parameters $1 to $21. */
function acceptParameters(rows: readonly AcceptRow[]): readonly unknown[] {
  const messages = rows.map((row) => row.message);
  return [
    plainArray(messages.map((m) => m.tenantId)),
    plainArray(messages.map((m) => m.messageId)),
    plainArray(messages.map((m) => m.content.type)),
    tokenArray(messages.map((m) => m.to)),
    tokenArray(messages.map((m) => m.phoneNumberId)),
    // JSON of ours has no line breaks: as an array each text would be escaped here and read back there.
    messages.map((m) => JSON.stringify(storedContent(m.content))).join('\n'),
    sparse(messages.map((m) => m.campaignName)),
    sparse(messages.map((m) => m.clientRef)),
    sparsePlain(messages.map((m) => m.replyTo)),
    plainArray(messages.map((m) => priorityRank[m.priority])),
    sparsePlain(messages.map((m) => m.sendAtMs)),
    plainArray(messages.map((m) => m.expiresMs)),
    plainArray(messages.map((m) => m.createdMs)),
    sparse(rows.map((row) => row.idempotency?.keyHash ?? null)),
    sparse(rows.map((row) => row.idempotency?.fingerprint ?? null)),
    sparsePlain(messages.map((m) => m.resendOf)),
    sparse(rows.map((row) => row.windowKey ?? null)),
    sparsePlain(messages.map((m) => m.author && authorKindNumber(m.author.kind))),
    sparsePlain(messages.map((m) => m.author?.id ?? null)),
    sparse(messages.map((m) => m.traceParent ?? null)),
    slotOf(messages[0]?.messageId ?? '0'),
  ];
}

/**
 * The same with the price of each message held, for the tenants whose wallets pay all that they have in the batch: one
 * round trip instead of eight, and the wallets are locked no longer than it lasts. The messages of the others are left
 * as they are, so that a tenant without money delays nobody else.
 *
 * Lines of a ledger are read in the order of their ids. That of a hold has the id of its message; when a newer line was
 * written while the messages waited, theirs count on from it (RFC 9562, 6.2: an id is made greater by incrementing its
 * random part). Weighing such messages instead would write lines that are newer than the messages waiting by then: one
 * line let every batch after it be weighed too, until a pause (measured: four of ten batches). The increment stays within
 * the last ten digits; where it would not, one in 10^7, the messages are left too.
 *
 * The wallets are locked within another query: Citus cannot read the result of one that locks and looks at others.
 */
const ACCEPT_PAID_BATCH = statement('accept_paid_batch', { insertsOnly: true })`
with given as materialized (
  select * from unnest(${COLUMNS}, $22::bigint[]) as t (${COLUMN_NAMES}, hold_micros)
), wallet as materialized (
  select * from (
    select tenant_id, available_micros, held_micros, last_transfer_id from wallets
    where tenant_id in (select tenant_id from given where hold_micros > 0)
    order by tenant_id for update) w
), paying as materialized (
  select tenant_id, sum(hold_micros)::bigint as micros, min(message_id::text)::uuid as oldest_id
  from given where hold_micros > 0 group by tenant_id
), short as materialized (
  select p.tenant_id from paying p left join wallet w on w.tenant_id = p.tenant_id
  where coalesce(w.available_micros, 0) < p.micros
    or (w.last_transfer_id > p.oldest_id and right(w.last_transfer_id::text, 10) collate "C" > 'ffffff0000')
), input as materialized (
  select * from given where tenant_id not in (select tenant_id from short)
), ${STORING}, held as (
  insert into wallet_holds (tenant_id, message_id, amount_micros)
  select g.tenant_id, g.message_id, g.hold_micros
  from given g join stored s on s.tenant_id = g.tenant_id and s.message_id = g.message_id
  where g.hold_micros > 0
  returning tenant_id, message_id, amount_micros
), lines as materialized (
  select h.tenant_id, h.message_id, h.amount_micros, w.available_micros + w.held_micros as balance_micros,
    case when w.last_transfer_id > p.oldest_id then (left(w.last_transfer_id::text, 26) || lpad(to_hex(
      ('x' || right(w.last_transfer_id::text, 10))::bit(40)::bigint
        + row_number() over (partition by h.tenant_id order by h.message_id)), 10, '0'))::uuid
    else h.message_id end as transfer_id
  from held h join wallet w on w.tenant_id = h.tenant_id join paying p on p.tenant_id = h.tenant_id
), booked as (
  insert into wallet_transfers (
    tenant_id, transfer_id, kind, from_account, to_account, amount_micros, balance_after_micros, message_id, description,
    created_ms)
  select tenant_id, transfer_id, 'hold', 'available', 'held', amount_micros, balance_micros, message_id, $23::text, $24::bigint
  from lines
), paid as (
  update wallets w set available_micros = w.available_micros - h.micros, held_micros = w.held_micros + h.micros,
    updated_ms = $24::bigint, last_transfer_id = h.newest
  from (
    select tenant_id, sum(amount_micros)::bigint as micros, max(transfer_id::text)::uuid as newest from lines group by tenant_id
  ) h
  where w.tenant_id = h.tenant_id
)
select message_id, true as stored, message_id in (select message_id from outside) as is_outside from stored
union all
select message_id, false, false from given where tenant_id in (select tenant_id from short)`;

export interface PaidBatch {
  readonly rows: readonly AcceptRow[];
  /** What is held for each, in the order of `rows`; 0 for one that costs nothing. */
  readonly holdMicros: readonly number[];
  readonly description: string;
  readonly nowMs: number;
}

/** What became of a batch, by message ids. Of neither are replays of an idempotency key. */
export interface PaidOutcome extends StoredBatch {
  /** Left as they are: what their tenant has left does not pay all of them. */
  readonly short: ReadonlySet<string>;
}

/** Stores the messages of tenants who can pay all they have in the batch, and holds the price of each. */
export async function insertPaidBatch(
  db: SqlRunner,
  { rows, holdMicros, description, nowMs }: PaidBatch,
): Promise<PaidOutcome> {
  const parameters = [...acceptParameters(rows), plainArray(holdMicros), description, nowMs];
  const { rows: found } = await db.run<{ messageId: string; stored: boolean; isOutside: boolean }>(
    ACCEPT_PAID_BATCH,
    parameters,
  );
  return {
    stored: idsOf(found.filter(({ stored }) => stored)),
    outside: idsOf(found.filter(({ isOutside }) => isOutside)),
    short: idsOf(found.filter(({ stored }) => !stored)),
  };
}
