import { type Command, InvalidArgumentError } from 'commander';
import type { CliContext } from '#cli/context';
import { callOperator } from '#cli/operator-call';
import { parseWhole } from '#cli/options';
import { itemsOf, outputOption, printFields, printJson, printTable, shortTime } from '#cli/output';
import type { JsonObject } from '#core/json';

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
    .description('show wallets, add money, set prices (operator)')
    .addHelpText('after', EXAMPLES);
  ofTenant(wallet.command('show').description('show the wallet of a tenant')).action(async (options: TenantOptions) =>
    print(ctx, await callOperator(ctx, 'wallet.show', tenantInput(options)), options.output),
  );
  ofTenant(wallet.command('topup').description('add money that was received'))
    .argument('<amount>', 'minor units', parseWhole)
    .option('--reason <text>', 'reason, shown to the tenant')
    .action(async (amount: number, options: TenantOptions) =>
      print(ctx, await callOperator(ctx, 'wallet.topup', { amount, ...tenantInput(options) }), options.output),
    );
  ofTenant(wallet.command('adjust').description('refund, or charge with a negative amount'))
    .requiredOption('--amount <n>', 'minor units', parseSigned)
    .requiredOption('--reason <text>', 'reason, shown to the tenant')
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
    .description('list all prices, including past and future ones')
    .addOption(outputOption())
    .action((options: { output: string }) => listPrices(ctx, options.output));
  wallet
    .command('set-price')
    .description('set the price of a category, starting at a given time')
    .argument('<category>', 'marketing, utility, authentication or service')
    .argument('<micros>', 'price of one message in millionths of the currency unit', parseWhole)
    .option('--region <digits>', 'only for recipients whose number starts with these digits')
    .option('--from <time>', 'starting at this time; default: now')
    .addOption(outputOption())
    .action(async (category: string, micros: number, { output, ...rest }: { output: string }) =>
      print(ctx, await callOperator(ctx, 'wallet.set-price', { category, micros, ...rest }), output),
    );
}

function addRerate(wallet: Command, ctx: CliContext): void {
  wallet
    .command('rerate')
    .description('charge past messages at the prices that now apply to their time')
    .requiredOption('--from <time>', 'messages accepted since this time')
    .option('--tenant <id|name>', 'only this tenant; default: all')
    .option('--dry-run', 'show what would be charged, without charging it')
    .addOption(outputOption())
    .action(async ({ output, dryRun, ...rest }: { output: string; dryRun?: boolean; from: string }) => {
      const input = { ...rest, dry_run: dryRun === true };
      print(ctx, await callOperator(ctx, 'wallet.rerate', input), output);
    });
}

function ofTenant(command: Command): Command {
  return command
    .option('--tenant <id|name>', 'the tenant; may be omitted while there is only one')
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
