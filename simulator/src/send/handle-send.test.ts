import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../json.ts';
import { CUSTOMER, codeOf, NUMBER_ID, startTestNetwork, type TestNetwork, wamidOf } from '../testing/network.ts';

let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork();
});
beforeEach(() => network.post('/_sim/reset', {}));
afterAll(() => network.close());

test('an accepted text is answered as the network does and is in the ledger', async () => {
  const request = { to: '+1 (555) 000-2222', text: { body: 'Hello 😀' }, biz_opaque_callback_data: 't=4;m="1"' };
  const answer = await network.send(request);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=UTF-8');
  expect(answer.headers.get('x-fb-trace-id')).toMatch(/^[\w-]{22}$/);
  expect(answer.body).toEqual({
    messaging_product: 'whatsapp',
    contacts: [{ input: '+1 (555) 000-2222', wa_id: CUSTOMER }],
    messages: [{ id: expect.stringMatching(/^wamid\.[A-Za-z0-9+/]+=*$/) }],
  });
  expect(await network.ledger()).toEqual([
    {
      id: wamidOf(answer),
      phone_number_id: NUMBER_ID,
      to: CUSTOMER,
      type: 'text',
      biz_opaque_callback_data: 't=4;m="1"',
      accepted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      request: { messaging_product: 'whatsapp', type: 'text', ...request },
    },
  ]);
});

const BUTTON = { type: 'reply', reply: { id: 'a', title: 'A' } };
const ACCEPTED: readonly (readonly [string, JsonObject])[] = [
  ['no type means text', { type: undefined }],
  ['4096 characters, counted as code points', { text: { body: '😀'.repeat(4096) } }],
  ['a quoted reply', { context: { message_id: 'wamid.X' } }],
  ['512 characters of callback data', { biz_opaque_callback_data: 'x'.repeat(512) }],
  ['an image by link', { type: 'image', image: { link: 'https://a.example/b.png', caption: 'c' } }],
  ['a video', { type: 'video', video: { link: 'https://a.example/b.mp4' } }],
  ['a voice message', { type: 'audio', audio: { link: 'https://a.example/b.ogg', voice: true } }],
  ['a document', { type: 'document', document: { link: 'https://a.example/b', filename: 'a.pdf' } }],
  ['a sticker', { type: 'sticker', sticker: { link: 'https://a.example/b.webp' } }],
  ['a location', { type: 'location', location: { latitude: 52.5, longitude: '13.4' } }],
  ['a contact', { type: 'contacts', contacts: [{ name: { formatted_name: 'Ada', first_name: 'Ada' } }] }],
  ['a reaction that removes', { type: 'reaction', reaction: { message_id: 'wamid.X', emoji: '' } }],
  [
    'buttons',
    { type: 'interactive', interactive: { type: 'button', body: { text: 'b' }, action: { buttons: [BUTTON] } } },
  ],
  ['a group', { to: 'HBgLMTU1', recipient_type: 'group' }],
];

test.each(ACCEPTED)('accepted: %s', async (_label, body) => {
  expect((await network.send(body)).status).toBe(200);
});

test('objects that are JSON text, and members that are null, are read as the values that they stand for', async () => {
  const contacts = [{ name: { formatted_name: 'Ada', first_name: 'Ada', last_name: null }, birthday: null }];
  const more = { text: undefined, context: null, biz_opaque_callback_data: '{"order":42}' };
  expect((await network.send({ ...more, type: 'contacts', contacts: JSON.stringify(contacts) })).status).toBe(200);
  const [entry] = await network.ledger();
  expect(entry).toMatchObject({ biz_opaque_callback_data: '{"order":42}' });
  expect(entry?.request).toMatchObject({
    contacts: [{ name: { formatted_name: 'Ada', first_name: 'Ada' } }],
    biz_opaque_callback_data: '{"order":42}',
  });
  for (const text of ['{"body":"Hello"}', '{"body":"Hello","preview_url":null}']) {
    expect((await network.send({ text })).status).toBe(200);
  }
});

