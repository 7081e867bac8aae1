import { OPERATOR } from '#access/domain/audit';
import { adjustWallet, setPrice, topUpWallet } from '#billing/actions/manage-wallet';
import { rerateWallets } from '#billing/actions/rerate-wallets';
import { listPrices } from '#billing/store/wallet-prices';
import { readWallet } from '#billing/store/wallet-reads';
import { CliError, EXIT } from '#cli/exit';
import type { JsonObject } from '#core/json';
import type { OperatorCommand, OperatorDeps } from './command.ts';
import { inputText, optionalText, optionalWhole, tenantOf, timeText } from './input.ts';

const MAX_AMOUNT = 999_999_999;

export const showWalletCommand: OperatorCommand = async ({ rt, db }, input) => {
  const tenantId = await tenantOf(db, input);
  return presented(rt, tenantId, await readWallet(db, tenantId));
};

/** Caches money that came in outside this service. */
export const topUpWalletCommand: OperatorCommand = async ({ rt, db }, input) => {
  const tenantId = await tenantOf(db, input);
  const amount = amountOf(input, 1);
  const description = optionalText(input, 'reason') ?? 'Topped up by the operator.';
  return presented(rt, tenantId, await topUpWallet(rt, db, { tenantId, amount, description }));
};

/** Gives back or, with a negative amount, takes. */
export const adjustWalletCommand: OperatorCommand = async ({ rt, db }, input) => {
  const tenantId = await tenantOf(db, input);
  const amount = amountOf(input, -MAX_AMOUNT);
  return presented(
    rt,
    tenantId,
    await adjustWallet(rt, db, { tenantId, amount, description: inputText(input, 'reason') }),
  );
};

export const listPricesCommand: OperatorCommand = async ({ db }) => {
  const prices = await listPrices(db);
  return {
    data: prices.map((price) => ({
      category: price.category,
      region: price.region === '' ? null : price.region,
      unit_price_micros: price.unitPriceMicros,
      effective_from: timeText(price.effectiveFromMs),
    })),
  };
};

export const setPriceCommand: OperatorCommand = async ({ rt, db }, input) => {
  const micros = optionalWhole(input, 'micros', { min: 0, max: MAX_AMOUNT });
  if (micros === null) throw new CliError(EXIT.usage, 'micros is required.');
  const category = inputText(input, 'category');
  const region = optionalText(input, 'region');
  const from = optionalText(input, 'from');
  const effectiveFromMs = from === null ? rt.clock.now() : Date.parse(from);
  if (Number.isNaN(effectiveFromMs))
    throw new CliError(EXIT.usage, 'from must be a time such as 2026-12-31T00:00:00Z.');
  await setPrice(rt, db, { category, region: region ?? '', effectiveFromMs, unitPriceMicros: micros });
  return { category, region, unit_price_micros: micros, effective_from: timeText(effectiveFromMs) };
};

/** Charges messages of the past by the prices that stand now for their time. */
export const rerateWalletCommand: OperatorCommand = async ({ rt, db }, input) => {
  const fromMs = Date.parse(inputText(input, 'from'));
  if (Number.isNaN(fromMs)) throw new CliError(EXIT.usage, 'from must be a time such as 2026-12-31T00:00:00Z.');
  const tenantId = optionalText(input, 'tenant') === null ? null : await tenantOf(db, input);
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
};

function amountOf(input: JsonObject, min: number): number {
  const amount = optionalWhole(input, 'amount', { min, max: MAX_AMOUNT });
  if (amount === null) throw new CliError(EXIT.usage, 'amount is required.');
  return amount;
}

function presented(
  rt: OperatorDeps['rt'],
  tenantId: string,
  wallet: Awaited<ReturnType<typeof readWallet>>,
): JsonObject {
  return {
    tenant: tenantId,
    currency: rt.config.walletCurrency,
    available_micros: wallet.availableMicros,
    held_micros: wallet.heldMicros,
    updated_at: timeText(wallet.updatedMs),
  };
}
