import type { BlobId } from '#core/ids';

/**
 * The name of bytes in the media store. It begins with their hash, so that stores spread and can be checked, and ends
 * with the id of the blob, so that a name is never used again for bytes that were removed.
 */
export function blobKey(sha256: string, blobId: BlobId): string {
  return `${sha256}.${blobId}`;
}
