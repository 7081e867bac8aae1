import { type CampaignRecipient, ERASED_RECIPIENT, type RecipientStatus } from '#campaigns/domain/campaign';
import type { MessageId } from '#core/ids';
import { columnsOf } from '#database/arrays';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import type { CampaignKey } from './campaign-recipients.ts';

/** A recipient with how far its message came. */
export interface RecipientResult extends CampaignRecipient {
  readonly sentMs: number | null;
  readonly deliveredMs: number | null;
  readonly readMs: number | null;
}

const COLUMNS = `r.place, r.phone, r.variables, r.status, r.message_id, r.reason,
  coalesce(m.sent_ms, m.accepted_ms) as sent_ms, m.delivered_ms, m.read_ms`;
const MESSAGE = 'left join outbound_messages m on m.tenant_id = r.tenant_id and m.message_id = r.message_id';

const listOf = (andReason: string) => `
select ${COLUMNS} from (
  select * from campaign_recipients
  where tenant_id = $1 and campaign_id = $2 and ($3::text is null or status = $3) and place > $4 ${andReason}
  order by place limit $5 offset $6
) r ${MESSAGE} order by r.place`;
const CAMPAIGN_RESULTS_LIST = statement('campaign_results_list')`${listOf('')}`;
const LIST_BY_REASON = statement(
  'campaign_results_by_reason',
)`${listOf("and reason is not null and reason ->> 'code' = $7")}`;

export interface ListResults extends CampaignKey {
  readonly status: RecipientStatus | null;
  /** Code of the reason why a recipient was skipped or its message failed. */
  readonly reason: string | null;
  /** Place of the last one that the reader has; -1 for all. */
  readonly afterPlace: number;
  readonly offset: number;
  readonly limit: number;
}

/** In the order in which they were added. */
export async function listResults(db: SqlRunner, list: ListResults): Promise<readonly RecipientResult[]> {
  const { tenantId, campaignId, status, reason, afterPlace, offset, limit } = list;
  const values = [tenantId, campaignId, status, afterPlace, limit, offset];
  const { rows } = await (reason === null
    ? db.run<RecipientResult>(CAMPAIGN_RESULTS_LIST, values)
    : db.run<RecipientResult>(LIST_BY_REASON, [...values, reason]));
  return rows;
}

/** What became of a message of a campaign. */
export interface MessageOutcome {
  readonly messageId: MessageId;
  readonly phone: string;
  /** Why it failed, as JSON; null: it left. */
  readonly reason: string | null;
}

const CAMPAIGN_RESULTS_NOTE = statement('campaign_results_note')`
with input as materialized (
  select * from unnest($3::uuid[], $4::text[], $5::text[]) as t (message_id, phone, reason)
), before as materialized (
  select r.place, r.status, i.reason, case when i.reason is null then 'sent' else 'failed' end as outcome
  from input i join campaign_recipients r on r.tenant_id = $1 and r.campaign_id = $2 and r.phone = any(array[i.phone, '${ERASED_RECIPIENT}' || i.message_id])
    and r.message_id = i.message_id
), noted as (
  update campaign_recipients r set status = b.outcome, reason = b.reason::jsonb
  from before b where r.tenant_id = $1 and r.campaign_id = $2 and r.place = b.place
), counted as (
  update campaigns c set
    accepted = c.accepted + (select count(*) from before where status in ('waiting', 'taken', 'skipped')),
    skipped = c.skipped - (select count(*) from before where status = 'skipped'),
    sent = c.sent + (select count(*) from before where outcome = 'sent') - (select count(*) from before where status = 'sent'),
    failed = c.failed + (select count(*) from before where outcome = 'failed') - (select count(*) from before where status = 'failed')
  where c.tenant_id = $1 and c.campaign_id = $2 and exists (select 1 from before)
)
select status, reason from before order by place`;

export interface NotedOutcome {
  /** What the recipient was before. */
  readonly status: RecipientStatus;
  readonly reason: string | null;
}

/**
 * Notes what became of messages, with the counts of the campaign, which is locked. Messages that are not of a recipient (any
 * more) are left out. Two steps at once can disagree about a recipient: a message that there is was accepted, whoever
 * skipped its recipient or let it wait again.
 * @param outcomes each message once
 */
export async function noteResults(
  tx: Transaction,
  { tenantId, campaignId }: CampaignKey,
  outcomes: readonly MessageOutcome[],
): Promise<readonly NotedOutcome[]> {
  if (outcomes.length === 0) return [];
  const values = [tenantId, campaignId, ...columnsOf(outcomes, 'messageId', 'phone', 'reason')];
  return (await tx.run<NotedOutcome>(CAMPAIGN_RESULTS_NOTE, values)).rows;
}

const PROGRESS = statement('campaign_results_progress')`
update campaigns set event_seq = $3, recent = $4 where tenant_id = $1 and campaign_id = $2`;

/** Up to which event outcomes were read, and the last of them. */
export async function noteProgress(
  tx: Transaction,
  { tenantId, campaignId }: CampaignKey,
  { eventSeq, recent }: { readonly eventSeq: number; readonly recent: string },
): Promise<void> {
  await tx.run(PROGRESS, [tenantId, campaignId, eventSeq, recent]);
}

/** Which recipients are sent to again. */
export interface RetryScope extends CampaignKey {
  readonly statuses: readonly ('failed' | 'skipped')[];
  /** Codes of their reasons; null: every one but those of `except`. */
  readonly codes: readonly string[] | null;
  readonly except: readonly string[];
  readonly limit: number;
}

const PUT_BACK_ENDED = statement('campaign_results_put_back')`
with picked as materialized (
  select r.place, r.status from campaign_recipients r
  where r.tenant_id = $1 and r.campaign_id = $2 and r.status = any($3::text[])
    and case when $4::text[] is null then not (r.reason ->> 'code' = any($5::text[])) else r.reason ->> 'code' = any($4::text[]) end
  order by r.place limit $6
), back as (
  update campaign_recipients r set status = 'waiting', reason = null,
    message_id = case when p.status = 'skipped' then r.message_id end
  from picked p where r.tenant_id = $1 and r.campaign_id = $2 and r.place = p.place
)
update campaigns c set
  next_place = least(c.next_place, (select min(place) from picked)),
  skipped = c.skipped - (select count(*) from picked where status = 'skipped'),
  accepted = c.accepted - (select count(*) from picked where status = 'failed'),
  failed = c.failed - (select count(*) from picked where status = 'failed')
where c.tenant_id = $1 and c.campaign_id = $2 and exists (select 1 from picked)
returning (select count(*) from picked)::integer as n`;

/** Lets recipients wait again that have an outcome. The campaign is locked. @returns how many, at most the limit */
export async function putBackEnded(tx: Transaction, scope: RetryScope): Promise<number> {
  const { tenantId, campaignId, statuses, codes, except, limit } = scope;
  const values = [tenantId, campaignId, [...statuses], codes && [...codes], [...except], limit];
  return (await tx.run<{ n: number }>(PUT_BACK_ENDED, values)).rows[0]?.n ?? 0;
}
