import { type Campaign, type CampaignRecipient, ERASED_RECIPIENT, type SkipReason } from '#campaigns/domain/campaign';
import type { MessageId } from '#core/ids';
import { queueState } from '#core/queue-state';
import { plainArray } from '#database/arrays';
import { type SqlRunner, statement, type Transaction } from '#database/database';

export type CampaignKey = Pick<Campaign, 'tenantId' | 'campaignId'>;

export interface NewRecipient {
  readonly phone: string;
  readonly variables: Readonly<Record<string, string>> | null;
}

/** What stands in place of the number of an erased contact. */
export const ERASED_PHONE = `'${ERASED_RECIPIENT}' || coalesce(r.message_id::text, r.place::text)`;

const CAMPAIGN_RECIPIENTS_ADD = statement('campaign_recipients_add')`
with input as materialized (
  select phone, variables, row_number() over (order by place) as n
  from unnest($3::text[], $4::text[]) with ordinality as t (phone, variables, place)
), added as (
  insert into campaign_recipients (tenant_id, campaign_id, place, phone, variables)
  select c.tenant_id, c.campaign_id, c.total + i.n::integer - 1, i.phone, i.variables::jsonb
  from campaigns c, input i where c.tenant_id = $1 and c.campaign_id = $2
  returning place
)
update campaigns c set total = c.total + (select count(*) from added)
where c.tenant_id = $1 and c.campaign_id = $2`;

const CAMPAIGN_RECIPIENTS_KNOWN = statement('campaign_recipients_known')`
select phone from campaign_recipients where tenant_id = $1 and campaign_id = $2 and phone = any($3::text[])`;

/** Which of these numbers are recipients already. */
export async function findKnownPhones(
  db: SqlRunner,
  { tenantId, campaignId }: CampaignKey,
  phones: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await db.run<{ phone: string }>(CAMPAIGN_RECIPIENTS_KNOWN, [tenantId, campaignId, phones]);
  return new Set(rows.map((row) => row.phone));
}

/**
 * Adds recipients behind those that are there; a number that is there already is left out. The campaign is locked.
 * @param recipients each number once
 * @returns how many were added
 */
export async function addRecipients(
  tx: Transaction,
  { tenantId, campaignId }: CampaignKey,
  recipients: readonly NewRecipient[],
): Promise<number> {
  const phones = recipients.map((recipient) => recipient.phone);
  const known = await findKnownPhones(tx, { tenantId, campaignId }, phones);
  const fresh = recipients.filter((recipient) => !known.has(recipient.phone));
  if (fresh.length === 0) return 0;
  await tx.run(CAMPAIGN_RECIPIENTS_ADD, [
    tenantId,
    campaignId,
    fresh.map((recipient) => recipient.phone),
    fresh.map(({ variables }) => variables && JSON.stringify(variables)),
  ]);
  return fresh.length;
}

const TAKEN = statement('campaign_recipients_taken')`
select place, phone, variables, status, message_id, reason from campaign_recipients
where tenant_id = $1 and campaign_id = $2 and status = 'taken' order by place limit $3`;

/** Those that a step took and did not settle. */
export async function findTaken(
  db: SqlRunner,
  { tenantId, campaignId }: CampaignKey,
  limit: number,
): Promise<readonly CampaignRecipient[]> {
  return (await db.run<CampaignRecipient>(TAKEN, [tenantId, campaignId, limit])).rows;
}

const CAMPAIGN_RECIPIENTS_TAKE = statement('campaign_recipients_take')`
with ahead as materialized (
  select r.place, row_number() over (order by r.place) as n from campaign_recipients r
  where r.tenant_id = $1 and r.campaign_id = $2 and r.status = 'waiting'
    and r.place >= (select c.next_place from campaigns c where c.tenant_id = $1 and c.campaign_id = $2)
  order by r.place limit cardinality($3::uuid[])
), moved as (
  update campaigns c set next_place = (select max(place) + 1 from ahead)
  where c.tenant_id = $1 and c.campaign_id = $2 and exists (select 1 from ahead)
)
update campaign_recipients r set status = 'taken', message_id = coalesce(r.message_id, ($3::uuid[])[a.n])
from ahead a where r.tenant_id = $1 and r.campaign_id = $2 and r.place = a.place
returning r.place, r.phone, r.variables, r.status, r.message_id, r.reason`;

