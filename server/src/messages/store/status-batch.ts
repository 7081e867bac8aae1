import { slotOf } from '#billing/store/usage';
import { noteRevived } from '#billing/store/wallet';
import { ERASED } from '#core/erasure';
import type { MessageId, TenantId } from '#core/ids';
import { queueState } from '#core/queue-state';
import { columnsOf, plainArray, sparse, sparsePlain, tokenArray } from '#database/arrays';
import { type SqlRunner, type Statement, statement, type Transaction } from '#database/database';
import { identityKindSql, otherSpellingSql, phoneKeySql } from '#database/phone-key-sql';
import type { MessageChange } from '#events/domain/message-events';
import { authorJson } from '#events/store/message-author';
import {
  ALL_STAGES,
  type ChangeRow,
  emittingSql,
  NEWS_COLUMNS,
  SENT_IS_TOLD,
  toChange,
} from '#events/store/message-events';
import { TAKEN_TWICE } from '#messages/domain/message';
import { REPLACING_LETTERS } from './dead-letters.ts';
import { mayBeOrdinary, takeOrdinary } from './ordinary-statuses.ts';
import { type ApplyStatuses, countPricesSql, firstPriceSql, updatedMsSql } from './status-rows.ts';

/**
 * Applies statuses: commutative and idempotent. A time keeps its earliest value.
 * - `fails`: the failure of the id we recorded or, before we have one, of the newest attempt. A late failure of an
 *   older attempt says nothing about the newer one and changes nothing.
 * - `reached`: the network has the message: its queue row goes, in any state, so that no further send may leave. Of
 *   attempts before the last requeue only `delivered` and `read` count: their `sent` came before their failure.
 * - `revives`: a failure that we only concluded ourselves yields to the network's word that it has the message.
 * - `news`: what this statement is the first to say, from the row as it is when the update reaches it; of messages from before the API,
 *   nothing.
 * - `second`: the network has it under another id too: it was sent twice, and the trace says so, once, in this line.
 * - Messages are locked before their queue rows, as where they are settled.
 * - A message that failed, was revived or requeued since this statement began is left to the next one, which `overtaken`
 *   asks for: what was judged is not true of it any more, and the queue row of its new life cannot be seen here.
 * - `missing` stands on the first row alone. Joined with what changed, a batch cost its square: nobody knows how many rows a
 *   subquery has, and each was compared with each.
 */
