import { sniffType } from '#blobs/sniff-type';
import type { HttpDeps } from '#http/deps';
import { CompletedElsewhere, completing } from '#media/actions/resumable-uploads';
import { storeMedia } from '#media/actions/store-media';
import { isAnimatedWebp, MAX_NETWORK_BYTES } from '#media/domain/media';
import { chooseMimeType } from '#media/domain/media-type';
import type { ResumableUpload } from '#media/domain/resumable-upload';
import { arrivedMedia } from '#media/http/receive-file';

type CompleteDeps = Pick<HttpDeps, 'rt' | 'db' | 'blobs' | 'partials'>;

/** How many bytes of an upload are here. */
export async function bytesHere(
  { partials }: Pick<HttpDeps, 'partials'>,
  { uploadId, size, status }: ResumableUpload,
): Promise<number> {
  return status === 'uploading' ? ((await partials.size(uploadId)) ?? 0) : size;
}

/**
 * Makes a complete upload media, which then waits for its handle. Asked at the last piece and at every later look at
 * the upload, so that a process killed in between leaves nothing undone. Does nothing while bytes are missing.
 */
export async function completeIfWhole(deps: CompleteDeps, upload: ResumableUpload): Promise<void> {
  const { partials } = deps;
  if (upload.status !== 'uploading' || (await bytesHere(deps, upload)) !== upload.size) return;
  const bytes = await partials.open(upload.uploadId);
  if (bytes === null) return;
  await store(deps, upload, bytes);
  await partials.remove(upload.uploadId);
}

async function store({ rt, db, blobs }: CompleteDeps, upload: ResumableUpload, bytes: AsyncIterable<Uint8Array>) {
  const { tenantId, filename, mimeType: declared } = upload;
  const blob = await blobs.receive(bytes, MAX_NETWORK_BYTES);
  try {
    const { head } = blob;
    const mimeType = chooseMimeType({ sniffed: await sniffType(head), declared, head });
    const file = { blob, mimeType, animated: isAnimatedWebp(head), filename };
    await storeMedia(rt, db, arrivedMedia(file, { tenantId, origin: 'resumable' }), completing(rt, upload));
  } catch (error) {
    if (!(error instanceof CompletedElsewhere)) throw error;
  } finally {
    await blob.discard();
  }
}
