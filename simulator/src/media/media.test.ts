import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../json.ts';
import { JPEG, OPUS, PDF, PNG, SIXTEEN_MIB, video, WEBP } from '../testing/files.ts';
import { CUSTOMER, codeOf, NUMBER_ID, objects, startTestNetwork, type TestNetwork } from '../testing/network.ts';

const DAY_MS = 24 * 3600 * 1000;

let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork();
});
beforeEach(async () => {
  await network.post('/_sim/reset', {});
  network.receiver.posts.length = 0;
});
afterAll(() => network.close());

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const uploaded = async (bytes: Buffer, type: string): Promise<string> =>
  String((await network.upload(bytes, type)).body.id);
const advance = (ms: number): Promise<unknown> => network.post('/_sim/clock', { advance_ms: ms });
const urlOf = async (id: string): Promise<string> => String((await network.graph('GET', `/v26.0/${id}`)).body.url);
const download = (url: string, headers: Readonly<Record<string, string>> = { authorization: 'Bearer token' }) =>
  fetch(url, { headers });

test('a file that was uploaded is described and downloaded with its own bytes', async () => {
  const id = await uploaded(PNG, 'image/png');
  const node = await network.graph('GET', `/v26.0/${id}`);
  expect(node.body).toEqual({
    messaging_product: 'whatsapp',
    url: expect.stringContaining(`${network.simulator.url}/whatsapp_business/attachments/?mid=${id}`),
    mime_type: 'image/png',
    sha256: sha256(PNG),
    file_size: String(PNG.length),
    id,
  });
  const file = await download(String(node.body.url));
  expect(file.headers.get('content-type')).toBe('image/png');
  expect(Buffer.from(await file.arrayBuffer()).equals(PNG)).toBe(true);
});

test('a video of exactly 16 MiB passes, one byte more is refused with 131053 and nothing stays', async () => {
  const id = await uploaded(video(SIXTEEN_MIB), 'video/mp4');
  const file = await download(await urlOf(id));
  expect((await file.arrayBuffer()).byteLength).toBe(SIXTEEN_MIB);
  expect(codeOf(await network.upload(video(SIXTEEN_MIB + 1), 'video/mp4'))).toBe(131053);
  expect(objects((await network.get('/_sim/media')).body.data)).toHaveLength(1);
});

test('equal bytes have different ids and one may be deleted without the other', async () => {
  const [first, second] = [await uploaded(PNG, 'image/png'), await uploaded(PNG, 'image/png')];
  expect(first).not.toBe(second);
  expect((await network.graph('DELETE', `/${first}`)).body).toEqual({ success: true });
  expect((await network.graph('GET', `/${first}`)).body.error).toMatchObject({ code: 100, error_subcode: 33 });
  expect((await download(await urlOf(second))).status).toBe(200);
});

const REFUSED: readonly (readonly [string, Buffer, string, Readonly<Record<string, string | undefined>>, number])[] = [
  ['a type that the network does not know', PNG, 'image/gif', {}, 131053],
  ['bytes of another type', PNG, 'image/jpeg', {}, 131053],
  ['ogg without opus', Buffer.from('OggS and more'), 'audio/ogg', {}, 131053],
  ['an empty file', Buffer.alloc(0), 'text/plain', {}, 131053],
  ['a still sticker over 100 KB', Buffer.concat([WEBP, Buffer.alloc(102_400)]), 'image/webp', {}, 131053],
  ['no product', PNG, 'image/png', { messaging_product: undefined }, 100],
];

test.each(REFUSED)('an upload is refused: %s', async (_label, bytes, type, fields, code) => {
  const answer = await network.upload(bytes, type, fields);
  expect([answer.status, codeOf(answer)]).toEqual([400, code]);
  expect(objects((await network.get('/_sim/media')).body.data)).toEqual([]);
});

const NO_FIELDS = { messaging_product: undefined, type: undefined };

test.each<[string, Readonly<Record<string, string | undefined>>, string]>([
  ['the part alone', { type: undefined }, ''],
  ['the part beside a kind of message', { type: 'image' }, ''],
  ['the part, the fields being in the query', NO_FIELDS, '?messaging_product=whatsapp'],
  ['the query', NO_FIELDS, '?messaging_product=whatsapp&type=image%2Fpng'],
])('the type of an upload may come from %s', async (_label, fields, query) => {
  const { id } = (await network.upload(PNG, 'image/png', fields, query)).body;
  expect((await network.graph('GET', `/${id}`)).body.mime_type).toBe('image/png');
});