const APPLYING = `
with input as materialized (
  select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::smallint[], $6::bigint[], $7::bigint[],
    $8::bigint[], $9::bigint[], $10::text[], $11::text[])
    as t (tenant_id, message_id, phone_number_id, network_message_id, attempt, sent_ms, delivered_ms, read_ms,
      failed_ms, error, pricing)
), judged as materialized (
  select i.*, q.state as queue_state, coalesce(q.attempts, m.attempts) as newest, m.requeued_after, m.failed_ms as known_failed_ms,
    i.failed_ms is not null and coalesce(i.attempt > m.requeued_after, true) and (
      m.network_message_id = i.network_message_id
      or (m.network_message_id is null and i.attempt >= coalesce(q.attempts, m.attempts))) as fails,
    i.delivered_ms is not null or i.read_ms is not null
      or (i.sent_ms is not null and coalesce(i.attempt > m.requeued_after, true)) as reached,
    m.status = 'failed' and m.failed_learned_ms is null and m.error ->> 'networkCode' is null as revivable,
    case when m.network_message_id not in (i.network_message_id, '${ERASED}') and not coalesce(m.history, '[]'::jsonb) @> jsonb_build_array(
      jsonb_build_object('data', jsonb_build_object('network_message_id', i.network_message_id)))
    then jsonb_build_array(jsonb_build_object('atMs', $12::bigint, 'event', 'duplicate',
      'detail', $15::text, 'data', jsonb_build_object('network_message_id', i.network_message_id))) end as second
  from input i
  join outbound_messages m
    on m.tenant_id = i.tenant_id and m.message_id = i.message_id and m.phone_number_id = i.phone_number_id
  left join send_queue q on q.tenant_id = i.tenant_id and q.message_id = i.message_id
), changed as (
  update outbound_messages m set
    status = case when j.fails then 'failed' when m.status = 'queued' or j.revivable then 'sent' else m.status end,
    error = case when j.fails then coalesce(case when m.failed_learned_ms is not null then m.error end, j.error::jsonb)
      when j.revivable then null else m.error end,
    network_message_id = coalesce(m.network_message_id, j.network_message_id),
    attempts = greatest(m.attempts, j.newest),
    sent_ms = least(m.sent_ms, j.sent_ms),
    sent_learned_ms = coalesce(m.sent_learned_ms, case when j.sent_ms is not null then $12::bigint end),
    delivered_ms = least(m.delivered_ms, j.delivered_ms),
    delivered_learned_ms = coalesce(m.delivered_learned_ms, case when j.delivered_ms is not null then $12::bigint end),
    read_ms = least(m.read_ms, j.read_ms),
    read_learned_ms = coalesce(m.read_learned_ms, case when j.read_ms is not null then $12::bigint end),
    failed_ms = case when j.fails then least(case when m.failed_learned_ms is not null then m.failed_ms end, j.failed_ms)
      when j.revivable then null else m.failed_ms end,
    failed_learned_ms = case when j.fails then coalesce(m.failed_learned_ms, $12::bigint) else m.failed_learned_ms end,
    pricing = coalesce(m.pricing, j.pricing::jsonb),
    history = case when j.queue_state = ${queueState.unknown} or j.second is not null then
      coalesce(m.history, '[]'::jsonb) || case when j.queue_state = ${queueState.unknown} then $13::jsonb else '[]'::jsonb end
        || coalesce(j.second, '[]'::jsonb)
      else m.history end,
    updated_ms = ${updatedMsSql('j', '$12::bigint')},
    news = case when m.is_past then 0 else case when j.reached and not (${SENT_IS_TOLD}) then 1 else 0 end
      | case when coalesce(j.delivered_ms, j.read_ms) is not null and coalesce(m.delivered_ms, m.read_ms) is null then 2 else 0 end
      | case when j.read_ms is not null and m.read_ms is null then 4 else 0 end
      | case when j.fails and m.status <> 'failed' then 8 else 0 end end
      | ${firstPriceSql('j.pricing')}
  from judged j
  where (j.fails or j.reached) and m.tenant_id = j.tenant_id and m.message_id = j.message_id
    and (m.requeued_after, m.failed_ms) is not distinct from (j.requeued_after, j.known_failed_ms)
  returning ${NEWS_COLUMNS}, m.created_ms, m.failed_learned_ms, j.queue_state, j.fails, j.revivable
), overtaken as materialized (
  select array(select message_id from judged where fails or reached except select message_id from changed) as message_ids
  where (select count(*) from changed) < (select count(*) from judged where fails or reached)
), taken as (
  delete from callback_queue
  where callback_id = any($14::uuid[]) and (select count(*) from judged) = (select count(*) from input)
    and not exists (select from overtaken)
  returning 1
), buried as (
  insert into dead_letters (tenant_id, message_id, code, reason, dead_ms)
  select tenant_id, message_id, error ->> 'code', error ->> 'message', failed_learned_ms from changed where fails
  ${REPLACING_LETTERS}
  returning 1
), gone as (
  delete from send_queue q using changed c
  where c.queue_state is not null and q.tenant_id = c.tenant_id and q.message_id = c.message_id
  returning 1
), revived as (
  select tenant_id, message_id from changed where revivable and not fails
), held as (${noteRevived('revived', '$12::bigint')}
  returning 1
), counted as (${countPricesSql('changed', '$16')})`;

/** Ids of messages that are not of that tenant and number: named by mistake, or by somebody else. */
const MISSING = `select case when (select count(*) from judged) < (select count(*) from input) then array(
    select message_id from (select tenant_id, message_id from input except select tenant_id, message_id from judged) x
  ) end as missing`;

/** Within a transaction, which tells the news at its end. */
export const APPLY_STATUSES = statement('apply_statuses')`${APPLYING}
select case when row_number() over () = 1 then t.missing end as missing, (select message_ids from overtaken) as overtaken, c.*,
  ${authorJson('c')} as author
from (${MISSING}) t left join changed c on c.news & ${ALL_STAGES} <> 0`;

/** By itself, with its news. */
export const TAKE_STATUSES = statement('take_statuses')`
${APPLYING}, ${emittingSql('changed', '$12::bigint', ['taken', 'gone', 'buried', 'held', 'counted'])}
select t.missing, (select message_ids from overtaken) as overtaken, (select array_agg(tenant_id) from heads) as told
from (${MISSING}) t`;

export interface AppliedStatuses {
  /** Ids of messages that are not of that tenant and number. */
  readonly missing: ReadonlySet<string>;
  readonly news: readonly MessageChange[];
}

