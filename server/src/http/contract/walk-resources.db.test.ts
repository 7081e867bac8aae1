import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ContractClient, contractClient } from '#http/contract/testing/contract-client';
import { CUSTOMER, customerWrites } from '#http/contract/testing/customer';
import { picture } from '#http/contract/testing/files';
import { expectAccepted, expectError, expectMoney, expectPage, time, uuid } from '#http/contract/testing/promises';
import { startTestService, TEST_KEY, type TestService } from '#testing/test-service';

/*
 * A stranger with the specification, an address and a key uses everything but messages, and does everything wrong
 * once. What is checked stands in the specification or in the description of the API.
 */
let kit: TestService;
let client: ContractClient;

beforeAll(async () => {
  kit = await startTestService();
  client = contractClient(kit.service.url, TEST_KEY);
});
afterAll(() => kit.close());

const NOBODYS = '0190a6f2-0000-7000-8000-00000000dead';

describe('account linking (4.9)', () => {
  test('has an address to go to, with a state that ends in ten minutes, under the name of the platform alone', async () => {
    const { status, json } = await client.get('/v1/platform/oauth/url');
    expect([status, json]).toEqual([200, { url: expect.any(String), state: expect.any(String), expires_at: time }]);
    expect(new URL(json.url).searchParams.get('state')).toBe(json.state);
    expectError(await client.get('/v1/elsewhere/oauth/url'), 404);
  });
});

describe('media (4.5, 4.6)', () => {
  test('goes up, is described, comes down in whole and in part, and is gone when deleted', async () => {
    const file = picture(50_000);
    const bytes = Buffer.from(await file.arrayBuffer());
    const { json } = await client.upload('/v1/media', file, { mime_type: 'image/jpeg' });
    expect(json).toEqual({
      media_id: uuid,
      mime_type: 'image/jpeg',
      size: 50_000,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      sendable_as: expect.arrayContaining(['image']),
      expires_at: time,
    });
    const path = `/v1/media/${json.media_id}`;
    expect((await client.get(path)).json).toMatchObject(json);
    const headers = { Authorization: `Bearer ${TEST_KEY}` };
    const whole = await fetch(`${kit.service.url}${path}/content`, { headers });
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
    expect(whole.headers.get('content-disposition')).toMatch(/^attachment/);
    const part = await fetch(`${kit.service.url}${path}/content`, { headers: { ...headers, Range: 'bytes=100-199' } });
    expect([part.status, Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(100, 200))]).toEqual([206, true]);
    expect((await client.remove(path)).status).toBe(200);
    expectError(await client.get(path), 404);
    const send = { to: CUSTOMER, type: 'image', media: { media_id: json.media_id } };
    expectError(await client.post('/v1/messages', send), 400);
  });

  test('of exactly 16 MiB is taken, one byte more is a 413, none at all a 400', async () => {
    const limit = 16 * 1024 * 1024;
    expect((await client.upload('/v1/media', picture(limit))).json.size).toBe(limit);
    expectError(await client.upload('/v1/media', picture(limit + 1)), 413);
    expectError(await client.upload('/v1/media', new File([], 'empty.jpg')), 400);
  });

  test('yields a handle of the network, by a form and by tus 1.0 in two pieces', async () => {
    const form = await client.upload('/v1/media/resumable', picture());
    expect([form.status, form.json]).toEqual([200, { handle: expect.any(String), media_id: uuid }]);
    const bytes = Buffer.from(await picture(10_000).arrayBuffer());
    const tus = { 'Tus-Resumable': '1.0.0' };
    const created = await client.raw('POST', '/v1/media/resumable', { headers: { ...tus, 'Upload-Length': '10000' } });
    const location = created.headers.get('location') ?? '';
    expect([created.status, location]).toEqual([201, expect.stringMatching(/^\/v1\/media\/resumable\/./)]);
    for (const [from, to] of [
      [0, 4_000],
      [4_000, 10_000],
    ] as const) {
      const headers = { ...tus, 'Upload-Offset': String(from), 'Content-Type': 'application/offset+octet-stream' };
      const patched = await client.raw('PATCH', location, { headers, body: new Uint8Array(bytes.subarray(from, to)) });
      expect([patched.status, patched.headers.get('upload-offset')]).toEqual([204, String(to)]);
    }
    const upload = async () => (await client.get(location)).json;
    const ready = await kit.until(upload, ({ status }) => status === 'ready', 'the network gave its handle');
    expect(ready).toMatchObject({ offset: 10_000, size: 10_000, handle: expect.any(String) });
  });
});

