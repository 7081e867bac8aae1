import { type Balances, holdFor, type PriceList, priceList, transferOf } from '#billing/domain/wallet';
import { addHolds, type Hold, lockWallets, postTransfers } from '#billing/store/wallet';
import { listPrices } from '#billing/store/wallet-prices';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { type AcceptRow, insertAcceptedBatch, insertPaidBatch } from '#messages/store/accept-batch';
import type { Runtime } from '#runtime/runtime';
import { TtlCache } from '#runtime/ttl-cache';

/** What became of a message that was to be stored; unknown: its own statement failed, beside others that were stored. */
export type Storing = 'stored' | 'replay' | 'unaffordable' | 'unknown';

/** Stores a batch of messages, in the order of the batch. */
export type StoreBatch = (rows: readonly AcceptRow[]) => Promise<readonly Storing[]>;

type StoreDatabase = Pick<Database, 'run' | 'transaction'>;

/** New prices count after at most this long. */
const REMEMBER_MS = 2_000;

/** With the wallet off nothing gates a message. */
export function makeStoreBatch(rt: Runtime, db: StoreDatabase): StoreBatch {
  if (rt.config.walletEnabled === 'false') {
    return async (rows) => outcomes(rows, rows, await insertAcceptedBatch(db, rows));
  }
  const prices = new TtlCache<PriceList>({
    clock: rt.clock,
    maxAgeMs: REMEMBER_MS,
    maxEntries: 1,
    read: async () => priceList(await listPrices(db)),
  });
  return async (rows) => storePaid(rt, db, { rows, prices: await prices.of('all') });
}

interface PricedBatch {
  readonly rows: readonly AcceptRow[];
  readonly prices: PriceList;
}

const DESCRIPTION = 'Held for a message until the network tells its price.';

/**
 * Stores and holds in one statement; for tenants that cannot pay all that they have in the batch, each message is
 * checked.
 */
async function storePaid(rt: Runtime, db: StoreDatabase, { rows, prices }: PricedBatch): Promise<readonly Storing[]> {
  const nowMs = rt.clock.now();
  const holdMicros = rows.map((row) => holdOf(row, prices).amountMicros);
  const { stored, short } = await insertPaidBatch(db, { rows, holdMicros, description: DESCRIPTION, nowMs });
  if (short.size === 0) return outcomes(rows, rows, stored);
  const scarce = rows.filter(({ message }) => short.has(message.messageId));
  const weighed = await storeAffordable(rt, db, { rows: scarce, prices }).catch((error: Error) => {
    // The others are committed: failing them with these would make their callers repeat what is stored.
    rt.log.warn({ error: error.message, rows: scarce.length }, 'accept.failed');
    return scarce.map((): Storing => 'unknown');
  });
  const outcomeOf = new Map<AcceptRow, Storing | undefined>(scarce.map((row, index) => [row, weighed[index]]));
  return rows.map((row) => outcomeOf.get(row) ?? (stored.has(row.message.messageId) ? 'stored' : 'replay'));
}

/** The messages that their tenants can pay, and what is held for them, in one transaction. */
async function storeAffordable(
  rt: Runtime,
  db: StoreDatabase,
  { rows, prices }: PricedBatch,
): Promise<readonly Storing[]> {
  const nowMs = rt.clock.now();
  const holds = rows.map((row) => holdOf(row, prices));
  return db.transaction(async (tx) => {
    const paying = new Set(holds.filter((hold) => hold.amountMicros > 0).map((hold) => hold.tenantId));
    const wallets = await lockWallets(tx, paying, nowMs);
    const taken = affordable(wallets, holds);
    const affordableRows = rows.filter((_row, index) => taken[index]);
    const stored = affordableRows.length === 0 ? new Set<string>() : await insertAcceptedBatch(tx, affordableRows);
    const kept = holds.filter(({ messageId, amountMicros }) => amountMicros > 0 && stored.has(messageId));
    await addHolds(tx, kept);
    const transfers = kept.map((hold) => ({
      tenantId: hold.tenantId,
      // Made behind the lock: lines are read in the order of their ids.
      transferId: rt.newId(),
      transfer: transferOf('hold', hold.amountMicros),
      messageId: hold.messageId,
      description: DESCRIPTION,
    }));
    await postTransfers(tx, wallets, { transfers, nowMs });
    return outcomes(rows, affordableRows, stored);
  });
}

function holdOf({ message }: AcceptRow, prices: PriceList): Hold {
  const { tenantId, messageId, content, to, createdMs } = message;
  return { tenantId, messageId, amountMicros: holdFor(prices, { type: content.type, to, atMs: createdMs }) };
}

/** Message by message, in the order they came: whether what is left pays for it too. */
function affordable(wallets: ReadonlyMap<TenantId, Balances>, holds: readonly Hold[]): readonly boolean[] {
  const left = new Map([...wallets].map(([tenantId, { availableMicros }]) => [tenantId, availableMicros]));
  return holds.map(({ tenantId, amountMicros }) => {
    const available = left.get(tenantId) ?? 0;
    if (amountMicros > available) return false;
    left.set(tenantId, available - amountMicros);
    return true;
  });
}

function outcomes(
  rows: readonly AcceptRow[],
  tried: readonly AcceptRow[],
  stored: ReadonlySet<string>,
): readonly Storing[] {
  const triedRows = new Set(tried);
  return rows.map((row) => {
    if (!triedRows.has(row)) return 'unaffordable';
    return stored.has(row.message.messageId) ? 'stored' : 'replay';
  });
}