const REFUSED: readonly (readonly [string, JsonObject, number])[] = [
  ['no messaging_product', { messaging_product: undefined }, 100],
  ['no recipient', { to: undefined }, 100],
  ['a recipient with letters', { to: '1555CALLME' }, 131009],
  ['a recipient that is too short', { to: '12345' }, 131009],
  ['a recipient that is a number', { to: 15550002222 }, 100],
  ['an unknown recipient type', { recipient_type: 'crowd' }, 100],
  ['a malformed user id', { to: undefined, recipient: 'nobody' }, 131009],
  ['an unknown type', { type: 'hologram' }, 131051],
  ['no text', { text: undefined }, 131008],
  ['an empty text', { text: { body: '' } }, 131008],
  ['4097 characters', { text: { body: 'x'.repeat(4097) } }, 100],
  ['a preview_url that is a string', { text: { body: 'x', preview_url: 'yes' } }, 100],
  ['513 characters of callback data', { biz_opaque_callback_data: 'x'.repeat(513) }, 100],
  ['a context without an id', { context: {} }, 100],
  ['media without id and link', { type: 'image', image: {} }, 131008],
  ['media with id and link', { type: 'image', image: { id: '1', link: 'https://a.example' } }, 100],
  ['media from a file address', { type: 'image', image: { link: 'file:///etc/passwd' } }, 131009],
  ['audio with a caption', { type: 'audio', audio: { id: '1', caption: 'c' } }, 100],
  ['a latitude of 91', { type: 'location', location: { latitude: 91, longitude: 0 } }, 131009],
  ['JSON text that is none', { type: 'contacts', contacts: '[{' }, 100],
  ['no contacts', { type: 'contacts', contacts: [] }, 100],
  ['a contact without a name', { type: 'contacts', contacts: [{}] }, 131008],
  ['a reaction without a target', { type: 'reaction', reaction: { emoji: '👍' } }, 131008],
  [
    'four buttons',
    {
      type: 'interactive',
      interactive: { type: 'button', body: { text: 'b' }, action: { buttons: [BUTTON, BUTTON, BUTTON, BUTTON] } },
    },
    131009,
  ],
  [
    'two buttons with one id',
    {
      type: 'interactive',
      interactive: { type: 'button', body: { text: 'b' }, action: { buttons: [BUTTON, BUTTON] } },
    },
    131009,
  ],
  [
    'a list without rows',
    {
      type: 'interactive',
      interactive: { type: 'list', body: { text: 'b' }, action: { button: 'x', sections: [{}] } },
    },
    131009,
  ],
  ['a template without a language', { type: 'template', template: { name: 'a' } }, 131008],
];

test.each(REFUSED)('refused: %s', async (_label, body, code) => {
  const answer = await network.send(body);
  expect(answer.status).toBe(400);
  expect(answer.body.error).toEqual({
    message: expect.stringContaining(`(#${code}) `),
    type: 'OAuthException',
    code,
    error_data: { messaging_product: 'whatsapp', details: expect.stringMatching(/./) },
    fbtrace_id: expect.stringMatching(/^[\w-]{22}$/),
  });
  expect(await network.ledger()).toEqual([]);
});

test('a body that is not a JSON object is refused with code 100', async () => {
  const answer = await network.post(`/${NUMBER_ID}/messages`, '[1,2', { authorization: 'Bearer token' });
  expect([answer.status, codeOf(answer)]).toEqual([400, 100]);
});

test('a request without a token is refused with 401 and code 104', async () => {
  const answer = await network.send({}, `/v26.0/${NUMBER_ID}/messages`, null);
  expect([answer.status, codeOf(answer)]).toEqual([401, 104]);
});

test('a token may be in the query', async () => {
  expect((await network.send({}, `/v26.0/${NUMBER_ID}/messages?access_token=abc`, null)).status).toBe(200);
});

test('with a list of tokens every other token is refused with 401 and code 190', async () => {
  await network.put('/_sim/config', { tokens: ['right'] });
  const wrong = await network.send();
  const right = await network.send({}, `/${NUMBER_ID}/messages`, 'right');
  await network.put('/_sim/config', { tokens: null });
  expect([wrong.status, codeOf(wrong), right.status]).toEqual([401, 190, 200]);
});