/**
 * Takes the next recipients, each with the id that its message will have; one that had an id before keeps it. The campaign
 * is locked.
 */
export async function takeRecipients(
  tx: Transaction,
  { tenantId, campaignId }: CampaignKey,
  messageIds: readonly MessageId[],
): Promise<readonly CampaignRecipient[]> {
  const values = [tenantId, campaignId, plainArray(messageIds)];
  const { rows } = await tx.run<CampaignRecipient>(CAMPAIGN_RECIPIENTS_TAKE, values);
  return rows.toSorted((a, b) => a.place - b.place);
}

const ACCEPTED = statement('campaign_recipients_accepted')`
select message_id from outbound_messages where tenant_id = $1 and message_id = any($2::uuid[])`;

/** Which of these messages were accepted. */
export async function findAccepted(
  db: SqlRunner,
  tenantId: CampaignKey['tenantId'],
  messageIds: readonly MessageId[],
): Promise<ReadonlySet<MessageId>> {
  const { rows } = await db.run<{ messageId: MessageId }>(ACCEPTED, [tenantId, plainArray(messageIds)]);
  return new Set(rows.map((row) => row.messageId));
}

export interface RecipientOutcome {
  readonly place: number;
  /** Null: it was accepted. */
  readonly reason: SkipReason | null;
}

const CAMPAIGN_RECIPIENTS_SETTLE = statement('campaign_recipients_settle')`
with input as materialized (
  select * from unnest($3::integer[], $4::text[]) as t (place, reason)
), settled as (
  update campaign_recipients r set status = case when i.reason is null then 'accepted' else 'skipped' end,
    reason = i.reason::jsonb
  from input i where r.tenant_id = $1 and r.campaign_id = $2 and r.place = i.place and r.status = 'taken'
  returning r.status
)
update campaigns c set accepted = c.accepted + (select count(*) from settled where status = 'accepted'),
  skipped = c.skipped + (select count(*) from settled where status = 'skipped'), updated_ms = $5
where c.tenant_id = $1 and c.campaign_id = $2
`;

/** Notes what became of recipients that were taken. The campaign is locked. */
export async function settleRecipients(
  tx: Transaction,
  { tenantId, campaignId }: CampaignKey,
  { outcomes, nowMs }: { readonly outcomes: readonly RecipientOutcome[]; readonly nowMs: number },
): Promise<void> {
  await tx.run(CAMPAIGN_RECIPIENTS_SETTLE, [
    tenantId,
    campaignId,
    plainArray(outcomes.map((outcome) => outcome.place)),
    outcomes.map(({ reason }) => reason && JSON.stringify(reason)),
    nowMs,
  ]);
}

const PUT_BACK = statement('campaign_recipients_put_back')`
with back as (
  update campaign_recipients set status = 'waiting'
  where tenant_id = $1 and campaign_id = $2 and place = any($3::integer[]) and status = 'taken'
  returning place
)
update campaigns set next_place = least(next_place, (select min(place) from back))
where tenant_id = $1 and campaign_id = $2 and exists (select 1 from back)`;

/** Recipients whose messages were certainly not accepted wait again, and keep the ids of these. */
export async function putBackRecipients(
  tx: Transaction,
  { tenantId, campaignId }: CampaignKey,
  places: readonly number[],
): Promise<void> {
  if (places.length > 0) await tx.run(PUT_BACK, [tenantId, campaignId, plainArray(places)]);
}

const STILL_QUEUED = statement('campaign_still_queued')`
select q.message_id from send_queue q
join outbound_messages m on m.tenant_id = q.tenant_id and m.message_id = q.message_id
join campaign_recipients r on r.tenant_id = m.tenant_id and r.campaign_id = $2 and r.phone = any(array[m.to_phone, '${ERASED_RECIPIENT}' || m.message_id])
  and r.message_id = m.message_id
where q.tenant_id = $1 and q.state = ${queueState.ready} and q.priority = 2
limit $3`;

/** Messages of a campaign that wait in the queue. */
export async function findStillQueued(
  db: SqlRunner,
  { tenantId, campaignId }: CampaignKey,
  limit: number,
): Promise<readonly MessageId[]> {
  const { rows } = await db.run<{ messageId: MessageId }>(STILL_QUEUED, [tenantId, campaignId, limit]);
  return rows.map((row) => row.messageId);
}
