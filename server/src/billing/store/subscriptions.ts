import type { HeardFromGateway } from '#billing/domain/payment-event';
import type { Subscription, SubscriptionStatus } from '#billing/domain/subscription';
import type { TenantId } from '#core/ids';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { firstRow } from '#database/rows';
import { toPlan } from './plans.ts';

/** The row of the tenant, if it has one, beside the plan that it means. */
const FIND_SUBSCRIPTION = statement('subscription_find')`
select p.*, s.status, s.anchor_ms, s.trial_ends_ms, s.cancel_at_ms, s.past_due_since_ms
from plans p
left join subscriptions s on s.tenant_id = $1 and s.plan_id = p.plan_id
where p.plan_id = coalesce(
  (select own.plan_id from subscriptions own where own.tenant_id = $1),
  (select fallback.plan_id from plans fallback where fallback.is_default))`;

/** The same of each of these tenants. */
const FIND_MANY = statement('subscription_find_many')`
select w.tenant_id as of_tenant, p.*, s.status, s.anchor_ms, s.trial_ends_ms, s.cancel_at_ms, s.past_due_since_ms
from unnest($1::uuid[]) as w (tenant_id)
left join subscriptions s on s.tenant_id = w.tenant_id
join plans p on p.plan_id = coalesce(s.plan_id, (select fallback.plan_id from plans fallback where fallback.is_default))`;

type SubscriptionRow = Parameters<typeof toPlan>[0] &
  Omit<Subscription, 'plan' | 'status'> & { readonly status: SubscriptionStatus | null };

/**
 * The subscription of a tenant; "a new tenant is active on the default plan".
 * @throws when there is neither a subscription nor a default plan, which the operator's commands do not allow
 */
export async function findSubscription(db: SqlRunner, tenantId: TenantId): Promise<Subscription> {
  const row = await firstRow(db.run<SubscriptionRow>(FIND_SUBSCRIPTION, [tenantId]));
  return requirePlan(row && toSubscription(row));
}

/** The same of several tenants, in their order. Null where findSubscription would throw, so that one fails none of the others. */
export async function findSubscriptions(
  db: SqlRunner,
  tenantIds: readonly TenantId[],
): Promise<readonly (Subscription | null)[]> {
  const { rows } = await db.run<SubscriptionRow & { readonly ofTenant: TenantId }>(FIND_MANY, [tenantIds]);
  const found = new Map(rows.map(({ ofTenant, ...row }) => [ofTenant, row]));
  return tenantIds.map((tenantId) => {
    const row = found.get(tenantId);
    return row === undefined ? null : toSubscription(row);
  });
}

/** @throws when there is neither a subscription nor a default plan */
export function requirePlan(subscription: Subscription | null): Subscription {
  if (subscription === null) throw new Error('There is no default plan.');
  return subscription;
}

function toSubscription(row: SubscriptionRow): Subscription {
  const { status, anchorMs, trialEndsMs, cancelAtMs, pastDueSinceMs, ...plan } = row;
  return { plan: toPlan(plan), status: status ?? 'active', anchorMs, trialEndsMs, cancelAtMs, pastDueSinceMs };
}

/** Makes the row that a tenant on the default plan does not have yet, so that it can be locked. */
const CLAIM_SUBSCRIPTION = statement('subscription_claim')`
insert into subscriptions (tenant_id, plan_id, status, anchor_ms, updated_ms)
select $1, p.plan_id, 'active', $2, $2 from plans p where p.is_default
on conflict (tenant_id) do nothing`;

const LOCK_SUBSCRIPTION = statement('subscription_lock')`
select status from subscriptions where tenant_id = $1 for update`;

/**
 * Waits for whoever else moves the subscription of this tenant; from here on it stands still until the commit.
 * @returns whether this is its first step: until now the tenant was on the default plan without a row
 */
