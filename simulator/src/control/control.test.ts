import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  CUSTOMER,
  codeOf,
  NUMBER_ID,
  objects,
  startTestNetwork,
  type TestNetwork,
  wamidOf,
} from '../testing/network.ts';

let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork();
});
beforeEach(async () => {
  await network.post('/_sim/reset', {});
  network.receiver.posts.length = 0;
});
afterAll(() => network.close());

test('messages are listed in accept order, by pages, with the total', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.push(wamidOf(await network.send({ to: `1555000300${i}` })));
  const page = await network.get('/_sim/messages?limit=2&offset=1');
  expect(objects(page.body.data).map((entry) => entry.id)).toEqual([ids[1], ids[2]]);
  expect(page.body.page).toEqual({ limit: 2, offset: 1, total: 5 });
  const filtered = await network.get(
    `/_sim/messages?to=${encodeURIComponent('+1 555 000 3003')}&phone_number_id=${NUMBER_ID}`,
  );
  expect(objects(filtered.body.data).map((entry) => entry.id)).toEqual([ids[3]]);
  expect((await network.get('/_sim/messages?phone_number_id=1')).body.page).toEqual({ limit: 50, offset: 0, total: 0 });
});

test.each([
  ['limit=10001', '"limit" must be a whole number from 0 to 10000.'],
  ['offset=-1', '"offset" must be a whole number'],
  ['recipient=1', 'Unknown parameter "recipient"'],
])('a listing with %s is refused with a sentence', async (query, sentence) => {
  const answer = await network.get(`/_sim/messages?${query}`);
  expect(answer.status).toBe(400);
  expect(answer.body.error).toContain(sentence);
});

test.each([
  ['missed', {}, { status: 'COMPLETED' }],
  ['answered', { duration_seconds: 133 }, { status: 'COMPLETED', duration: 133, start_time: expect.any(String) }],
  ['failed', {}, { status: 'FAILED', errors: [{ code: 138021, message: expect.any(String) }] }],
])('a call that is %s is reported by its beginning and its end, in callbacks of their own', async (outcome, more, end) => {
  const order = { from: CUSTOMER, phone_number_id: NUMBER_ID, outcome, ...more };
  const { body } = await network.post('/_sim/calls', order);
  expect(body).toEqual({ id: expect.stringMatching(/^wacid\./), queued: 2 });
  await network.receiver.until(() => network.receiver.posts.length === 2);
  const shared = { id: body.id, from: CUSTOMER, to: '15550800900', direction: 'USER_INITIATED' };
  expect(network.receiver.posts.map(({ value }) => value)).toMatchObject([
    { contacts: [{ wa_id: CUSTOMER }], calls: [{ ...shared, event: 'connect' }] },
    { metadata: { phone_number_id: NUMBER_ID }, calls: [{ ...shared, event: 'terminate', ...end }] },
  ]);
  expect(network.receiver.posts.every(({ text }) => text.includes('"field":"calls"'))).toBe(true);
});

test('a call that rings is ended by its id, also one to a customer', async () => {
  const order = { user_id: 'US.13491208655302741918', phone_number_id: NUMBER_ID, direction: 'business_initiated' };
  const { body } = await network.post('/_sim/calls', { ...order, outcome: 'ringing' });
  await network.receiver.until(() => network.receiver.posts.length === 1);
  await network.post('/_sim/calls', { ...order, id: body.id, outcome: 'missed' });
  await network.receiver.until(() => network.receiver.posts.length === 2);
  const shared = { id: body.id, direction: 'BUSINESS_INITIATED', from: '15550800900', to_user_id: order.user_id };
  const calls = network.receiver.posts.flatMap(({ value }) => objects(value.calls));
  expect(calls).toMatchObject([
    { ...shared, event: 'connect' },
    { ...shared, event: 'terminate' },
  ]);
});

