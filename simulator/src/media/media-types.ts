/** Which files the network takes: type, size, and how the bytes must begin. */
import type { MediaType } from '../send/payloads/media.ts';

export type FileKind = {
  readonly mediaType: MediaType;
  readonly maxBytes: number;
  /** Whether the first bytes are those of such a file. */
  readonly looksRight: (head: Buffer) => boolean;
};

const KB = 1024;
const MB = 1024 * KB;
const AUDIO_MAX = 16 * MB;
const VIDEO_MAX = 16 * MB;
const IMAGE_MAX = 5 * MB;
const STILL_STICKER_MAX = 100 * KB;
const MOVING_STICKER_MAX = 500 * KB;
/** The largest file of all, a document. */
export const MAX_MEDIA_BYTES = 100 * MB;
/** First bytes of a file that are kept to look at. */
export const HEAD_BYTES = 4096;

const at = (offset: number, ...texts: readonly string[]) => {
  const marks = texts.map((text) => Buffer.from(text, 'latin1'));
  return (head: Buffer): boolean => marks.some((mark) => head.subarray(offset, offset + mark.length).equals(mark));
};
const isText = (head: Buffer): boolean => !head.includes(0);
const isMp4 = at(4, 'ftyp');
const isZip = at(0, 'PK\x03\x04');
const isOle = at(0, '\xd0\xcf\x11\xe0');
const isWebp = (head: Buffer): boolean => at(0, 'RIFF')(head) && at(8, 'WEBP')(head);
// "audio/ogg: opus codec only; the base type alone is not supported."
const isOpus = (head: Buffer): boolean => at(0, 'OggS')(head) && head.includes('OpusHead');

const audio = (looksRight: FileKind['looksRight']): FileKind => ({
  mediaType: 'audio',
  maxBytes: AUDIO_MAX,
  looksRight,
});
const video = (looksRight: FileKind['looksRight']): FileKind => ({
  mediaType: 'video',
  maxBytes: VIDEO_MAX,
  looksRight,
});
const image = (looksRight: FileKind['looksRight']): FileKind => ({
  mediaType: 'image',
  maxBytes: IMAGE_MAX,
  looksRight,
});
const document = (looksRight: FileKind['looksRight']): FileKind => ({
  mediaType: 'document',
  maxBytes: MAX_MEDIA_BYTES,
  looksRight,
});

const KINDS: ReadonlyMap<string, FileKind> = new Map([
  ['audio/aac', audio(at(0, '\xff\xf1', '\xff\xf9', 'ADIF'))],
  ['audio/amr', audio(at(0, '#!AMR'))],
  ['audio/mpeg', audio(at(0, 'ID3', '\xff\xfb', '\xff\xf3', '\xff\xf2', '\xff\xfa'))],
  ['audio/mp4', audio(isMp4)],
  ['audio/ogg', audio(isOpus)],
  ['text/plain', document(isText)],
  ['application/pdf', document(at(0, '%PDF'))],
  ['application/msword', document(isOle)],
  ['application/vnd.ms-excel', document(isOle)],
  ['application/vnd.ms-powerpoint', document(isOle)],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', document(isZip)],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', document(isZip)],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', document(isZip)],
  ['image/jpeg', image(at(0, '\xff\xd8\xff'))],
  ['image/png', image(at(0, '\x89PNG\r\n\x1a\n'))],
  ['image/webp', { mediaType: 'sticker', maxBytes: MOVING_STICKER_MAX, looksRight: isWebp }],
  ['video/3gpp', video(isMp4)],
  ['video/mp4', video(isMp4)],
]);

/** The kind of a MIME type, its parameters ignored; null when the network does not take it. */
export function fileKindOf(mimeType: string): FileKind | null {
  return KINDS.get(bareType(mimeType)) ?? null;
}

/** Every MIME type that can be uploaded. */
export function knownMimeTypes(): readonly string[] {
  return [...KINDS.keys()];
}

/** `audio/ogg; codecs=opus` → `audio/ogg`. */
export function bareType(mimeType: string): string {
  return (mimeType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** The most bytes that a file of this kind may have; a still sticker may have fewer than one that moves. */
export function maxBytesOf(kind: FileKind, head: Buffer): number {
  return kind.mediaType === 'sticker' && !isMovingWebp(head) ? STILL_STICKER_MAX : kind.maxBytes;
}

/** The animation bit of an extended WebP header. */
export function isMovingWebp(head: Buffer): boolean {
  return at(12, 'VP8X')(head) && ((head[20] ?? 0) & 0x02) !== 0;
}
