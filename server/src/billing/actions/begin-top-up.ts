import { audit } from '#access/actions/audit';
import { type CheckoutInput, nextAskMs, type PaymentGateway } from '#billing/domain/top-up';
import { countPendingTopUps, endTopUp, insertTopUp, openTopUp } from '#billing/store/top-ups';
import type { Origin } from '#core/caller/origin';
import { ApiProblem } from '#core/errors';
import type { TenantId, TopUpId } from '#core/ids';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';

export interface TopUpDeps {
  readonly rt: Runtime;
  readonly db: Database;
  /** Null: none is set up. */
  readonly payments: PaymentGateway | null;
}

export interface TopUpInput {
  readonly tenantId: TenantId;
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly origin: Origin;
}

/** Open payments of a tenant: the gateway is asked for each, and one tenant must not delay the others. */
const MAX_PENDING = 50;
/** A request that is killed while it waits for the gateway leaves a top-up that cannot be paid; it ends after this. */
const ABANDONED_MS = 60 * 60_000;

/**
 * Begins a payment into a wallet: a row first, then the page to pay on, so that no payment can come in for a top-up that
 * is not known here. The gateway is called outside of any transaction.
 * @throws ApiProblem wallet_disabled, validation_failed, conflict, payment_refused, payment_unavailable
 */
export async function beginTopUp(
  { rt, db, payments }: TopUpDeps,
  wish: TopUpInput,
): Promise<{ readonly topUpId: TopUpId; readonly checkoutUrl: string }> {
  if (rt.config.walletEnabled === 'false' || payments === null) throw new ApiProblem('wallet_disabled');
  requireMoney(rt, wish);
  if ((await countPendingTopUps(db, wish.tenantId)) >= MAX_PENDING) {
    throw new ApiProblem('conflict', {
      sentence: `There are ${MAX_PENDING} pending payments. Pay one, or let it expire.`,
    });
  }
  const { tenantId, amount, currency } = wish;
  const begun: CheckoutInput = { tenantId, topUpId: rt.newId<TopUpId>(), amount, currency };
  await storeTopUp(rt, db, { ...begun, origin: wish.origin });
  const outcome = await payments.openCheckout(begun);
  const nowMs = rt.clock.now();
  if (outcome.kind === 'opened') {
    await openTopUp(db, begun, { ...outcome, askMs: nextAskMs(0, nowMs), nowMs });
    return { topUpId: begun.topUpId, checkoutUrl: outcome.url };
  }
  await endTopUp(db, { ...begun, status: 'failed', note: 'The payment gateway did not open a payment page.', nowMs });
  rt.log.warn({ tenant: tenantId, topup: begun.topUpId, reason: outcome.reason }, `topup.${outcome.kind}`);
  const code = outcome.kind === 'refused' ? 'payment_refused' : 'payment_unavailable';
  throw new ApiProblem(code, { cause: outcome.reason });
}

function requireMoney({ config }: Runtime, { amount, currency }: TopUpInput): void {
  const { walletCurrency, topUpMin: min, topUpMax: max } = config;
  const details = [
    ...(currency === walletCurrency
      ? []
      : [{ path: 'body.currency', message: `currency must be that of the wallet, ${walletCurrency}.` }]),
    ...(amount >= min && amount <= max
      ? []
      : [{ path: 'body.amount', message: `amount must be a whole number from ${min} to ${max}.` }]),
  ];
  if (details.length > 0) throw new ApiProblem('validation_failed', { details });
}

async function storeTopUp(
  rt: Runtime,
  db: Database,
  begun: CheckoutInput & { readonly origin: Origin },
): Promise<void> {
  const { tenantId, topUpId, amount, currency, origin } = begun;
  const nowMs = rt.clock.now();
  await db.transaction(async (tx) => {
    await insertTopUp(tx, { tenantId, topUpId, amount, currency, askMs: nowMs + ABANDONED_MS, nowMs });
    await audit(rt, tx, {
      tenantId,
      origin,
      action: 'wallet.topup_begun',
      targetId: topUpId,
      details: { amount, currency },
    });
  });
}