test.each([
  [{}, 'Give "from" (a phone number) or "user_id".'],
  [{ from: CUSTOMER, outcome: 'declined' }, '"outcome" must be one of: answered, missed, failed, ringing.'],
  [{ from: CUSTOMER, duration_seconds: 5 }, '"duration_seconds" belongs to the outcome answered.'],
  [{ from: CUSTOMER, direction: 'up' }, '"direction" must be one of: user_initiated, business_initiated.'],
  [{ from: CUSTOMER, outcome: 'ringing', id: 'wacid.A' }, 'A call with an "id" rings already: give its outcome.'],
])('the order of a call %j is refused with a sentence', async (order, sentence) => {
  const answer = await network.post('/_sim/calls', { phone_number_id: NUMBER_ID, ...order });
  expect([answer.status, answer.body.error]).toEqual([400, sentence]);
});

test('a text from a customer becomes a signed callback', async () => {
  const answer = await network.post('/_sim/inbound', {
    from: '+1 555 000 2222',
    name: 'Ada Öbi',
    text: 'Hi 👋',
    phone_number_id: NUMBER_ID,
  });
  await network.receiver.until(() => network.receiver.messages.length === 1);
  const [post] = network.receiver.posts;
  expect(post !== undefined && network.signed(post)).toBe(true);
  expect(post?.text).not.toMatch(/[\u0080-\uffff]/);
  const userId = expect.stringMatching(/^US\.\d+$/);
  expect(post?.value).toEqual({
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '15550800900', phone_number_id: NUMBER_ID },
    contacts: [{ profile: { name: 'Ada Öbi' }, wa_id: CUSTOMER, user_id: userId }],
    messages: [
      {
        from: CUSTOMER,
        from_user_id: userId,
        id: answer.body.id,
        timestamp: expect.stringMatching(/^\d{10}$/),
        text: { body: 'Hi 👋' },
        type: 'text',
      },
    ],
  });
  expect(answer.body).toEqual({ id: expect.stringMatching(/^wamid\./), queued: 1 });
});

test('any message object of the callbacks is passed on as it is', async () => {
  const message = { type: 'unsupported', id: 'wamid.MINE', errors: [{ code: 131051 }], timestamp: '1790000000' };
  const contacts = [{ profile: { name: 'X' }, wa_id: CUSTOMER }];
  await network.post('/_sim/inbound', { phone_number_id: NUMBER_ID, from: CUSTOMER, message, contacts });
  await network.receiver.until(() => network.receiver.messages.length === 1);
  expect(network.receiver.messages[0]).toMatchObject(message);
  expect(network.receiver.posts[0]?.value.contacts).toEqual(contacts);
});

test('a customer with a user id only shows no phone', async () => {
  await network.post('/_sim/inbound', { user_id: 'US.13491208655302741918', text: 'Hi', phone_number_id: NUMBER_ID });
  await network.receiver.until(() => network.receiver.messages.length === 1);
  expect(network.receiver.messages[0]).not.toHaveProperty('from');
  expect(network.receiver.posts[0]?.value.contacts).toEqual([
    { profile: { name: 'Customer 1918' }, user_id: 'US.13491208655302741918' },
  ]);
});

test('many inbound messages leave in batches, each once', async () => {
  const messages = Array.from({ length: 450 }, (_, i) => ({
    from: `1555000${3000 + i}`,
    text: `No ${i}`,
    phone_number_id: NUMBER_ID,
  }));
  const answer = await network.post('/_sim/inbound', { messages });
  await network.receiver.until(() => network.receiver.messages.length === 450);
  expect(answer.body.queued).toBe(450);
  // Posts on different connections may overtake each other.
  const ids = network.receiver.messages.map((message) => message.id);
  expect(ids.toSorted()).toEqual((answer.body.ids as string[]).toSorted());
  expect(network.receiver.posts.length).toBeLessThanOrEqual(5);
});

