import { baseMimeType, OFFICE_OPEN } from './media.ts';

/** What is known of a file whose type is to be detected. */
export interface TypeClues {
  /** The type that the first bytes show; null when they show none, as those of a text do. */
  readonly sniffed: string | null;
  /** What the caller says it is; null when nothing was said. */
  readonly declared: string | null;
  /** The first bytes. */
  readonly head: Uint8Array;
}

const UNKNOWN_TYPE = 'application/octet-stream';

/**
 * The type of media: what the bytes show, otherwise what was declared, in the names of the network. A declaration that
 * the bytes contradict is ignored: the network checks too, and would refuse the file long after it was accepted here.
 */
export function chooseMimeType({ sniffed, declared, head }: TypeClues): string {
  const said = declared === null ? null : networkName(declared);
  const shown = sniffed !== null && isWord(sniffed, head) ? null : sniffed;
  if (shown === null) return said === null || isBelied(said, head) ? UNKNOWN_TYPE : said;
  if (said !== null && isInside(shown, baseMimeType(said))) return said;
  return networkName(shown);
}

/** A declared type that names no codec, with the one that the bytes show: `audio/ogg` becomes `audio/ogg; codecs=opus`. */
export function withCodec(declared: string, sniffed: string | null): string {
  return sniffed?.startsWith(`${declared};`) ? sniffed : declared;
}

/** What programs call otherwise than the network does. */
const NETWORK_NAMES: ReadonlyMap<string, string> = new Map([
  ['application/x-pdf', 'application/pdf'],
  ['audio/aacp', 'audio/aac'],
  ['audio/m4a', 'audio/mp4'],
  ['audio/mp3', 'audio/mpeg'],
  ['audio/opus', 'audio/ogg; codecs=opus'],
  ['audio/x-aac', 'audio/aac'],
  ['audio/x-m4a', 'audio/mp4'],
  ['audio/x-mp3', 'audio/mpeg'],
  ['image/apng', 'image/png'],
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['video/x-m4v', 'video/mp4'],
]);

function networkName(type: string): string {
  return NETWORK_NAMES.get(baseMimeType(type)) ?? type.toLowerCase();
}

/** Formats that are text themselves. */
const WRITTEN_FORMATS: ReadonlySet<string> = new Set([
  'application/eps',
  'application/pdf',
  'application/pgp-encrypted',
  'application/postscript',
  'application/rtf',
  'application/x-ms-regedit',
  'application/xml',
]);

/**
 * Whether the signature of a binary format is only the beginning of a text: some signatures are a word ("BM", "GIF",
 * "MAC "), and that of UTF-16 looks like a frame of MPEG audio.
 */
function isWord(sniffed: string, head: Uint8Array): boolean {
  return !WRITTEN_FORMATS.has(sniffed) && !sniffed.startsWith('text/') && isText(head);
}

/** Types whose bytes always show them. */
const SHOWN_TYPES: ReadonlySet<string> = new Set([
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'audio/amr',
  'audio/mp4',
  'audio/ogg',
  'image/jpeg',
  'image/png',
  'image/webp',
  'video/3gpp',
  'video/mp4',
]);
/** Types whose signature may follow other bytes: frames of sound after the rest of a recording, for example. */
const LOOSE_TYPES: ReadonlySet<string> = new Set(['audio/aac', 'audio/mpeg']);
/** "Acrobat viewers require only that the header appear somewhere within the first 1024 bytes of the file." */
const PDF_HEADER_WITHIN = 1024;

/** Whether bytes that show nothing cannot be of this type. */
function isBelied(said: string, head: Uint8Array): boolean {
  const base = baseMimeType(said);
  if (SHOWN_TYPES.has(base) || base.startsWith(OFFICE_OPEN)) return true;
  if (LOOSE_TYPES.has(base)) return isText(head);
  if (base === 'application/pdf') return !Buffer.from(head.subarray(0, PDF_HEADER_WITHIN)).includes('%PDF-');
  return base.startsWith('text/') && head.includes(0) && !isUtf16(head);
}

/** What may be in a container whose first bytes only name the container: there the sender knows better. */
function isInside(container: string, base: string): boolean {
  switch (container) {
    case 'application/zip':
      return base.startsWith(OFFICE_OPEN);
    case 'application/x-cfb':
      return ['msword', 'vnd.ms-excel', 'vnd.ms-powerpoint'].some((name) => base === `application/${name}`);
    case 'video/mp4':
      return base === 'audio/mp4';
    case 'video/webm':
      return base === 'audio/webm';
    default:
      return false;
  }
}

/** Control characters that no text has, in any encoding that begins with ASCII. */
const SPACE = 0x20;
const CONTROLS_OF_TEXTS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b]);

function isText(head: Uint8Array): boolean {
  return isUtf16(head) || head.every((byte) => byte >= SPACE || CONTROLS_OF_TEXTS.has(byte));
}

function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}
