import { InvalidArgumentError } from 'commander';
import { OPERATOR } from '#access/domain/audit';
import { adjustWallet, setPrice, topUpWallet } from '#billing/actions/manage-wallet';
import { rerateWallets } from '#billing/actions/rerate-wallets';
import { listPrices } from '#billing/store/wallet-prices';
import { readWallet } from '#billing/store/wallet-reads';
import { CliError, EXIT } from '#cli/exit';
import { parseWhole } from '#cli/options';
import { allFields, shortTime, table } from '#cli/output';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Runtime } from '#runtime/runtime';
import { type OperatorDeps, type OperatorGroup, OUTPUT, TENANT } from './command.ts';
import { inputText, optionalText, optionalTime, optionalWhole, tenantIfNamed, tenantOf, timeText } from './input.ts';

const MAX_AMOUNT = 999_999_999;

export const walletCommands: OperatorGroup = {
  name: 'wallet',
  description: 'show wallets, add money, set prices',
  examples: `
Amounts are in minor units (cents) of MESSAGING_WALLET_CURRENCY; prices are in micros, millionths of the currency unit.

Examples:
  postrider wallet show --tenant "Flower shop"
  postrider wallet topup 5000 --tenant "Flower shop" --reason "Invoice 12"
  postrider wallet adjust --amount=-250 --tenant "Flower shop" --reason "Price of October"
  postrider wallet set-price marketing 113000 --region 49 --from 2026-12-01T00:00:00Z
  postrider wallet prices
  postrider wallet rerate --from 2026-12-01T00:00:00Z --dry-run`,
  commands: {
    show: {
      description: 'show the wallet of a tenant',
      options: { tenant: TENANT },
      work: async ({ rt, db }, input) => {
        const tenantId = await tenantOf(db, input);
        return presentWallet(rt, tenantId, await readWallet(db, tenantId));
      },
      show: allFields,
    },
    /** Caches money that came in outside this service. */
    topup: {
      description: 'add money that was received',
      arguments: { amount: ['<amount>', 'minor units', parseWhole] },
      options: { tenant: TENANT, output: OUTPUT, reason: ['--reason <text>', 'reason, shown to the tenant'] },
      work: async ({ rt, db }, input) => {
        const tenantId = await tenantOf(db, input);
        const amount = requiredWhole(input, 'amount', 1);
        const description = optionalText(input, 'reason') ?? 'Topped up by the operator.';
        return presentWallet(rt, tenantId, await topUpWallet(rt, db, { tenantId, amount, description }));
      },
      show: allFields,
    },
    /** Gives back or, with a negative amount, takes. */
    adjust: {
      description: 'refund, or charge with a negative amount',
      options: {
        tenant: TENANT,
        output: OUTPUT,
        amount: ['--amount <n>', 'minor units', { parse: parseSigned, mandatory: true }],
        reason: ['--reason <text>', 'reason, shown to the tenant', { mandatory: true }],
      },
      work: async ({ rt, db }, input) => {
        const tenantId = await tenantOf(db, input);
        const amount = requiredWhole(input, 'amount', -MAX_AMOUNT);
        const description = inputText(input, 'reason');
        return presentWallet(rt, tenantId, await adjustWallet(rt, db, { tenantId, amount, description }));
      },
      show: allFields,
    },
    prices: {
      description: 'list all prices, including past and future ones',
      work: async ({ db }) => ({
        data: (await listPrices(db)).map((price) => ({
          category: price.category,
          region: price.region === '' ? null : price.region,
          unit_price_micros: price.unitPriceMicros,
          effective_from: timeText(price.effectiveFromMs),
        })),
      }),
      show: table('There are no prices.', [
        { title: 'CATEGORY', value: (row) => row.category },
        { title: 'REGION', value: (row) => row.region ?? 'elsewhere' },
        { title: 'MICROS', value: (row) => row.unit_price_micros, align: 'right' },
        { title: 'FROM (UTC)', value: (row) => shortTime(row.effective_from) },
      ]),
    },
    'set-price': {
      description: 'set the price of a category, starting at a given time',
      arguments: {
        category: ['<category>', 'marketing, utility, authentication or service'],
        micros: ['<micros>', 'price of one message in millionths of the currency unit', parseWhole],
      },
      options: {
        region: ['--region <digits>', 'only for recipients whose number starts with these digits'],
        from: ['--from <time>', 'starting at this time; default: now'],
      },
      work: async ({ rt, db }, input) => {
        const unitPriceMicros = requiredWhole(input, 'micros', 0);
        const category = inputText(input, 'category');
        const region = optionalText(input, 'region');
        const effectiveFromMs = optionalTime(input, 'from') ?? rt.clock.now();
        await setPrice(rt, db, { category, region: region ?? '', effectiveFromMs, unitPriceMicros });
        return { category, region, unit_price_micros: unitPriceMicros, effective_from: timeText(effectiveFromMs) };
      },
      show: allFields,
    },
    rerate: {
      description: 'charge past messages at the prices that now apply to the time they were sent',
      options: {
        from: ['--from <time>', 'messages accepted since this time', { mandatory: true }],
        tenant: ['--tenant <id|name>', 'only this tenant; default: all'],
        dry_run: ['--dry-run', 'show what would be charged, without charging it'],
      },
      work: rerateWallet,
      show: allFields,
    },
  },
};

/** Charges messages of the past by the prices that stand now for their time. */
async function rerateWallet({ rt, db }: OperatorDeps, input: JsonObject): Promise<JsonObject> {
  const fromMs = optionalTime(input, 'from') ?? missing('from');
  const tenantId = await tenantIfNamed(db, input);
  const dryRun = input.dry_run === true;
  const counts = await rerateWallets(rt, db, { fromMs, tenantId, dryRun, origin: OPERATOR });
  return {
    from: timeText(fromMs),
    dry_run: dryRun,
    messages: counts.messages,
    given_back_micros: counts.givenMicros,
    taken_micros: counts.takenMicros,
    missing_micros: counts.missingMicros,
  };
}

function requiredWhole(input: JsonObject, name: string, min: number): number {
  return optionalWhole(input, name, { min, max: MAX_AMOUNT }) ?? missing(name);
}

function missing(name: string): never {
  throw new CliError(EXIT.usage, `${name} is required.`);
}

/** @throws InvalidArgumentError for anything but a whole number */
function parseSigned(text: string): number {
  if (!/^-?\d{1,9}$/.test(text)) throw new InvalidArgumentError('Write a whole number, such as -250.');
  return Number(text);
}

function presentWallet(
  { config }: Runtime,
  tenantId: TenantId,
  wallet: Awaited<ReturnType<typeof readWallet>>,
): JsonObject {
  return {
    tenant: tenantId,
    currency: config.walletCurrency,
    available_micros: wallet.availableMicros,
    held_micros: wallet.heldMicros,
    updated_at: timeText(wallet.updatedMs),
  };
}
