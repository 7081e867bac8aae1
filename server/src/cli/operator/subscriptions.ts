import { moveSubscription } from '#billing/actions/manage-plans';
import { readSubscription } from '#billing/actions/read-usage';
import { type SubscriptionStatus, subscriptionStatuses } from '#billing/domain/subscription';
import { CliError, EXIT } from '#cli/exit';
import { allFields } from '#cli/output';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { type OperatorDeps, type OperatorGroup, TENANT } from './command.ts';
import { optionalText, optionalTime, tenantOf, timeText, withoutNulls } from './input.ts';

export const subscriptionCommands: OperatorGroup = {
  name: 'subscriptions',
  description: 'show and update the subscription of a tenant',
  examples: `
Examples:
  postrider subscriptions show --tenant "Flower shop"
  postrider subscriptions set --tenant "Flower shop" --plan pro
  postrider subscriptions set --tenant "Flower shop" --trial-ends-at 2026-12-31T00:00:00Z
  postrider subscriptions set --tenant "Flower shop" --status past_due
  postrider subscriptions set --tenant "Flower shop" --cancel-at none
  postrider subscriptions set --tenant "Flower shop" --gateway-id sub_1QaBcD`,
  commands: {
    show: {
      description: 'show the subscription of a tenant',
      options: { tenant: TENANT },
      work: async (deps, input) => presented(deps, await tenantOf(deps.db, input)),
      show: allFields,
    },
    set: {
      description: 'update the subscription of a tenant; omitted values stay unchanged',
      options: {
        tenant: TENANT,
        plan: ['--plan <id>', 'plan'],
        status: ['--status <status>', 'trialing, active, past_due, paused or canceled'],
        trial_ends_at: ['--trial-ends-at <time>', 'start a trial that ends at this time, or extend it'],
        cancel_at: ['--cancel-at <time|none>', 'cancel it at this time; none: do not cancel'],
        gateway_id: ['--gateway-id <id|none>', 'subscription at the payment gateway (sub_…) whose events update it'],
      },
      work: setSubscription,
      show: allFields,
    },
  },
};

/** Moves the subscription: plan, status, end of the trial, day of its end (`cancel_at: "none"` takes that back), who pays. */
async function setSubscription(deps: OperatorDeps, input: JsonObject): Promise<JsonObject> {
  const tenantId = await tenantOf(deps.db, input);
  const planId = optionalText(input, 'plan');
  const status = statusOf(input);
  const trialEndsMs = optionalTime(input, 'trial_ends_at');
  const gatewayId = optionalText(input, 'gateway_id');
  const cancelAtMs = input.cancel_at === 'none' ? null : optionalTime(input, 'cancel_at');
  await moveSubscription(deps.rt, deps.db, tenantId, {
    ...withoutNulls({ planId, status, trialEndsMs }),
    ...(input.cancel_at === undefined ? {} : { cancelAtMs }),
    ...(gatewayId === null ? {} : { gatewayId: gatewayId === 'none' ? null : gatewayId }),
  });
  return presented(deps, tenantId);
}

function statusOf(input: JsonObject): SubscriptionStatus | null {
  const given = optionalText(input, 'status');
  const found = subscriptionStatuses.find((status) => status === given);
  if (given !== null && found === undefined) {
    throw new CliError(EXIT.usage, `status must be one of ${subscriptionStatuses.join(', ')}.`);
  }
  return found ?? null;
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
