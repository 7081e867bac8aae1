import { microsPerMinorUnit, type Price } from '#billing/domain/wallet';
import type { StoredTransfer, Wallet } from '#billing/store/wallet-reads';
import type { JsonObject } from '#core/json';
import { formatRfc3339 } from '#http/validation/rfc3339';

/** Amounts are in minor units, rounded down: what a tenant has is never shown as more than it is. */
export function presentWallet(
  wallet: Wallet,
  settings: { readonly enabled: boolean; readonly currency: string },
): JsonObject {
  const { enabled, currency } = settings;
  const minor = (micros: number) => toMinorUnits(micros, currency);
  return {
    enabled,
    currency,
    balance: minor(wallet.availableMicros + wallet.heldMicros),
    held: minor(wallet.heldMicros),
    available: minor(wallet.availableMicros),
    updated_at: wallet.updatedMs === null ? null : formatRfc3339(wallet.updatedMs),
  };
}

/** @param prices those in force, at least one */
export function presentPricing(prices: readonly Price[], currency: string): JsonObject {
  return {
    currency,
    effective_from: formatRfc3339(Math.max(...prices.map((price) => price.effectiveFromMs))),
    categories: prices.map(({ category, region, unitPriceMicros }) => ({
      category,
      region: region === '' ? null : region,
      unit_price_micros: unitPriceMicros,
    })),
  };
}

export function presentTransfer(transfer: StoredTransfer, currency: string): JsonObject {
  const taken = transfer.kind === 'adjustment' && transfer.from === 'available';
  const amountMicros = taken ? -transfer.amountMicros : transfer.amountMicros;
  return {
    id: transfer.transferId,
    kind: transfer.kind,
    amount: toMinorUnits(amountMicros, currency),
    amount_micros: amountMicros,
    balance_after: toMinorUnits(transfer.balanceAfterMicros, currency),
    balance_after_micros: transfer.balanceAfterMicros,
    message_id: transfer.messageId,
    description: transfer.description,
    created_at: formatRfc3339(transfer.createdMs),
  };
}

function toMinorUnits(micros: number, currency: string): number {
  // Adding 0 makes the 0 of a negative fraction a plain one.
  return Math.trunc(micros / microsPerMinorUnit(currency)) + 0;
}