test('the version may be any or absent, but not malformed', async () => {
  const status = async (path: string): Promise<number> => (await network.send({}, path)).status;
  expect(await status(`/v19.0/${NUMBER_ID}/messages`)).toBe(200);
  expect(await status(`/${NUMBER_ID}/messages`)).toBe(200);
  expect(await status(`/v26/${NUMBER_ID}/messages`)).toBe(400);
});

test.each([
  ['GET', `/v26.0/${NUMBER_ID}/messages`],
  ['POST', `/v26.0/${NUMBER_ID}/nothing`],
  ['POST', '/v26.0/not-a-number/messages'],
])('%s %s does not exist: code 100, subcode 33', async (method, path) => {
  const answer = await network.call(method, path, method === 'GET' ? undefined : {}, { authorization: 'Bearer x' });
  expect(answer.status).toBe(400);
  expect(answer.body.error).toMatchObject({ code: 100, error_subcode: 33 });
});

test('a template send returns its message_status', async () => {
  const answer = await network.send({ type: 'template', template: { name: 'a', language: { code: 'en_US' } } });
  expect(answer.body.messages).toEqual([{ id: wamidOf(answer), message_status: 'accepted' }]);
});

test('a message to a user id is answered without a phone', async () => {
  const recipient = 'US.13491208655302741918';
  const answer = await network.send({ to: undefined, recipient });
  expect(answer.body.contacts).toEqual([{ input: recipient, user_id: recipient }]);
});

test('a body with line breaks is one line of the ledger', async () => {
  const body = JSON.stringify({ messaging_product: 'whatsapp', to: CUSTOMER, text: { body: 'a\nb' } }, null, 2);
  await network.post(`/${NUMBER_ID}/messages`, body, { authorization: 'Bearer token' });
  const [entry] = await network.ledger();
  expect(entry?.request).toEqual(JSON.parse(body));
});

test('an inbound message can be marked as read and answered with a typing indicator; an unknown id is 131009', async () => {
  const inbound = await network.post('/_sim/inbound', { from: CUSTOMER, text: 'Hi', phone_number_id: NUMBER_ID });
  const mark = (id: unknown, extra: JsonObject = {}) =>
    network.send({ to: undefined, type: undefined, text: undefined, status: 'read', message_id: id, ...extra });
  expect((await mark(inbound.body.id, { typing_indicator: { type: 'text' } })).body).toEqual({ success: true });
  expect(codeOf(await mark('wamid.unknown'))).toBe(131009);
  expect(codeOf(await mark(undefined))).toBe(131008);
  expect(await network.ledger()).toEqual([]);
});

test('the limits of the network refuse with 130429 per number and 131056 per recipient', async () => {
  await network.put('/_sim/config', { pair_limit: true });
  const answers = await Promise.all(Array.from({ length: 46 }, () => network.send()));
  expect(answers.filter((answer) => codeOf(answer) === 131056)).toHaveLength(1);
  await network.put('/_sim/config', { number_rate: 1 });
  const others = await Promise.all(Array.from({ length: 20 }, (_, i) => network.send({ to: `1555000${3000 + i}` })));
  await network.put('/_sim/config', { number_rate: 0, pair_limit: false });
  expect(others.some((answer) => codeOf(answer) === 130429 && answer.status === 400)).toBe(true);
  const stats = (await network.get('/_sim/stats')).body;
  expect(isJsonObject(stats.refused) && stats.refused['131056']).toBe(1);
});

test('in strict mode only registered numbers exist', async () => {
  await network.post('/_sim/numbers', { phone_number_id: '111222333', strict_numbers: true });
  const unknown = await network.send({}, '/v26.0/999888777/messages');
  const known = await network.send({}, '/v26.0/111222333/messages');
  await network.put('/_sim/config', { strict_numbers: false });
  expect(unknown.body.error).toMatchObject({ code: 100, error_subcode: 33 });
  expect(known.status).toBe(200);
});
