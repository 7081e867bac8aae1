/** What files the network takes, as docs/guides/media.md lists it: said before anything is uploaded. */

export type MediaKind = 'image' | 'video' | 'audio' | 'document' | 'sticker';

const KIB = 1_024;
const MIB = 1_024 * KIB;
/** Larger files are uploaded in portions. */
export const MAX_WHOLE_UPLOAD = 16 * MIB;

interface Accepted {
  readonly kind: MediaKind;
  readonly types: readonly string[];
  readonly maxBytes: number;
}

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const ACCEPTED: readonly Accepted[] = [
  { kind: 'image', types: ['image/jpeg', 'image/png'], maxBytes: 5 * MIB },
  { kind: 'video', types: ['video/mp4', 'video/3gpp'], maxBytes: 16 * MIB },
  {
    kind: 'audio',
    types: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/x-m4a', 'audio/ogg'],
    maxBytes: 16 * MIB,
  },
  // Animated ones may be larger; which one this is, only the service finds out.
  { kind: 'sticker', types: ['image/webp'], maxBytes: 500 * KIB },
  {
    kind: 'document',
    types: [
      'text/plain',
      'application/pdf',
      'application/msword',
      'application/vnd.ms-excel',
      'application/vnd.ms-powerpoint',
      `${OFFICE}.wordprocessingml.document`,
      `${OFFICE}.spreadsheetml.sheet`,
      `${OFFICE}.presentationml.presentation`,
    ],
    maxBytes: 100 * MIB,
  },
];

/** For the file picker of the browser. */
export const ACCEPTED_TYPES = ACCEPTED.flatMap(({ types }) => types).join(',');

/** Whether a file can be sent, and as what. */
export type Judged =
  | { readonly kind: MediaKind }
  | { readonly fault: 'type'; readonly type: string }
  | { readonly fault: 'size'; readonly kind: MediaKind; readonly maxBytes: number }
  | { readonly fault: 'empty' }
  | { readonly fault: 'count' };

/** Decides by the declared type and the size. The service decides again by the bytes. */
export function judgeFile({ type, size }: Pick<File, 'type' | 'size'>): Judged {
  const base = type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const found = ACCEPTED.find(({ types }) => types.includes(base));
  if (found === undefined) return { fault: 'type', type: base };
  if (size === 0) return { fault: 'empty' };
  const { kind, maxBytes } = found;
  return size > maxBytes ? { fault: 'size', kind, maxBytes } : { kind };
}

/** What a file that was uploaded before is sent as: what the network takes it for, best first. */
export function kindOf(sendableAs: readonly string[]): MediaKind | null {
  return ACCEPTED.map(({ kind }) => kind).find((kind) => sendableAs.includes(kind)) ?? null;
}

export const takesCaption = (kind: MediaKind): boolean => kind !== 'audio' && kind !== 'sticker';