/** Applies statuses in the transaction of the caller, who tells the news. */
export async function applyStatuses(tx: Transaction, batch: ApplyStatuses): Promise<AppliedStatuses> {
  const told = await untilNoneOvertaken<ChangeRow & StatusesRow>(tx, APPLY_STATUSES, batch);
  return {
    missing: missingOf(told),
    // Without news there is one row all the same, for what is missing.
    news: told.filter((row) => row.messageId !== null).map(toChange),
  };
}

export interface TakenStatuses {
  /** Ids of messages that are not of that tenant and number. */
  readonly missing: ReadonlySet<string>;
  /** Tenants for which events were recorded. */
  readonly told: ReadonlySet<TenantId>;
}

/** Applies statuses and tells their news: one statement as a rule, each a transaction of its own. */
export async function takeStatuses(db: SqlRunner, batch: ApplyStatuses): Promise<TakenStatuses> {
  if (!batch.rows.every(mayBeOrdinary)) return takeAnyStatuses(db, batch);
  const { left, told } = await takeOrdinary(db, batch);
  if (left.size === 0) return { missing: new Set(), told: new Set(told) };
  const rest = await takeAnyStatuses(db, { ...batch, rows: batch.rows.filter((row) => left.has(row.messageId)) });
  return { missing: rest.missing, told: new Set([...told, ...rest.told]) };
}

/** The same for whatever statuses there are. */
export async function takeAnyStatuses(db: SqlRunner, batch: ApplyStatuses): Promise<TakenStatuses> {
  const rows = await untilNoneOvertaken<StatusesRow & { told: readonly TenantId[] | null }>(db, TAKE_STATUSES, batch);
  return { missing: missingOf(rows), told: new Set(rows.flatMap(({ told }) => told ?? [])) };
}

interface StatusesRow {
  readonly missing: readonly string[] | null;
  readonly overtaken: readonly string[] | null;
}

function missingOf(rows: readonly StatusesRow[]): ReadonlySet<string> {
  return new Set(rows.flatMap(({ missing }) => missing ?? []));
}

/** Runs a statement, and again for messages that were overtaken. @returns what all of them returned */
async function untilNoneOvertaken<Row extends StatusesRow>(
  db: SqlRunner,
  statement: Statement,
  batch: ApplyStatuses,
): Promise<readonly Row[]> {
  const { rows } = await db.run<Row>(statement, parametersOf(batch));
  const overtaken = new Set(rows[0]?.overtaken);
  if (overtaken.size === 0) return rows;
  const left = {
    ...batch,
    rows: batch.rows.filter(({ messageId }) => overtaken.has(messageId)),
    doneCallbacks: missingOf(rows).size > 0 ? [] : (batch.doneCallbacks ?? []),
  };
  return [...rows, ...(await untilNoneOvertaken<Row>(db, statement, left))];
}

/** The parameters $1 to $16. */
function parametersOf({
  rows,
  nowMs,
  reconciledTrace,
  batchId,
  doneCallbacks = [],
}: ApplyStatuses): readonly unknown[] {
  return [
    plainArray(rows.map((row) => row.tenantId)),
    plainArray(rows.map((row) => row.messageId)),
    tokenArray(rows.map((row) => row.phoneNumberId)),
    tokenArray(rows.map((row) => row.networkMessageId)),
    sparsePlain(rows.map((row) => row.attempt)),
    sparsePlain(rows.map((row) => row.sentMs)),
    sparsePlain(rows.map((row) => row.deliveredMs)),
    sparsePlain(rows.map((row) => row.readMs)),
    sparsePlain(rows.map((row) => row.failedMs)),
    sparse(rows.map((row) => (row.error ? JSON.stringify(row.error) : null))),
    sparse(rows.map((row) => row.pricing)),
    nowMs,
    reconciledTrace,
    plainArray(doneCallbacks),
    TAKEN_TWICE,
    slotOf(batchId),
  ];
}

/** What went to a person under any name may be meant: to the number that they showed before, for whoever shows a user id now. */
const FIND_BY_NETWORK_ID = statement('find_by_network_id')`
with named as materialized (
  select * from unnest($1::uuid[], $2::text[], $3::text[]) as t (tenant_id, recipient, network_message_id)
), meant as materialized (
  select tenant_id, recipient, network_message_id from named
  union
  select n.tenant_id, v.recipient, n.network_message_id from named n
  join contact_identities k on k.tenant_id = n.tenant_id and k.kind = ${identityKindSql('n.recipient')}
    and k.value = ${phoneKeySql('n.recipient')}
  join contact_identities i on i.tenant_id = k.tenant_id and i.contact_id = k.contact_id
  cross join lateral (values (i.value), (${otherSpellingSql('i.value')})) as v (recipient)
)
select m.tenant_id, m.network_message_id, m.message_id from meant i
join outbound_messages m
  on m.tenant_id = i.tenant_id and m.to_phone = i.recipient and m.network_message_id = i.network_message_id`;

