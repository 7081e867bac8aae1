import { randomBytes } from 'node:crypto';
import { seededRandom } from '../random.ts';
import type { Prepared } from './connection.ts';
import type { LoadJob } from './job.ts';

/** First recipient: an area code that is not in use. Others follow it. */
const FIRST_RECIPIENT = 15_550_000_000;
const TEXT = 'Your order 4711 left the warehouse and arrives tomorrow between 9 and 12.';

/** An endless supply of the requests that a job asks for. */
export function requestsOf({ key, request }: LoadJob): () => Prepared {
  const authorization = `Bearer ${key}`;
  if (request.kind === 'read') {
    const { paths } = request;
    let turn = 0;
    return () => ({ method: 'GET', path: paths[turn++ % paths.length] ?? '/', headers: { authorization }, body: null });
  }
  if (request.kind === 'upload') return uploads(request, authorization);
  if (request.kind === 'numbered') return numbered(request);
  const random = seededRandom(request.seed);
  const headers = { authorization, 'content-type': 'application/json' };
  const contents = request.mixed ? MIXED : MIXED.slice(0, 1);
  let turn = 0;
  return () => {
    const to = FIRST_RECIPIENT + random.between(0, request.recipients - 1);
    const content = contents[turn++ % contents.length];
    return { method: 'POST', path: request.path, headers, body: `{"to":"${to}",${content}}` };
  };
}

function numbered({ path, keys, first }: Extract<LoadJob['request'], { kind: 'numbered' }>): () => Prepared {
  const headers = keys.map((key) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' }));
  let recipient = first;
  return () => {
    recipient += 1;
    const body = `{"to":"${recipient}",${MIXED[0]}}`;
    return { method: 'POST', path, headers: headers[recipient % headers.length] ?? {}, body, recipient };
  };
}

/** What follows the recipient in a body: a text first, then the other types, as short or long as they usually are. */
const MIXED: readonly string[] = [
  { body: TEXT },
  { type: 'template', template: { name: 'order_ready', language: 'en', variables: { name: 'Ada', order: 'A-4711' } } },
  { type: 'image', media: { link: 'https://shop.example/parcel.jpg', caption: TEXT } },
  { type: 'document', media: { link: 'https://shop.example/4711.pdf', filename: 'Invoice 4711.pdf' } },
  { type: 'location', location: { latitude: 51.5, longitude: -0.12, name: 'Shop', address: '1 Riverside' } },
  {
    type: 'contacts',
    contacts: [{ name: { formatted_name: 'Ada Obi', first_name: 'Ada' }, phones: [{ phone: '+447700900124' }] }],
  },
  {
    type: 'interactive',
    interactive: {
      type: 'button',
      body: { text: TEXT },
      action: { buttons: ['Yes', 'No'].map((title) => ({ type: 'reply', reply: { id: title, title } })) },
    },
  },
].map((fields) => JSON.stringify(fields).slice(1, -1));

const BOUNDARY = 'postrider-bench-form';

/** The same buffer again and again with another beginning: equal files would be stored once. */
function uploads({ path, bytes }: Extract<LoadJob['request'], { kind: 'upload' }>, authorization: string) {
  const head = Buffer.from(
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\ncontent-type: application/octet-stream\r\n\r\n`,
  );
  const file = randomBytes(bytes);
  const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
  const headers = { authorization, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  return (): Prepared => {
    const own = Buffer.concat([head, file, tail]);
    randomBytes(32).copy(own, head.length);
    return { method: 'POST', path, headers, body: own };
  };
}
