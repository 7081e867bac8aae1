import { retryDelayMs } from '#core/backoff';
import { ApiProblem } from '#core/errors';
import type { TenantId, UploadId } from '#core/ids';
import { describeFailure, isPassing, type TransferFailure } from '#core/network/transfer-failure';
import type { Database } from '#database/database';
import { blobKey } from '#media/domain/blob-key';
import {
  noHandleFor,
  type ResumableUpload,
  UNFINISHED_LIFETIME_MS,
  yieldsHandle,
} from '#media/domain/resumable-upload';
import { findMedia } from '#media/store/media';
import {
  type ClaimedSpace,
  claimUploads,
  completeUpload,
  findUpload,
  insertUpload,
  lockClaimedSpace,
  noteSession,
  removeOldUploads,
  settleUpload,
} from '#media/store/resumable-uploads';
import type { Runtime } from '#runtime/runtime';
import { type Alongside, quotaOf } from './store-media.ts';

/** What is kept of finished uploads, so that their handle can be read again. */
const FINISHED_LIFETIME_MS = 7 * UNFINISHED_LIFETIME_MS;
/** A claimed upload is left alone by others for so long. */
const LEASE_MS = 120_000;

type NewUpload = Pick<ResumableUpload, 'tenantId' | 'size' | 'filename' | 'mimeType' | 'metadata'>;

/**
 * Opens an upload whose bytes are to come.
 * @throws ApiProblem rate_limited when too many of the tenant are unfinished, media_quota_exceeded when its quota has no
 *   room for what they have announced
 */
export async function beginUpload(
  rt: Runtime,
  db: Database,
  wanted: NewUpload & { readonly uploadId: UploadId },
): Promise<void> {
  const { tenantId, uploadId, size } = wanted;
  const quotaBytes = await quotaOf(rt, db, { tenantId, origin: 'resumable' });
  await db.transaction(async (tx) => {
    const claimed = await lockClaimedSpace(tx, tenantId, rt.clock.now() - UNFINISHED_LIFETIME_MS);
    const refusal = refusalOf(rt, claimed, { size, quotaBytes });
    if (refusal !== null) throw refusal;
    await insertUpload(tx, { ...freshUpload(rt, wanted), uploadId });
  });
}

function refusalOf(
  { config }: Pick<Runtime, 'config'>,
  { open, promisedBytes, storedBytes }: ClaimedSpace,
  { size, quotaBytes }: { readonly size: number; readonly quotaBytes: number | null },
): ApiProblem | null {
  if (open >= config.openUploads) {
    const sentence = `There are too many unfinished uploads: at most ${config.openUploads} per tenant. Complete or delete one.`;
    return new ApiProblem('rate_limited', { sentence });
  }
  const needed = storedBytes + promisedBytes + size;
  return quotaBytes !== null && needed > quotaBytes ? new ApiProblem('media_quota_exceeded') : null;
}

/** An upload whose bytes came in one piece: written together with its media, it waits for its handle. */
export function completeAtOnce(
  rt: Runtime,
  wanted: NewUpload,
): { readonly uploadId: UploadId; readonly tie: Alongside } {
  const upload = freshUpload(rt, wanted);
  const tie: Alongside = (tx, { mediaId }) => insertUpload(tx, { ...upload, status: 'processing', mediaId });
  return { uploadId: upload.uploadId, tie };
}

function freshUpload(rt: Runtime, wanted: NewUpload): ResumableUpload {
  return {
    ...wanted,
    uploadId: rt.newId<UploadId>(),
    status: 'uploading',
    mediaId: null,
    session: null,
    handle: null,
    error: null,
    attempts: 0,
    createdMs: rt.clock.now(),
  };
}

/** Another request has completed the upload; what was stored here is undone. */
export class CompletedElsewhere extends Error {
  override name = 'CompletedElsewhere';
}

