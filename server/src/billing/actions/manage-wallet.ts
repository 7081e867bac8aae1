import { audit } from '#access/actions/audit';
import { OPERATOR } from '#access/domain/audit';
import { findTenant, listTenants } from '#access/store/tenants';
import {
  adjustmentOf,
  microsPerMinorUnit,
  type Price,
  priceCategories,
  type Transfer,
  transferOf,
} from '#billing/domain/wallet';
import { lockWallets, postTransfers } from '#billing/store/wallet';
import { addPrice } from '#billing/store/wallet-prices';
import { readWallet, type Wallet } from '#billing/store/wallet-reads';
import type { TenantId } from '#core/ids';
import { OperatorError } from '#core/operator-error';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';

const REGION = /^\d{0,6}$/;

/** Money that the operator moves by hand. */
export interface WalletInput {
  readonly tenantId: TenantId;
  /** In minor units of the wallet's currency. */
  readonly amount: number;
  readonly description: string;
}

/**
 * Caches money that came in outside this service.
 * @param amount minor units of the wallet's currency, more than 0
 * @throws OperatorError for an unknown tenant
 */
export async function topUpWallet(rt: Runtime, db: Database, input: WalletInput): Promise<Wallet> {
  const micros = input.amount * microsPerMinorUnit(rt.config.walletCurrency);
  return postTransfer(rt, db, { ...input, transfer: transferOf('topup', micros) });
}

/**
 * Gives back, or takes more, after the fact.
 * @param amount minor units; negative takes
 * @throws OperatorError for an unknown tenant, for 0, and when not so much is available
 */
export async function adjustWallet(rt: Runtime, db: Database, input: WalletInput): Promise<Wallet> {
  if (input.amount === 0) throw new OperatorError('The adjustment must not be 0.');
  const micros = input.amount * microsPerMinorUnit(rt.config.walletCurrency);
  return postTransfer(rt, db, { ...input, transfer: adjustmentOf(micros) });
}

async function postTransfer(
  rt: Runtime,
  db: Database,
  { tenantId, transfer, description, amount }: WalletInput & { readonly transfer: Transfer },
): Promise<Wallet> {
  if (!(await findTenant(db, tenantId))) throw new OperatorError('The tenant does not exist.');
  const nowMs = rt.clock.now();
  return db.transaction(async (tx) => {
    const wallets = await lockWallets(tx, new Set([tenantId]), nowMs);
    const available = wallets.get(tenantId)?.availableMicros ?? 0;
    if (transfer.from === 'available' && transfer.amountMicros > available) {
      throw new OperatorError('This wallet does not have enough available balance.');
    }
    const transferId = rt.newId();
    const transfers = [{ tenantId, transferId, transfer, messageId: null, description }];
    await postTransfers(tx, wallets, { transfers, nowMs });
    const action = transfer.kind === 'topup' ? 'wallet.topped_up' : 'wallet.adjusted';
    const details = { amount, currency: rt.config.walletCurrency, reason: description };
    await audit(rt, tx, { tenantId, origin: OPERATOR, action, targetId: transferId, details });
    return readWallet(tx, tenantId);
  });
}

const PRICE_EXISTS = 'A price already starts at exactly this time, and prices cannot be changed. Choose another time.';

/**
 * Adds a price. One that began before now is charged to the messages of that time too, by the next re-rating.
 * @throws OperatorError for an unknown category, a region that is not digits, or a second price for the same moment
 */
export async function setPrice(rt: Runtime, db: Database, price: Price): Promise<void> {
  if (!priceCategories.some((category) => category === price.category)) {
    throw new OperatorError(`The categories are ${priceCategories.join(', ')}.`);
  }
  if (!REGION.test(price.region))
    throw new OperatorError('A region is up to 6 leading digits of a number, such as 49.');
  const nowMs = rt.clock.now();
  const tenants = await listTenants(db);
  const { category, region, unitPriceMicros, effectiveFromMs } = price;
  const details = {
    region,
    unit_price_micros: unitPriceMicros,
    effective_from: new Date(effectiveFromMs).toISOString(),
  };
  await db.transaction(async (tx) => {
    if (!(await addPrice(tx, price, effectiveFromMs < nowMs ? nowMs : null))) throw new OperatorError(PRICE_EXISTS);
    // In the log of every tenant concerned: a price belongs to no single tenant.
    for (const { tenantId } of tenants) {
      await audit(rt, tx, { tenantId, origin: OPERATOR, action: 'wallet.price_set', targetId: category, details });
    }
  });
}
