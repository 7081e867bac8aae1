import type { BlobStore } from '#blobs/blob-store';
import { blobKey } from '#core/blob-key';
import type { MediaClient } from '#network/media-client';
import type { CarryMedia } from '#operations/media-source';

/** Takes bytes from the media store to the network as a stream: no file is ever in memory as a whole. */
export function makeMediaCarrier(blobs: BlobStore, network: MediaClient): CarryMedia {
  return async (media, phoneNumberId) => {
    const bytes = await openBytes(blobs, blobKey(media.sha256, media.blobId));
    if (bytes === 'away') return { failure: { kind: 'unreachable', reason: 'The media store does not answer.' } };
    if (bytes === null) return { failure: { kind: 'unfit', reason: 'The bytes of the media are gone.' } };
    const { mimeType, filename, size } = media;
    const outcome = await network.upload({ phoneNumberId, mimeType, filename, size, bytes });
    return outcome.kind === 'uploaded' ? { networkMediaId: outcome.networkMediaId } : { failure: outcome.failure };
  };
}

async function openBytes(blobs: BlobStore, key: string) {
  try {
    return await blobs.open(key);
  } catch {
    return 'away';
  }
}
