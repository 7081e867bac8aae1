import type { ConversationKey } from '#conversations/domain/conversation';
import type { ConversationId, TenantId } from '#core/ids';
import { type SqlRunner, statement } from '#database/database';
import { identityKindSql, otherSpellingSql } from '#database/phone-key-sql';

const OPEN_OF_RECIPIENT = statement('conversation_open_of_recipient')`
select c.conversation_id from contact_identities i
join conversations c on c.tenant_id = i.tenant_id and c.contact_id = i.contact_id
where i.tenant_id = $1 and i.kind = ${identityKindSql('$2')} and i.value = $2 and c.phone_number_id = $3 and c.status <> 'resolved'
limit 1`;

/**
 * The conversation with a customer that is not resolved; null: there is none.
 * @param pair the customer by the key of their number (see phoneKey) or their user id, and the sending number
 */
export async function findOpenOfRecipient(
  db: SqlRunner,
  pair: { readonly tenantId: TenantId; readonly key: string; readonly phoneNumberId: string },
): Promise<ConversationId | null> {
  const values = [pair.tenantId, pair.key, pair.phoneNumberId];
  return (await db.run<{ conversationId: ConversationId }>(OPEN_OF_RECIPIENT, values)).rows[0]?.conversationId ?? null;
}

/** Newest messages from before its opening that a conversation takes in. */
const MAX_EARLIER = 100;

/** Spans tenants: housekeeping. */
const FIND_UNLINKED = statement('conversation_find_unlinked')`
select tenant_id, conversation_id from conversations where links_due
order by tenant_id, conversation_id limit $1`;

/**
 * No row of `conversations` is locked here: callbacks take messages first and conversations then. Each identity and spelling
 * walks its own range of an index: asked for both at once, PostgreSQL walks all messages of the tenant instead. The number we
 * send from is no condition of an index, lest all that left from it be walked.
 */
const LINK_EARLIER = statement('conversation_link_earlier')`
with spellings as (
  select distinct c.tenant_id, c.conversation_id, c.contact_id, c.phone_number_id, v.phone from conversations c
  join contact_identities i on i.tenant_id = c.tenant_id and i.contact_id = c.contact_id
  cross join lateral (values (i.value), (${otherSpellingSql('i.value')})) as v (phone)
  where c.tenant_id = $1 and c.conversation_id = $2
), wanted as (
  select m.message_id, s.conversation_id, s.contact_id from spellings s
  cross join lateral (
    select e.message_id from outbound_messages e
    where e.tenant_id = s.tenant_id and e.to_phone = s.phone and e.message_id >= $3::uuid
      and e.phone_number_id is not distinct from s.phone_number_id and e.conversation_id is null
    order by e.message_id desc limit ${MAX_EARLIER}
  ) m
  order by m.message_id desc limit ${MAX_EARLIER}
)
update outbound_messages m set conversation_id = w.conversation_id, contact_id = w.contact_id
from wanted w where m.tenant_id = $1 and m.message_id = w.message_id and m.conversation_id is null`;

const LINKED = statement('conversation_linked')`
update conversations set links_due = false where tenant_id = $1 and conversation_id = $2`;

/** Conversations whose earlier messages are not part of them yet. */
export async function findUnlinked(db: SqlRunner, limit: number): Promise<readonly ConversationKey[]> {
  return (await db.run<ConversationKey>(FIND_UNLINKED, [limit])).rows;
}

/** Takes what was sent to the contact from the number into the conversation. @param sinceId the oldest that counts */
export async function linkEarlier(db: SqlRunner, one: ConversationKey, sinceId: string): Promise<number> {
  const { rowCount } = await db.run(LINK_EARLIER, [one.tenantId, one.conversationId, sinceId]);
  await db.run(LINKED, [one.tenantId, one.conversationId]);
  return rowCount;
}

/** Spans tenants: housekeeping. */
const FIND_OVERSLEPT = statement('conversation_find_overslept')`
select tenant_id, conversation_id from conversations
where snoozed_until_ms <= $1 order by snoozed_until_ms limit $2`;

/** Conversations whose snooze is over. */
export async function findOverslept(db: SqlRunner, nowMs: number, limit: number): Promise<readonly ConversationKey[]> {
  return (await db.run<ConversationKey>(FIND_OVERSLEPT, [nowMs, limit])).rows;
}
