import { fairUseGate, fairUseOf, type Subscription, subscriptionGate } from '#billing/domain/subscription';
import { findSubscriptions, requirePlan } from '#billing/store/subscriptions';
import { countOutbound } from '#billing/store/usage';
import { monthAt } from '#core/calendar';
import { ApiProblem } from '#core/errors';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { groupedReads } from '#database/group-commit';
import type { Runtime } from '#runtime/runtime';
import { TtlCache } from '#runtime/ttl-cache';

/**
 * Whether a tenant may send, decided from memory: a message costs no query. A change of the operator takes effect within
 * 2 seconds. A hard limit is exact within one process; each further process that takes messages of the same tenant can
 * go beyond it by what it takes in 2 seconds.
 */
export interface BillingGate {
  /** Without a promise when it is remembered: the hot path. */
  of(tenantId: TenantId): TenantGate | Promise<TenantGate>;
}

/** The gate of one tenant, as it was a moment ago. */
export interface TenantGate {
  /** Why a message is refused now; null when it is taken. */
  problem(): ApiProblem | null;
  /**
   * Takes one message of what is left. Call what it returns once the message is stored or refused: until then the
   * database may not have counted it.
   */
  take(): () => void;
}

/** What was decided is at most this old. */
const REMEMBER_MS = 2_000;
/** Tenants remembered; beyond it the oldest is forgotten. */
const MAX_TENANTS = 50_000;

export function makeBillingGate(rt: Runtime, db: Database): BillingGate {
  /** Messages taken and not stored yet, of tenants with a hard limit only. */
  const storing = new Map<TenantId, number>();
  const subscriptionOf = groupedReads('subscriptions', (tenantIds: readonly TenantId[]) =>
    findSubscriptions(db, tenantIds),
  );
  const remembered = new TtlCache<TenantGate, TenantId>({
    clock: rt.clock,
    maxAgeMs: REMEMBER_MS,
    maxEntries: MAX_TENANTS,
    read: async (tenantId) => {
      const subscription = requirePlan(await subscriptionOf(tenantId));
      if (!hasHardLimit(subscription)) return unlimitedGate(rt, subscription);
      const used = await countOutbound(db, tenantId, monthAt(rt.clock.now()));
      return limitedGate({ rt, subscription, tenantId, storing, used: used + (storing.get(tenantId) ?? 0) });
    },
  });
  return { of: (tenantId) => remembered.of(tenantId) };
}

function hasHardLimit({ plan }: Subscription): boolean {
  return plan.fairUseEnforcement === 'hard' && plan.fairUseMessages !== null;
}

/** The refusal of a subscription that closes the gate. */
function inactive(subscription: Subscription, nowMs: number): ApiProblem | null {
  const gate = subscriptionGate(subscription, nowMs);
  return gate.open ? null : new ApiProblem('subscription_inactive', { sentence: gate.reason });
}

function unlimitedGate(rt: Runtime, subscription: Subscription): TenantGate {
  return { problem: () => inactive(subscription, rt.clock.now()), take: () => nothing };
}

function nothing(): void {}

interface LimitedGate {
  readonly rt: Runtime;
  readonly subscription: Subscription;
  readonly tenantId: TenantId;
  readonly storing: Map<TenantId, number>;
  /** Messages of the month when this was read, with those that were being stored. */
  readonly used: number;
}

function limitedGate({ rt, subscription, tenantId, storing, used }: LimitedGate): TenantGate {
  let taken = 0;
  const change = (by: number): void => {
    const left = (storing.get(tenantId) ?? 0) + by;
    if (left === 0) storing.delete(tenantId);
    else storing.set(tenantId, left);
  };
  return {
    problem: () => {
      const closed = inactive(subscription, rt.clock.now());
      if (closed) return closed;
      const gate = fairUseGate(fairUseOf(subscription.plan, used + taken));
      return gate.open ? null : new ApiProblem('fair_use_exceeded', { sentence: gate.reason });
    },
    take: () => {
      taken += 1;
      change(1);
      return () => change(-1);
    },
  };
}
