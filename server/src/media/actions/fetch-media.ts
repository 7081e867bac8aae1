import { retryDelayMs } from '#core/backoff';
import { type InboundMediaErrorCode, inboundMediaErrors } from '#core/delivery-errors';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { faultKind } from '#database/pg-errors';
import { reportRefused } from '#database/until-stored';
import { type ClaimedFetch, claimFetches, failFetch, finishFetch } from '#media/store/inbound-media';
import type { Runtime } from '#runtime/runtime';
import type { Alongside } from './store-media.ts';

/**
 * A claimed file is left alone by others for so long. A killed process therefore delays a file by at most this, well
 * within the five minutes in which files are promised.
 */
export const FETCH_LEASE_MS = 120_000;
/** "ids from webhooks 7 days": later there is nothing to fetch. */
const NETWORK_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;
/** A file that differs from its announcement so often is not what was announced. */
const MAX_CORRUPT = 5;

/** Takes files that are due for this process, none of the tenants that have enough under way. */
export function claimDueFetches(
  rt: Runtime,
  db: Database,
  limit: number,
  without: readonly TenantId[] = [],
): Promise<readonly ClaimedFetch[]> {
  const nowMs = rt.clock.now();
  return claimFetches(db, { nowMs, untilMs: nowMs + FETCH_LEASE_MS, limit, without });
}

/** Ties the media to its message, in the transaction that makes it visible. */
export function tiedTo(fetch: ClaimedFetch): Alongside {
  return async (tx, media) => {
    if (await finishFetch(tx, fetch, media.mediaId)) return;
    throw new FetchedElsewhere('Another process has fetched this file.');
  };
}

/** The lease was over and another process was faster; what was stored here is undone. */
export class FetchedElsewhere extends Error {
  override name = 'FetchedElsewhere';
}

/** Why a fetch came to nothing. */
export interface FetchFailure {
  readonly code: InboundMediaErrorCode;
  /** One sentence for the tenant; what the code says when there is nothing more exact. */
  readonly sentence?: string;
  /** A later try can help. */
  readonly passing: boolean;
  readonly retryAfterMs?: number;
}

/** Records a failed fetch where the message shows it. @returns when it is tried again; null: never */
export async function failMediaFetch(
  rt: Runtime,
  db: Database,
  fetch: ClaimedFetch,
  failure: FetchFailure,
): Promise<number | null> {
  const dueMs = nextTryMs(rt, fetch, failure);
  const error = { code: failure.code, message: failure.sentence ?? inboundMediaErrors[failure.code] };
  await failFetch(db, fetch, { dueMs, error });
  return dueMs;
}

/** A file whose row is refused for what it holds is given up, so that it is not fetched for ever. */
export async function endMediaFetch(rt: Runtime, db: Database, fetch: ClaimedFetch, error: unknown): Promise<void> {
  if (faultKind(error) !== 'row') return;
  const { tenantId, messageId } = fetch;
  reportRefused(rt, { what: 'file', ids: { tenantId, messageId } }, error);
  const code = 'media_not_stored';
  await failFetch(db, fetch, { dueMs: null, error: { code, message: inboundMediaErrors[code] } });
}

function nextTryMs(rt: Runtime, { attempt, createdMs }: ClaimedFetch, failure: FetchFailure): number | null {
  if (!failure.passing || (failure.code === 'media_corrupt' && attempt >= MAX_CORRUPT)) return null;
  const { retryAfterMs } = failure;
  const delayMs = retryDelayMs({
    retryClass: 'transient',
    // The lifetime at the network ends it, not a number of attempts: 672 tries at 15 minutes are seven days.
    attempt: Math.min(attempt, 100),
    random: rt.random,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
  const dueMs = rt.clock.now() + (delayMs ?? 0);
  return delayMs === null || dueMs > createdMs + NETWORK_LIFETIME_MS ? null : dueMs;
}
