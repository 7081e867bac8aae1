import { INACTIVE_TENANTS } from '#access/store/tenant-states';
import type { Campaign, CampaignStatus } from '#campaigns/domain/campaign';
import type { CampaignId, ContactId, PhoneNumberId, SegmentId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { ListWindow, Page } from '#core/paging';
import { queueState } from '#core/queue-state';
import type { SqlRunner, Statement, Transaction } from '#database/database';
import type { TemplateFields } from '#templates/domain/content';

const COLUMNS = `c.tenant_id, c.campaign_id, c.name, c.status, c.phone_number_id, c.template, c.send_at_ms, c.pause_reason,
  c.segment_id, c.audience, c.audience_pending, c.audience_ms, c.audience_cursor, c.left_out, c.breaker_percent, c.breaker_of,
  c.recent, c.event_seq, c.total, c.accepted, c.sent, c.failed, c.skipped, c.version, c.created_ms, c.updated_ms, c.started_ms,
  c.finished_ms`;

interface CampaignRow {
  readonly tenant_id: TenantId;
  readonly campaign_id: CampaignId;
  readonly name: string;
  readonly status: CampaignStatus;
  readonly phone_number_id: PhoneNumberId | null;
  readonly template: TemplateFields;
  readonly send_at_ms: number | null;
  readonly pause_reason: string | null;
  readonly segment_id: SegmentId | null;
  readonly audience: JsonObject | null;
  readonly audience_pending: boolean;
  readonly audience_ms: number | null;
  readonly audience_cursor: ContactId | null;
  readonly left_out: number;
  readonly breaker_percent: number | null;
  readonly breaker_of: number;
  readonly recent: string;
  readonly event_seq: number;
  readonly total: number;
  readonly accepted: number;
  readonly sent: number;
  readonly failed: number;
  readonly skipped: number;
  readonly version: number;
  readonly created_ms: number;
  readonly updated_ms: number;
  readonly started_ms: number | null;
  readonly finished_ms: number | null;
}

function toCampaign(row: CampaignRow): Campaign {
  return {
    tenantId: row.tenant_id,
    campaignId: row.campaign_id,
    name: row.name,
    status: row.status,
    phoneNumberId: row.phone_number_id,
    template: row.template,
    sendAtMs: row.send_at_ms,
    pauseReason: row.pause_reason,
    audience: row.audience && { segmentId: row.segment_id, condition: row.audience },
    progress: {
      pending: row.audience_pending,
      asOfMs: row.audience_ms === null ? null : Number(row.audience_ms),
      cursor: row.audience_cursor,
      leftOut: row.left_out,
    },
    breaker: row.breaker_percent === null ? null : { percent: row.breaker_percent, of: row.breaker_of },
    recent: row.recent,
    eventSeq: Number(row.event_seq),
    total: row.total,
    accepted: row.accepted,
    sent: row.sent,
    failed: row.failed,
    skipped: row.skipped,
    version: row.version,
    createdMs: row.created_ms,
    updatedMs: row.updated_ms,
    startedMs: row.started_ms,
    finishedMs: row.finished_ms,
  };
}

const CAMPAIGN_INSERT: Statement = {
  name: 'campaign_insert',
  text: `
insert into campaigns (
  tenant_id, campaign_id, name, phone_number_id, template, send_at_ms, segment_id, audience, breaker_percent, breaker_of,
  created_ms, updated_ms)
values ($1, $2, $3, $4, $5::jsonb, $6, $7, $8::jsonb, $9, coalesce($10, 200), $11, $11)`,
};

/** A draft. */
export async function insertCampaign(
  tx: Transaction,
  campaign: Pick<
    Campaign,
    | 'tenantId'
    | 'campaignId'
    | 'name'
    | 'phoneNumberId'
    | 'template'
    | 'sendAtMs'
    | 'audience'
    | 'breaker'
    | 'createdMs'
  >,
): Promise<void> {
  const { tenantId, campaignId, name, phoneNumberId, template, sendAtMs, createdMs } = campaign;
  const parameters = [tenantId, campaignId, name, phoneNumberId, JSON.stringify(template), sendAtMs];
  await tx.run(CAMPAIGN_INSERT, [...parameters, ...audienceAndBreaker(campaign), createdMs]);
}

function audienceAndBreaker({ audience, breaker }: Pick<Campaign, 'audience' | 'breaker'>): readonly unknown[] {
  const condition = audience && JSON.stringify(audience.condition);
  return [audience?.segmentId ?? null, condition, breaker?.percent ?? null, breaker?.of ?? null];
}

const CAMPAIGN_FIND: Statement = {
  name: 'campaign_find',
  text: `select ${COLUMNS} from campaigns c where c.tenant_id = $1 and c.campaign_id = $2`,
};

const CAMPAIGN_LOCK: Statement = { name: 'campaign_lock', text: `${CAMPAIGN_FIND.text} for update` };

export async function findCampaign(db: SqlRunner, tenantId: TenantId, campaignId: string): Promise<Campaign | null> {
  const { rows } = await db.run<CampaignRow>(CAMPAIGN_FIND, [tenantId, campaignId]);
  return rows[0] ? toCampaign(rows[0]) : null;
}

/** The same, locked until the transaction ends. */
export async function lockCampaign(tx: Transaction, tenantId: TenantId, campaignId: string): Promise<Campaign | null> {
  const { rows } = await tx.run<CampaignRow>(CAMPAIGN_LOCK, [tenantId, campaignId]);
  return rows[0] ? toCampaign(rows[0]) : null;
}

const CAMPAIGN_LIST: Statement = {
  name: 'campaign_list',
  text: `
select ${COLUMNS} from campaigns c
where c.tenant_id = $1 and ($2::text is null or c.status = $2) and ($3::uuid is null or c.campaign_id < $3)
order by c.campaign_id desc limit $4 offset $5`,
};

/** Newest first. */
export async function listCampaigns(
  db: SqlRunner,
  { tenantId, status }: { readonly tenantId: TenantId; readonly status: CampaignStatus | null },
  { limit, offset, beforeId }: ListWindow,
): Promise<Page<Campaign>> {
  const { rows } = await db.run<CampaignRow>(CAMPAIGN_LIST, [tenantId, status, beforeId, limit + 1, offset]);
  return { items: rows.slice(0, limit).map(toCampaign), hasMore: rows.length > limit };
}

const CAMPAIGN_UPDATE: Statement = {
  name: 'campaign_update',
  text: `
update campaigns c set name = $3, status = $4, phone_number_id = $5, template = $6::jsonb, send_at_ms = $7, pause_reason = $8,
  started_ms = $9, finished_ms = $10, due_ms = $11, updated_ms = $12, segment_id = $13, audience = $14::jsonb,
  breaker_percent = $15, breaker_of = coalesce($16, c.breaker_of), audience_pending = $17, audience_ms = $18,
  recent = $19, event_seq = $20, version = c.version + 1
where c.tenant_id = $1 and c.campaign_id = $2
returning ${COLUMNS}`,
};

/** @param dueMs when the next step is due; null: there is none */
export async function updateCampaign(tx: Transaction, campaign: Campaign, dueMs: number | null): Promise<Campaign> {
  const { rows } = await tx.run<CampaignRow>(CAMPAIGN_UPDATE, [
    campaign.tenantId,
    campaign.campaignId,
    campaign.name,
    campaign.status,
    campaign.phoneNumberId,
    JSON.stringify(campaign.template),
    campaign.sendAtMs,
    campaign.pauseReason,
    campaign.startedMs,
    campaign.finishedMs,
    dueMs,
    campaign.updatedMs,
    ...audienceAndBreaker(campaign),
    campaign.progress.pending,
    campaign.progress.asOfMs,
    campaign.recent,
    campaign.eventSeq,
  ]);
  if (!rows[0]) throw new Error('a locked campaign is gone');
  return toCampaign(rows[0]);
}

const CAMPAIGN_DELETE: Statement = {
  name: 'campaign_delete',
  text: `
with gone as (delete from campaign_recipients where tenant_id = $1 and campaign_id = $2)
delete from campaigns where tenant_id = $1 and campaign_id = $2`,
};

export async function deleteCampaign(tx: Transaction, { tenantId, campaignId }: Campaign): Promise<void> {
  await tx.run(CAMPAIGN_DELETE, [tenantId, campaignId]);
}

const CAMPAIGN_CLAIM: Statement = {
  name: 'campaign_claim',
  text: `
with due as (
  select tenant_id, campaign_id from campaigns
  where due_ms <= $1 and tenant_id <> all(${INACTIVE_TENANTS}) order by due_ms limit $3
)
update campaigns c set due_ms = $2
from due d where c.tenant_id = d.tenant_id and c.campaign_id = d.campaign_id and c.due_ms <= $1
returning ${COLUMNS}`,
};

/** Campaigns whose next step is due, of all tenants, joined on tenant_id. They are this process's until `untilMs`. */
export async function claimCampaigns(
  db: SqlRunner,
  { nowMs, untilMs, limit }: { readonly nowMs: number; readonly untilMs: number; readonly limit: number },
): Promise<readonly Campaign[]> {
  return (await db.run<CampaignRow>(CAMPAIGN_CLAIM, [nowMs, untilMs, limit])).rows.map(toCampaign);
}

const LOCK_SENDING: Statement = {
  name: 'campaign_lock_sending',
  text: `
select ${COLUMNS} from campaigns c
where c.status = 'preparing' or (c.status = 'running' and c.total > c.accepted + c.skipped)
  or (c.status = 'scheduled' and c.send_at_ms <= $1)
order by c.tenant_id, c.campaign_id
for update`,
};

/** Campaigns of all tenants that would send to somebody now, locked until the transaction ends. */
export async function lockSendingCampaigns(tx: Transaction, nowMs: number): Promise<readonly Campaign[]> {
  return (await tx.run<CampaignRow>(LOCK_SENDING, [nowMs])).rows.map(toCampaign);
}

const WAKE: Statement = {
  name: 'campaign_wake',
  text: `
update campaigns set due_ms = $3
where tenant_id = $1 and name = any($2::text[]) and status = 'running' and total = accepted + skipped
  and due_ms > $3 and due_ms <= $3 + $4`,
};

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

const SET_DUE: Statement = {
  name: 'campaign_set_due',
  text: `update campaigns set due_ms = $3 where tenant_id = $1 and campaign_id = $2 and status = $4`,
};

/** Sets when the next step is due, unless the campaign is in another state since; null: there is none. */
export async function setCampaignDue(
  db: SqlRunner,
  campaign: Pick<Campaign, 'tenantId' | 'campaignId' | 'status'>,
  dueMs: number | null,
): Promise<void> {
  await db.run(SET_DUE, [campaign.tenantId, campaign.campaignId, dueMs, campaign.status]);
}

const QUEUED_AHEAD: Statement = {
  name: 'campaign_queued_ahead',
  text: `
select count(*)::integer as n from (
  select 1 from send_queue
  where tenant_id = $1 and phone_number_id = $2 and state = ${queueState.ready} and priority = 2
  limit $3
) waiting`,
};

/** Messages of low priority that wait for a number, counted up to `limit`. */
export async function countQueuedAhead(
  db: SqlRunner,
  {
    tenantId,
    phoneNumberId,
    limit,
  }: { readonly tenantId: TenantId; readonly phoneNumberId: string; readonly limit: number },
): Promise<number> {
  return (await db.run<{ n: number }>(QUEUED_AHEAD, [tenantId, phoneNumberId, limit])).rows[0]?.n ?? 0;
}
