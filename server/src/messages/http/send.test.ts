import { afterAll, describe, expect, test } from 'vitest';
import { ApiProblem } from '#core/errors';
import { StorageUnavailable } from '#database/database';
import { brokenKey, type FakeApi, fakeApi, messageId, slowKey, tenantId } from '#http/testing/fake-api';
import { good, post } from '#http/testing/post-message';
import { sendExamples } from '#messages/http/schemas/send-examples';

describe('POST /v1/messages accepts', () => {
  test('a text: 202 with exactly id, status, type and to', async () => {
    const api = fakeApi();
    const answer = await post(api, good);
    expect(answer.statusCode).toBe(202);
    expect(answer.body).toBe(`{"id":"${messageId}","status":"queued","type":"text","to":"447700900123"}`);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('every common field, and hands it on as a value', async () => {
    const api = fakeApi();
    const reply = '0190A6F2-8C1E-7D54-9B3A-5F6C7D8E9F01';
    await post(api, {
      ...good,
      type: 'text',
      preview_url: true,
      phone_number_id: '106540352242922',
      campaign_name: 'spring',
      client_ref: 'order-42',
      reply_to: reply,
      priority: 'high',
      send_at: '2030-01-01T10:00:00+01:00',
      ttl_s: 60,
    });
    expect(api.accepted).toEqual([
      {
        tenantId,
        claim: null,
        request: {
          to: '447700900123',
          content: { type: 'text', body: 'hello', previewUrl: true },
          phoneNumberId: '106540352242922',
          campaignName: 'spring',
          clientRef: 'order-42',
          replyTo: reply.toLowerCase(),
          resendOf: null,
          author: { kind: 'key', id: 'k1' },
          priority: 'high',
          sendAtMs: Date.UTC(2030, 0, 1, 9),
          expiresMs: null,
          ttlS: 60,
        },
      },
    ]);
  });
});

/** One application for those that look at nothing but the answer. */
let shared: FakeApi | undefined;
afterAll(() => shared?.app.close());

function anyApi(): FakeApi {
  shared ??= fakeApi();
  return shared;
}

describe('POST /v1/messages accepts also', () => {
  test.each(Object.entries(sendExamples))('the documented example %s', async (_name, { value }) => {
    expect((await post(anyApi(), value)).statusCode).toBe(202);
  });

  test('4096 characters, each of them outside the basic plane', async () => {
    expect((await post(fakeApi(), { ...good, body: '😀'.repeat(4096) })).statusCode).toBe(202);
  });

  test('escapes that stand for whole characters, and brackets that are only text', async () => {
    const api = fakeApi();
    expect((await post(api, '{"to":"447700900123","body":"\\ud83d\\ude00 \\u00e9"}')).statusCode).toBe(202);
    expect((await post(api, { ...good, body: '[{'.repeat(100) })).statusCode).toBe(202);
    expect(api.accepted[0]?.request.content).toMatchObject({ body: '😀 é' });
  });

  test('a body behind a byte order mark, and one that only speaks of __proto__ and constructors', async () => {
    const bodies = [`\uFEFF${JSON.stringify(good)}`, JSON.stringify({ ...good, body: 'the constructor of __proto__' })];
    for (const body of bodies) expect((await post(fakeApi(), body)).statusCode).toBe(202);
  });

  test('a key that had to be looked up first', async () => {
    expect((await post(fakeApi(), good, { authorization: slowKey })).statusCode).toBe(202);
  });
});

describe('POST /v1/messages when something is away', () => {
  test('answers 503 with Retry-After when the database is', async () => {
    const api = fakeApi();
    api.answerWith(() => Promise.reject(new StorageUnavailable('connection to db.internal lost')));
    const answer = await post(api, good);
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.json().code).toBe('storage_unavailable');
    expect(answer.body).not.toContain('db.internal');
  });

  test('answers 503 when the key cannot be looked up', async () => {
    const api = fakeApi({ lookupFailure: new StorageUnavailable('gone') });
    expect((await post(api, good, { authorization: brokenKey })).statusCode).toBe(503);
  });

  test('answers 503 when too much waits', async () => {
    const api = fakeApi();
    api.answerWith(() => Promise.reject(new ApiProblem('overloaded')));
    const answer = await post(api, good);
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1']);
  });

  test('says nothing of an unexpected failure', async () => {
    const api = fakeApi();
    api.answerWith(() => Promise.reject(new Error('select * from secrets')));
    const answer = await post(api, good);
    expect(answer.statusCode).toBe(500);
    expect(Object.keys(answer.json())).toEqual(['error', 'code']);
    expect(answer.body).not.toContain('secrets');
  });
});

describe('Idempotency-Key on POST /v1/messages', () => {
  test.each([
    '',
    'two words',
    'ü',
    'x'.repeat(256),
    'a\tb',
  ])('of %j is refused with 400, naming the header', async (key) => {
    const api = fakeApi();
    const answer = await post(api, good, { 'idempotency-key': key });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().details[0].path).toBe('header.idempotency-key');
    expect(api.accepted).toEqual([]);
  });

  test('is handed on as a hash, bound to the very bytes of the body', async () => {
    const api = fakeApi();
    const headers = { 'idempotency-key': 'order-42' };
    await post(api, '{"to":"447700900123","body":"a"}', headers);
    await post(api, '{"to":"447700900123","body":"a"}', headers);
    await post(api, '{"to":"447700900123", "body":"a"}', headers);
    const [first, same, other] = api.accepted.map(({ claim }) => claim);
    expect(first?.keyHash).toMatch(/^[A-Za-z0-9+/]{43}=$/);
    expect(same).toEqual(first);
    expect(other?.keyHash).toBe(first?.keyHash);
    expect(other?.fingerprint).not.toBe(first?.fingerprint);
  });

  test('replays the same bytes, and says so', async () => {
    const api = fakeApi();
    const first = await post(api, good, { 'idempotency-key': 'k' });
    const response = { to: '447700900123', type: 'text', status: 'queued', id: messageId };
    api.answerWith(async () => ({ kind: 'replayed', statusCode: 202, response }));
    const second = await post(api, good, { 'idempotency-key': 'k' });
    expect([second.statusCode, second.body]).toEqual([first.statusCode, first.body]);
    expect([first.headers['idempotent-replayed'], second.headers['idempotent-replayed']]).toEqual([undefined, 'true']);
  });

  test.each([
    ['idempotency_key_reused', 422],
    ['request_in_progress', 409],
  ] as const)('answers %s with %i', async (code, status) => {
    const api = fakeApi();
    api.answerWith(() => Promise.reject(new ApiProblem(code)));
    const answer = await post(api, good, { 'idempotency-key': 'k' });
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
  });
});
