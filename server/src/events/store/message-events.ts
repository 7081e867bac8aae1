import { idMadeMsSql } from '#database/id-time-sql';
import { type MessageChange, STAGE_BITS } from '#events/domain/message-events';
import { QUARTER_MS } from '#events/domain/message-sums';
import { authorJson } from '#events/store/message-author';

/** What a statement that changes messages returns of those with news; `m` is the message. Who reads it as changes also asks for `authorJson`. */
export const NEWS_COLUMNS = `m.tenant_id, m.message_id, m.news, m.status, m.type, m.to_phone, m.phone_number_id, m.campaign_name,
  m.client_ref, m.author_kind, m.author_id, m.conversation_id, m.contact_id, m.accepted_ms, m.sent_ms, m.delivered_ms, m.read_ms, m.failed_ms, m.error, m.pricing, m.possible_duplicate,
  case when m.type = 'template' then m.content ->> 'name' end as template`;

/** True of a message of which `sent` was told in the life since its last requeue. */
export const SENT_IS_TOLD = 'coalesce(m.accepted_ms, m.sent_ms, m.delivered_ms, m.read_ms) is not null';

export interface ChangeRow extends Omit<MessageChange, 'bits' | 'to'> {
  readonly news: number;
  readonly toPhone: string;
  readonly acceptedMs: number | null;
}

export function toChange(row: ChangeRow): MessageChange {
  return {
    tenantId: row.tenantId,
    messageId: row.messageId,
    bits: row.news & ALL_STAGES,
    status: row.status,
    type: row.type,
    template: row.template,
    to: row.toPhone,
    phoneNumberId: row.phoneNumberId,
    campaignName: row.campaignName,
    clientRef: row.clientRef,
    author: row.author,
    conversationId: row.conversationId,
    contactId: row.contactId,
    sentMs: row.sentMs ?? row.acceptedMs ?? row.deliveredMs ?? row.readMs,
    deliveredMs: row.deliveredMs ?? row.readMs,
    readMs: row.readMs,
    failedMs: row.failedMs,
    error: row.error,
    pricing: row.pricing,
    possibleDuplicate: row.possibleDuplicate,
  };
}

/** What was known of a message when its news was told: what came later is not part of the event. */
const PRICED = 16;
const FAILED = 32;
const IN_CONVERSATION = 64;
const WITH_CONTACT = 128;
const DUPLICATE = 256;
const { sent: SENT, delivered: DELIVERED, read: READ, failed: FAILURE } = STAGE_BITS;
/** What `news` says of stages: a statement may note more in it. */
export const ALL_STAGES = SENT | DELIVERED | READ | FAILURE;

/**
 * Tells the news of messages in the statement that changes them: the parts of a `with` that record one page of events per
 * tenant, of which `heads` is the last that others may wait for. For a statement that commits by itself: what it told
 * through this process, as transactions do, held the database's one connection, or the head of the tenant, while the news of
 * hundreds of messages went there and back.
 * @param changed part of the statement that returns NEWS_COLUMNS
 * @param recordedMs when they are told, as an expression
 * @param waits parts that may wait for others: they come first. All return something
 */
