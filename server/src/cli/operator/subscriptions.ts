import { moveSubscription } from '#billing/actions/manage-plans';
import { readSubscription } from '#billing/actions/read-usage';
import { type SubscriptionStatus, subscriptionStatuses } from '#billing/domain/subscription';
import { CliError, EXIT } from '#cli/exit';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { OperatorCommand, OperatorDeps } from './command.ts';
import { optionalText, tenantOf, timeText } from './input.ts';

export const showSubscriptionCommand: OperatorCommand = async (deps, input) => {
  return presented(deps, await tenantOf(deps.db, input));
};

/** Moves the subscription: plan, status, end of the trial, day of its end (`cancel_at: "none"` takes that back), who pays. */
export const setSubscriptionCommand: OperatorCommand = async (deps, input) => {
  const { rt, db } = deps;
  const tenantId = await tenantOf(db, input);
  const planId = optionalText(input, 'plan');
  const status = statusOf(input);
  const trialEndsMs = timeOf(input, 'trial_ends_at');
  const gatewayId = optionalText(input, 'gateway_id');
  const cancelAtMs = input.cancel_at === 'none' ? null : timeOf(input, 'cancel_at');
  await moveSubscription(rt, db, tenantId, {
    ...(planId === null ? {} : { planId }),
    ...(status === null ? {} : { status }),
    ...(trialEndsMs === null ? {} : { trialEndsMs }),
    ...(input.cancel_at === undefined ? {} : { cancelAtMs }),
    ...(gatewayId === null ? {} : { gatewayId: gatewayId === 'none' ? null : gatewayId }),
  });
  return presented(deps, tenantId);
};

function statusOf(input: JsonObject): SubscriptionStatus | null {
  const given = optionalText(input, 'status');
  const found = subscriptionStatuses.find((status) => status === given);
  if (given !== null && found === undefined) {
    throw new CliError(EXIT.usage, `status must be one of ${subscriptionStatuses.join(', ')}.`);
  }
  return found ?? null;
}

function timeOf(input: JsonObject, name: string): number | null {
  const given = optionalText(input, name);
  if (given === null) return null;
  const ms = Date.parse(given);
  if (Number.isNaN(ms)) throw new CliError(EXIT.usage, `${name} must be a time such as 2026-12-31T00:00:00Z.`);
  return ms;
}

async function presented({ rt, db }: OperatorDeps, tenantId: TenantId): Promise<JsonObject> {
  const { subscription, status, period, gate } = await readSubscription(db, tenantId, rt.clock.now());
  return {
    tenant: tenantId,
    plan: subscription.plan.planId,
    status,
    current_period_start: timeText(period.startMs),
    current_period_end: timeText(period.endMs),
    trial_ends_at: timeText(subscription.trialEndsMs),
    cancel_at: timeText(subscription.cancelAtMs),
    gate: gate.open ? 'open' : gate.reason,
  };
}
