import { audit } from '#access/actions/audit';
import {
  type Plan,
  type Subscription,
  type SubscriptionStatus,
  statusAt,
  subscriptionTransitions,
} from '#billing/domain/subscription';
import { findSubscription, lockSubscription, saveSubscription } from '#billing/store/subscriptions';
import type { Origin } from '#core/caller/origin';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { OperatorError } from '#core/operator-error';
import type { Transaction } from '#database/database';
import type { EventSink } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';

/** What the operator and the payment gateway both do to subscriptions, as a step of their transactions. */

/** How a subscription is moved; what is left out stays as it is. */
export interface SubscriptionMove {
  readonly plan?: Plan;
  readonly status?: SubscriptionStatus;
  /** Begins a trial until then, or makes it longer. */
  readonly trialEndsMs?: number;
  /** Ends the subscription then; null takes that back. */
  readonly cancelAtMs?: number | null;
}

interface SubscriptionStep {
  readonly tenantId: TenantId;
  readonly move: SubscriptionMove;
  readonly origin: Origin;
  readonly events: EventSink;
}

/**
 * Locks a subscription, moves it, and records the change in the audit log and as an event.
 * @throws OperatorError for a step that the state does not allow
 */
export async function moveSubscriptionIn(
  rt: Runtime,
  tx: Transaction,
  { tenantId, move, origin, events }: SubscriptionStep,
): Promise<Subscription> {
  const nowMs = rt.clock.now();
  const first = await lockSubscription(tx, tenantId, nowMs);
  const known = await findSubscription(tx, tenantId);
  const next = movedSubscription({ ...known, plan: move.plan ?? known.plan }, move, { first, nowMs });
  await saveSubscription(tx, { ...next, tenantId, planId: next.plan.planId, nowMs });
  const details = { plan: next.plan.planId, from: statusAt(known, nowMs), status: next.status };
  await audit(rt, tx, { tenantId, origin, action: 'subscription.moved', targetId: tenantId, details });
  const [before, after] = [eventFields(known, statusAt(known, nowMs)), eventFields(next, next.status)];
  const changes = Object.keys(after).flatMap((name) =>
    before[name] === after[name] ? [] : [[name, [before[name] ?? null, after[name] ?? null]]],
  );
  const data = { ...after, changes: Object.fromEntries(changes) };
  if (changes.length > 0) events.add({ tenantId, type: 'subscription.updated', data });
  return next;
}

/** What the event contains. */
function eventFields({ plan, trialEndsMs, cancelAtMs }: Subscription, status: SubscriptionStatus): JsonObject {
  return { plan_id: plan.planId, status, trial_ends_at: timeOrNull(trialEndsMs), cancel_at: timeOrNull(cancelAtMs) };
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
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
    throw new OperatorError('A trial must end in the future.');
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
