import type { Command } from 'commander';
import type { CliContext } from '#cli/context';
import { callOperator } from '#cli/operator-call';
import { parseDurationS, parseWhole, splitList } from '#cli/options';
import { itemsOf, outputOption, printFields, printJson, printTable, shortTime } from '#cli/output';
import type { JsonObject } from '#core/json';

const EXAMPLES = `
A key is shown once, when it is made. <key> is the id of a key, or the key itself.

Examples:
  postrider keys create --tenant "Flower shop" --name "web shop"
  postrider keys create --mode test --scopes messages:write,messages:read --expires-in 90d
  postrider keys create --name branch --number 100000000000001 --allow-ip 198.51.100.0/24
  postrider keys list
  postrider keys rotate 0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01 --overlap 1h
  postrider keys revoke 0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01`;

const TENANT = ['--tenant <id|name>', 'the tenant; may be omitted while there is only one'] as const;

export function addKeys(program: Command, ctx: CliContext): void {
  const keys = program
    .command('keys')
    .description('create, list, rotate and revoke API keys (operator)')
    .addHelpText('after', EXAMPLES);
  keys
    .command('create')
    .description('create a key and show it once')
    .option(...TENANT)
    .option('--name <text>', 'what it is for')
    .option('--mode <mode>', 'live or test', 'live')
    .option('--scopes <names>', 'what it may do, comma separated; default: everything', splitList)
    .option('--rate <number>', 'requests per second; 0: no limit; default: the configured rate', parseWhole)
    .option(
      '--allow-ip <networks>',
      'addresses and networks it may be used from, comma separated; any when left out',
      splitList,
    )
    .option('--number <ids>', 'sending numbers that it is limited to, comma separated; default: all', splitList)
    .option('--expires-in <time>', 'when it expires, such as 90d or 12h', parseDurationS)
    .addOption(outputOption())
    .action((options: CreateOptions) => createKey(ctx, options));
  keys
    .command('list')
    .description('list the keys of a tenant')
    .option(...TENANT)
    .addOption(outputOption())
    .action((options: TenantOptions) => listKeys(ctx, options));
  keys
    .command('rotate')
    .description('replace a key with one that has the same rights; the old one works for a while longer')
    .argument('<key>', 'id of the key, or the key itself')
    .option(...TENANT)
    .option('--overlap <time>', 'how long the old key keeps working, such as 30m or 7d; default: 1h', parseDurationS)
    .addOption(outputOption())
    .action((key: string, options: RotateOptions) => rotateKey(ctx, key, options));
  keys
    .command('revoke')
    .description('revoke a key; it stops working everywhere within 2 seconds')
    .argument('<key>', 'id of the key, or the key itself')
    .option(...TENANT)
    .addOption(outputOption())
    .action((key: string, options: TenantOptions) => revokeKey(ctx, key, options));
}

interface TenantOptions {
  readonly tenant?: string;
  readonly output: string;
}

interface CreateOptions extends TenantOptions {
  readonly name?: string;
  readonly mode: string;
  readonly scopes?: readonly string[];
  readonly rate?: number;
  readonly allowIp?: readonly string[];
  readonly number?: readonly string[];
  readonly expiresIn?: number;
}

interface RotateOptions extends TenantOptions {
  readonly overlap?: number;
}

async function createKey(
  ctx: CliContext,
  { tenant, name, mode, scopes, rate, allowIp, number, expiresIn, output }: CreateOptions,
): Promise<void> {
  const input = {
    tenant: tenant ?? null,
    name: name ?? null,
    mode,
    scopes: scopes ?? [],
    rate: rate ?? null,
    allowed_ips: allowIp ?? [],
    phone_number_ids: number ?? [],
    expires_in_s: expiresIn ?? null,
  };
  const made = await callOperator(ctx, 'keys.create', input);
  if (output === 'json') return printJson(ctx, made);
  printFields(ctx, [...keyFields(made), ['expires', made.expires_at && shortTime(made.expires_at)]]);
  ctx.stdout.write('This is the only time that the key is shown.\n');
}

async function rotateKey(ctx: CliContext, key: string, { tenant, overlap, output }: RotateOptions): Promise<void> {
  const made = await callOperator(ctx, 'keys.rotate', { key, tenant: tenant ?? null, overlap_s: overlap ?? null });
  if (output === 'json') return printJson(ctx, made);
  printFields(ctx, [
    ...keyFields(made),
    ['replaces', made.replaces],
    ['old key ends', `${shortTime(made.old_works_until)} UTC`],
  ]);
  ctx.stdout.write('This is the only time that the key is shown.\n');
}

async function revokeKey(ctx: CliContext, key: string, { tenant, output }: TenantOptions): Promise<void> {
  const revoked = await callOperator(ctx, 'keys.revoke', { key, tenant: tenant ?? null });
  if (output === 'json') return printJson(ctx, revoked);
  ctx.stdout.write(`Key ${revoked.id} is revoked; it stops working everywhere within 2 seconds.\n`);
}

async function listKeys(ctx: CliContext, { tenant, output }: TenantOptions): Promise<void> {
  const answer = await callOperator(ctx, 'keys.list', { tenant: tenant ?? null });
  if (output === 'json') return printJson(ctx, answer);
  printTable(ctx, {
    rows: itemsOf(answer),
    empty: 'This tenant has no key yet: make one with "postrider keys create".',
    columns: [
      { title: 'ID', value: (row) => row.id },
      { title: 'KEY', value: (row) => row.hint },
      { title: 'STATUS', value: (row) => row.status },
      { title: 'NAME', value: (row) => row.name, flexible: true },
      { title: 'LAST USED (UTC)', value: (row) => shortTime(row.last_used_at).slice(0, 16) },
    ],
  });
}

function keyFields(made: JsonObject) {
  return [
    ['key', made.key],
    ['id', made.id],
    ['tenant', made.tenant],
    ['name', made.name],
  ] as const;
}
