import type { CampaignId, ContactId, TenantId } from '#core/ids';
import { type SqlRunner, statement } from '#database/database';
import { otherSpellingSql } from '#database/phone-key-sql';

/** A campaign that left a contact out. */
export interface CampaignSkip {
  /** Orders it among the entries of a timeline: the moment at which the campaign started, and what is unique about the campaign. */
  readonly id: string;
  readonly campaignId: CampaignId;
  readonly campaignName: string;
  readonly reason: { readonly code: string; readonly message: string };
  /** When the campaign started: recipients have no time of their own. */
  readonly atMs: number;
}

/** So many campaigns of one contact are looked through: more than anybody reads. */
const MAX_SKIPS = 1_000;

/** Each identity of the contact, in each spelling, walks its own range of the index. */
const TIMELINE_SKIPS = statement('timeline_skips')`
with spellings as materialized (
  select distinct v.phone from contact_identities i
  cross join lateral (values (i.value), (${otherSpellingSql('i.value')})) as v (phone)
  where i.tenant_id = $1 and i.contact_id = $2
), skipped as materialized (
  select r.campaign_id, r.reason from spellings s
  cross join lateral (
    select e.campaign_id, e.reason from campaign_recipients e
    where e.tenant_id = $1 and e.phone = s.phone and e.status = 'skipped' limit ${MAX_SKIPS}
  ) r
)
select * from (
  select (lpad(to_hex(coalesce(c.started_ms, c.created_ms)), 12, '0') || substr(replace(c.campaign_id::text, '-', ''), 13))::uuid as id,
    c.campaign_id, c.name as campaign_name, s.reason, coalesce(c.started_ms, c.created_ms) as at_ms
  from skipped s join campaigns c on c.tenant_id = $1 and c.campaign_id = s.campaign_id
) t
where $3::uuid is null or t.id < $3::uuid
order by t.id desc limit $4`;

/** The campaigns that skipped a contact, newest first. @param limit one more than the page tells whether another one follows */
export async function listCampaignSkips(
  db: SqlRunner,
  of: {
    readonly tenantId: TenantId;
    readonly contactId: ContactId;
    readonly beforeId: string | null;
    readonly limit: number;
  },
): Promise<readonly CampaignSkip[]> {
  return (await db.run<CampaignSkip>(TIMELINE_SKIPS, [of.tenantId, of.contactId, of.beforeId, of.limit])).rows;
}