export function emittingSql(changed: string, recordedMs: string, waits: readonly string[]): string {
  return `
telling as materialized (
  select c.tenant_id, c.message_id, s.stage, s.at_ms, c.phone_number_id, c.type, c.template, c.campaign_name,
    (s.stage | case when c.pricing is not null then ${PRICED} else 0 end | case when c.status = 'failed' then ${FAILED} else 0 end
      | case when c.conversation_id is not null then ${IN_CONVERSATION} else 0 end
      | case when c.contact_id is not null then ${WITH_CONTACT} else 0 end
      | case when c.possible_duplicate then ${DUPLICATE} else 0 end)::smallint as news,
    case when s.stage in (${DELIVERED}, ${READ}) then c.pricing ->> 'category' end as category,
    case when s.stage = ${FAILURE} then c.error end as error
  from ${changed} c
  cross join lateral (values
    (${SENT}, coalesce(c.sent_ms, c.accepted_ms, c.delivered_ms, c.read_ms)), (${DELIVERED}, coalesce(c.delivered_ms, c.read_ms)),
    (${READ}, c.read_ms), (${FAILURE}, c.failed_ms)) as s (stage, at_ms)
  where c.news & s.stage <> 0
), paging as (
  select tenant_id, count(*) as events, bit_or(stage) as stages, array_agg(message_id) as message_ids, array_agg(news) as news,
    array_agg(at_ms) as at_ms, jsonb_object_agg(message_id, error) filter (where stage = ${FAILURE}) as errors
  from (select * from telling order by tenant_id, message_id, stage) t
  where ${waits.map((part) => `(select count(*) from ${part}) >= 0`).join(' and ')}
  group by tenant_id
), summing as (
  select tenant_id, json_agg(json_build_object('stage', stage, 'quarter', quarter, 'phoneNumberId', phone_number_id, 'type', type,
    'template', template, 'campaignName', campaign_name, 'category', category, 'error', code, 'count', count)) as sums
  from (
    select tenant_id, stage, (${idMadeMsSql('message_id')} / ${QUARTER_MS})::integer as quarter, phone_number_id, type, template,
      campaign_name, category, error ->> 'code' as code, count(*) as count
    from telling group by 1, 2, 3, 4, 5, 6, 7, 8, 9
  ) g
  group by tenant_id
), heads as (${takingNumbersSql('paging')}
), paged as (
  insert into event_pages (tenant_id, last_seq, first_seq, recorded_ms, types, message_ids, news, at_ms, errors, sums)
  select p.tenant_id, h.last_seq, h.last_seq - p.events + 1, ${recordedMs}, array_remove(array[
    ${STAGES.map(([bit, type]) => `case when p.stages & ${bit} <> 0 then '${type}' end`).join(', ')}], null),
    p.message_ids, p.news, p.at_ms, p.errors, s.sums
  from paging p join heads h on h.tenant_id = p.tenant_id join summing s on s.tenant_id = p.tenant_id
)`;
}

const STAGES = [
  [SENT, 'message.sent'],
  [DELIVERED, 'message.delivered'],
  [READ, 'message.read'],
  [FAILURE, 'message.failed'],
] as const;

/** The type of an event on a page of messages, as an expression; `n` is its number in `news`, null of one that was accepted. */
export function typeOfChangeSql(n: string): string {
  const cases = STAGES.map(([bit, type]) => `when ${n} & ${bit} <> 0 then '${type}'`).join(' ');
  return `(case when ${n} is null then 'message.queued' ${cases} end)`;
}

/** One of `news` with the row `m` of its message, as the event told it: what became known later is left out. */
export function changeJson(n: string, atMs: string, error: string): string {
  return `json_build_object('bits', ${n} & 15, 'atMs', ${atMs}, 'status', case when ${n} & ${FAILED} <> 0 then 'failed' else 'sent' end,
      'type', m.type, 'template', case when m.type = 'template' then m.content ->> 'name' end, 'to', m.to_phone,
      'phoneNumberId', m.phone_number_id, 'campaignName', m.campaign_name, 'clientRef', m.client_ref,
      'author', ${authorJson('m')},
      'conversationId', case when ${n} & ${IN_CONVERSATION} <> 0 then m.conversation_id end,
      'contactId', case when ${n} & ${WITH_CONTACT} <> 0 then m.contact_id end,
      'pricing', case when ${n} & ${PRICED} <> 0 then m.pricing end, 'error', ${error}, 'messageId', m.message_id,
      'possibleDuplicate', ${n} & ${DUPLICATE} <> 0)`;
}

/**
 * Takes the next numbers of tenants, the part of a statement that others of these tenants wait for from then on: heads are taken in
 * the order of tenants, so that transactions that share some wait for each other instead of deadlocking.
 * @param told part of the statement with `tenant_id` and, as `events`, how many numbers it takes
 */
export function takingNumbersSql(told: string): string {
  return `
  insert into event_heads (tenant_id, last_seq) select tenant_id, events from ${told} order by tenant_id
  on conflict (tenant_id) do update set last_seq = event_heads.last_seq + excluded.last_seq
  returning tenant_id, last_seq`;
}