test('an inbound message goes to the number that sent last', async () => {
  await network.send({}, '/v26.0/424242/messages');
  await network.post('/_sim/inbound', { from: CUSTOMER, text: 'Hi' });
  await network.receiver.until(() => network.receiver.messages.length === 1);
  const post = network.receiver.posts.find((received) => objects(received.value.messages).length > 0);
  expect(post?.value.metadata).toMatchObject({ phone_number_id: '424242' });
});

test.each([
  [{}, 'Give "text", "media", or "message"'],
  [{ text: 'Hi' }, 'Give "from"'],
  [{ text: 'Hi', from: 'Ada' }, '"from" must be a phone number'],
  [{ text: 'Hi', user_id: 'ada' }, '"user_id" must look like'],
  [{ text: 'Hi', from: CUSTOMER, phone_number_id: 'x' }, '"phone_number_id" must be a string of digits'],
  [{ messages: [{ text: 'ok', from: CUSTOMER }, { text: 'no sender' }] }, 'Give "from"'],
  ['[]', 'The body must be a JSON object.'],
])('inbound %j is refused with a sentence and nothing is queued', async (body, sentence) => {
  const answer = await network.post('/_sim/inbound', body);
  expect(answer.status).toBe(400);
  expect(answer.body.error).toContain(sentence);
  expect((await network.get('/_sim/stats')).body.callbacks_pending).toBe(0);
});

test('saving a callback address runs the verification handshake', async () => {
  const right = await network.put('/_sim/config', {
    callback_url: network.callbackUrl,
    verify_token: 'test-verify-token',
    verify: true,
  });
  expect([right.status, right.body.verified]).toEqual([200, true]);
  const wrong = await network.put('/_sim/config', { verify_token: 'other', verify: true });
  expect(wrong.status).toBe(400);
  expect(wrong.body.error).toContain('did not answer the verification');
  expect((await network.get('/_sim/config')).body.verify_token).toBe('test-verify-token');
});

test.each([
  [{ callback_url: 'ftp://a' }, '"callback_url" must be an http or https address'],
  [{ callback_batch_max: 0 }, '"callback_batch_max" must be a number from 1 to 1000'],
  [{ callback_connections: 0 }, '"callback_connections" must be a number from 1 to 1000'],
  [{ sent_ms: 1.5 }, '"sent_ms" must be a whole number'],
  [{ pair_limit: 'off' }, '"pair_limit" must be true or false'],
  [{ tokens: [''] }, '"tokens" must be null'],
  [{ colour: 'red' }, 'Unknown field "colour"'],
])('settings %j are refused with a sentence', async (settings, sentence) => {
  const answer = await network.put('/_sim/config', settings);
  expect(answer.status).toBe(400);
  expect(answer.body.error).toContain(sentence);
});

test('a reset forgets the ledger, pending callbacks, counters and the clock, but not the settings', async () => {
  await network.put('/_sim/config', { sent_ms: 3_600_000 });
  await network.send();
  await network.post('/_sim/clock', { advance_ms: 60_000 });
  await network.post('/_sim/reset', {});
  const stats = (await network.get('/_sim/stats')).body;
  const config = (await network.get('/_sim/config')).body;
  await network.put('/_sim/config', { sent_ms: 0 });
  expect(stats).toMatchObject({ accepted: 0, ledger_size: 0, callbacks_pending: 0 });
  expect(config.sent_ms).toBe(3_600_000);
  expect((await network.get('/_sim/clock')).body.offset_ms).toBe(0);
  await network.quiet();
  expect(network.receiver.statuses.filter((status) => status.status === 'sent')).toEqual([]);
});

test('a registered number is shown in callbacks as it was registered', async () => {
  const number = { phone_number_id: '121212', display_phone_number: '15550001111', waba_id: '343434' };
  expect(await network.post('/_sim/numbers', number)).toMatchObject({ status: 201, body: number });
  await network.send({}, '/v26.0/121212/messages');
  await network.receiver.until(() => network.receiver.statuses.length === 3);
  expect(network.receiver.posts[0]?.text).toContain('"entry":[{"id":"343434"');
  expect(network.receiver.posts[0]?.text).toContain('"display_phone_number":"15550001111"');
  expect(objects((await network.get('/_sim/numbers')).body.data)).toContainEqual({ ...number, registered: true });
});

