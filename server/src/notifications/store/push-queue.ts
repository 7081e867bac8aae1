import type { AgentId, PushSubscriptionId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { plainArray } from '#database/arrays';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import type { PushedNotification, PushKeys } from '#notifications/domain/push';
import { MAX_UNREAD } from './notifications.ts';

const ADD = statement('push_queue_add')`
insert into push_queue (tenant_id, notification_id, subscription_id, agent_id, due_ms, created_ms)
select $1, n.notification_id, p.subscription_id, n.agent_id, $3::bigint, n.created_ms
from notifications n join push_subscriptions p on p.tenant_id = $1 and p.agent_id = n.agent_id
where n.tenant_id = $1 and n.notification_id = any($2::uuid[])
on conflict do nothing`;

/** Queues notifications for every browser of their agents. */
export async function queuePushes(
  tx: Transaction,
  tenantId: TenantId,
  notificationIds: readonly string[],
  dueMs: number,
): Promise<void> {
  if (notificationIds.length > 0) await tx.run(ADD, [tenantId, plainArray(notificationIds), dueMs]);
}

const SHOWN = statement('push_queue_shown')`
delete from push_queue where tenant_id = $1 and agent_id = $2 and created_ms <= $3`;

/** What a page has shown to an agent is not pushed any more: all that was created until a moment. */
export async function dropShownPushes(
  db: SqlRunner,
  tenantId: TenantId,
  { agentId, untilMs }: { readonly agentId: AgentId; readonly untilMs: number },
): Promise<void> {
  await db.run(SHOWN, [tenantId, agentId, untilMs]);
}

/** A row of the queue. */
export interface PushPlace {
  readonly tenantId: TenantId;
  readonly notificationId: string;
  readonly subscriptionId: PushSubscriptionId;
}

/** A push that is due now, with its attempts, this one included. */
export interface DuePush extends PushPlace, PushedNotification {
  readonly attempts: number;
  /** Null: it must not be sent: it was read, its session or its agent is gone, or its tenant is suspended. */
  readonly target: { readonly endpoint: string; readonly keys: PushKeys; readonly preferences: JsonObject } | null;
}

/** Looked through for tenants that are not busy. */
const WINDOW = 1_000;

/**
 * Tenants take turns, and those that have enough under way are left out. What is taken comes back after the lease, should this process die.
 * Texts are read here alone: what was erased is not sent.
 */
const CLAIM = statement('push_queue_claim')`
with waiting as (
  select w.*, row_number() over (partition by w.tenant_id order by w.due_ms) as nth from (
    select tenant_id, notification_id, subscription_id, due_ms from push_queue
    where due_ms <= $1 and tenant_id <> all($3::uuid[]) order by due_ms limit ${WINDOW}) w),
due as (
  select q.tenant_id, q.notification_id, q.subscription_id from push_queue q
  join waiting w on w.tenant_id = q.tenant_id and w.notification_id = q.notification_id and w.subscription_id = q.subscription_id
  where w.nth <= $4 and q.due_ms <= $1
  limit $5
  for update of q skip locked),
taken as (
  update push_queue q set due_ms = $2, attempts = q.attempts + 1 from due d
  where q.tenant_id = d.tenant_id and q.notification_id = d.notification_id and q.subscription_id = d.subscription_id
  returning q.tenant_id, q.notification_id, q.subscription_id, q.agent_id, q.attempts, q.created_ms)
select t.tenant_id, t.notification_id, t.subscription_id, t.attempts, t.created_ms, n.kind, n.conversation_id,
  case when n.kind is not null then p.target end as target,
  coalesce(k.name, k.profile_name, '+' || k.phone) as customer, o.name as who,
  case n.kind when 'new_message' then m.body when 'mentioned' then e.body end as text,
  (select count(*) from (
    select 1 from notifications u where u.tenant_id = t.tenant_id and u.agent_id = t.agent_id and u.read_ms is null
    limit ${MAX_UNREAD}) u)::integer as unread
from taken t
left join lateral (
  select json_build_object(
    'endpoint', p.endpoint, 'keys', json_build_object('p256dh', p.p256dh, 'auth', p.auth), 'preferences', u.preferences)
    as target
  from push_subscriptions p
  join sessions s on s.tenant_id = p.tenant_id and s.session_id = p.session_id
    and s.ended_ms is null and s.expires_ms > $1 and s.last_used_ms + s.idle_ms > $1
  join agents a on a.tenant_id = p.tenant_id and a.agent_id = p.agent_id and a.user_id = p.user_id
  join users u on u.user_id = p.user_id
  join tenants i on i.tenant_id = p.tenant_id and i.state = 'active'
  where p.tenant_id = t.tenant_id and p.subscription_id = t.subscription_id and p.agent_id = t.agent_id) p on true
left join notifications n on n.tenant_id = t.tenant_id and n.notification_id = t.notification_id and n.read_ms is null
left join conversations c on c.tenant_id = t.tenant_id and c.conversation_id = n.conversation_id
left join contacts k on k.tenant_id = t.tenant_id and k.contact_id = c.contact_id
left join agents o on o.tenant_id = t.tenant_id and n.actor_kind = 'agent' and o.agent_id = n.actor_id
left join inbound_messages m on m.tenant_id = t.tenant_id and m.message_id = n.message_id
left join conversation_notes e on e.tenant_id = t.tenant_id and e.note_id = n.note_id
order by t.created_ms`;

/** How much is taken. */
export interface PushClaim {
  readonly nowMs: number;
  /** Until when nobody else takes the same. */
  readonly leaseUntilMs: number;
  /** Tenants of which nothing is taken. */
  readonly busy: readonly TenantId[];
  readonly perTenant: number;
  readonly limit: number;
}

/** Takes pushes that are due, of any tenant. */
export async function claimPushes(db: SqlRunner, claim: PushClaim): Promise<readonly DuePush[]> {
  const { nowMs, leaseUntilMs, busy, perTenant, limit } = claim;
  return (await db.run<DuePush>(CLAIM, [nowMs, leaseUntilMs, plainArray(busy), perTenant, limit])).rows;
}

const END = statement('push_queue_end')`
with sent as (
  update push_subscriptions set last_pushed_ms = $4 where tenant_id = $1 and subscription_id = $3 and $4::bigint is not null)
delete from push_queue where tenant_id = $1 and notification_id = $2 and subscription_id = $3`;

/** @param sentMs when the push service took it; null: it is given up, or must not be sent */
export async function endPush(
  db: SqlRunner,
  { tenantId, notificationId, subscriptionId }: PushPlace,
  sentMs: number | null,
): Promise<void> {
  await db.run(END, [tenantId, notificationId, subscriptionId, sentMs]);
}

const POSTPONE = statement('push_queue_postpone')`
update push_queue set due_ms = $4 where tenant_id = $1 and notification_id = $2 and subscription_id = $3`;

export async function postponePush(
  db: SqlRunner,
  { tenantId, notificationId, subscriptionId }: PushPlace,
  dueMs: number,
): Promise<void> {
  await db.run(POSTPONE, [tenantId, notificationId, subscriptionId, dueMs]);
}
