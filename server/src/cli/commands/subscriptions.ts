import type { Command } from 'commander';
import type { CliContext } from '#cli/context';
import { callOperator } from '#cli/operator-call';
import { outputOption, printFields, printJson } from '#cli/output';
import type { JsonObject } from '#core/json';

const EXAMPLES = `
Examples:
  postrider subscriptions show --tenant "Flower shop"
  postrider subscriptions set --tenant "Flower shop" --plan pro
  postrider subscriptions set --tenant "Flower shop" --trial-ends-at 2026-12-31T00:00:00Z
  postrider subscriptions set --tenant "Flower shop" --status past_due
  postrider subscriptions set --tenant "Flower shop" --cancel-at none
  postrider subscriptions set --tenant "Flower shop" --gateway-id sub_1QaBcD`;

interface SetOptions {
  readonly tenant?: string;
  readonly plan?: string;
  readonly status?: string;
  readonly trialEndsAt?: string;
  readonly cancelAt?: string;
  readonly gatewayId?: string;
  readonly output: string;
}

export function addSubscriptions(program: Command, ctx: CliContext): void {
  const subscriptions = program
    .command('subscriptions')
    .description('show and update the subscription of a tenant (operator)')
    .addHelpText('after', EXAMPLES);
  subscriptions
    .command('show')
    .description('show the subscription of a tenant')
    .option('--tenant <id|name>', 'the tenant; may be omitted while there is only one')
    .addOption(outputOption())
    .action(async (options: { tenant?: string; output: string }) =>
      print(ctx, await callOperator(ctx, 'subscriptions.show', tenantInput(options)), options.output),
    );
  subscriptions
    .command('set')
    .description('update the subscription of a tenant; omitted values stay as they are')
    .option('--tenant <id|name>', 'the tenant; may be omitted while there is only one')
    .option('--plan <id>', 'plan')
    .option('--status <status>', 'trialing, active, past_due, paused or canceled')
    .option('--trial-ends-at <time>', 'start a trial that ends at this time, or extend it')
    .option('--cancel-at <time|none>', 'cancel it at this time; none: do not cancel')
    .option('--gateway-id <id|none>', 'subscription at the payment gateway (sub_…) whose events update it')
    .addOption(outputOption())
    .action(async (options: SetOptions) =>
      print(ctx, await callOperator(ctx, 'subscriptions.set', moveInput(options)), options.output),
    );
}

function tenantInput({ tenant }: { readonly tenant?: string }): JsonObject {
  return tenant === undefined ? {} : { tenant };
}

function moveInput({ plan, status, trialEndsAt, cancelAt, gatewayId, ...rest }: SetOptions): JsonObject {
  return {
    ...tenantInput(rest),
    ...(plan === undefined ? {} : { plan }),
    ...(status === undefined ? {} : { status }),
    ...(trialEndsAt === undefined ? {} : { trial_ends_at: trialEndsAt }),
    ...(cancelAt === undefined ? {} : { cancel_at: cancelAt }),
    ...(gatewayId === undefined ? {} : { gateway_id: gatewayId }),
  };
}

function print(ctx: CliContext, subscription: JsonObject, output: string): void {
  if (output === 'json') printJson(ctx, subscription);
  else printFields(ctx, Object.entries(subscription));
}
