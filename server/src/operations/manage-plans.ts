import type { TenantId } from '#core/ids';
import {
  type Plan,
  type Subscription,
  type SubscriptionStatus,
  statusAt,
  subscriptionTransitions,
} from '#core/subscription';
import type { Runtime } from '#runtime/runtime';
import type { Database } from '#storage/database';
import { findPlan, listPlans, savePlan } from '#storage/plans';
import { findSubscription, lockSubscription, saveSubscription } from '#storage/subscriptions';
import { findTenant, OperatorError } from './manage-tenants.ts';

export { findPlan, findSubscription, listPlans };

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
  isDefault: false,
};

/** What the operator says about a plan; the rest stays as it is. */
export type PlanChange = Partial<Omit<Plan, 'planId'>>;

/** @throws OperatorError when the id is taken, or a value cannot be used */
export async function addPlan(rt: Runtime, db: Database, planId: string, change: PlanChange): Promise<Plan> {
  if (!PLAN_ID.test(planId)) {
    throw new OperatorError('The id of a plan is 1 to 40 small letters, digits and hyphens, such as "pro".');
  }
  if (await findPlan(db, planId)) throw new OperatorError(`There is a plan "${planId}" already; change it with set.`);
  return storePlan(rt, db, { ...PLAN_DEFAULTS, name: planId, ...change, planId });
}

/** @throws OperatorError when there is no such plan, or a value cannot be used */
export async function changePlan(rt: Runtime, db: Database, planId: string, change: PlanChange): Promise<Plan> {
  const known = await findPlan(db, planId);
  if (!known) throw new OperatorError(`There is no plan "${planId}".`);
  if (known.isDefault && change.isDefault === false) {
    throw new OperatorError('There must be a default plan: make another one the default instead.');
  }
  return storePlan(rt, db, { ...known, ...change, planId });
}

async function storePlan(rt: Runtime, db: Database, plan: Plan): Promise<Plan> {
  if (plan.name.trim() === '' || plan.name.length > MAX_NAME) {
    throw new OperatorError(`A plan has a name of 1 to ${MAX_NAME} characters.`);
  }
  if (!CURRENCY.test(plan.currency)) throw new OperatorError('A currency has three capital letters, such as EUR.');
  await db.transaction((tx) => savePlan(tx, plan, rt.clock.now()));
  return plan;
}

/** How the operator moves a subscription; what is left out stays as it is. */
export interface SubscriptionMove {
  readonly planId?: string;
  readonly status?: SubscriptionStatus;
  /** Begins a trial until then, or makes it longer. */
  readonly trialEndsMs?: number;
  /** Ends the subscription then; null takes that back. */
  readonly cancelAtMs?: number | null;
}

/**
 * Moves the subscription of a tenant, by the transitions of core/subscription.ts.
 * @throws OperatorError for an unknown tenant or plan, and for a step that the state does not allow
 */
export async function moveSubscription(
  rt: Runtime,
  db: Database,
  tenantId: TenantId,
  move: SubscriptionMove,
): Promise<Subscription> {
  if (!(await findTenant(db, tenantId))) throw new OperatorError('There is no such tenant.');
  const wanted = move.planId === undefined ? null : await findPlan(db, move.planId);
  if (move.planId !== undefined && !wanted) throw new OperatorError(`There is no plan "${move.planId}".`);
  const nowMs = rt.clock.now();
  const moved = await db.transaction(async (tx) => {
    const first = await lockSubscription(tx, tenantId, nowMs);
    const known = await findSubscription(tx, tenantId);
    const next = movedSubscription({ ...known, plan: wanted ?? known.plan }, move, { first, nowMs });
    await saveSubscription(tx, { ...next, tenantId, planId: next.plan.planId, nowMs });
    return next;
  });
  rt.log.info({ tenant: tenantId, plan: moved.plan.planId, status: moved.status }, 'subscription.moved');
  return moved;
}

function movedSubscription(
  known: Subscription,
  move: SubscriptionMove,
  { first, nowMs }: { readonly first: boolean; readonly nowMs: number },
): Subscription {
  const from = statusAt(known, nowMs);
  const status = move.status ?? (move.trialEndsMs === undefined ? from : 'trialing');
  // A trial is how a subscription begins: nothing leads back to it.
  const begins = first && status === 'trialing';
  if (status !== from && !begins && !subscriptionTransitions[from].includes(status)) {
    throw new OperatorError(`A subscription that is ${from} cannot become ${status}.`);
  }
  const trialEndsMs = move.trialEndsMs ?? known.trialEndsMs;
  if (status === 'trialing' && (trialEndsMs === null || trialEndsMs <= nowMs)) {
    throw new OperatorError('A trial needs an end in the future.');
  }
  const revived = from === 'canceled' && status === 'active';
  const cancelAtMs = revived ? null : known.cancelAtMs;
  return {
    plan: known.plan,
    status,
    anchorMs: revived ? nowMs : known.anchorMs,
    trialEndsMs,
    cancelAtMs: move.cancelAtMs === undefined ? cancelAtMs : move.cancelAtMs,
    pastDueSinceMs: status === 'past_due' ? (known.pastDueSinceMs ?? nowMs) : null,
  };
}
