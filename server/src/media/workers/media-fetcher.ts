import type { TokenProvider } from '#accounts/actions/account-token';
import type { BlobStore } from '#blobs/blob-store';
import type { Database } from '#database/database';
import { claimDueFetches, endMediaFetch, failMediaFetch } from '#media/actions/fetch-media';
import type { ClaimedFetch } from '#media/store/inbound-media';
import type { MediaClient } from '#network/media-client';
import type { DueWork } from '#queue/due-work';
import { LeaseWorker } from '#queue/lease-worker';
import type { Runtime } from '#runtime/runtime';
import { fetchFile } from './fetch-file.ts';

export interface FetcherDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly blobs: BlobStore;
  readonly network: MediaClient;
  readonly tokens: TokenProvider;
  readonly due: DueWork<'media_fetch'>;
}

/** Downloads the files of customers. */
export interface MediaFetcher {
  start(): void;
  /** Finishes what is under way. */
  stop(): Promise<void>;
}

const POLL_MS = 500;
/** Concurrent downloads per process: as many as the client has connections. */
const MAX_RUNNING = 16;

/**
 * Finds files that are due and fetches several concurrently, of each tenant its share. Claims are leases in the
 * database, so that any number of processes share the work and a killed one only delays it.
 */
export function makeMediaFetcher(parts: FetcherDeps): MediaFetcher {
  const { rt, db, due } = parts;
  return new LeaseWorker<ClaimedFetch>({
    rt,
    name: 'media_fetch',
    pollMs: POLL_MS,
    places: MAX_RUNNING,
    isDue: () => due.has('media_fetch'),
    claim: (limit, without) => claimDueFetches(rt, db, limit, without),
    work: (fetch) => fetchAndSettle(parts, fetch),
  });
}

async function fetchAndSettle(parts: FetcherDeps, fetch: ClaimedFetch): Promise<void> {
  const { rt, db } = parts;
  const { tenantId, messageId, attempt } = fetch;
  try {
    const failure = await fetchFile(parts, fetch);
    rt.metrics.mediaFetches.inc({ outcome: failure?.code ?? 'ready' });
    if (failure === null) return;
    const dueMs = await failMediaFetch(rt, db, fetch, failure);
    rt.log.info({ tenantId, messageId, attempt, code: failure.code, final: dueMs === null }, 'media.fetch_failed');
  } catch (error) {
    await endMediaFetch(rt, db, fetch, error).catch(() => undefined);
    // The database is away: the lease expires, and the file is due again.
    rt.log.warn({ tenantId, messageId, attempt, error: (error as Error).message }, 'media.fetch_interrupted');
  }
}