test('counters count what was accepted, refused and posted', async () => {
  await network.send();
  expect(codeOf(await network.send({ to: 'nobody' }))).toBe(131009);
  await network.quiet();
  expect((await network.get('/_sim/stats')).body).toMatchObject({
    accepted: 1,
    refused: { 131009: 1 },
    statuses_sent: 3,
    callbacks_failed: 0,
    callbacks_pending: 0,
    ledger_size: 1,
  });
});

test('the phones show what customers received and wrote, the latest talk first', async () => {
  await network.send({ to: '15550003001', text: { body: 'One' } });
  await network.send({ to: '15550003002', text: { body: 'Two' } });
  await network.post('/_sim/clock', { advance_ms: 1000 });
  await network.post('/_sim/inbound', { from: '15550003001', text: 'Back' });
  const phones = objects((await network.get('/_sim/phones')).body.data);
  expect(phones.map((phone) => [phone.peer, phone.messages])).toEqual([
    ['15550003001', 2],
    ['15550003002', 1],
  ]);
  const thread = objects((await network.get('/_sim/phone?peer=15550003001')).body.data);
  expect(thread.map((item) => item.direction)).toEqual(['received', 'written']);
});

test('the page is one file that loads nothing from elsewhere', async () => {
  const page = await fetch(`${network.simulator.url}/`);
  const html = await page.text();
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(html).toContain("<h1>Customers' phones</h1>");
  expect(html).not.toMatch(/(src|href)="(https?:)?\/\//);
});

test('health is ok, and an unknown endpoint lists the known ones', async () => {
  expect((await network.get('/_sim/health')).body.status).toBe('ok');
  const unknown = await network.get('/_sim/nothing');
  expect(unknown.status).toBe(404);
  expect(unknown.body.endpoints).toContain('POST /_sim/inbound');
});

test('what the business writes on its phone is reported as an echo, and then as delivered and read', async () => {
  const answer = await network.post('/_sim/echo', {
    to: '+1 555 000 2222',
    text: 'At nine',
    phone_number_id: NUMBER_ID,
  });
  await network.post('/_sim/clock', { advance_ms: 2_000 });
  await network.receiver.until(() => network.receiver.statuses.length === 2);
  const { id } = answer.body;
  const [post] = network.receiver.posts;
  expect(JSON.parse(post?.text ?? '{}').entry[0].changes).toEqual([
    {
      field: 'smb_message_echoes',
      value: {
        messaging_product: 'whatsapp',
        metadata: { display_phone_number: '15550800900', phone_number_id: NUMBER_ID },
        message_echoes: [
          {
            from: '15550800900',
            to: CUSTOMER,
            to_user_id: expect.stringMatching(/^US\.\d+$/),
            id,
            timestamp: expect.stringMatching(/^\d{10}$/),
            type: 'text',
            text: { body: 'At nine' },
          },
        ],
      },
    },
  ]);
  expect(network.receiver.statuses).toMatchObject([
    { id, status: 'delivered', recipient_id: CUSTOMER },
    { id, status: 'read', recipient_id: CUSTOMER },
  ]);
});

test.each([
  [{ text: 'Hi' }, 'Give "to": a phone number or a user id.'],
  [{ to: '12', text: 'Hi' }, '"to" must be a phone number of 7 to 15 digits, or a user id.'],
  [{ to: CUSTOMER }, 'Give "text", or "message" with a message object.'],
])('an echo %j is refused with a sentence', async (body, sentence) => {
  const answer = await network.post('/_sim/echo', body);
  expect(answer).toMatchObject({ status: 400, body: { error: sentence } });
});
