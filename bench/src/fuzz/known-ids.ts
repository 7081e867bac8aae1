import { pollUntil } from '../harness/pause.ts';
import { PHONE_NUMBER_ID } from '../harness/server.ts';
import { type FuzzRequest, sendRequest } from './request.ts';

/** What exists before the first request, so that not every id is a stranger's. */
export interface KnownIds {
  readonly messages: readonly string[];
  readonly inbound: readonly string[];
  readonly media: readonly string[];
  readonly uploads: readonly string[];
  readonly keys: readonly string[];
  readonly numbers: readonly string[];
}

/** Ids that the parameter of a path like this may name, by the beginning of the path; the longest wins. */
export function idsForPath(known: KnownIds, path: string): readonly string[] {
  if (path.startsWith('/v1/messages/')) return [...known.messages, ...known.inbound];
  if (path.startsWith('/v1/media/resumable/')) return known.uploads;
  if (path.startsWith('/v1/media/')) return known.media;
  if (path.startsWith('/v1/api-keys/')) return known.keys;
  if (path.startsWith('/v1/phone-numbers/')) return known.numbers;
  if (path.endsWith('/oauth/url')) return ['platform'];
  return [];
}

const OF_EACH = 4;
const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex');
const BOUNDARY = 'fuzz-0123456789';

/** The bytes of a form with one file. */
export function formOf(file: Buffer, fields: Readonly<Record<string, string>> = {}): Buffer {
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name.replace(/["\r\n]/g, '_')}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`;
  return Buffer.concat([Buffer.from(parts.join('') + head), file, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}

export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** A picture that differs by its number. */
export function pictureBytes(number: number): Buffer {
  return Buffer.concat([JPEG, Buffer.from(`picture ${number}`)]);
}

/** Makes some of everything. @throws Error when the service does not play along */
export async function makeKnownIds(
  base: string,
  key: string,
  receive: (text: string) => Promise<void>,
): Promise<KnownIds> {
  const authorization = `Bearer ${key}`;
  const call = async (request: FuzzRequest) => {
    const answer = await sendRequest(base, request);
    if (answer.status >= 300) throw new Error(`${request.method} ${request.path}: ${answer.status} ${answer.text}`);
    return answer;
  };
  const post = (path: string, value: unknown, headers = {}) =>
    call({
      method: 'POST',
      path,
      headers: { authorization, 'content-type': 'application/json', ...headers },
      body: Buffer.from(JSON.stringify(value)),
    });
  const idOf = ({ json }: { readonly json: unknown }, name = 'id') => String((json as Record<string, unknown>)[name]);
  const many = async (one: (index: number) => Promise<string>): Promise<readonly string[]> => {
    const ids: string[] = [];
    for (let index = 0; index < OF_EACH; index += 1) ids.push(await one(index));
    return ids;
  };
  const send_at = new Date(Date.now() + 3_600_000).toISOString();
  const form = { authorization, 'content-type': FORM_TYPE };
  const upload = { authorization, 'tus-resumable': '1.0.0', 'upload-length': '100' };
  return {
    messages: await many(async () => idOf(await post('/v1/messages', { to: '447700900123', body: 'Hi', send_at }))),
    inbound: await receiveSome(base, authorization, receive),
    media: await many(async (index) => {
      const body = formOf(pictureBytes(index));
      return idOf(await call({ method: 'POST', path: '/v1/media', headers: form, body }), 'media_id');
    }),
    uploads: await many(async () => {
      const answer = await call({ method: 'POST', path: '/v1/media/resumable', headers: upload, body: null });
      return answer.headers.location?.split('/').at(-1) ?? '';
    }),
    keys: await many(async () => idOf(await post('/v1/api-keys', { name: 'fuzz' }))),
    numbers: [PHONE_NUMBER_ID],
  };
}

const ARRIVE_WITHIN_MS = 60_000;

async function receiveSome(
  base: string,
  authorization: string,
  receive: (text: string) => Promise<void>,
): Promise<readonly string[]> {
  for (let index = 0; index < OF_EACH; index += 1) await receive(`Hi ${index}`);
  const list = { method: 'GET', path: '/v1/messages/inbound', headers: { authorization }, body: null };
  const probe = async (): Promise<readonly string[] | null> => {
    const { json } = await sendRequest(base, list);
    const { data } = json as { readonly data: readonly { readonly id: string }[] };
    return data.length < OF_EACH ? null : data.map(({ id }) => id);
  };
  return pollUntil({
    what: 'the messages of customers do not arrive',
    everyMs: 20,
    timeoutMs: ARRIVE_WITHIN_MS,
    probe,
  });
}
