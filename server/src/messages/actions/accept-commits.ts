import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { MAX_BATCH_ROWS } from '#database/group-commit';
import { noteFailure } from '#database/readiness';
import { TenantCommits } from '#database/tenant-commits';
import type { AcceptRow } from '#messages/store/accept-batch';
import type { Runtime } from '#runtime/runtime';
import { makeStoreBatch, type StoreBatch, type Storing } from './store-accepted.ts';

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
    gatherMs: 4,
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
