import type { AgentId, SessionId, TenantId } from '#core/ids';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { firstRow } from '#database/rows';
import type { PushSubscription } from '#notifications/domain/push';

const FIELDS = `
  p.tenant_id, p.subscription_id, p.session_id, p.agent_id, p.user_id, p.endpoint, p.endpoint_hash,
  json_build_object('p256dh', p.p256dh, 'auth', p.auth) as keys, p.created_ms, p.last_pushed_ms`;
/** At $2 the session `s` has not ended. */
const IS_OPEN = 's.ended_ms is null and s.expires_ms > $2 and s.last_used_ms + s.idle_ms > $2';

/** A subscription with what its browser calls itself. */
export interface ListedSubscription extends PushSubscription {
  readonly userAgent: string | null;
}

const LIST = statement('push_subscription_list')`
select ${FIELDS}, s.user_agent from push_subscriptions p
join sessions s on s.tenant_id = p.tenant_id and s.session_id = p.session_id
where p.tenant_id = $1 and p.agent_id = $3 and ${IS_OPEN}
order by p.subscription_id`;

/** The subscriptions of an agent whose sessions are open, oldest first. */
export async function listSubscriptions(
  db: SqlRunner,
  tenantId: TenantId,
  { agentId, nowMs }: { readonly agentId: AgentId; readonly nowMs: number },
): Promise<readonly ListedSubscription[]> {
  return (await db.run<ListedSubscription>(LIST, [tenantId, nowMs, agentId])).rows;
}

const RELEASE = statement('push_subscription_release')`
with gone as (
  delete from push_subscriptions where endpoint_hash = $1 and (tenant_id, session_id) <> ($2::uuid, $3::uuid)
  returning tenant_id, subscription_id)
delete from push_queue q using gone g where q.tenant_id = g.tenant_id and q.subscription_id = g.subscription_id`;

/** A browser notifies whoever uses it now: earlier sessions in it, of whatever tenant, lose it. */
export async function releaseEndpoint(
  tx: Transaction,
  { endpointHash, tenantId, sessionId }: Pick<PushSubscription, 'endpointHash' | 'tenantId' | 'sessionId'>,
): Promise<void> {
  await tx.run(RELEASE, [endpointHash, tenantId, sessionId]);
}

const PUT = statement('push_subscription_put')`
insert into push_subscriptions (
  tenant_id, subscription_id, session_id, agent_id, user_id, endpoint, endpoint_hash, p256dh, auth, created_ms)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
on conflict (tenant_id, session_id) do update set
  endpoint = excluded.endpoint, endpoint_hash = excluded.endpoint_hash, p256dh = excluded.p256dh, auth = excluded.auth`;

/** Stores the subscription of a session, in place of the one that it has. */
export async function putSubscription(tx: Transaction, subscription: PushSubscription): Promise<void> {
  const { tenantId, subscriptionId, sessionId, agentId, userId, endpoint, endpointHash, keys, createdMs } =
    subscription;
  const ids = [tenantId, subscriptionId, sessionId, agentId, userId];
  await tx.run(PUT, [...ids, endpoint, endpointHash, keys.p256dh, keys.auth, createdMs]);
}

const DELETE_OWN = statement('push_subscription_delete_own')`
with gone as (
  delete from push_subscriptions p
  where p.tenant_id = $1 and p.agent_id = $2
    and (p.subscription_id = $3::uuid or ($3::uuid is null and p.session_id = $4::uuid))
  returning p.*),
unqueued as (
  delete from push_queue q using gone g where q.tenant_id = $1 and q.subscription_id = g.subscription_id)
select ${FIELDS} from gone p`;

/** Which subscription of an agent: one by its ID, or that of a session. */
export interface SubscriptionChoice {
  readonly agentId: AgentId;
  /** Null: that of the session. */
  readonly subscriptionId: string | null;
  readonly sessionId: SessionId;
}

/** @returns null when the agent has no such subscription */
export async function deleteOwnSubscription(
  tx: Transaction,
  tenantId: TenantId,
  { agentId, subscriptionId, sessionId }: SubscriptionChoice,
): Promise<PushSubscription | null> {
  return firstRow(tx.run<PushSubscription>(DELETE_OWN, [tenantId, agentId, subscriptionId, sessionId]));
}

const DELETE = statement('push_subscription_delete')`
with unqueued as (delete from push_queue where tenant_id = $1 and subscription_id = $2)
delete from push_subscriptions where tenant_id = $1 and subscription_id = $2`;

/** The push service says that it has ended. */
export async function deleteSubscription(db: SqlRunner, tenantId: TenantId, subscriptionId: string): Promise<void> {
  await db.run(DELETE, [tenantId, subscriptionId]);
}

const OF_AGENT = statement('push_subscriptions_of_agent')`
with unqueued as (delete from push_queue where tenant_id = $1 and agent_id = $2)
delete from push_subscriptions where tenant_id = $1 and agent_id = $2`;

/** Those of an agent who is deleted. */
export async function deleteSubscriptionsOf(db: SqlRunner, tenantId: TenantId, agentId: AgentId): Promise<void> {
  await db.run(OF_AGENT, [tenantId, agentId]);
}
