/** Uploads of files, with progress: what `fetch` cannot report, an XMLHttpRequest does. */
import type { HandleUpload, UploadedMedia } from '@postrider/sdk';
import { randomKey } from '../../live/waits.ts';
import { call } from '../api.ts';
import { MAX_WHOLE_UPLOAD } from './media-types.ts';

export type Uploaded = Pick<UploadedMedia, 'media_id' | 'sendable_as'>;

/** An upload that the service refused, with its sentence. */
export class UploadRefused extends Error {
  override name = 'UploadRefused';
}

export interface UploadOptions {
  /** How much has arrived, from 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** The service takes requests of pages with this header alone. */
const CLIENT = { 'postrider-client': 'console' };
const CHUNK = 4 * 1_024 * 1_024;
const RETRY_MS = [500, 1_000, 2_000, 5_000, 10_000] as const;

/**
 * Uploads a file. If the connection breaks, it waits: a small file starts over with the same key, a large one continues
 * where it was. @throws UploadRefused, or AbortError when the signal ends it
 */
export async function uploadFile(file: File, options: UploadOptions): Promise<Uploaded> {
  return file.size > MAX_WHOLE_UPLOAD ? uploadInChunks(file, options) : uploadWhole(file, options);
}

async function uploadWhole(file: File, { onProgress, signal }: UploadOptions): Promise<Uploaded> {
  const headers = { ...CLIENT, 'idempotency-key': randomKey() };
  const form = new FormData();
  form.append('file', file, file.name);
  const { text } = await patiently(signal, () =>
    send({ method: 'POST', url: '/v1/media', headers, body: form, signal, onProgress }),
  );
  return JSON.parse(text) as Uploaded;
}

const TUS = { ...CLIENT, 'tus-resumable': '1.0.0' };

async function uploadInChunks(file: File, { onProgress, signal }: UploadOptions): Promise<Uploaded> {
  const about = `filename ${base64(file.name)},filetype ${base64(file.type)}`;
  const created = await patiently(signal, () =>
    send({
      method: 'POST',
      url: '/v1/media/resumable',
      headers: { ...TUS, 'upload-length': String(file.size), 'upload-metadata': about },
      body: null,
      signal,
    }),
  );
  const url = new URL(created.header('location') ?? '', location.origin).pathname;
  for (let offset = 0; offset < file.size; ) {
    const part = file.slice(offset, offset + CHUNK);
    const from = offset;
    offset = await patiently(signal, async () => sendChunk({ url, part, from, file, onProgress, signal }));
  }
  const { media_id: id } = await call<Pick<HandleUpload, 'media_id'>>(url, { signal });
  if (id === null) throw new UploadRefused('');
  return call<Uploaded>(`/v1/media/${id}`, { signal });
}

/** What the service has already, it says: a chunk whose answer was lost is not sent twice. */
async function sendChunk({
  url,
  part,
  from,
  file,
  onProgress,
  signal,
}: { readonly url: string; readonly part: Blob; readonly from: number; readonly file: File } & UploadOptions) {
  const known = await send({ method: 'HEAD', url, headers: TUS, body: null, signal });
  const held = Number(known.header('upload-offset'));
  if (held !== from) return held;
  const headers = { ...TUS, 'upload-offset': String(from), 'content-type': 'application/offset+octet-stream' };
  const portion = part.size / file.size;
  const sent = await send({
    method: 'PATCH',
    url,
    headers,
    body: part,
    signal,
    onProgress: (share) => onProgress(from / file.size + share * portion),
  });
  return Number(sent.header('upload-offset'));
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/** Tries until there is an answer, or the signal ends it. */
async function patiently<T>(signal: AbortSignal, attempt: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof UploadRefused) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]));
      signal.throwIfAborted();
    }
  }
}

interface Sent {
  readonly text: string;
  readonly header: (name: string) => string | null;
}

interface Sending {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: XMLHttpRequestBodyInit | null;
  readonly signal: AbortSignal;
  readonly onProgress?: (share: number) => void;
}

/** One request. @throws UploadRefused; Error when there is no answer or the service itself failed */
function send({ method, url, headers, body, signal, onProgress }: Sending): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total === 0 ? 0 : loaded / total);
    request.onload = () => {
      const { status, responseText: text } = request;
      if (status < 300) resolve({ text, header: (name) => request.getResponseHeader(name) });
      else if (status < 500 && status !== 408 && status !== 429) reject(new UploadRefused(sentenceOf(text)));
      else reject(new Error(`The service answered ${status}.`));
    };
    request.onerror = () => reject(new Error('There was no answer.'));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  });
}

function sentenceOf(text: string): string {
  try {
    return (JSON.parse(text) as { error?: string }).error ?? '';
  } catch {
    return '';
  }
}
