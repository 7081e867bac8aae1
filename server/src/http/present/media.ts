import type { JsonObject } from '#core/json';
import { type Media, sendableAs } from '#core/media';
import { formatRfc3339 } from '../validation/rfc3339.ts';

/** The answer to an upload: what the caller did not know before. */
export function presentUploaded(media: Media): JsonObject {
  return {
    media_id: media.mediaId,
    mime_type: media.mimeType,
    size: media.size,
    sha256: media.sha256,
    sendable_as: sendableAs(media),
    expires_at: formatRfc3339(media.expiresMs),
  };
}

export function presentMedia(media: Media): JsonObject {
  return {
    ...presentUploaded(media),
    filename: media.filename,
    origin: media.origin,
    created_at: formatRfc3339(media.createdMs),
  };
}