/** How the network names one of our messages: by its id, and whom it went to. */
export interface NetworkName {
  readonly tenantId: TenantId;
  /** Whom the message may have gone to, as far as the network shows it: digits, user ids. None: it cannot be found this way. */
  readonly recipients: readonly string[];
  readonly networkMessageId: string;
}

/** Our ids of messages by the network's: for statuses without a valid echo, and for replies. Keys: nameKey. */
export async function findByNetworkNames(
  tx: Transaction,
  names: readonly NetworkName[],
): Promise<ReadonlyMap<string, MessageId>> {
  const findable = names.flatMap(({ recipients, ...name }) => recipients.map((recipient) => ({ ...name, recipient })));
  if (findable.length === 0) return new Map();
  const columns = columnsOf(findable, 'tenantId', 'recipient', 'networkMessageId');
  type Row = Pick<NetworkName, 'tenantId' | 'networkMessageId'> & { readonly messageId: MessageId };
  const { rows } = await tx.run<Row>(FIND_BY_NETWORK_ID, columns);
  return new Map(
    rows.map((row) => [nameKey({ tenantId: row.tenantId, networkMessageId: row.networkMessageId }), row.messageId]),
  );
}

export function nameKey({ tenantId, networkMessageId }: Pick<NetworkName, 'tenantId' | 'networkMessageId'>): string {
  return `${tenantId}/${networkMessageId}`;
}

const PARK = statement('park_statuses')`
insert into parked_statuses (tenant_id, network_message_id, status, recipient, item, parked_ms)
select t.tenant_id, t.network_message_id, t.status, t.recipient, t.item::jsonb, $6
from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[])
  as t (tenant_id, network_message_id, status, recipient, item)
on conflict do nothing`;

export interface ParkedStatus {
  readonly tenantId: TenantId;
  readonly networkMessageId: string;
  readonly status: string;
  readonly recipient: string;
  /** The status item as JSON text. */
  readonly item: string;
}

/** Keeps statuses that came before we knew the network's id of their message. */
export async function parkStatuses(tx: Transaction, rows: readonly ParkedStatus[], nowMs: number): Promise<void> {
  if (rows.length === 0) return;
  await tx.run(PARK, [
    rows.map((row) => row.tenantId),
    rows.map((row) => row.networkMessageId),
    rows.map((row) => row.status),
    rows.map((row) => row.recipient),
    rows.map((row) => row.item),
    nowMs,
  ]);
}

const UNPARK = statement('unpark_statuses')`
with ready as (
  select p.tenant_id, p.network_message_id, p.status from parked_statuses p
  join outbound_messages m
    on m.tenant_id = p.tenant_id and m.to_phone = any(array[p.recipient, p.item ->> 'recipientUserId'])
    and m.network_message_id = p.network_message_id
  where p.parked_ms >= $1
  limit 500
)
delete from parked_statuses p using ready r
where p.tenant_id = r.tenant_id and p.network_message_id = r.network_message_id and p.status = r.status
returning p.tenant_id, p.item`;

/** A parked status waits this long for its message to become known: an answer is never later than a send may take. */
export const UNPARK_WITHIN_MS = 10 * 60 * 1000;

const ANY_PARKED = statement('any_parked_status')`select tenant_id from parked_statuses where parked_ms >= $1 limit 1`;

/** Whether any status was parked since `sinceMs`: nearly always not, and then there is no transaction to open. */
export async function isAnyParked(db: SqlRunner, sinceMs: number): Promise<boolean> {
  return (await db.run(ANY_PARKED, [sinceMs])).rowCount > 0;
}

/** Takes out statuses parked since `sinceMs` whose message is known by now. */
export async function unparkStatuses<Item>(
  tx: Transaction,
  sinceMs: number,
): Promise<readonly { readonly tenantId: TenantId; readonly item: Item }[]> {
  const { rows } = await tx.run<{ tenantId: TenantId; item: Item }>(UNPARK, [sinceMs]);
  return rows.map((row) => ({ tenantId: row.tenantId, item: row.item }));
}
