import { randomBytes } from 'node:crypto';
import type { Answer, TestService } from '#testing/test-service';

/** The first bytes of a JPEG picture, enough to be recognised. */
const JPEG_HEAD = Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex');

/** Bytes that are recognised as a JPEG picture, different each time. */
export function jpegBytes(size = 1_000): Buffer {
  return Buffer.concat([JPEG_HEAD, randomBytes(Math.max(0, size - JPEG_HEAD.length))]);
}

export interface UploadOptions {
  readonly filename?: string;
  /** Content type of the part. */
  readonly type?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
}

/** Posts a form with one file, as a browser would. */
export async function uploadFile(
  kit: Pick<TestService, 'service'>,
  key: string,
  bytes: Uint8Array,
  options: UploadOptions = {},
): Promise<Answer> {
  const { filename = 'parcel.jpg', type = 'application/octet-stream', fields = {}, headers = {} } = options;
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new File([new Uint8Array(bytes)], filename, { type }));
  return postForm(kit, key, form, { headers, path: options.path ?? '/v1/media' });
}

/** Posts any form. */
export async function postForm(
  kit: Pick<TestService, 'service'>,
  key: string,
  form: FormData,
  { headers = {}, path = '/v1/media' }: { headers?: Readonly<Record<string, string>>; path?: string } = {},
): Promise<Answer> {
  const response = await fetch(kit.service.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...headers },
    body: form,
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
}
