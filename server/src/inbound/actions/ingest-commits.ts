import { faultKind } from '#database/pg-errors';
import { TenantCommits } from '#database/tenant-commits';
import { applyCallbacks, type IngestCounts, type IngestDeps, type ParsedCallback } from './apply-callbacks.ts';
import { isOfThePast } from './callback-groups.ts';
import { isOfNumber } from './sort-items.ts';

/** Items of one transaction: long enough to be cheap, short enough not to hold rows. */
const MAX_ITEMS = 2_000;
const MAX_CALLBACKS = 500;
/**
 * After a batch the next one waits this long for company: each costs the same fixed part, and statuses of one message
 * that meet in a batch are one update instead of three. The first of a quiet time is never delayed.
 */
const GATHER_MS = 60;
/** This many waiting callbacks are applied without gathering more. */
const COMPANY = 200;

export interface IngestCommitsOptions {
  /** Callbacks that may wait in memory. */
  readonly maxQueued: number;
  /** From then on nothing is applied any more: what waits is in the database as well. */
  readonly isStopped: () => boolean;
  readonly onApplied: (batch: readonly ParsedCallback[], counts: IngestCounts) => void;
}

export type IngestCommits = Pick<TenantCommits<ParsedCallback, undefined>, 'add' | 'drain' | 'pending' | 'isHanging'>;

/**
 * Applies callbacks in batches. One that cannot be stored fails alone, for any reason. While another transaction locks
 * a row of a tenant, only that tenant's callbacks wait. Those about the past, which are large, wait for each other, and nobody for them.
 */
export function makeIngestCommits(parts: IngestDeps, options: IngestCommitsOptions): IngestCommits {
  const present = makeCommits(parts, options, 'ingest');
  const past = makeCommits(parts, options, 'ingest_past');
  return {
    add: (callback) => (isOfThePast(callback) ? past : present).add(callback),
    drain: async () => void (await Promise.all([present.drain(), past.drain()])),
    get pending() {
      return present.pending + past.pending;
    },
    get isHanging() {
      return present.isHanging || past.isHanging;
    },
  };
}

function makeCommits(
  parts: IngestDeps,
  { maxQueued, isStopped, onApplied }: IngestCommitsOptions,
  name: string,
): TenantCommits<ParsedCallback, undefined> {
  const { rt, db } = parts;
  return new TenantCommits<ParsedCallback, undefined>({
    name,
    maxBatch: MAX_CALLBACKS,
    maxQueued,
    // Leaves memory for all other tenants.
    maxApart: Math.floor(maxQueued / 5),
    maxInFlight: 1,
    minBatch: COMPANY,
    gatherMs: GATHER_MS,
    clock: rt.clock,
    isShared: db.kind === 'postgres',
    tenantOf: numbersOf,
    weightOf: ({ items }) => items.length,
    maxWeight: MAX_ITEMS,
    write: async (batch) => {
      if (isStopped()) throw new Error('No callback is applied any more.');
      onApplied(batch, await applyCallbacks(parts, batch));
      return batch.map(() => undefined);
    },
    splits: (error) => !isStopped() && faultKind(error) !== 'connection',
    onFailure: (error, callbacks) => {
      if (!isStopped()) rt.log.warn({ error: (error as Error).message, callbacks }, 'ingest.failed');
    },
  });
}

/** Identifies the tenant of a callback without a query; few callbacks name several numbers. */
function numbersOf({ items }: ParsedCallback): string {
  const numbers = items.flatMap((item) => (isOfNumber(item) ? item.phoneNumberId : []));
  return [...new Set(numbers)].join(' ');
}