export async function lockSubscription(tx: Transaction, tenantId: TenantId, nowMs: number): Promise<boolean> {
  const claimed = await tx.run(CLAIM_SUBSCRIPTION, [tenantId, nowMs]);
  await tx.run(LOCK_SUBSCRIPTION, [tenantId]);
  return claimed.rowCount === 1;
}

const SAVE_SUBSCRIPTION = statement('subscription_save')`
update subscriptions set
  plan_id = $2, status = $3, anchor_ms = $4, trial_ends_ms = $5, cancel_at_ms = $6, past_due_since_ms = $7,
  updated_ms = $8
where tenant_id = $1`;

export interface SaveSubscription extends Omit<Subscription, 'plan'> {
  readonly tenantId: TenantId;
  readonly planId: string;
  readonly nowMs: number;
}

/** Writes a subscription that `lockSubscription` holds. */
export async function saveSubscription(tx: Transaction, input: SaveSubscription): Promise<void> {
  const { tenantId, planId, status, anchorMs, trialEndsMs, cancelAtMs, pastDueSinceMs, nowMs } = input;
  const times = [anchorMs, trialEndsMs, cancelAtMs, pastDueSinceMs, nowMs];
  await tx.run(SAVE_SUBSCRIPTION, [tenantId, planId, status, ...times]);
}

/** Of all tenants: the gateway knows nothing of ours. */
const FIND_OF_GATEWAY = statement('subscription_of_gateway')`
select tenant_id from subscriptions where gateway_id = $1 order by tenant_id limit 1`;

/** The tenant that a subscription of the gateway pays for. */
export async function findSubscriptionOfGateway(db: SqlRunner, gatewayId: string): Promise<TenantId | null> {
  const { rows } = await db.run<{ readonly tenantId: TenantId }>(FIND_OF_GATEWAY, [gatewayId]);
  return rows[0]?.tenantId ?? null;
}

const LINK_SUBSCRIPTION = statement('subscription_link')`
update subscriptions set gateway_id = $2, gateway_status = null, gateway_event_ms = null
where tenant_id = $1 and gateway_id is distinct from $2`;

/** Ties a subscription that `lockSubscription` holds to one of the gateway; null: to none. */
export async function linkSubscription(tx: Transaction, tenantId: TenantId, gatewayId: string | null): Promise<void> {
  await tx.run(LINK_SUBSCRIPTION, [tenantId, gatewayId]);
}

const FIND_HEARD = statement('subscription_heard')`
select gateway_status as status, gateway_event_ms as created_ms from subscriptions
where tenant_id = $1 and gateway_id = $2 for update`;

/** Locks a subscription and says what the gateway last told of it. @returns null when another one pays for it now */
export async function lockHeard(
  tx: Transaction,
  tenantId: TenantId,
  gatewayId: string,
): Promise<HeardFromGateway | null> {
  return firstRow(tx.run<HeardFromGateway>(FIND_HEARD, [tenantId, gatewayId]));
}

const NOTE_HEARD = statement('subscription_note_heard')`
update subscriptions set gateway_status = $2, gateway_event_ms = $3 where tenant_id = $1`;

export async function noteHeard(
  tx: Transaction,
  tenantId: TenantId,
  heard: { readonly status: SubscriptionStatus; readonly createdMs: number },
): Promise<void> {
  await tx.run(NOTE_HEARD, [tenantId, heard.status, heard.createdMs]);
}

/** Of all tenants: the gateway is asked for everybody's subscriptions by one loop. */
const LIST_LINKED = statement('subscription_linked')`
select tenant_id, gateway_id from subscriptions
where gateway_id is not null and tenant_id > $1 order by tenant_id limit $2`;

/** A tenant, and the gateway's subscription that pays for it. */
export interface LinkedSubscription {
  readonly tenantId: TenantId;
  readonly gatewayId: string;
}

/** Those behind a tenant, in the order of their tenants. */
export async function listLinkedSubscriptions(
  db: SqlRunner,
  after: string,
  limit: number,
): Promise<readonly LinkedSubscription[]> {
  return (await db.run<LinkedSubscription>(LIST_LINKED, [after, limit])).rows;
}