/** Ties the media to its upload, in the transaction that makes it visible. */
export function completing(rt: Runtime, upload: ResumableUpload): Alongside {
  return async (tx, { mediaId }) => {
    const first = await completeUpload(tx, upload, { mediaId, nowMs: rt.clock.now() });
    if (!first) throw new CompletedElsewhere('The upload is already complete.');
  };
}

/** An upload that waits for its handle, and where its bytes are. */
export interface PendingHandle {
  readonly tenantId: TenantId;
  readonly upload: ResumableUpload;
  readonly file: { readonly key: string; readonly mimeType: string; readonly filename: string | null };
}

/** Takes uploads for this process whose turn has come. Those that can never have a handle are settled right here. */
export async function claimPendingHandles(
  rt: Runtime,
  db: Database,
  limit: number,
  without: readonly TenantId[] = [],
): Promise<readonly PendingHandle[]> {
  const nowMs = rt.clock.now();
  const claimed = await claimUploads(db, { nowMs, untilMs: nowMs + LEASE_MS, limit, without });
  const pending: PendingHandle[] = [];
  for (const upload of claimed) {
    const media = await findMedia(db, upload.tenantId, upload.mediaId ?? '', nowMs);
    if (media !== null && yieldsHandle(media.mimeType)) {
      const { mimeType, filename } = media;
      pending.push({
        tenantId: upload.tenantId,
        upload,
        file: { key: blobKey(media.sha256, media.blobId), mimeType, filename },
      });
      continue;
    }
    const error = media === null ? mediaGone : unsupported(media.mimeType);
    await settleUpload(db, upload, { dueMs: null, error });
  }
  return pending;
}

const mediaGone = { code: 'handle_refused', message: 'The media was deleted before it was sent to the network.' };

function unsupported(mimeType: string) {
  return {
    code: 'handle_refused',
    message: noHandleFor(mimeType),
  };
}

/** The network has all bytes and gave this handle. */
export async function settleHandle(db: Database, upload: ResumableUpload, handle: string): Promise<void> {
  await settleUpload(db, upload, { handle });
}

/** Refusals of one upload in all: a session that the network has forgotten costs one. */
const MAX_REFUSALS = 3;

/**
 * Records a failed transfer. Transient failures continue where the network's session stopped, until the upload is a day
 * old.
 */
export async function failHandle(
  rt: Runtime,
  db: Database,
  upload: ResumableUpload,
  failure: TransferFailure,
): Promise<void> {
  const { attempts, createdMs } = upload;
  const refused = !isPassing(failure);
  // A refusal may be about the session and not the file: once more from the beginning.
  if (refused) await noteSession(db, upload, null);
  const delayMs = retryDelayMs({ retryClass: 'transient', attempt: Math.min(attempts, 100), random: rt.random }) ?? 0;
  const dueMs = rt.clock.now() + delayMs;
  const over = dueMs > createdMs + UNFINISHED_LIFETIME_MS || (refused && attempts >= MAX_REFUSALS);
  const code = refused ? 'handle_refused' : 'handle_unavailable';
  await settleUpload(db, upload, { dueMs: over ? null : dueMs, error: { code, message: describeFailure(failure) } });
}

/** Removes uploads that were not completed within a day, and any that is a week old. */
export function removeStaleUploads(rt: Runtime, db: Database): Promise<number> {
  const nowMs = rt.clock.now();
  return removeOldUploads(db, {
    unfinishedMs: nowMs - UNFINISHED_LIFETIME_MS,
    anyMs: nowMs - FINISHED_LIFETIME_MS,
  });
}

/** The upload of a tenant, unless it is over: one that was not completed in time does not exist any more. */
export async function findLiveUpload(
  rt: Runtime,
  db: Database,
  tenantId: TenantId,
  uploadId: string,
): Promise<ResumableUpload | null> {
  const upload = await findUpload(db, tenantId, uploadId);
  const over = upload?.status === 'uploading' && upload.createdMs + UNFINISHED_LIFETIME_MS <= rt.clock.now();
  return over ? null : upload;
}