describe('wallet, subscription and usage (4.7, 4.8)', () => {
  test('the wallet shows its schema and gates nothing', async () => {
    const wallet = (await client.get('/v1/wallet')).json;
    expect(wallet.enabled).toBe(false);
    expectMoney([wallet.balance, wallet.held, wallet.available], wallet.currency);
    const pricing = (await client.get('/v1/wallet/pricing')).json;
    expectMoney(
      pricing.categories.map((price: { unit_price_micros: number }) => price.unit_price_micros),
      pricing.currency,
    );
    expectPage(await client.get('/v1/wallet/transactions?limit=50'));
    expectError(await client.post('/v1/wallet/topups', { amount: 500, currency: 'EUR' }), 400, 'wallet_disabled');
  });

  test('the subscription is active, and usage counts what was sent and received', async () => {
    const { json } = await client.get('/v1/subscription');
    expect(json).toMatchObject({
      plan: { id: expect.any(String), name: expect.any(String), limits: expect.any(Object) },
      status: 'active',
      current_period_start: time,
      current_period_end: time,
      gate: { open: true, reason: null },
    });
    expectMoney([json.plan.price], json.plan.currency);
    const usage = async () => (await client.get('/v1/usage')).json;
    const before = await usage();
    const id = expectAccepted(await client.post('/v1/messages', { to: CUSTOMER, body: 'Hi' }), 'text', CUSTOMER);
    const status = async () => (await client.get(`/v1/messages/${id}`)).json.status;
    // The customer answers to the number that wrote.
    await kit.until(status, (now) => now === 'sent', 'the message is sent');
    await customerWrites(kit, client, { text: 'Counted?' });
    const after = await usage();
    expect([after.outbound - before.outbound, after.inbound - before.inbound]).toEqual([1, 1]);
    expect(after.fair_use).toMatchObject({ used: after.outbound, enforcement: 'soft', resets_at: time });
    expect((await client.get('/v1/usage?month=2020-01')).json).toMatchObject({ outbound: 0, inbound: 0 });
    expectError(await client.get('/v1/usage?month=2020-13'), 400);
  });
});

