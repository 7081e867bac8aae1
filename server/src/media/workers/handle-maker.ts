import { Readable } from 'node:stream';
import type { BlobStore } from '#blobs/blob-store';
import type { TransferFailure } from '#core/network/transfer-failure';
import type { Database } from '#database/database';
import { claimPendingHandles, failHandle, type PendingHandle, settleHandle } from '#media/actions/resumable-uploads';
import { noteSession } from '#media/store/resumable-uploads';
import type { SessionClient } from '#network/resumable-upload-client';
import type { DueWork } from '#queue/due-work';
import { LeaseWorker } from '#queue/lease-worker';
import type { Runtime } from '#runtime/runtime';

export interface HandleDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly blobs: BlobStore;
  readonly network: SessionClient;
  readonly due: DueWork<'upload_handle'>;
}

export interface HandleMaker {
  start(): void;
  stop(): Promise<void>;
}

/** A person waits for the first handle; an idle look costs one statement over an empty index. */
const POLL_MS = 250;
/** As many as the client has connections. */
const MAX_AT_ONCE = 4;

/** Carries complete uploads to the network, which gives a handle for each. */
export function makeHandleMaker(parts: HandleDeps): HandleMaker {
  const { rt, db, due } = parts;
  return new LeaseWorker<PendingHandle>({
    rt,
    name: 'handles',
    pollMs: POLL_MS,
    places: MAX_AT_ONCE,
    isDue: () => due.has('upload_handle'),
    claim: (limit, without) => claimPendingHandles(rt, db, limit, without),
    work: (pending) =>
      makeHandle(parts, pending).catch((error: Error) =>
        // The database is away: the lease ends, and the upload is due again.
        rt.log.warn({ uploadId: pending.upload.uploadId, error: error.message }, 'handle.interrupted'),
      ),
  });
}

async function makeHandle(parts: HandleDeps, pending: PendingHandle): Promise<void> {
  const { rt, db } = parts;
  const { tenantId, uploadId, attempts } = pending.upload;
  const outcome = await carry(parts, pending).catch((error: Error): { readonly failure: TransferFailure } => ({
    failure: { kind: 'unreachable', reason: `The bytes could not be read (${error.name}).` },
  }));
  if ('handle' in outcome) return settleHandle(db, pending.upload, outcome.handle);
  rt.log.info({ tenantId, uploadId, attempts, kind: outcome.failure.kind }, 'handle.failed');
  return failHandle(rt, db, pending.upload, outcome.failure);
}

/** Continues where the network's session stopped; a fresh session begins at 0. */
async function carry(
  { db, blobs, network }: HandleDeps,
  { upload, file }: PendingHandle,
): Promise<{ readonly handle: string } | { readonly failure: TransferFailure }> {
  const { mimeType, filename, key } = file;
  const begun =
    upload.session === null
      ? await network.begin({ size: upload.size, mimeType, filename })
      : { session: upload.session };
  if ('failure' in begun) return begun;
  const { session } = begun;
  if (upload.session === null) await noteSession(db, upload, session);
  const reached = upload.session === null ? { offset: 0 } : await network.offsetOf(session);
  if ('failure' in reached) return reached;
  const { offset } = reached;
  // All bytes are there and their answer was lost: an empty piece fetches the handle.
  if (offset >= upload.size) return network.send({ session, offset, length: 0, bytes: Readable.from([]) });
  const bytes = await blobs.open(key, { first: offset, last: upload.size - 1 });
  if (bytes === null) return { failure: { kind: 'unfit', reason: 'The bytes of the media no longer exist.' } };
  return network.send({ session, offset, length: upload.size - offset, bytes });
}
