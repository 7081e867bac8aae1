import { type Balances, holdFor, type PriceList, priceList, transferOf } from '#billing/domain/wallet';
import { addHolds, type Hold, lockWallets, postTransfers } from '#billing/store/wallet';
import { listPrices } from '#billing/store/wallet-prices';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { MAX_BATCH_ROWS } from '#database/group-commit';
import { noteFailure } from '#database/readiness';
import { TenantCommits } from '#database/tenant-commits';
import { type AcceptRow, insertBatch, insertPaidBatch, type StoredBatch } from '#messages/store/accept-batch';
import type { Runtime } from '#runtime/runtime';
import { TtlCache } from '#runtime/ttl-cache';

/**
 * What became of a message that was to be stored; unknown: its own statement failed, beside others that were stored.
 * stored_outside: its recipient has not written within 24 hours, as whoever set a `windowKey` wanted to know.
 */
export type Storing = 'stored' | 'stored_outside' | 'replay' | 'unaffordable' | 'unknown';

/** Stores a batch of messages, in the order of the batch. */
export type StoreBatch = (rows: readonly AcceptRow[]) => Promise<readonly Storing[]>;

type StoreDatabase = Pick<Database, 'run' | 'transaction'>;

/** New prices count after at most this long. */
const REMEMBER_MS = 2_000;

/** With the wallet off nothing gates a message. */
export function makeStoreBatch(rt: Runtime, db: StoreDatabase): StoreBatch {
  if (rt.config.walletEnabled === 'false') {
    return async (rows) => outcomes(rows, rows, await insertBatch(db, rows));
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

const NOTHING: StoredBatch = { stored: new Set(), outside: new Set() };
const DESCRIPTION = 'Held for a message until the network reports its price.';

/**
 * Stores and holds in one statement; for tenants that cannot pay all that they have in the batch, each message is
 * checked.
 */
async function storePaid(rt: Runtime, db: StoreDatabase, { rows, prices }: PricedBatch): Promise<readonly Storing[]> {
  const nowMs = rt.clock.now();
  const holdMicros = rows.map((row) => holdOf(row, prices).amountMicros);
  const batch = await insertPaidBatch(db, { rows, holdMicros, description: DESCRIPTION, nowMs });
  const { short } = batch;
  if (short.size === 0) return outcomes(rows, rows, batch);
  const scarce = rows.filter(({ message }) => short.has(message.messageId));
  const weighed = await storeAffordable(rt, db, { rows: scarce, prices }).catch((error: Error) => {
    // The others are committed: failing them with these would make their callers repeat what is stored.
    rt.log.warn({ error: error.message, rows: scarce.length }, 'accept.failed');
    return scarce.map((): Storing => 'unknown');
  });
  const outcomeOf = new Map<AcceptRow, Storing | undefined>(scarce.map((row, index) => [row, weighed[index]]));
  return rows.map((row) => outcomeOf.get(row) ?? outcomeIn(batch, row));
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
    const batch = affordableRows.length === 0 ? NOTHING : await insertBatch(tx, affordableRows);
    const { stored } = batch;
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
    return outcomes(rows, affordableRows, batch);
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

function outcomes(rows: readonly AcceptRow[], tried: readonly AcceptRow[], batch: StoredBatch): readonly Storing[] {
  const triedRows = new Set(tried);
  return rows.map((row) => (triedRows.has(row) ? outcomeIn(batch, row) : 'unaffordable'));
}

function outcomeIn({ stored, outside }: StoredBatch, { message: { messageId } }: AcceptRow): Storing {
  if (!stored.has(messageId)) return 'replay';
  return outside.has(messageId) ? 'stored_outside' : 'stored';
}

/** Fewer than this are a statement that costs mostly what every statement costs. */
const FEW = 16;

/** Messages that come in a stream wait longest for company while it is thin. A crowd of callers that come back is held up by nothing. */
function acceptGatherMs(carried: number): number {
  return carried < FEW ? 10 : 4;
}

/** Messages waiting for a commit: what comes in a burst, or in batches, until the doors refuse (decision 0055). */
const MAX_WAITING = 20_000;
/** Stores accepted messages. */
export interface AcceptCommits {
  /** Resolves once the message is committed. @throws as GroupCommit does */
  readonly add: (row: AcceptRow) => Promise<Storing>;
  /** Whether messages of a tenant would wait behind more than the next statements take. */
  readonly isBacklogged: (tenantId: TenantId) => boolean;
  readonly drain: () => Promise<void>;
}

/** Stores messages of all tenants together, and separately those of a tenant whose rows another transaction holds. */
export function makeAcceptCommits(rt: Runtime, db: Database): AcceptCommits {
  const storing = (store: StoreBatch) => async (rows: readonly AcceptRow[]) => {
    const stored = await store(rows);
    rt.eventSignal.notify(new Set(rows.map((row) => row.message.tenantId)));
    return stored;
  };
  const commits = new TenantCommits<AcceptRow, Storing>({
    name: 'accept',
    maxBatch: MAX_BATCH_ROWS,
    maxQueued: MAX_WAITING,
    maxInFlight: 2,
    clock: rt.clock,
    isShared: db.kind === 'postgres',
    // A caller waits for the answer.
    hangingMs: 30,
    // Much of a statement's cost is the same for one row and for 64; larger batches leave the process idle (decision
    // 0037).
    minBatch: 64,
    callersReturn: true,
    gatherMs: acceptGatherMs,
    tenantOf: ({ message }) => message.tenantId,
    write: storing(makeStoreBatch(rt, db)),
    writePatiently: storing(makeStoreBatch(rt, patient(db))),
    onBatch: (rows) => {
      rt.metrics.batchRows.observe({ batch: 'accept' }, rows);
      rt.workHealth.succeeded('accept');
    },
    onFailure: (error, rows) => {
      rt.metrics.storageFailures.inc({ batch: 'accept' });
      noteFailure(rt, 'accept', error);
      rt.log.warn({ error: (error as Error).message, rows }, 'accept.failed');
    },
  });
  return {
    add: (row) => commits.add(row),
    isBacklogged: (tenantId) => commits.isBacklogged(tenantId),
    drain: () => commits.drain(),
  };
}

/** The connections that wait for locks as long as any statement may; those that only insert are few and everybody's. */
function patient(db: Database): Pick<Database, 'run' | 'transaction'> {
  return {
    run: (statement, parameters) => db.run({ ...statement, insertsOnly: false }, parameters),
    transaction: (work) => db.transaction(work),
  };
}
