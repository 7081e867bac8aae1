import { slotOf } from '#billing/store/usage';
import type { MessageId, TenantId } from '#core/ids';
import { plainArray, sparse, sparsePlain, tokenArray } from '#database/arrays';
import { type SqlRunner, statement } from '#database/database';
import { emittingSql, NEWS_COLUMNS, SENT_IS_TOLD } from '#events/store/message-events';
import { type ApplyStatuses, countPricesSql, firstPriceSql, type StatusRow, updatedMsSql } from './status-rows.ts';

/**
 * Nearly every status only says when a message was sent, delivered or read, and the network took that message once, without any failure. Such a
 * message has no queue row, no dead letter and no failure to undo, and its trace stays as it is. The update checks all of this on the row itself;
 * any other message is left unchanged.
 */
const TAKE_ORDINARY = statement('take_ordinary_statuses', { hot: true })`
with input as materialized (
  select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::smallint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::text[])
    as t (tenant_id, message_id, phone_number_id, network_message_id, attempt, sent_ms, delivered_ms, read_ms, pricing)
), changed as (
  update outbound_messages m set
    sent_ms = least(m.sent_ms, i.sent_ms),
    sent_learned_ms = coalesce(m.sent_learned_ms, case when i.sent_ms is not null then $10::bigint end),
    delivered_ms = least(m.delivered_ms, i.delivered_ms),
    delivered_learned_ms = coalesce(m.delivered_learned_ms, case when i.delivered_ms is not null then $10::bigint end),
    read_ms = least(m.read_ms, i.read_ms),
    read_learned_ms = coalesce(m.read_learned_ms, case when i.read_ms is not null then $10::bigint end),
    pricing = coalesce(m.pricing, i.pricing::jsonb),
    updated_ms = ${updatedMsSql('i', '$10::bigint')},
    news = case when coalesce(i.delivered_ms, i.read_ms) is not null and coalesce(m.delivered_ms, m.read_ms) is null then 2 else 0 end
      | case when i.read_ms is not null and m.read_ms is null then 4 else 0 end
      | ${firstPriceSql('i.pricing')}
  from input i
  where m.tenant_id = i.tenant_id and m.message_id = i.message_id and m.phone_number_id = i.phone_number_id
    and m.network_message_id = i.network_message_id and m.status = 'sent' and not m.is_past
    and ${SENT_IS_TOLD} and i.attempt > m.requeued_after
    and not exists (select from send_queue q where q.tenant_id = i.tenant_id and q.message_id = i.message_id)
  returning ${NEWS_COLUMNS}, m.created_ms
), taken as (
  delete from callback_queue
  where callback_id = any($11::uuid[]) and (select count(*) from changed) = (select count(*) from input)
  returning 1
), counted as (${countPricesSql('changed', '$12')}), ${emittingSql('changed', '$10::bigint', ['taken', 'counted'])}
select (select array_agg(tenant_id) from heads) as told,
  case when (select count(*) from changed) < (select count(*) from input) then array(
    select message_id from input except select message_id from changed) end as left_over`;

/** What became of ordinary statuses. */
export interface TakenOrdinary {
  /** Messages that are not ordinary: nothing was changed of them. */
  readonly left: ReadonlySet<MessageId>;
  /** Tenants for which events were recorded. */
  readonly told: readonly TenantId[];
}

/** Whether nothing but the message itself can make this status a rare one. */
export function mayBeOrdinary({ attempt, sentMs, deliveredMs, readMs, failedMs, error }: StatusRow): boolean {
  return attempt !== null && (sentMs ?? deliveredMs ?? readMs) !== null && failedMs === null && error === null;
}

/**
 * Applies those statuses that are about ordinary messages, and tells their news, in one statement. The callbacks leave the queue when that is all
 * of them.
 * @param batch of statuses that may be ordinary
 */
export async function takeOrdinary(db: SqlRunner, batch: ApplyStatuses): Promise<TakenOrdinary> {
  const { rows, nowMs, doneCallbacks = [], batchId } = batch;
  const result = await db.run<{ told: readonly TenantId[] | null; leftOver: readonly MessageId[] | null }>(
    TAKE_ORDINARY,
    [
      plainArray(rows.map((row) => row.tenantId)),
      plainArray(rows.map((row) => row.messageId)),
      tokenArray(rows.map((row) => row.phoneNumberId)),
      tokenArray(rows.map((row) => row.networkMessageId)),
      plainArray(rows.map((row) => row.attempt)),
      sparsePlain(rows.map((row) => row.sentMs)),
      sparsePlain(rows.map((row) => row.deliveredMs)),
      sparsePlain(rows.map((row) => row.readMs)),
      sparse(rows.map((row) => row.pricing)),
      nowMs,
      plainArray(doneCallbacks),
      slotOf(batchId),
    ],
  );
  const [taken] = result.rows;
  return { left: new Set(taken?.leftOver), told: taken?.told ?? [] };
}
