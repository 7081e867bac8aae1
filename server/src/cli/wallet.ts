import { type Command, InvalidArgumentError } from 'commander';
import type { JsonObject } from '#core/json';
import type { CliContext } from './context.ts';
import { callOperator } from './operator-call.ts';
import { parseWhole } from './options.ts';
import { itemsOf, outputOption, printFields, printJson, printTable, shortTime } from './output.ts';

const EXAMPLES = `
Amounts are minor units (cents) of MESSAGING_WALLET_CURRENCY; prices are micros, millionths of the unit.

Examples:
  postrider wallet show --tenant "Flower shop"
  postrider wallet topup 5000 --tenant "Flower shop" --reason "Invoice 12"
  postrider wallet adjust --amount=-250 --tenant "Flower shop" --reason "Price of October"
  postrider wallet set-price marketing 113000 --region 49 --from 2026-12-01T00:00:00Z
  postrider wallet prices
  postrider wallet rerate --from 2026-12-01T00:00:00Z --dry-run`;

interface TenantOptions {
  readonly tenant?: string;
  readonly reason?: string;
  readonly amount?: number;
  readonly output: string;
}

export function addWallet(program: Command, ctx: CliContext): void {
  const wallet = program
    .command('wallet')
    .description('show wallets, book money, set prices (operator)')
    .addHelpText('after', EXAMPLES);
  ofTenant(wallet.command('show').description('show the wallet of a tenant')).action(async (options: TenantOptions) =>
    print(ctx, await callOperator(ctx, 'wallet.show', tenantInput(options)), options.output),
  );
  ofTenant(wallet.command('topup').description('book money that came in'))
    .argument('<amount>', 'minor units', parseWhole)
    .option('--reason <text>', 'what for; the tenant reads it')
    .action(async (amount: number, options: TenantOptions) =>
      print(ctx, await callOperator(ctx, 'wallet.topup', { amount, ...tenantInput(options) }), options.output),
    );
  ofTenant(wallet.command('adjust').description('give back, or take with a negative amount'))
    .requiredOption('--amount <n>', 'minor units', parseSigned)
    .requiredOption('--reason <text>', 'what for; the tenant reads it')
    .action(async (options: TenantOptions) => {
      const input = { amount: options.amount ?? 0, ...tenantInput(options) };
      print(ctx, await callOperator(ctx, 'wallet.adjust', input), options.output);
    });
  addPrices(wallet, ctx);
  addRerate(wallet, ctx);
}

function addPrices(wallet: Command, ctx: CliContext): void {
  wallet
    .command('prices')
    .description('list all prices, past and future ones too')
    .addOption(outputOption())
    .action((options: { output: string }) => listPrices(ctx, options.output));
  wallet
    .command('set-price')
    .description('set the price of a category from a time on')
    .argument('<category>', 'marketing, utility, authentication or service')
    .argument('<micros>', 'price of one message in millionths of the currency unit', parseWhole)
    .option('--region <digits>', 'only for recipients whose number begins so')
    .option('--from <time>', 'from then on; default: now')
    .addOption(outputOption())
    .action(async (category: string, micros: number, { output, ...rest }: { output: string }) =>
      print(ctx, await callOperator(ctx, 'wallet.set-price', { category, micros, ...rest }), output),
    );
}

function addRerate(wallet: Command, ctx: CliContext): void {
  wallet
    .command('rerate')
    .description('charge messages of the past by the prices that stand now for their time')
    .requiredOption('--from <time>', 'messages accepted from then on')
    .option('--tenant <id|name>', 'of this tenant only; default: of all')
    .option('--dry-run', 'say what would be booked, and book nothing')
    .addOption(outputOption())
    .action(async ({ output, dryRun, ...rest }: { output: string; dryRun?: boolean; from: string }) => {
      const input = { ...rest, dry_run: dryRun === true };
      print(ctx, await callOperator(ctx, 'wallet.rerate', input), output);
    });
}

function ofTenant(command: Command): Command {
  return command
    .option('--tenant <id|name>', 'whose; may be left out while there is only one tenant')
    .addOption(outputOption());
}

/** @throws InvalidArgumentError for anything but a whole number */
function parseSigned(text: string): number {
  if (!/^-?\d{1,9}$/.test(text)) throw new InvalidArgumentError('Write a whole number, such as -250.');
  return Number(text);
}

function tenantInput({ tenant, reason }: TenantOptions): JsonObject {
  return { ...(tenant === undefined ? {} : { tenant }), ...(reason === undefined ? {} : { reason }) };
}

async function listPrices(ctx: CliContext, output: string): Promise<void> {
  const answer = await callOperator(ctx, 'wallet.prices', {});
  if (output === 'json') return printJson(ctx, answer);
  printTable(ctx, {
    rows: itemsOf(answer),
    empty: 'There are no prices.',
    columns: [
      { title: 'CATEGORY', value: (row) => row.category },
      { title: 'REGION', value: (row) => row.region ?? 'elsewhere' },
      { title: 'MICROS', value: (row) => row.unit_price_micros, align: 'right' },
      { title: 'FROM (UTC)', value: (row) => shortTime(row.effective_from) },
    ],
  });
}

function print(ctx: CliContext, answer: JsonObject, output: string): void {
  if (output === 'json') printJson(ctx, answer);
  else printFields(ctx, Object.entries(answer));
}
