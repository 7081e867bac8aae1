import type { TenantId } from '#core/ids';
import type { Runtime } from '#runtime/runtime';
import type { AcceptRow } from '#storage/accept-batch';
import type { Database } from '#storage/database';
import { GroupCommit, MAX_BATCH_ROWS } from '#storage/group-commit';
import { makeStoreBatch, type StoreBatch, type Storing } from './accept-paid.ts';
import { noteFailure } from './readiness.ts';

/** Messages waiting for a commit: what comes in a burst, or in batches, until the doors refuse (decision 0055). */
const MAX_WAITING = 20_000;
/** How long messages of a tenant whose rows were found locked are stored apart. */
const APART_MS = 10_000;

/** Stores accepted messages. */
export interface AcceptCommits {
  /** Resolves once the message is committed. @throws as GroupCommit does */
  readonly add: (row: AcceptRow) => Promise<Storing>;
  /** Whether messages of a tenant would wait behind more than the next statements take. */
  readonly isBacklogged: (tenantId: TenantId) => boolean;
  readonly drain: () => Promise<void>;
}

/**
 * Stores messages of all tenants together. Where somebody else holds a row of a tenant (an operator's transaction, a tool),
 * the batch fails soon and is stored tenant by tenant; messages of that tenant are then stored apart for a while, on other
 * connections, so that nobody else waits for the lock again.
 */
export function makeAcceptCommits(rt: Runtime, db: Database): AcceptCommits {
  const apartUntilMs = new Map<TenantId, number>();
  const commits = openCommits(rt, makeStoreBatch(rt, db), {
    maxInFlight: 2,
    onLocked: ({ message }) => {
      apartUntilMs.set(message.tenantId, rt.clock.monotonic() + APART_MS);
    },
  });
  const apart = openCommits(rt, makeStoreBatch(rt, patient(db)), { maxInFlight: 1 });
  const isApart = (tenantId: TenantId): boolean => {
    const untilMs = apartUntilMs.get(tenantId) ?? 0;
    if (untilMs <= rt.clock.monotonic()) apartUntilMs.delete(tenantId);
    return apartUntilMs.has(tenantId);
  };
  const commitsOf = (tenantId: TenantId) => (apartUntilMs.size > 0 && isApart(tenantId) ? apart : commits);
  return {
    add: (row) => commitsOf(row.message.tenantId).add(row),
    isBacklogged: (tenantId) => commitsOf(tenantId).isBacklogged,
    drain: async () => {
      await Promise.all([commits.drain(), apart.drain()]);
    },
  };
}

interface Opening {
  readonly maxInFlight: number;
  readonly onLocked?: (row: AcceptRow) => void;
}

function openCommits(rt: Runtime, store: StoreBatch, opening: Opening): GroupCommit<AcceptRow, Storing> {
  return new GroupCommit<AcceptRow, Storing>({
    ...opening,
    name: 'accept',
    maxBatch: MAX_BATCH_ROWS,
    maxQueued: MAX_WAITING,
    clock: rt.clock,
    // Much of a statement's cost is the same for one row and for 64; more leave the process idle meanwhile (decision 0037).
    minBatch: 64,
    callersReturn: true,
    gatherMs: 4,
    tenantOf: ({ message }) => message.tenantId,
    write: async (rows) => {
      const stored = await store(rows);
      rt.eventBell.ring(new Set(rows.map((row) => row.message.tenantId)));
      return stored;
    },
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
}

/** The connections that wait for locks as long as any statement may; those that only insert are few and everybody's. */
function patient(db: Database): Pick<Database, 'run' | 'transaction'> {
  return {
    run: (statement, parameters) => db.run({ ...statement, insertsOnly: false }, parameters),
    transaction: (work) => db.transaction(work),
  };
}
