import type { ContactId, ConversationId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { idMadeMsSql } from '#database/id-time-sql';
import { type MessageChange, STAGE_BITS } from '#events/domain/message-events';
import { QUARTER_MS } from '#events/domain/message-sums';
import { takingNumbersSql } from './event-heads-sql.ts';

/** What a statement that changes messages returns of those with news; `m` is the message. */
export const NEWS_COLUMNS = `m.tenant_id, m.message_id, m.news, m.status, m.type, m.to_phone, m.phone_number_id, m.campaign_name,
  m.client_ref, m.conversation_id, m.contact_id, m.accepted_ms, m.sent_ms, m.delivered_ms, m.read_ms, m.failed_ms, m.error, m.pricing, m.possible_duplicate,
  case when m.type = 'template' then m.content ->> 'name' end as template`;

/** True of a message of which `sent` was told in the life since its last requeue. */
export const SENT_IS_TOLD = 'coalesce(m.accepted_ms, m.sent_ms, m.delivered_ms, m.read_ms) is not null';

export interface ChangeRow {
  readonly tenant_id: TenantId;
  readonly message_id: MessageId;
  readonly news: number;
  readonly status: 'queued' | 'sent' | 'failed';
  readonly type: string;
  readonly template: string | null;
  readonly to_phone: string;
  readonly phone_number_id: PhoneNumberId;
  readonly campaign_name: string | null;
  readonly client_ref: string | null;
  readonly conversation_id: ConversationId | null;
  readonly contact_id: ContactId | null;
  readonly accepted_ms: number | null;
  readonly sent_ms: number | null;
  readonly delivered_ms: number | null;
  readonly read_ms: number | null;
  readonly failed_ms: number | null;
  readonly error: JsonObject | null;
  readonly pricing: JsonObject | null;
  readonly possible_duplicate: boolean;
}

export function toChange(row: ChangeRow): MessageChange {
  return {
    tenantId: row.tenant_id,
    messageId: row.message_id,
    bits: row.news,
    status: row.status,
    type: row.type,
    template: row.template,
    to: row.to_phone,
    phoneNumberId: row.phone_number_id,
    campaignName: row.campaign_name,
    clientRef: row.client_ref,
    conversationId: row.conversation_id,
    contactId: row.contact_id,
    sentMs: row.sent_ms ?? row.accepted_ms ?? row.delivered_ms ?? row.read_ms,
    deliveredMs: row.delivered_ms ?? row.read_ms,
    readMs: row.read_ms,
    failedMs: row.failed_ms,
    error: row.error,
    pricing: row.pricing,
    possibleDuplicate: row.possible_duplicate,
  };
}

/** What was known of a message when its news was told: what came later is not part of the event. */
const PRICED = 16;
const FAILED = 32;
const IN_CONVERSATION = 64;
const WITH_CONTACT = 128;
const DUPLICATE = 256;
const { sent: SENT, delivered: DELIVERED, read: READ, failed: FAILURE } = STAGE_BITS;

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
      'conversationId', case when ${n} & ${IN_CONVERSATION} <> 0 then m.conversation_id end,
      'contactId', case when ${n} & ${WITH_CONTACT} <> 0 then m.contact_id end,
      'pricing', case when ${n} & ${PRICED} <> 0 then m.pricing end, 'error', ${error}, 'messageId', m.message_id,
      'possibleDuplicate', ${n} & ${DUPLICATE} <> 0)`;
}
