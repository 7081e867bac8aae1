import { CONTACT_ERASED } from '#campaigns/domain/campaign';
import { ERASED_PHONE } from '#campaigns/store/campaign-recipients';
import type { ContactId, ConversationId, TenantId } from '#core/ids';
import { phoneSpellings } from '#core/phone/phone-key';
import { type Statement, statement, type Transaction } from '#database/database';

const STEPS: readonly Statement[] = [
  statement('contact_erase_terms')`delete from contact_terms where tenant_id = $1 and contact_id = any($2::uuid[])`,
  statement(
    'contact_erase_identities',
  )`delete from contact_identities where tenant_id = $1 and contact_id = any($2::uuid[])`,
  statement(
    'contact_erase_wordings',
  )`update contact_consents set wording = null where tenant_id = $1 and contact_id = any($2::uuid[])`,
  statement('contact_erase_merges')`
delete from contact_merges
where tenant_id = $1 and (survivor_id = any($2::uuid[]) or merged_id = any($2::uuid[]))`,
];

/** By what messages may name it: numbers, and the ids of the network for those who show none. */
const CONTACT_ERASE_ADDRESSES = statement('contact_erase_addresses')`
select value as address from contact_identities where tenant_id = $1 and contact_id = any($2::uuid[])
union
select unnest(array[phone, user_id]) from contacts where tenant_id = $1 and contact_id = any($2::uuid[])`;

const CONVERSATIONS = statement('contact_erase_find_conversations')`
select conversation_id from conversations where tenant_id = $1 and contact_id = any($2::uuid[])`;

const IS_SUPPRESSED = statement('contact_erase_is_suppressed')`
select 1 from suppressions where tenant_id = $1 and phone_key = any($2::text[]) and (blocked or opted_out or cardinality(stopped_numbers) > 0) limit 1`;
/** Whose refusal was taken back is in nobody's memory as silent: the row says nothing any more. */
const PAST_SUPPRESSIONS = statement('contact_erase_past_suppressions')`
delete from suppressions where tenant_id = $1 and phone_key = any($2::text[]) and not blocked and not opted_out and cardinality(stopped_numbers) = 0`;

/** A block stays at the network as it does here; one that is about to be lifted still is, and its row goes then. */
const PAST_NETWORK_BLOCKS = statement('contact_erase_past_network_blocks')`
delete from network_blocks where tenant_id = $1 and address = any($2::text[]) and not is_wanted and due_ms is null`;

/**
 * As a recipient, a contact is its number and its values. What stands there afterwards names the message alone, by which
 * the outcome still finds its recipient. Who still waits is counted as skipped.
 */
const RECIPIENTS = statement('contact_erase_recipients')`
with erased as (
  update campaign_recipients r set phone = ${ERASED_PHONE}, variables = null,
    status = case when r.status = 'waiting' then 'skipped' else r.status end,
    reason = case when r.status = 'waiting' then $3::jsonb else r.reason end
  from campaign_recipients b
  where b.tenant_id = $1 and b.phone = any($2::text[])
    and b.campaign_id in (select c.campaign_id from campaigns c where c.tenant_id = $1)
    and r.tenant_id = b.tenant_id and r.campaign_id = b.campaign_id and r.place = b.place
  returning r.campaign_id, b.status
)
update campaigns c set skipped = c.skipped + e.skipped, updated_ms = $4
from (select campaign_id, count(*)::integer as skipped from erased where status = 'waiting' group by campaign_id) e
where c.tenant_id = $1 and c.campaign_id = e.campaign_id`;

/** The contact with everything that is part of it. */
const ALL = statement('contact_erase_all')`
with recursive part as (
  select contact_id from contacts where tenant_id = $1 and contact_id = $2
  union
  select c.contact_id from part p join contacts c on c.tenant_id = $1 and c.merged_into = p.contact_id
)
select contact_id from part`;

const CONTACT = statement('contact_erase')`
update contacts set
  phone = null, user_id = null, name = null, book_name = null, book_ms = null, profile_name = null, username = null, external_id = null, language = null,
  country = null, attributes = '{}', tags = '{}', folded = '{}', marketing_source = null, number_consents = '[]', erased_ms = $3, updated_ms = $3, version = version + 1
where tenant_id = $1 and contact_id = any($2::uuid[])`;

/** One person, by all that its data is found by. */
export interface ErasedPerson {
  readonly tenantId: TenantId;
  /** The contact and everything that was merged into it. */
  readonly contactIds: readonly ContactId[];
  readonly conversationIds: readonly ConversationId[];
  /** Numbers in every spelling, and ids of the network. */
  readonly addresses: readonly string[];
  /** Whether a number of it is blocked or opted out. */
  readonly isSuppressed: boolean;
}

/** Who a contact is, before it is erased. */
export async function findPerson(tx: Transaction, tenantId: TenantId, contactId: ContactId): Promise<ErasedPerson> {
  const parts = await tx.run<{ contactId: ContactId }>(ALL, [tenantId, contactId]);
  const contactIds = parts.rows.map((row) => row.contactId);
  const found = await tx.run<{ address: string | null }>(CONTACT_ERASE_ADDRESSES, [tenantId, contactIds]);
  const addresses = [
    ...new Set(found.rows.flatMap(({ address }) => (address === null ? [] : phoneSpellings(address)))),
  ];
  const conversations = await tx.run<{ conversationId: ConversationId }>(CONVERSATIONS, [tenantId, contactIds]);
  const suppressed = await tx.run(IS_SUPPRESSED, [tenantId, addresses]);
  return {
    tenantId,
    contactIds,
    conversationIds: conversations.rows.map((row) => row.conversationId),
    addresses,
    isSuppressed: suppressed.rowCount > 0,
  };
}

/** Removes who a person is, what it is found by, and what campaigns know of it. Its rows stay, so that what was counted still adds up. */
export async function eraseContact(
  tx: Transaction,
  { tenantId, contactIds, addresses }: ErasedPerson,
  nowMs: number,
): Promise<void> {
  await tx.run(RECIPIENTS, [tenantId, addresses, JSON.stringify(CONTACT_ERASED), nowMs]);
  for (const step of STEPS) await tx.run(step, [tenantId, contactIds]);
  await tx.run(PAST_SUPPRESSIONS, [tenantId, addresses]);
  await tx.run(PAST_NETWORK_BLOCKS, [tenantId, addresses]);
  await tx.run(CONTACT, [tenantId, contactIds, nowMs]);
}
