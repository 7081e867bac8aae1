import { noteRevived } from '#billing/store/wallet';
import { authorKindNumber } from '#core/caller/author';
import type { MessageId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { queueState } from '#core/queue-state';
import { type SqlRunner, statement } from '#database/database';
import { firstRow } from '#database/rows';
import type { MessageChange } from '#events/domain/message-events';
import { queuedMessageJson } from '#events/store/events';
import { authorJson } from '#events/store/message-author';
import { type ChangeRow, NEWS_COLUMNS, toChange } from '#events/store/message-events';

/** The end of a statement that buries messages: the letter of an earlier failure, which stays after a revival, is replaced. */
export const REPLACING_LETTERS = `on conflict (tenant_id, message_id)
  do update set code = excluded.code, reason = excluded.reason, dead_ms = excluded.dead_ms`;

/** A failed message and why. */
export interface DeadLetter {
  readonly messageId: MessageId;
  readonly to: string;
  readonly code: string;
  readonly reason: string;
  readonly deadMs: number;
}

const DEAD_LETTER_LIST = statement('dead_letter_list')`
select d.message_id, m.to_phone as "to", d.code, d.reason, d.dead_ms
from dead_letters d join outbound_messages m on m.tenant_id = d.tenant_id and m.message_id = d.message_id
where d.tenant_id = $1 and m.status = 'failed'
order by d.message_id desc limit $2`;

/** Failed messages of a tenant, newest first. */
export async function listDeadLetters(
  db: SqlRunner,
  tenantId: TenantId,
  limit: number,
): Promise<readonly DeadLetter[]> {
  return (await db.run<DeadLetter>(DEAD_LETTER_LIST, [tenantId, limit])).rows;
}

const DEAD_LETTER_REQUEUE = statement('dead_letter_requeue')`
with locked as materialized (
  select message_id from outbound_messages where tenant_id = $1 and message_id = $2 and status = 'failed'
    and author_kind is distinct from ${authorKindNumber('phone')} for no key update
), gone as (
  delete from dead_letters d using locked l where d.tenant_id = $1 and d.message_id = l.message_id
  returning d.message_id, d.code
), revived as (
  update outbound_messages m set
    status = 'queued', error = null, network_message_id = null, pricing = null, accepted_ms = null,
    sent_ms = null, sent_learned_ms = null, delivered_ms = null, delivered_learned_ms = null,
    read_ms = null, read_learned_ms = null, failed_ms = null, failed_learned_ms = null, requeued_after = m.attempts,
    possible_duplicate = m.possible_duplicate or g.code = 'delivery_unknown', expires_ms = $3 + (m.expires_ms - m.created_ms), updated_ms = $3,
    history = coalesce(m.history, '[]'::jsonb) || $4::jsonb
  from gone g
  where m.tenant_id = $1 and m.message_id = g.message_id
  returning m.tenant_id, m.message_id, m.phone_number_id, m.priority, m.expires_ms, m.attempts, m.to_phone, m.type,
    m.campaign_name, m.client_ref, m.author_kind, m.author_id, m.conversation_id, m.contact_id, m.content
), queued as (
  insert into send_queue (tenant_id, message_id, phone_number_id, priority, due_ms, expires_ms, attempts, to_phone)
  select tenant_id, message_id, phone_number_id, priority, $3, expires_ms, attempts, to_phone from revived
), held as (${noteRevived('revived', '$3')})
select ${queuedMessageJson('r')} as message from revived r`;

/** Queues a failed message again, with its whole validity anew. What was written on a phone was never in the queue. @returns what its event tells; null when it is not a failed message */
export async function requeueDeadLetter(
  db: SqlRunner,
  letter: { readonly tenantId: TenantId; readonly messageId: string; readonly nowMs: number; readonly trace: string },
): Promise<JsonObject | null> {
  const values = [letter.tenantId, letter.messageId, letter.nowMs, letter.trace];
  return (await firstRow(db.run<{ message: JsonObject }>(DEAD_LETTER_REQUEUE, values)))?.message ?? null;
}

const CANCEL = statement('queue_cancel')`
with locked as materialized (
  select 1 from outbound_messages where tenant_id = $1 and message_id = $2 for no key update
), gone as (
  delete from send_queue
  where (select count(*) from locked) >= 0 and tenant_id = $1 and message_id = $2 and state = ${queueState.ready} returning tenant_id, message_id
), buried as (
  insert into dead_letters (tenant_id, message_id, code, reason, dead_ms)
  select tenant_id, message_id, $4::jsonb ->> 'code', $4::jsonb ->> 'message', $3 from gone
  ${REPLACING_LETTERS}
), failed as (
  update outbound_messages m set status = 'failed', error = $4::jsonb, failed_ms = $3, updated_ms = $3,
    history = coalesce(m.history, '[]'::jsonb) || $5::jsonb, news = 8
  from gone g where m.tenant_id = g.tenant_id and m.message_id = g.message_id
  returning ${NEWS_COLUMNS}
)
select f.*, ${authorJson('f')} as author from failed f`;

/** Takes a message out of the queue while it is not claimed. @returns null when it was not waiting there */
export async function cancelQueued(
  db: SqlRunner,
  cancel: {
    readonly tenantId: TenantId;
    readonly messageId: string;
    readonly nowMs: number;
    readonly error: string;
    readonly trace: string;
  },
): Promise<MessageChange | null> {
  const { tenantId, messageId, nowMs, error, trace } = cancel;
  const row = await firstRow(db.run<ChangeRow>(CANCEL, [tenantId, messageId, nowMs, error, trace]));
  return row && toChange(row);
}
