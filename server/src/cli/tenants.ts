import type { Command } from 'commander';
import type { CliContext } from './context.ts';
import { callOperator } from './operator-call.ts';
import { itemsOf, outputOption, printJson, printTable, shortTime } from './output.ts';

const EXAMPLES = `
Examples:
  postrider tenants create "Flower shop"
  postrider tenants create "Bank" --on-unknown fail
  postrider tenants list -o json`;

export function addTenants(program: Command, ctx: CliContext): void {
  const tenants = program
    .command('tenants')
    .description('make and list tenants (operator)')
    .addHelpText('after', EXAMPLES);
  tenants
    .command('create')
    .description('make a tenant')
    .argument('<name>', 'name of the business')
    .option('--on-unknown <policy>', 'what happens to a send whose outcome stays unknown: resend or fail', 'resend')
    .option(
      '--window-policy <policy>',
      'free text more than 24 hours after the customer wrote: network (leave it to the network) or refuse',
      'network',
    )
    .addOption(outputOption())
    .action((name: string, options: { onUnknown: string; windowPolicy: string; output: string }) =>
      createTenant(ctx, name, options),
    );
  tenants
    .command('list')
    .description('list all tenants, oldest first')
    .addOption(outputOption())
    .action((options: { output: string }) => listTenants(ctx, options.output));
}

async function createTenant(
  ctx: CliContext,
  name: string,
  options: { onUnknown: string; windowPolicy: string; output: string },
): Promise<void> {
  const made = await callOperator(ctx, 'tenants.create', {
    name,
    on_unknown: options.onUnknown,
    window_policy: options.windowPolicy,
  });
  if (options.output === 'json') printJson(ctx, made);
  else ctx.stdout.write(`Made tenant ${made.id}. Next: postrider keys create --tenant ${made.id}\n`);
}

async function listTenants(ctx: CliContext, output: string): Promise<void> {
  const answer = await callOperator(ctx, 'tenants.list', {});
  if (output === 'json') return printJson(ctx, answer);
  printTable(ctx, {
    rows: itemsOf(answer),
    empty: 'There is no tenant yet: make one with "postrider tenants create".',
    columns: [
      { title: 'ID', value: (row) => row.id },
      { title: 'NAME', value: (row) => row.name, flexible: true },
      { title: 'ON UNKNOWN', value: (row) => row.on_unknown },
      { title: 'WINDOW', value: (row) => row.window_policy },
      { title: 'CREATED (UTC)', value: (row) => shortTime(row.created_at) },
    ],
  });
}
