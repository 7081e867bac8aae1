import type { BlobId, MediaId, TenantId } from '#core/ids';

/** Types of messages that carry media. */
export type MediaMessageType = 'audio' | 'document' | 'image' | 'sticker' | 'video';

/** Where media came from: an upload, a customer, or an upload for a handle of the network. */
export type MediaOrigin = 'upload' | 'inbound' | 'resumable';

/** Media of a tenant: what its bytes are, not where. Times are milliseconds since 1970. */
export interface Media {
  readonly tenantId: TenantId;
  readonly mediaId: MediaId;
  /** The stored bytes; equal bytes of one tenant are stored once. */
  readonly blobId: BlobId;
  /** Lower-case; may carry parameters (`audio/ogg; codecs=opus`). */
  readonly mimeType: string;
  /** Bytes. */
  readonly size: number;
  /** 64 lower-case hex digits. */
  readonly sha256: string;
  readonly animated: boolean;
  readonly filename: string | null;
  readonly origin: MediaOrigin;
  readonly createdMs: number;
  readonly expiresMs: number;
}

interface MediaClass {
  readonly type: MediaMessageType;
  readonly mimeTypes: readonly string[];
  readonly maxBytes: number;
}

const KB = 1024;
const MB = 1024 * KB;

/** The largest file of an upload: "16 MB = 16 × 1024 × 1024 bytes for the file part". */
export const MAX_UPLOAD_BYTES = 16 * MB;
/** The largest asset that the network hands out or takes: a document. */
export const MAX_NETWORK_BYTES = 100 * MB;
const MAX_ANIMATED_STICKER_BYTES = 500 * KB;

export const OFFICE_OPEN = 'application/vnd.openxmlformats-officedocument.';
/** "audio/ogg: opus codec only; the base type alone is not supported." Vorbis, FLAC and Speex in Ogg are refused. */
const OGG = 'audio/ogg';
const OPUS = /;\s*codecs="?opus"?/i;

/** What the network takes media for (its media reference): types and largest sizes. */
export const mediaClasses: readonly MediaClass[] = [
  {
    type: 'audio',
    mimeTypes: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'],
    maxBytes: 16 * MB,
  },
  {
    type: 'document',
    mimeTypes: [
      'text/plain',
      'application/pdf',
      'application/msword',
      `${OFFICE_OPEN}wordprocessingml.document`,
      'application/vnd.ms-excel',
      `${OFFICE_OPEN}spreadsheetml.sheet`,
      'application/vnd.ms-powerpoint',
      `${OFFICE_OPEN}presentationml.presentation`,
    ],
    maxBytes: MAX_NETWORK_BYTES,
  },
  { type: 'image', mimeTypes: ['image/jpeg', 'image/png'], maxBytes: 5 * MB },
  // An animated one may be larger; see sendableAs.
  { type: 'sticker', mimeTypes: ['image/webp'], maxBytes: 100 * KB },
  { type: 'video', mimeTypes: ['video/3gpp', 'video/mp4'], maxBytes: 16 * MB },
];

/** The message types that the network would take these bytes for; maybe none. */
export function sendableAs(media: Pick<Media, 'mimeType' | 'size' | 'animated'>): readonly MediaMessageType[] {
  const base = baseMimeType(media.mimeType);
  if (base === OGG && !OPUS.test(media.mimeType)) return [];
  const fits = ({ type, maxBytes }: MediaClass): boolean =>
    media.size <= (type === 'sticker' && media.animated ? MAX_ANIMATED_STICKER_BYTES : maxBytes);
  return mediaClasses.filter((one) => one.mimeTypes.includes(base) && fits(one)).map(({ type }) => type);
}

/** The type without its parameters: `audio/ogg` of `audio/ogg; codecs=opus`. */
export function baseMimeType(mimeType: string): string {
  return (mimeType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** `type/subtype` with optional parameters, of the characters that are safe in a header (RFC 9110, 8.3.1). */
const MIME_TYPE =
  /^[a-z0-9!#$&^_.+-]{1,100}\/[a-z0-9!#$&^_.+-]{1,100}( ?; ?[a-z0-9_.-]{1,50}="?[a-z0-9_.,+ -]{1,60}"?){0,3}$/i;
const MAX_MIME_TYPE_CHARACTERS = 200;

/** Whether a declared type is valid in a Content-Type header. */
export function isMimeType(text: string): boolean {
  return text.length <= MAX_MIME_TYPE_CHARACTERS && MIME_TYPE.test(text);
}

/** Longer names are cut: they go into a column and a header. */
const MAX_FILENAME_CHARACTERS = 200;

/** A caller's file name without path, control characters and lone surrogates; null when nothing is left of it. */
export function safeFilename(name: string | undefined): string | null {
  const last =
    (name ?? '')
      .replace(/\p{Cs}/gu, '\ufffd')
      .split(/[/\\]/)
      .at(-1) ?? '';
  const visible = last.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '').trim();
  const cut = [...visible].slice(0, MAX_FILENAME_CHARACTERS).join('');
  return cut === '' || cut === '.' || cut === '..' ? null : cut;
}

const RIFF = 'RIFF';
const WEBP_EXTENDED = 'WEBPVP8X';
const FLAGS_AT = 20;
const ANIMATION_FLAG = 0x02;

/** Whether the first bytes are those of an animated WebP picture (its container specification, "Extended File Format"). */
export function isAnimatedWebp(head: Uint8Array): boolean {
  const text = String.fromCharCode(...head.subarray(0, 16));
  if (!text.startsWith(RIFF) || text.slice(8) !== WEBP_EXTENDED) return false;
  return ((head[FLAGS_AT] ?? 0) & ANIMATION_FLAG) !== 0;
}
