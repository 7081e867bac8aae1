import type { ByteRange } from '#blobs/blob-store';
import { matchesAnyEtag } from '#http/etag';
import type { Media } from '#media/domain/media';

/** What a download answers: everything, a part, nothing new, or a range that does not exist. */
export type ContentPlan =
  | { readonly status: 200 }
  | { readonly status: 206; readonly range: ByteRange }
  | { readonly status: 304 }
  | { readonly status: 416 };

interface ConditionalHeaders {
  readonly range?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
  readonly 'if-range'?: string | undefined;
}

/** A strong validator: equal hashes are equal bytes. */
export function etagOf(media: Pick<Media, 'sha256'>): string {
  return `"${media.sha256}"`;
}

/**
 * Reads the conditional headers in the order of RFC 9110, 13.2.2: If-None-Match first, then If-Range and Range.
 * A range that is no single byte range is ignored, as 14.2 allows.
 */
export function planContent(media: Pick<Media, 'sha256' | 'size'>, headers: ConditionalHeaders): ContentPlan {
  const etag = etagOf(media);
  if (matchesAnyEtag(headers['if-none-match'], etag)) return { status: 304 };
  if (headers.range === undefined) return { status: 200 };
  // "If the validator does not match, the server SHOULD send the entire representation" (13.1.5).
  if (headers['if-range'] !== undefined && headers['if-range'] !== etag) return { status: 200 };
  return planRange(headers.range, media.size);
}

function planRange(header: string, size: number): ContentPlan {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.replaceAll(' ', ''));
  const [, from = '', to = ''] = match ?? [];
  if (from === '' && to === '') return { status: 200 };
  if (from === '') return lastBytes(Number(to), size);
  const first = Number(from);
  if (to !== '' && Number(to) < first) return { status: 200 };
  if (first >= size) return { status: 416 };
  return { status: 206, range: { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) } };
}

function lastBytes(count: number, size: number): ContentPlan {
  if (count === 0) return { status: 416 };
  return { status: 206, range: { first: Math.max(0, size - count), last: size - 1 } };
}

/** Characters that need no escape in the extended form (RFC 8187, 3.2.1). */
const PLAIN = /[^A-Za-z0-9!#$&+.^_`|~-]/g;

/**
 * Always `attachment`: a browser must never run what a stranger sent in our name. The plain form is for old clients
 * and carries only what is safe in a quoted text; the extended form carries the name.
 */
export function contentDisposition(filename: string | null): string {
  if (filename === null) return 'attachment';
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const extended =
    PLAIN.test(filename.replace(/ /g, '')) || filename.includes(' ') ? `; filename*=UTF-8''${encoded}` : '';
  return `attachment; filename="${ascii}"${extended}`;
}