describe('keys (5) and errors (7)', () => {
  test('a key is made, works, is replaced and revoked; the log tells of it', async () => {
    const made = await client.post('/v1/api-keys', { name: 'shop', scopes: ['messages:read'] });
    expect([made.status, made.json]).toEqual([
      201,
      expect.objectContaining({ id: uuid, key: expect.stringMatching(/^pr_/) }),
    ]);
    const mine = contractClient(kit.service.url, made.json.key);
    expectPage(await mine.get('/v1/messages/outbound'));
    expectError(await mine.post('/v1/messages', { to: CUSTOMER, body: 'Hi' }), 403);
    const rotated = await client.post(`/v1/api-keys/${made.json.id}/rotate`, { overlap_s: 60 });
    expect([rotated.status, rotated.json.key === made.json.key]).toEqual([201, false]);
    for (const id of [made.json.id, rotated.json.id]) {
      const { key: _key, ...shown } = (await client.get(`/v1/api-keys/${id}`)).json;
      expect(shown).toMatchObject({ id, name: 'shop', scopes: ['messages:read'] });
      expect((await client.remove(`/v1/api-keys/${id}`)).status).toBe(200);
    }
    const refused = async () => (await mine.get('/v1/messages/outbound')).status;
    await kit.until(refused, (status) => status === 401, 'the revoked key is refused');
    const log = expectPage(await client.get(`/v1/audit-log?target_id=${made.json.id}`));
    expect(log.length).toBeGreaterThanOrEqual(3);
  });

  test('without a key only the document is served, and it describes itself as version 1.0.0', async () => {
    const stranger = contractClient(kit.service.url, null);
    const document = await stranger.get('/v1/openapi.json');
    expect(document.json).toMatchObject({ openapi: expect.stringMatching(/^3\./), info: { version: '1.0.0' } });
    type Methods = Record<string, { readonly tags: readonly string[]; readonly security: readonly unknown[] }>;
    for (const [path, methods] of Object.entries<Methods>(document.json.paths)) {
      // The browser comes back from the dialog without a key; its state stands for one.
      if (!path.startsWith('/v1/') || path === '/v1/openapi.json' || path.endsWith('/oauth/callback')) continue;
      for (const [method, { tags, security }] of Object.entries(methods)) {
        const isForPeople = tags.includes('People');
        // Signing in needs no session yet.
        if (isForPeople && security.length === 0) continue;
        const where = path.replace(/\{\w+\}/g, NOBODYS);
        const code = isForPeople ? 'not_signed_in' : 'unauthorized';
        expectError(await stranger.raw(method.toUpperCase(), where, {}), 401, code);
      }
    }
    expectError(await contractClient(kit.service.url, 'garbage').get('/v1/wallet'), 401, 'unauthorized');
  });

  test.each([
    ['nothing', {}, ['body.to', 'body.body']],
    ['no recipient', { body: 'Hi' }, ['body.to']],
    ['an empty text', { to: CUSTOMER, body: '' }, ['body.body']],
    ['a text of 4097', { to: CUSTOMER, body: 'x'.repeat(4_097) }, ['body.body']],
    ['a number of 6 digits', { to: '447700', body: 'Hi' }, ['body.to']],
    ['a number that begins with 0', { to: '0447700900', body: 'Hi' }, ['body.to']],
    ['an unknown type', { to: CUSTOMER, body: 'Hi', type: 'fax' }, ['body.type']],
    ['an unknown field', { to: CUSTOMER, body: 'Hi', colour: 'red' }, ['body.colour']],
    ['two faults', { to: 1, body: 2 }, ['body.to', 'body.body']],
    ['a reference of 513', { to: CUSTOMER, body: 'Hi', client_ref: 'x'.repeat(513) }, ['body.client_ref']],
    [
      'a time 31 days ahead',
      { to: CUSTOMER, body: 'Hi', send_at: new Date(Date.now() + 31 * 86_400_000) },
      ['body.send_at'],
    ],
    [
      'two contents',
      { to: CUSTOMER, body: 'Hi', type: 'location', location: { latitude: 1, longitude: 1 } },
      ['body.body'],
    ],
  ])('a message with %s is a 400 that names every fault', async (_label, body, paths) => {
    const answer = await client.post('/v1/messages', body);
    expectError(answer, 400, 'validation_failed');
    expect(answer.json.details.map(({ path }: { path: string }) => path).toSorted()).toEqual(paths.toSorted());
  });

  test('what is unknown is a 404, another method a 405, another content type a 415', async () => {
    for (const path of ['messages', 'media', 'api-keys', 'media/resumable']) {
      expectError(await client.get(`/v1/${path}/${NOBODYS}`), 404, 'not_found');
    }
    expectError(await client.get('/v1/nothing'), 404, 'not_found');
    expectError(await client.raw('PUT', '/v1/messages', {}), 405);
    expectError(
      await client.raw('POST', '/v1/messages', { body: 'to=1', headers: { 'Content-Type': 'text/plain' } }),
      415,
    );
    expectError(
      await client.raw('POST', '/v1/messages', { body: '{', headers: { 'Content-Type': 'application/json' } }),
      400,
    );
  });

  test('a request id is returned as it was given', async () => {
    const { headers } = await client.get('/v1/wallet', { 'X-Request-Id': 'order-42' });
    expect(headers.get('x-request-id')).toBe('order-42');
  });
});

/** What the specification lists (4.1 to 4.10), as the document must describe it. */
const CONTRACT = [
  'POST /v1/messages',
  'GET /v1/messages/{id}',
  'GET /v1/messages/inbound',
  'GET /v1/messages/outbound',
  'POST /v1/media',
  'POST /v1/media/resumable',
  'GET /v1/wallet',
  'GET /v1/wallet/pricing',
  'GET /v1/wallet/transactions',
  'GET /v1/subscription',
  'GET /v1/usage',
  'GET /v1/{platform}/oauth/url',
  'GET /v1/openapi.json',
];

test('every endpoint of the specification is described', async () => {
  const { json } = await client.get('/v1/openapi.json');
  const described = Object.entries<object>(json.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(CONTRACT.filter((endpoint) => !described.includes(endpoint))).toEqual([]);
});
