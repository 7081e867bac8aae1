import { audit } from '#access/actions/audit';
import { SERVICE } from '#access/domain/audit';
import { adjustmentOf, costBy, type PriceList, priceList } from '#billing/domain/wallet';
import { listPaidMessages, listWalletTenants, type PaidMessage } from '#billing/store/paid-messages';
import { lockWallets, postTransfers } from '#billing/store/wallet';
import { findPricesToRerate, listPrices, rerateAt } from '#billing/store/wallet-prices';
import type { Origin } from '#core/caller/origin';
import { idFloor, type TenantId } from '#core/ids';
import type { Database, Transaction } from '#database/database';
import type { Runtime } from '#runtime/runtime';

/** Messages processed in one transaction: it locks the wallet of their tenant. */
const BATCH = 500;
const TENANTS = 200;
/** What a wallet could not pay is tried again then: each pass reads all messages of the time. */
const TRY_AGAIN_MS = 60 * 60_000;
const START = '00000000-0000-0000-0000-000000000000';

export interface Rerating {
  /** Messages accepted from then on. */
  readonly fromMs: number;
  /** Null: all tenants. */
  readonly tenantId: TenantId | null;
  /** Reports what would be posted, and posts nothing. */
  readonly dryRun: boolean;
  readonly origin: Origin;
}

/** What a re-rating posts, in micros. */
export interface RerateCounts {
  readonly messages: number;
  readonly givenMicros: number;
  readonly takenMicros: number;
  /** What was to be taken and is not there: a later run takes it. */
  readonly missingMicros: number;
}

const NONE: RerateCounts = { messages: 0, givenMicros: 0, takenMicros: 0, missingMicros: 0 };

/**
 * Posts an adjustment for every message that was paid at other prices than the current ones for its time, so that the
 * ledger says what it would say had they been valid from the beginning. What was paid is read from the ledger behind
 * the lock of the wallet: a second run finds nothing to do, also after a crash in the middle.
 */
export async function rerateWallets(rt: Runtime, db: Database, rerating: Rerating): Promise<RerateCounts> {
  if (rerating.tenantId !== null) return rerateTenant(rt, db, { ...rerating, tenantId: rerating.tenantId });
  let counts = NONE;
  let after = START;
  while (true) {
    const tenants = await listWalletTenants(db, after, TENANTS);
    for (const tenantId of tenants) counts = added(counts, await rerateTenant(rt, db, { ...rerating, tenantId }));
    const last = tenants.at(-1);
    if (last === undefined) return counts;
    after = last;
  }
}

/** The automatic form: charges the prices of the past that are due. @returns null: there were none */
export async function reratePastPrices(rt: Runtime, db: Database): Promise<RerateCounts | null> {
  const prices = await findPricesToRerate(db, rt.clock.now());
  const [earliest] = prices;
  if (earliest === undefined) return null;
  const fromMs = earliest.effectiveFromMs;
  const counts = await rerateWallets(rt, db, { fromMs, tenantId: null, dryRun: false, origin: SERVICE });
  const againMs = counts.missingMicros > 0 ? rt.clock.now() + TRY_AGAIN_MS : null;
  for (const price of prices) await rerateAt(db, price, againMs);
  rt.log.info({ ...counts, prices: prices.length }, 'wallet.rerated');
  return counts;
}

type OneTenant = Rerating & { readonly tenantId: TenantId };

async function rerateTenant(rt: Runtime, db: Database, one: OneTenant): Promise<RerateCounts> {
  let counts = NONE;
  let after: string | null = idFloor(one.fromMs);
  while (after !== null) {
    const page: RatedPage = await db.transaction((tx) => ratePage(rt, tx, { one, after: after ?? START }));
    counts = added(counts, page.counts);
    after = page.after;
  }
  return counts;
}

interface RatedPage {
  readonly counts: RerateCounts;
  readonly after: string | null;
}

async function ratePage(
  rt: Runtime,
  tx: Transaction,
  { one, after }: { readonly one: OneTenant; readonly after: string },
): Promise<RatedPage> {
  const { tenantId, fromMs, dryRun, origin } = one;
  const nowMs = rt.clock.now();
  const wallets = await lockWallets(tx, new Set([tenantId]), nowMs);
  const prices = priceList(await listPrices(tx));
  const page = await listPaidMessages(tx, tenantId, { fromMs, after, limit: BATCH });
  const plan = planAdjustments(page.messages, prices, wallets.get(tenantId)?.availableMicros ?? 0);
  if (dryRun || plan.adjustments.length === 0) return { counts: plan.counts, after: page.after };
  const transfers = plan.adjustments.map(({ message, micros }) => ({
    tenantId,
    transferId: rt.newId(),
    transfer: adjustmentOf(micros),
    messageId: message.messageId,
    description: `Another price of the category ${message.category ?? 'unknown'}.`,
  }));
  await postTransfers(tx, wallets, { transfers, nowMs });
  const details = {
    messages: plan.counts.messages,
    given_micros: plan.counts.givenMicros,
    taken_micros: plan.counts.takenMicros,
  };
  await audit(rt, tx, { tenantId, origin, action: 'wallet.rerated', targetId: tenantId, details });
  return { counts: plan.counts, after: page.after };
}

interface Adjustment {
  readonly message: PaidMessage;
  /** Positive gives back. */
  readonly micros: number;
}

/** Gives back first, so that what is given pays for what is taken; and takes no more than is there. */
function planAdjustments(
  messages: readonly PaidMessage[],
  prices: PriceList,
  availableMicros: number,
): { readonly adjustments: readonly Adjustment[]; readonly counts: RerateCounts } {
  const wanted = messages
    .map((message) => ({ message, micros: message.paidMicros - costBy(prices, message) }))
    .filter(({ micros }) => micros !== 0)
    .toSorted((a, b) => b.micros - a.micros);
  const givenMicros = sumOf(wanted, ({ micros }) => Math.max(0, micros));
  let left = availableMicros + givenMicros;
  const adjustments = wanted
    .map(({ message, micros }) => {
      const posted = Math.max(micros, -left);
      if (posted < 0) left += posted;
      return { message, micros: posted };
    })
    .filter(({ micros }) => micros !== 0);
  const takenMicros = sumOf(adjustments, ({ micros }) => Math.max(0, -micros));
  const missingMicros = sumOf(wanted, ({ micros }) => Math.max(0, -micros)) - takenMicros;
  return { adjustments, counts: { messages: adjustments.length, givenMicros, takenMicros, missingMicros } };
}

function sumOf(adjustments: readonly Adjustment[], amountOf: (adjustment: Adjustment) => number): number {
  return adjustments.reduce((sum, adjustment) => sum + amountOf(adjustment), 0);
}

function added(a: RerateCounts, b: RerateCounts): RerateCounts {
  return {
    messages: a.messages + b.messages,
    givenMicros: a.givenMicros + b.givenMicros,
    takenMicros: a.takenMicros + b.takenMicros,
    missingMicros: a.missingMicros + b.missingMicros,
  };
}
