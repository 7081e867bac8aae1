import { INACTIVE_TENANTS } from '#access/store/tenant-states';
import type { Campaign, CampaignStatus } from '#campaigns/domain/campaign';
import type { ContactId, SegmentId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { ListWindow, Page } from '#core/paging';
import { queueState } from '#core/queue-state';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { firstRow, pageOf } from '#database/rows';

const COLUMNS = `c.tenant_id, c.campaign_id, c.name, c.status, c.phone_number_id, c.template, c.send_at_ms, c.pause_reason,
  c.segment_id, c.audience, c.audience_pending, c.audience_ms, c.audience_cursor, c.left_out, c.breaker_percent, c.breaker_of,
  c.recent, c.event_seq, c.total, c.accepted, c.sent, c.failed, c.skipped, c.version, c.created_ms, c.updated_ms, c.started_ms,
  c.finished_ms`;

type CampaignRow = Omit<Campaign, 'audience' | 'progress' | 'breaker'> & {
  readonly segmentId: SegmentId | null;
  readonly audience: JsonObject | null;
  readonly audiencePending: boolean;
  readonly audienceMs: number | null;
  readonly audienceCursor: ContactId | null;
  readonly leftOut: number;
  readonly breakerPercent: number | null;
  readonly breakerOf: number;
};

function toCampaign({ segmentId, audience, breakerPercent, breakerOf, leftOut, ...row }: CampaignRow): Campaign {
  const { audiencePending: pending, audienceMs: asOfMs, audienceCursor: cursor, ...same } = row;
  return {
    ...same,
    audience: audience && { segmentId, condition: audience },
    progress: { pending, asOfMs, cursor, leftOut },
    breaker: breakerPercent === null ? null : { percent: breakerPercent, of: breakerOf },
  };
}

const CAMPAIGN_INSERT = statement('campaign_insert')`
insert into campaigns (
  tenant_id, campaign_id, name, phone_number_id, template, send_at_ms, segment_id, audience, breaker_percent, breaker_of,
  created_ms, updated_ms)
values ($1, $2, $3, $4, $5::jsonb, $6, $7, $8::jsonb, $9, coalesce($10, 200), $11, $11)`;

type NewCampaign = Pick<Campaign, 'tenantId' | 'campaignId' | 'name' | 'phoneNumberId' | 'template' | 'sendAtMs'> &
  Pick<Campaign, 'audience' | 'breaker' | 'createdMs'>;

/** A draft. */
export async function insertCampaign(tx: Transaction, campaign: NewCampaign): Promise<void> {
  const { tenantId, campaignId, name, phoneNumberId, template, sendAtMs, createdMs } = campaign;
  const parameters = [tenantId, campaignId, name, phoneNumberId, JSON.stringify(template), sendAtMs];
  await tx.run(CAMPAIGN_INSERT, [...parameters, ...audienceAndBreaker(campaign), createdMs]);
}

function audienceAndBreaker({ audience, breaker }: Pick<Campaign, 'audience' | 'breaker'>): readonly unknown[] {
  const condition = audience && JSON.stringify(audience.condition);
  return [audience?.segmentId ?? null, condition, breaker?.percent ?? null, breaker?.of ?? null];
}

const CAMPAIGN_FIND = statement('campaign_find')`
select ${COLUMNS} from campaigns c where c.tenant_id = $1 and c.campaign_id = $2`;

const CAMPAIGN_LOCK = statement('campaign_lock')`${CAMPAIGN_FIND.text} for update`;

export async function findCampaign(db: SqlRunner, tenantId: TenantId, campaignId: string): Promise<Campaign | null> {
  const row = await firstRow(db.run<CampaignRow>(CAMPAIGN_FIND, [tenantId, campaignId]));
  return row && toCampaign(row);
}

/** The same, locked until the transaction ends. */
export async function lockCampaign(tx: Transaction, tenantId: TenantId, campaignId: string): Promise<Campaign | null> {
  const row = await firstRow(tx.run<CampaignRow>(CAMPAIGN_LOCK, [tenantId, campaignId]));
  return row && toCampaign(row);
}

const CAMPAIGN_LIST = statement('campaign_list')`
select ${COLUMNS} from campaigns c
where c.tenant_id = $1 and ($2::text is null or c.status = $2) and ($3::uuid is null or c.campaign_id < $3)
order by c.campaign_id desc limit $4 offset $5`;

/** Newest first. */
export async function listCampaigns(
  db: SqlRunner,
  { tenantId, status }: { readonly tenantId: TenantId; readonly status: CampaignStatus | null },
  { limit, offset, beforeId }: ListWindow,
): Promise<Page<Campaign>> {
  const { rows } = await db.run<CampaignRow>(CAMPAIGN_LIST, [tenantId, status, beforeId, limit + 1, offset]);
  return pageOf(rows.map(toCampaign), limit);
}

const CAMPAIGN_UPDATE = statement('campaign_update')`
update campaigns c set name = $3, status = $4, phone_number_id = $5, template = $6::jsonb, send_at_ms = $7, pause_reason = $8,
  started_ms = $9, finished_ms = $10, due_ms = $11, updated_ms = $12, segment_id = $13, audience = $14::jsonb,
  breaker_percent = $15, breaker_of = coalesce($16, c.breaker_of), audience_pending = $17, audience_ms = $18,
  recent = $19, event_seq = $20, version = c.version + 1
where c.tenant_id = $1 and c.campaign_id = $2
returning ${COLUMNS}`;

/** @param dueMs when the next step is due; null: there is none */
export async function updateCampaign(tx: Transaction, campaign: Campaign, dueMs: number | null): Promise<Campaign> {
  const { tenantId, campaignId, name, status, phoneNumberId, template, progress } = campaign;
  const named = [tenantId, campaignId, name, status, phoneNumberId, JSON.stringify(template)];
  const times = [campaign.startedMs, campaign.finishedMs, dueMs, campaign.updatedMs];
  const parameters = [...named, campaign.sendAtMs, campaign.pauseReason, ...times, ...audienceAndBreaker(campaign)];
  const outcomes = [progress.pending, progress.asOfMs, campaign.recent, campaign.eventSeq];
  const row = await firstRow(tx.run<CampaignRow>(CAMPAIGN_UPDATE, [...parameters, ...outcomes]));
  if (row === null) throw new Error('a locked campaign is gone');
  return toCampaign(row);
}

const CAMPAIGN_DELETE = statement('campaign_delete')`
with gone as (delete from campaign_recipients where tenant_id = $1 and campaign_id = $2)
delete from campaigns where tenant_id = $1 and campaign_id = $2`;

export async function deleteCampaign(tx: Transaction, { tenantId, campaignId }: Campaign): Promise<void> {
  await tx.run(CAMPAIGN_DELETE, [tenantId, campaignId]);
}

const CAMPAIGN_CLAIM = statement('campaign_claim')`
with due as (
  select tenant_id, campaign_id from campaigns
  where due_ms <= $1 and tenant_id <> all(${INACTIVE_TENANTS}) order by due_ms limit $3
)
update campaigns c set due_ms = $2
from due d where c.tenant_id = d.tenant_id and c.campaign_id = d.campaign_id and c.due_ms <= $1
returning ${COLUMNS}`;

/** Campaigns whose next step is due, of all tenants, joined on tenant_id. They are this process's until `untilMs`. */
export async function claimCampaigns(
  db: SqlRunner,
  { nowMs, untilMs, limit }: { readonly nowMs: number; readonly untilMs: number; readonly limit: number },
): Promise<readonly Campaign[]> {
  return (await db.run<CampaignRow>(CAMPAIGN_CLAIM, [nowMs, untilMs, limit])).rows.map(toCampaign);
}

const LOCK_SENDING = statement('campaign_lock_sending')`
select ${COLUMNS} from campaigns c
where c.status = 'preparing' or (c.status = 'running' and c.total > c.accepted + c.skipped)
  or (c.status = 'scheduled' and c.send_at_ms <= $1)
order by c.tenant_id, c.campaign_id
for update`;

/** Campaigns of all tenants that would send to somebody now, locked until the transaction ends. */
export async function lockSendingCampaigns(tx: Transaction, nowMs: number): Promise<readonly Campaign[]> {
  return (await tx.run<CampaignRow>(LOCK_SENDING, [nowMs])).rows.map(toCampaign);
}

const WAKE = statement('campaign_wake')`
update campaigns set due_ms = $3
where tenant_id = $1 and name = any($2::text[]) and status = 'running' and total = accepted + skipped
  and due_ms > $3 and due_ms <= $3 + $4`;

/**
 * Makes running campaigns of these names due whose messages are all queued, if they are so within a time anyway: a step that
 * just began goes on alone.
 */
export async function wakeCampaigns(
  db: SqlRunner,
  asked: {
    readonly tenantId: TenantId;
    readonly names: readonly string[];
    readonly nowMs: number;
    readonly withinMs: number;
  },
): Promise<void> {
  await db.run(WAKE, [asked.tenantId, asked.names, asked.nowMs, asked.withinMs]);
}

const SET_DUE = statement('campaign_set_due')`
update campaigns set due_ms = $3 where tenant_id = $1 and campaign_id = $2 and status = $4`;

/** Sets when the next step is due, unless the campaign is in another state since; null: there is none. */
export async function setCampaignDue(
  db: SqlRunner,
  campaign: Pick<Campaign, 'tenantId' | 'campaignId' | 'status'>,
  dueMs: number | null,
): Promise<void> {
  await db.run(SET_DUE, [campaign.tenantId, campaign.campaignId, dueMs, campaign.status]);
}

const QUEUED_AHEAD = statement('campaign_queued_ahead')`
select count(*)::integer as n from (
  select 1 from send_queue
  where tenant_id = $1 and phone_number_id = $2 and state = ${queueState.ready} and priority = 2
  limit $3
) waiting`;

/** Messages of low priority that wait for a number, counted up to `limit`. */
export async function countQueuedAhead(
  db: SqlRunner,
  queue: { readonly tenantId: TenantId; readonly phoneNumberId: string; readonly limit: number },
): Promise<number> {
  const values = [queue.tenantId, queue.phoneNumberId, queue.limit];
  return (await firstRow(db.run<{ n: number }>(QUEUED_AHEAD, values)))?.n ?? 0;
}
