import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CliContext } from '#cli/context';
import { CliError, EXIT } from '#cli/exit';
import { callOperator } from '#cli/operator-call';
import { splitList } from '#cli/options';
import { countOf, itemsOf, outputOption, printJson, printTable, shortTime } from '#cli/output';
import type { JsonObject, JsonValue } from '#core/json';

const EXAMPLES = `
Examples:
  postrider tenants create "Flower shop"
  postrider tenants create "Bank" --unknown-resends 0
  postrider tenants set "Bank" --window-policy template --fallback-template hello_again:en_US
  postrider tenants allow-ip "Bank" 198.51.100.0/24,2001:db8::/32
  postrider tenants allow-countries "Bank" DE,AT,CH
  postrider tenants suspend "Bank" --reason "Unpaid since March"
  postrider tenants resume "Bank"
  postrider tenants export "Bank" /var/backups/bank
  postrider tenants delete "Bank" --confirm "Bank"
  postrider tenants list -o json`;

const WINDOW_POLICY =
  'free text more than 24 hours after the customer wrote: network (leave it to the network), refuse, or template (send the fallback template instead)';
const UNKNOWN_RESENDS =
  'how many further copies of a message are sent while nobody knows whether the network has it: 0, 1 or 2';
const FALLBACK = 'with the policy template: a template that takes no values';

export function addTenants(program: Command, ctx: CliContext): void {
  const tenants = program.command('tenants').description('manage tenants (operator)').addHelpText('after', EXAMPLES);
  addSettings(tenants, ctx);
  addLifecycle(tenants, ctx);
}

/** What a tenant is made with, and what can be changed of it. */
function addSettings(tenants: Command, ctx: CliContext): void {
  tenants
    .command('create')
    .description('create a tenant')
    .argument('<name>', 'name of the business')
    .option('--unknown-resends <number>', UNKNOWN_RESENDS, '1')
    .option('--window-policy <policy>', WINDOW_POLICY, 'network')
    .option('--fallback-template <name:language>', FALLBACK)
    .addOption(outputOption())
    .action((name: string, options: CreateOptions) => createTenant(ctx, name, options));
  tenants
    .command('set')
    .description('change which messages are resent, and what happens to free text after 24 hours')
    .argument('<tenant>', 'name or id of the tenant')
    .option('--unknown-resends <number>', UNKNOWN_RESENDS)
    .option('--window-policy <policy>', WINDOW_POLICY)
    .option('--fallback-template <name:language>', FALLBACK)
    .addOption(outputOption())
    .action((tenant: string, options: SetOptions) => setTenant(ctx, tenant, options));
  tenants
    .command('allow-ip')
    .description("limit the addresses that the keys of a tenant may be used from, in addition to each key's own limits")
    .argument('<tenant>', 'name or id of the tenant')
    .argument('[networks]', 'addresses and networks, comma separated; default: anywhere', splitList)
    .addOption(outputOption())
    .action((tenant: string, networks: readonly string[] | undefined, options: { output: string }) =>
      allowAddresses(ctx, { tenant, allowed_ips: networks ?? [] }, options.output),
    );
  tenants
    .command('allow-countries')
    .description('limit the countries that a tenant may send to; messages to others are refused')
    .argument('<tenant>', 'name or id of the tenant')
    .argument('[countries]', 'codes such as DE,BR, comma separated; default: all', splitList)
    .addOption(outputOption())
    .action((tenant: string, countries: readonly string[] | undefined, options: { output: string }) =>
      allowCountries(ctx, { tenant, allowed_countries: countries ?? [] }, options.output),
    );
}

function addLifecycle(tenants: Command, ctx: CliContext): void {
  tenants
    .command('suspend')
    .description('suspend a tenant within 2 s: its keys are refused, nothing is sent, queued messages are kept')
    .argument('<tenant>', 'name or id of the tenant')
    .requiredOption('--reason <text>', 'reason, shown to callers of the tenant')
    .addOption(outputOption())
    .action((tenant: string, options: { reason: string; output: string }) =>
      moveTenant(ctx, 'tenants.suspend', { tenant, reason: options.reason }, options.output),
    );
  tenants
    .command('resume')
    .description('resume a suspended tenant')
    .argument('<tenant>', 'name or id of the tenant')
    .addOption(outputOption())
    .action((tenant: string, options: { output: string }) =>
      moveTenant(ctx, 'tenants.resume', { tenant }, options.output),
    );
  tenants
    .command('export')
    .description("write all data of a tenant, without secrets, to a new folder on the server's machine")
    .argument('<tenant>', 'name or id of the tenant')
    .argument('<folder>', 'folder that does not exist yet')
    .addOption(outputOption())
    .action((tenant: string, folder: string, options: { output: string }) =>
      exportTenant(ctx, { tenant, folder: resolve(folder) }, options.output),
    );
  tenants
    .command('delete')
    .description('delete a tenant permanently, step by step; repeat the command to see the progress')
    .argument('<tenant>', 'name or id of the tenant')
    .requiredOption('--confirm <name>', 'repeat the name of the tenant')
    .addOption(outputOption())
    .action((tenant: string, options: { confirm: string; output: string }) => deleteTenant(ctx, tenant, options));
  tenants
    .command('list')
    .description('list all tenants, oldest first')
    .addOption(outputOption())
    .action((options: { output: string }) => listTenants(ctx, options.output));
}

