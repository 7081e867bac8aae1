import { TABLE_TYPES } from '#imports/http/table-body';
import { jpegBytes } from '#testing/media/test-media';
import type { Answer, TestService } from '#testing/test-service';
import type { Described, DescribedBody } from './described.ts';

/** One request, built from what the document says of an operation. */
export interface Call {
  readonly method: string;
  /** Path with its parameters filled in, and the query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | FormData | null;
}

export const PIECE_TYPE = 'application/offset+octet-stream';
const JSON_TYPE = 'application/json';

/** The body of an example, and the header that goes with it; a form brings its own, with the boundary. */
export function bodyOf(body: DescribedBody | null): Pick<Call, 'headers' | 'body'> {
  if (body === null) return { headers: {}, body: null };
  const { contentType, value } = body;
  if (contentType === JSON_TYPE) return { headers: { 'content-type': JSON_TYPE }, body: JSON.stringify(value) };
  if (contentType === PIECE_TYPE) {
    return { headers: { 'content-type': contentType }, body: new TextEncoder().encode(String(value)) };
  }
  if (contentType in TABLE_TYPES) return { headers: { 'content-type': contentType }, body: String(value) };
  return { headers: {}, body: formOf(value as Readonly<Record<string, string>>) };
}

/** A form with these fields; `file` names a picture, as curl writes it, that is different each time. */
export function formOf({ file, ...fields }: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (file !== undefined) form.append('file', new File([new Uint8Array(jpegBytes())], file.replace('@', '')));
  return form;
}

/** The header examples that a body needs: those without which nothing works, and for a piece of bytes all of tus. */
export function headersFor(operation: Described, body: DescribedBody | null): Record<string, string> {
  const ofTus = (name: string) => body?.contentType === PIECE_TYPE && isOfTus(name);
  const needed = operation.parameters.filter(({ in: place, name, required }) => {
    return place === 'header' && (required || ofTus(name));
  });
  return Object.fromEntries(needed.map(({ name, example }) => [name, String(example)]));
}

/** Headers of the upload protocol go together with its bodies alone. */
export function isOfTus(name: string): boolean {
  return /^(tus|upload)-/i.test(name);
}

/** Sends a call; `authorization` is added unless the call brings its own or `key` is null. */
export async function send(kit: Pick<TestService, 'service'>, key: string | null, call: Call): Promise<Answer> {
  const authorization: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  const response = await fetch(kit.service.url + call.target, {
    method: call.method,
    headers: { ...authorization, ...call.headers },
    body: call.body,
  });
  const text = await response.text();
  // A stream of lines is no document.
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
}