test('a body that is not multipart is refused with code 100, without a token with 104', async () => {
  expect(codeOf(await network.graph('POST', `/v26.0/${NUMBER_ID}/media`, {}))).toBe(100);
  expect(codeOf(await network.post(`/v26.0/${NUMBER_ID}/media`, {}))).toBe(104);
});

test('an address lives for five minutes, and a new one is given out then', async () => {
  const id = await uploaded(PNG, 'image/png');
  const url = await urlOf(id);
  await advance(299_000);
  expect((await download(url)).status).toBe(200);
  await advance(2_000);
  expect((await download(url)).status).toBe(404);
  expect((await download(await urlOf(id))).status).toBe(200);
});

test('a download wants the token, and a changed address does not exist', async () => {
  const url = await urlOf(await uploaded(PNG, 'image/png'));
  expect((await download(url, {})).status).toBe(401);
  expect((await download(url.replace(/ext=\d+/, 'ext=9999999999'))).status).toBe(404);
});

test('uploaded media ends after 30 days, media from customers after 7', async () => {
  const id = await uploaded(PNG, 'image/png');
  const inbound = await inboundMedia({ mime_type: 'image/jpeg', data: JPEG.toString('base64') });
  await advance(7 * DAY_MS);
  expect((await network.graph('GET', `/${inbound.id}`)).status).toBe(400);
  expect((await network.graph('GET', `/${id}`)).status).toBe(200);
  await advance(23 * DAY_MS);
  expect((await network.graph('GET', `/${id}`)).status).toBe(400);
});

test('media can be asked for by its own number only, when a number is named', async () => {
  const id = await uploaded(PNG, 'image/png');
  expect((await network.graph('GET', `/${id}?phone_number_id=${NUMBER_ID}`)).status).toBe(200);
  expect(codeOf(await network.graph('GET', `/${id}?phone_number_id=1`))).toBe(100);
});

test('an id that is no media is refused, also when a number is named, and never becomes a number', async () => {
  const expired = await inboundMedia({ mime_type: 'image/jpeg', data: JPEG.toString('base64') });
  await advance(7 * DAY_MS);
  const numbers = (await network.get('/_sim/numbers')).body;
  for (const id of [expired.id, '123456789012345']) {
    for (const method of ['GET', 'DELETE']) {
      const answer = await network.graph(method, `/v26.0/${id}?phone_number_id=${NUMBER_ID}`);
      expect([answer.status, answer.body.error]).toMatchObject([400, { code: 100, error_subcode: 33 }]);
    }
  }
  expect((await network.get('/_sim/numbers')).body).toEqual(numbers);
});

test('failures that were ordered hit the next calls and no later one', async () => {
  await network.put('/_sim/failures', { media_upload: { times: 2, code: 131000 }, media_lookup: { status: 503 } });
  const codes = [await network.upload(PNG, 'image/png'), await network.upload(PNG, 'image/png')].map(codeOf);
  expect(codes).toEqual([131000, 131000]);
  const id = await uploaded(PNG, 'image/png');
  expect((await network.graph('GET', `/${id}`)).status).toBe(503);
  expect((await network.graph('GET', `/${id}`)).status).toBe(200);
});

test('a download can be made wrong, cut short or expired', async () => {
  const url = await urlOf(await uploaded(video(1_000_000), 'video/mp4'));
  await network.put('/_sim/failures', { media_download: { fault: 'corrupt' } });
  expect(sha256(Buffer.from(await (await download(url)).arrayBuffer()))).not.toBe(sha256(video(1_000_000)));
  await network.put('/_sim/failures', { media_download: { fault: 'cut' } });
  await expect((async () => (await download(url)).arrayBuffer())()).rejects.toThrow();
  await network.put('/_sim/media', { expire_urls: true });
  expect((await download(url)).status).toBe(404);
});

/** The media member of the message that a customer's file becomes. */
async function inboundMedia(media: JsonObject): Promise<JsonObject> {
  await network.post('/_sim/inbound', { from: CUSTOMER, phone_number_id: NUMBER_ID, media });
  await network.receiver.until(() => network.receiver.messages.length > 0);
  const message = network.receiver.messages.at(-1) ?? {};
  const member = message[String(message.type)];
  return isJsonObject(member) ? { message_type: message.type, ...member } : {};
}

test("a customer's file is reported with its digest in base64 and can be fetched", async () => {
  const photo = await inboundMedia({ mime_type: 'image/jpeg', data: JPEG.toString('base64'), caption: 'Look' });
  expect(photo).toEqual({
    message_type: 'image',
    caption: 'Look',
    mime_type: 'image/jpeg',
    sha256: createHash('sha256').update(JPEG).digest('base64'),
    id: expect.stringMatching(/^\d{15}$/),
  });
  const file = await download(await urlOf(String(photo.id)));
  expect(Buffer.from(await file.arrayBuffer()).equals(JPEG)).toBe(true);
});

