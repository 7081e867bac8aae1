import { INACTIVE_TENANTS } from '#access/store/tenant-states';
import { queueState } from '#core/queue-state';
import { type SqlRunner, statement } from '#database/database';
import { OLDEST_WAITING_MS } from '#messages/store/callback-pages';

/** Statements over all tenants that the metrics of the installation need. They count; each reads what waits, and nothing of what is done. */

const STATE_QUEUE = statement('state_queue')`
select s.priority, s.state, count(*)::int as messages, min(s.due_ms) as oldest_due_ms
from (
  select q.priority, q.due_ms, case q.state
    when ${queueState.claimed} then 'sending'
    when ${queueState.unknown} then case when q.epoch <= 0 then 'held' else 'unknown' end
    else case
      when coalesce(n.status = 'paused' or n.removed_ms is not null, true) then 'paused'
      when q.tenant_id = any(${INACTIVE_TENANTS}) then 'paused'
      when q.due_ms <= $1 then 'due'
      else 'later' end end as state
  from send_queue q
  left join phone_numbers n on n.tenant_id = q.tenant_id and n.phone_number_id = q.phone_number_id
) s
group by 1, 2`;

/**
 * What a message of the queue waits for. `paused`: for its number or its tenant; `later`: for its time; `held`: for the operator, since
 * the database was restored.
 */
export type QueueGroupState = (typeof QUEUE_GROUP_STATES)[number];
export const QUEUE_GROUP_STATES = ['due', 'later', 'paused', 'sending', 'unknown', 'held'] as const;

/** Messages of the queue that have these things in common. */
export interface QueueGroup {
  /** As `priorityRank` numbers them. */
  readonly priority: number;
  readonly state: QueueGroupState;
  readonly messages: number;
  readonly oldestDueMs: number;
}

export async function groupQueue(db: SqlRunner, nowMs: number): Promise<readonly QueueGroup[]> {
  return (await db.run<QueueGroup>(STATE_QUEUE, [nowMs])).rows;
}

const STATE_CALLBACKS = statement('state_callbacks')`
select count(*)::int as waiting, ${OLDEST_WAITING_MS} as oldest_ms from callback_queue`;

/** Work that waits: how much, and since when the oldest; null when there is none. */
export interface Backlog {
  readonly waiting: number;
  readonly oldestMs: number | null;
}

const NOTHING: Backlog = { waiting: 0, oldestMs: null };

export async function readCallbackBacklog(db: SqlRunner): Promise<Backlog> {
  return (await db.run<Backlog>(STATE_CALLBACKS, [])).rows[0] ?? NOTHING;
}

/** Of an endpoint that wants few of the events, this many pages are looked at; its notifier passes over them anyway. */
const PAGES_LOOKED_AT = 200;

/** Of the events that an endpoint has not taken, the first page that holds one it may want. */
const STATE_WEBHOOKS = statement('state_webhooks')`
select e.failing, count(*)::int as endpoints, coalesce(sum(e.pending), 0)::int as waiting, min(e.oldest_ms) as oldest_ms
from (
  select l.failing_since_ms is not null as failing, d.pending, least(d.oldest_ms, p.recorded_ms) as oldest_ms
  from webhook_endpoints w
  join webhook_lanes l on l.tenant_id = w.tenant_id and l.endpoint_id = w.endpoint_id
  cross join lateral (
    select count(*) as pending, min(created_ms) as oldest_ms from webhook_deliveries d
    where d.tenant_id = l.tenant_id and d.endpoint_id = l.endpoint_id and d.state = 'pending'
  ) d
  left join lateral (
    select p.recorded_ms from (
      select p.recorded_ms, p.types, p.last_seq from event_pages p
      where p.tenant_id = l.tenant_id and p.last_seq > l.taken_seq order by p.last_seq limit ${PAGES_LOOKED_AT}
    ) p
    where w.types is null or p.types && w.types order by p.last_seq limit 1
  ) p on true
  where w.disabled_reason is null and w.tenant_id <> all(${INACTIVE_TENANTS})
) e
group by 1`;

/** Enabled endpoints whose last attempt failed, or the others, with what waits for them. */
export interface WebhookBacklog extends Backlog {
  readonly failing: boolean;
  readonly endpoints: number;
}

export async function readWebhookBacklogs(db: SqlRunner): Promise<readonly WebhookBacklog[]> {
  return (await db.run<WebhookBacklog>(STATE_WEBHOOKS, [])).rows;
}

const STATE_WEBHOOKS_DISABLED = statement('state_webhooks_disabled')`
select count(*)::int as count from webhook_endpoints where disabled_reason is not null`;

export async function countDisabledEndpoints(db: SqlRunner): Promise<number> {
  return (await db.run<{ count: number }>(STATE_WEBHOOKS_DISABLED, [])).rows[0]?.count ?? 0;
}

const STATE_CAMPAIGNS = statement('state_campaigns')`
select status, count(*)::int as campaigns, min(due_ms) as oldest_due_ms,
  coalesce(sum(total - accepted - skipped) filter (where status in ('preparing', 'running')), 0)::int as recipients
from campaigns where status not in ('completed', 'canceled') group by status`;

export interface CampaignGroup {
  readonly status: string;
  readonly campaigns: number;
  /** When the next step of the first of them is due; null when none has one. */
  readonly oldestDueMs: number | null;
  /** Recipients for whom no message was accepted yet. */
  readonly recipients: number;
}

export async function groupCampaigns(db: SqlRunner): Promise<readonly CampaignGroup[]> {
  return (await db.run<CampaignGroup>(STATE_CAMPAIGNS, [])).rows;
}

const STATE_NUMBERS = statement('state_numbers')`
select count(*) filter (where n.status = 'active')::int as active,
  count(*) filter (where n.status = 'paused' and n.paused_by is distinct from 'network')::int as paused,
  count(*) filter (where n.status = 'paused' and n.paused_by = 'network')::int as refused,
  count(*) filter (where n.status = 'active' and d.dispatcher_id is null)::int as without_owner
from phone_numbers n
left join lane_owners l on l.tenant_id = n.tenant_id and l.lane_id = n.phone_number_id
left join dispatchers d on d.dispatcher_id = l.owner_id
where n.removed_ms is null and n.tenant_id <> all(${INACTIVE_TENANTS})`;

/** Sending numbers by what keeps them from sending. */
export interface NumberCounts {
  readonly active: number;
  /** By a person. */
  readonly paused: number;
  /** Paused because the network refused its access. */
  readonly refused: number;
  /** Active ones that no registered dispatcher owns. */
  readonly withoutOwner: number;
}

export async function countNumbers(db: SqlRunner): Promise<NumberCounts> {
  const { rows } = await db.run<NumberCounts>(STATE_NUMBERS, []);
  return rows[0] ?? { active: 0, paused: 0, refused: 0, withoutOwner: 0 };
}

const STATE_HOLDERS = statement('state_holders')`
select (select count(*) from dispatchers)::int as dispatchers, (select count(*) from notifiers)::int as notifiers`;

export async function countLeaseHolders(
  db: SqlRunner,
): Promise<{ readonly dispatchers: number; readonly notifiers: number }> {
  const { rows } = await db.run<{ dispatchers: number; notifiers: number }>(STATE_HOLDERS, []);
  return rows[0] ?? { dispatchers: 0, notifiers: 0 };
}
