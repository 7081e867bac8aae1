import { CONTACT_ERASED } from '#core/campaign';
import type { ContactId, TenantId } from '#core/ids';
import { phoneSpellings } from '#core/phone-key';
import { ERASED_PHONE } from './campaign-recipients.ts';
import type { SqlRunner, Statement } from './database.ts';

const STEPS: readonly Statement[] = [
  {
    name: 'contact_erase_terms',
    text: 'delete from contact_terms where tenant_id = $1 and contact_id = any($2::uuid[])',
  },
  {
    name: 'contact_erase_identities',
    text: 'delete from contact_identities where tenant_id = $1 and contact_id = any($2::uuid[])',
  },
  {
    name: 'contact_erase_wordings',
    text: 'update contact_consents set wording = null where tenant_id = $1 and contact_id = any($2::uuid[])',
  },
  {
    name: 'contact_erase_merges',
    text: `
delete from contact_merges
where tenant_id = $1 and (survivor_id = any($2::uuid[]) or merged_id = any($2::uuid[]))`,
  },
  {
    name: 'contact_erase_messages',
    text: `
update inbound_messages i set
  body = null, content = '{}', profile_name = null, from_phone = null, from_user_id = null, sender = 'erased'
from conversations c
where c.tenant_id = $1 and c.contact_id = any($2::uuid[]) and i.tenant_id = c.tenant_id and i.conversation_id = c.conversation_id`,
  },
];

const NUMBERS: Statement = {
  name: 'contact_erase_numbers',
  text: `
select value as phone from contact_identities where tenant_id = $1 and contact_id = any($2::uuid[]) and kind = 'phone'
union
select phone from contacts where tenant_id = $1 and contact_id = any($2::uuid[]) and phone is not null`,
};

/**
 * As a recipient, a contact is its number and its values. What stands there afterwards names the message alone, by which
 * the outcome still finds its recipient. Who still waits is counted as skipped.
 */
const RECIPIENTS: Statement = {
  name: 'contact_erase_recipients',
  text: `
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
where c.tenant_id = $1 and c.campaign_id = e.campaign_id`,
};

/** The contact with everything that is part of it. */
const ALL: Statement = {
  name: 'contact_erase_all',
  text: `
with recursive part as (
  select contact_id from contacts where tenant_id = $1 and contact_id = $2
  union
  select c.contact_id from part p join contacts c on c.tenant_id = $1 and c.merged_into = p.contact_id
)
select contact_id from part`,
};

const CONTACT: Statement = {
  name: 'contact_erase',
  text: `
update contacts set
  phone = null, user_id = null, name = null, profile_name = null, username = null, external_id = null, language = null,
  country = null, attributes = '{}', tags = '{}', folded = '{}', erased_ms = $3, updated_ms = $3, version = version + 1
where tenant_id = $1 and contact_id = any($2::uuid[])`,
};

/** Removes what tells who a contact is and what it wrote, with what was merged into it. Its rows stay, so that what was counted still adds up. */
export async function eraseContact(
  tx: SqlRunner,
  {
    tenantId,
    contactId,
    nowMs,
  }: { readonly tenantId: TenantId; readonly contactId: ContactId; readonly nowMs: number },
): Promise<void> {
  const { rows } = await tx.run<{ contact_id: string }>(ALL, [tenantId, contactId]);
  const ids = rows.map((row) => row.contact_id);
  const numbers = await tx.run<{ phone: string }>(NUMBERS, [tenantId, ids]);
  const phones = numbers.rows.flatMap(({ phone }) => phoneSpellings(phone));
  await tx.run(RECIPIENTS, [tenantId, [...new Set(phones)], JSON.stringify(CONTACT_ERASED), nowMs]);
  for (const step of STEPS) await tx.run(step, [tenantId, ids]);
  await tx.run(CONTACT, [tenantId, ids, nowMs]);
}
