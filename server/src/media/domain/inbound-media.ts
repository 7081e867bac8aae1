import type { MediaId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { textOf } from '#core/json-fields';
import { sha256Hex } from '#core/network/transfer-failure';
import { isMimeType, safeFilename } from './media.ts';

/** The file of an inbound message, as far as it is here. */
export interface InboundMedia {
  readonly status: 'pending' | 'ready' | 'failed';
  /** Once it is ready. */
  readonly mediaId: MediaId | null;
  readonly mimeType: string | null;
  /** Bytes, once it is ready. */
  readonly size: number | null;
  /** 64 hex digits. */
  readonly sha256: string | null;
  readonly filename: string | null;
  /** The last failure, also while it is tried again. */
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** What a callback says about the file of a message. */
export interface AnnouncedMedia {
  readonly networkMediaId: string;
  readonly mimeType: string | null;
  readonly sha256: string | null;
  readonly filename: string | null;
}

const WITH_FILE: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'document', 'sticker']);
/** Real ids have about 16 digits; a longer text cannot be an id. */
const MAX_ID_LENGTH = 128;

/**
 * Reads which file came with a message. Null when its type carries none, or it names no id to fetch one by.
 * @param content the object named after the type
 */
export function readInboundMedia(type: string, content: JsonObject): AnnouncedMedia | null {
  const networkMediaId = textOf(content.id);
  if (!WITH_FILE.has(type) || !networkMediaId || networkMediaId.length > MAX_ID_LENGTH) return null;
  const mimeType = textOf(content.mime_type);
  return {
    networkMediaId,
    mimeType: mimeType !== null && isMimeType(mimeType) ? mimeType : null,
    sha256: sha256Hex(textOf(content.sha256)),
    filename: safeFilename(textOf(content.filename) ?? undefined),
  };
}
