import type { JsonObject } from '#core/json';
import { formatRfc3339 } from '#http/validation/rfc3339';
import { type Media, sendableAs } from '#media/domain/media';
import type { ResumableUpload } from '#media/domain/resumable-upload';

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

/** @param offset bytes that are here */
export function presentUpload(upload: ResumableUpload, offset: number): JsonObject {
  const { uploadId, status, size, handle, mediaId, error, createdMs } = upload;
  return {
    upload_id: uploadId,
    status,
    offset,
    size,
    handle,
    media_id: mediaId,
    error: error && { code: error.code, message: error.message },
    created_at: formatRfc3339(createdMs),
  };
}
