import { audit } from '#access/actions/audit';
import { OPERATOR } from '#access/domain/audit';
import { findTenant } from '#access/store/tenants';
import type { Plan, Subscription } from '#billing/domain/subscription';
import { findPlan, listPlanTenants, savePlan } from '#billing/store/plans';
import { findSubscriptionOfGateway, linkSubscription } from '#billing/store/subscriptions';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { OperatorError } from '#core/operator-error';
import type { Database, Transaction } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';
import { moveSubscriptionIn, type SubscriptionMove } from './subscription-step.ts';

const PLAN_ID = /^[a-z0-9][a-z0-9-]{0,39}$/;
const CURRENCY = /^[A-Z]{3}$/;
const MAX_NAME = 100;

/** What a new plan has where the operator says nothing. */
const PLAN_DEFAULTS: Omit<Plan, 'planId' | 'name'> = {
  priceMinorUnits: 0,
  currency: 'EUR',
  interval: 'month',
  fairUseMessages: null,
  fairUseEnforcement: 'soft',
  fairUseWarningPercent: 80,
  mediaBytes: null,
  graceDays: 7,
  lowBalanceMicros: null,
  isDefault: false,
};

/** What the operator says about a plan; the rest stays as it is. */
export type PlanChange = Partial<Omit<Plan, 'planId'>>;

/** @throws OperatorError when the id is taken, or a value cannot be used */
export async function addPlan(rt: Runtime, db: Database, planId: string, change: PlanChange): Promise<Plan> {
  if (!PLAN_ID.test(planId)) {
    throw new OperatorError('The ID of a plan is 1 to 40 lowercase letters, digits and hyphens, such as "pro".');
  }
  if (await findPlan(db, planId)) throw new OperatorError(`The plan "${planId}" already exists. Change it with set.`);
  return storePlan(rt, db, { ...PLAN_DEFAULTS, name: planId, ...change, planId });
}

/** @throws OperatorError when the plan does not exist, or a value cannot be used */
export async function changePlan(rt: Runtime, db: Database, planId: string, change: PlanChange): Promise<Plan> {
  const known = await findPlan(db, planId);
  if (!known) throw new OperatorError(`There is no plan "${planId}".`);
  if (known.isDefault && change.isDefault === false) {
    throw new OperatorError('There must be a default plan. Make another plan the default instead.');
  }
  return storePlan(rt, db, { ...known, ...change, planId });
}

async function storePlan(rt: Runtime, db: Database, plan: Plan): Promise<Plan> {
  if (plan.name.trim() === '' || plan.name.length > MAX_NAME) {
    throw new OperatorError(`A plan has a name of 1 to ${MAX_NAME} characters.`);
  }
  if (!CURRENCY.test(plan.currency)) throw new OperatorError('A currency is three capital letters, such as EUR.');
  await db.transaction(async (tx) => {
    await savePlan(tx, plan, rt.clock.now());
    // In the log of every tenant concerned: a plan belongs to no single tenant.
    const details = planDetails(plan);
    for (const tenantId of await listPlanTenants(tx, plan.planId)) {
      await audit(rt, tx, { tenantId, origin: OPERATOR, action: 'plan.changed', targetId: plan.planId, details });
    }
  });
  return plan;
}

function planDetails(plan: Plan): JsonObject {
  return {
    name: plan.name,
    price: plan.priceMinorUnits,
    currency: plan.currency,
    interval: plan.interval,
    messages_per_month: plan.fairUseMessages,
    enforcement: plan.fairUseEnforcement,
    media_bytes: plan.mediaBytes,
    grace_days: plan.graceDays,
  };
}

/** How the operator moves a subscription; what is left out stays as it is. */
export interface OperatorMove extends Omit<SubscriptionMove, 'plan'> {
  readonly planId?: string;
  /** The gateway's subscription that pays for it from now on; null: none. */
  readonly gatewayId?: string | null;
}

/**
 * Moves the subscription of a tenant, by the transitions of billing/domain/subscription.ts.
 * @throws OperatorError for an unknown tenant or plan, for a step that the state does not allow, and for a subscription
 * of the gateway that pays for another tenant
 */
export async function moveSubscription(
  rt: Runtime,
  db: Database,
  tenantId: TenantId,
  { planId, gatewayId, ...rest }: OperatorMove,
): Promise<Subscription> {
  if (!(await findTenant(db, tenantId))) throw new OperatorError('The tenant does not exist.');
  const plan = planId === undefined ? null : await findPlan(db, planId);
  if (planId !== undefined && !plan) throw new OperatorError(`There is no plan "${planId}".`);
  const moved = await withEvents(rt, db, async (tx, events) => {
    const move = { ...rest, ...(plan === null ? {} : { plan }) };
    const next = await moveSubscriptionIn(rt, tx, { tenantId, move, origin: OPERATOR, events });
    if (gatewayId !== undefined) await link(tx, { tenantId, gatewayId });
    return next;
  });
  rt.log.info({ tenant: tenantId, plan: moved.plan.planId, status: moved.status }, 'subscription.moved');
  return moved;
}

async function link(
  tx: Transaction,
  { tenantId, gatewayId }: { readonly tenantId: TenantId; readonly gatewayId: string | null },
): Promise<void> {
  const payer = gatewayId === null ? null : await findSubscriptionOfGateway(tx, gatewayId);
  if (payer !== null && payer !== tenantId) {
    throw new OperatorError('This payment gateway subscription pays for another tenant.');
  }
  await linkSubscription(tx, tenantId, gatewayId);
}
