import { CONTACT_ERASED } from '#campaigns/domain/campaign';
import { ERASED } from '#core/erasure';
import type { MessageId } from '#core/ids';
import { type Statement, statement, type Transaction } from '#database/database';
import type { ErasedPerson } from './erase-contact.ts';

/*
 * What a person wrote and was written. Rows keep their ids, times and states. Messages come before conversations, as
 * where callbacks are applied.
 */

/** Reports ask whose a template is, and whether it was marketing. */
const KEPT_CONTENT = `case when m.type = 'template' then jsonb_strip_nulls(jsonb_build_object(
    'name', m.content -> 'name', 'language', m.content -> 'language', 'category', m.content -> 'category')) else '{}' end`;

const OUTBOUND = statement('erase_outbound')`
with found as (
  select message_id from outbound_messages where tenant_id = $1 and to_phone = any($3::text[])
  union
  select message_id from outbound_messages where tenant_id = $1 and conversation_id = any($2::uuid[])
), kept as (
  select m.message_id, ${KEPT_CONTENT} as content from outbound_messages m
  join found f on m.tenant_id = $1 and m.message_id = f.message_id
), erased as (
  update outbound_messages m set
    to_phone = '${ERASED}', content = k.content, client_ref = null, network_message_id = '${ERASED}',
    versions = null,
    history = (select jsonb_agg(h - 'data') from jsonb_array_elements(m.history) h)
  from kept k where m.tenant_id = $1 and m.message_id = k.message_id
  returning m.message_id, m.status
), waiting as (
  update send_queue q set to_phone = '${ERASED}' from erased e
  where e.status = 'queued' and q.tenant_id = $1 and q.message_id = e.message_id
), gone as (
  delete from dead_letters d using found f where d.tenant_id = $1 and d.message_id = f.message_id
)
select message_id from erased where status = 'queued'`;

const ERASE_INBOUND = `
update inbound_messages set
  body = null, content = '{}', profile_name = null, from_phone = null, from_user_id = null, sender = '${ERASED}',
  referral = null, context = null, versions = null, group_id = null, network_message_id = '${ERASED}:' || message_id`;

/** What the person said in no conversation. */
const LOOSE = statement('erase_loose_inbound')`${ERASE_INBOUND}
where tenant_id = $1 and conversation_id is null and contact_id = any($2::uuid[])`;

/** What takes the tenant and the conversations of the person. */
const IN_CONVERSATIONS: readonly Statement[] = [
  statement('erase_inbound')`${ERASE_INBOUND} where tenant_id = $1 and conversation_id = any($2::uuid[])`,
  statement('erase_previews')`
update conversations set last_message_preview = null, tags = '{}'
where tenant_id = $1 and conversation_id = any($2::uuid[])`,
  statement(
    'erase_notes',
  )`update conversation_notes set body = '${ERASED}' where tenant_id = $1 and conversation_id = any($2::uuid[])`,
  statement('erase_drafts')`delete from conversation_drafts where tenant_id = $1 and conversation_id = any($2::uuid[])`,
  statement(
    'erase_suggestions',
  )`delete from conversation_suggestions where tenant_id = $1 and conversation_id = any($2::uuid[])`,
  statement('erase_notifications')`
delete from notifications where tenant_id = $1 and conversation_id = any($2::uuid[])`,
  statement('erase_conversation_history')`
update conversation_events set changes = changes - 'tags'
where tenant_id = $1 and conversation_id = any($2::uuid[]) and changes ? 'tags'`,
  statement('erase_bulk_change_tags')`
update bulk_change_items set before = before - 'tags', after = after - 'tags'
where tenant_id = $1 and conversation_id = any($2::uuid[]) and before ? 'tags'`,
  // Those that go on need their tags, and are removed a week after they end.
  statement('erase_tags_of_bulk_changes')`
update bulk_changes b set change = b.change - array['addTags', 'removeTags']
from bulk_change_items i
where i.tenant_id = $1 and i.conversation_id = any($2::uuid[]) and b.tenant_id = $1 and b.bulk_change_id = i.bulk_change_id
  and b.finished_ms is not null and b.change ?| array['addTags', 'removeTags']`,
  statement('erase_rule_replies')`
update rule_replies r set to_phone = '${ERASED}', content = '{}',
  state = case when r.state = 'pending' then 'failed' else r.state end, due_ms = null,
  error = case when r.state = 'pending' then '${JSON.stringify(CONTACT_ERASED)}'::jsonb else r.error end
from rule_decisions d
where d.tenant_id = $1 and d.conversation_id = any($2::uuid[]) and r.tenant_id = d.tenant_id and r.decision_id = d.decision_id`,
  statement('erase_rule_decisions')`
update rule_decisions set facts = '{}', verdicts = coalesce(
  (select jsonb_agg(v || '{"predicates": []}') from jsonb_array_elements(verdicts) v), '[]')
where tenant_id = $1 and conversation_id = any($2::uuid[])`,
  statement('erase_rule_timers')`delete from rule_timers where tenant_id = $1 and conversation_id = any($2::uuid[])`,
];

/** Files that the person sent: their bytes go with the next sweep of loose blobs. */
const MEDIA = statement('erase_received_media')`
with gone as (
  delete from inbound_media f using inbound_messages i
  where i.tenant_id = $1 and (i.conversation_id = any($2::uuid[]) or i.conversation_id is null and i.contact_id = any($4::uuid[]))
    and f.tenant_id = i.tenant_id and f.message_id = i.message_id
  returning f.media_id
), removed as (
  delete from media m using gone g where m.tenant_id = $1 and m.media_id = g.media_id returning m.media_id, m.blob_id
), forgotten as (
  delete from media_uploads u using removed r where u.tenant_id = $1 and u.media_id = r.media_id
)
update media_blobs b set loose_ms = $3 from removed r where b.tenant_id = $1 and b.blob_id = r.blob_id`;

const PARKED: readonly Statement[] = [
  statement('erase_parked_statuses')`
delete from parked_statuses where tenant_id = $1 and recipient = any($2::text[])`,
  statement('erase_parked_changes')`delete from parked_changes where tenant_id = $1 and sender = any($2::text[])`,
];

/**
 * Erases what a person wrote and was written, in the transaction that erases who it is.
 * @returns messages to the person that had not left: they must not leave any more
 */
export async function eraseMessages(
  tx: Transaction,
  { tenantId, contactIds, conversationIds, addresses }: ErasedPerson,
  nowMs: number,
): Promise<readonly MessageId[]> {
  const { rows } = await tx.run<{ messageId: MessageId }>(OUTBOUND, [tenantId, conversationIds, addresses]);
  await tx.run(MEDIA, [tenantId, conversationIds, nowMs, contactIds]);
  await tx.run(LOOSE, [tenantId, contactIds]);
  for (const step of IN_CONVERSATIONS) await tx.run(step, [tenantId, conversationIds]);
  for (const step of PARKED) await tx.run(step, [tenantId, addresses]);
  return rows.map((row) => row.messageId);
}