test.each([
  ['a voice note', 'audio/ogg; codecs=opus', OPUS, { voice: true }, 'audio'],
  ['a document', 'application/pdf', PDF, { filename: 'a.pdf' }, 'document'],
  ['a sticker', 'image/webp', WEBP, {}, 'sticker'],
  ['a type that nobody knows', 'application/x-unknown', PDF, { filename: 'a.x' }, 'document'],
])('%s from a customer has the type of the network', async (_label, mimeType, bytes, more, type) => {
  const media = await inboundMedia({ mime_type: mimeType, data: bytes.toString('base64'), ...more });
  expect(media).toMatchObject({ message_type: type, mime_type: mimeType, ...more });
});

test('the digest in callbacks can be hexadecimal', async () => {
  await network.put('/_sim/config', { sha256_form: 'hex' });
  const photo = await inboundMedia({ mime_type: 'image/jpeg', data: JPEG.toString('base64') });
  await network.put('/_sim/config', { sha256_form: 'base64' });
  expect(photo.sha256).toBe(sha256(JPEG));
});

test('a message by media id needs media of the same account and kind', async () => {
  const photo = await uploaded(JPEG, 'image/jpeg');
  const send = (type: string, id: string, path?: string) =>
    network.send({ type, [type]: { id }, text: undefined }, path);
  expect((await send('image', photo)).status).toBe(200);
  expect((await send('document', photo)).status).toBe(200);
  expect(codeOf(await send('video', photo))).toBe(131053);
  expect(codeOf(await send('image', '123'))).toBe(100);
  await network.post('/_sim/numbers', { phone_number_id: '222333444', waba_id: '9' });
  expect(codeOf(await send('image', photo, '/v26.0/222333444/messages'))).toBe(100);
});

test('headers and template parameters need their media too', async () => {
  const image = { type: 'image', image: { id: '123' } };
  const action = { buttons: [{ type: 'reply', reply: { id: 'a', title: 'A' } }] };
  const interactive = { type: 'button', header: image, body: { text: 'b' }, action };
  const components = [{ type: 'header', parameters: [image] }];
  const template = { name: 'a', language: { code: 'en' }, components };
  expect(codeOf(await network.send({ type: 'interactive', interactive }))).toBe(100);
  expect(codeOf(await network.send({ type: 'template', template }))).toBe(100);
});

test('a hundred concurrent uploads each keep their own bytes', async () => {
  const files = Array.from({ length: 100 }, (_, i) => Buffer.concat([PDF, Buffer.alloc(200_000, i)]));
  const answers = await Promise.all(files.map((file) => network.upload(file, 'application/pdf')));
  const listed = objects((await network.get('/_sim/media')).body.data);
  const digests = new Map(listed.map((item) => [item.id, item.sha256]));
  expect(answers.map((answer) => digests.get(answer.body.id))).toEqual(files.map(sha256));
});

test("the customers' phones show the file of a message", async () => {
  const id = await uploaded(PNG, 'image/png');
  await network.send({ text: undefined, type: 'image', image: { id, caption: 'Look' } });
  const [item] = objects((await network.get(`/_sim/phone?peer=${CUSTOMER}`)).body.data);
  expect(item?.file).toEqual({ id, mime_type: 'image/png', bytes: PNG.length, filename: 'a "file"' });
  const file = await fetch(`${network.simulator.url}/_sim/media/file?id=${id}`);
  expect([file.headers.get('content-type'), Buffer.from(await file.arrayBuffer()).equals(PNG)]).toEqual([
    'image/png',
    true,
  ]);
});

test('a refused message of a customer leaves no file behind', async () => {
  const media = { mime_type: 'image/png', data: PNG.toString('base64') };
  expect((await network.post('/_sim/inbound', { phone_number_id: NUMBER_ID, media })).status).toBe(400);
  expect((await network.get('/_sim/media')).body.data).toEqual([]);
});

test.each([
  ['an unknown step', { teleport: {} }, 'Unknown field "teleport"'],
  ['an unknown fault', { media_upload: { fault: 'melt' } }, '"fault" of "media_upload"'],
  ['an unknown code', { media_upload: { code: 42 } }, 'no known error code'],
])('ordered failures with %s are refused with a sentence', async (_label, body, sentence) => {
  const answer = await network.put('/_sim/failures', body);
  expect([answer.status, String(answer.body.error).includes(sentence)]).toEqual([400, true]);
});