interface CreateOptions {
  readonly unknownResends: string;
  readonly windowPolicy: string;
  readonly fallbackTemplate?: string;
  readonly output: string;
}

type SetOptions = Partial<CreateOptions> & Pick<CreateOptions, 'output'>;

async function setTenant(ctx: CliContext, tenant: string, options: SetOptions): Promise<void> {
  const { unknownResends, windowPolicy, fallbackTemplate, output } = options;
  if (unknownResends === undefined && windowPolicy === undefined)
    throw new CliError(EXIT.usage, 'Say what to change: --unknown-resends or --window-policy.');
  const wish = {
    tenant,
    ...(unknownResends !== undefined && { unknown_resends: unknownResends }),
    ...(windowPolicy !== undefined && { window_policy: windowPolicy }),
    ...(fallbackTemplate && { fallback_template: fallbackTemplate }),
  };
  const changed = await callOperator(ctx, 'tenants.set', wish);
  if (output === 'json') return printJson(ctx, changed);
  const { name, unknown_resends: resends, window_policy: policy } = changed;
  ctx.stdout.write(`${name}: ${resends} further copies of unknown outcomes, window policy ${policy}.\n`);
}

async function allowAddresses(ctx: CliContext, wish: JsonObject, output: string): Promise<void> {
  const changed = await callOperator(ctx, 'tenants.allow-ip', wish);
  const networks = textsIn(changed.allowed_ips).join(', ');
  if (output === 'json') printJson(ctx, changed);
  else ctx.stdout.write(`Keys of ${changed.name} may be used from ${networks || 'anywhere'}.\n`);
}

async function allowCountries(ctx: CliContext, wish: JsonObject, output: string): Promise<void> {
  const changed = await callOperator(ctx, 'tenants.allow-countries', wish);
  const countries = textsIn(changed.allowed_countries).join(', ');
  if (output === 'json') printJson(ctx, changed);
  else ctx.stdout.write(`${changed.name} may write to ${countries || 'every country'}.\n`);
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

async function moveTenant(
  ctx: CliContext,
  command: 'tenants.suspend' | 'tenants.resume',
  input: JsonObject,
  output: string,
): Promise<void> {
  const moved = await callOperator(ctx, command, input);
  if (output === 'json') printJson(ctx, moved);
  else ctx.stdout.write(`${moved.name} is ${moved.state}.\n`);
}

async function deleteTenant(
  ctx: CliContext,
  tenant: string,
  { confirm, output }: { readonly confirm: string; readonly output: string },
): Promise<void> {
  const deletion = await callOperator(ctx, 'tenants.delete', { tenant, confirm });
  if (output === 'json') return printJson(ctx, deletion);
  const rows = Object.values(deletion.removed as JsonObject).reduce<number>((sum, count) => sum + Number(count), 0);
  ctx.stdout.write(`${tenant} is being deleted by the running service: ${rows} rows are gone.\n`);
}

async function exportTenant(ctx: CliContext, wish: JsonObject, output: string): Promise<void> {
  const manifest = await callOperator(ctx, 'tenants.export', wish, 0);
  if (output === 'json') return printJson(ctx, manifest);
  const tables = Object.values(manifest.tables as Readonly<Record<string, { readonly rows: number }>>);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const { files, missing } = manifest.media as { readonly files: number; readonly missing: number };
  const gap = missing === 0 ? '' : `; ${countOf(missing, 'file')} could not be read`;
  ctx.stdout.write(`Wrote ${countOf(rows, 'row')} and ${countOf(files, 'file')} to ${manifest.folder}${gap}.\n`);
}

async function createTenant(ctx: CliContext, name: string, options: CreateOptions): Promise<void> {
  const made = await callOperator(ctx, 'tenants.create', {
    name,
    unknown_resends: options.unknownResends,
    window_policy: options.windowPolicy,
    ...(options.fallbackTemplate && { fallback_template: options.fallbackTemplate }),
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
      { title: 'STATE', value: (row) => row.state },
      { title: 'RESENDS', value: (row) => row.unknown_resends },
      { title: 'WINDOW', value: (row) => row.window_policy },
      { title: 'CREATED (UTC)', value: (row) => shortTime(row.created_at) },
    ],
  });
}
