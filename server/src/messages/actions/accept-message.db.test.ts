import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countRows } from '#testing/test-callbacks';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;
let stranger: TestTenant;

beforeAll(async () => {
  // Nothing is sent here: what was accepted stays as it was accepted.
  kit = await startTestService({ config: { roles: 'api' } });
  tenant = await makeTestTenant(kit);
  stranger = await makeTestTenant(kit);
});
afterAll(() => kit.close());

async function counts(): Promise<readonly number[]> {
  const tables = ['outbound_messages', 'send_queue', 'idempotency_keys', 'dead_letters'];
  return Promise.all(tables.map((table) => countRows(kit.service.db, table)));
}

function post(of: TestTenant, body: unknown, key?: string): Promise<Answer> {
  return of.call('POST', '/v1/messages', body, key === undefined ? {} : { 'idempotency-key': key });
}

describe('a 202', () => {
  test('means that the message can be read immediately, as it was posted', async () => {
    const fields = { client_ref: 'order 42', campaign_name: 'spring', body: 'Grüße 👋', priority: 'high' };
    const answer = await post(tenant, { to: '+44 7700 900123', ...fields });
    expect(answer).toMatchObject({ status: 202, body: { status: 'queued', type: 'text', to: '447700900123' } });
    expect(Object.keys(answer.body).sort()).toEqual(['id', 'status', 'to', 'type']);
    expect(await tenant.message(answer.body.id)).toMatchObject({
      ...fields,
      id: answer.body.id,
      to: '447700900123',
      status: 'queued',
      phone_number_id: tenant.phoneNumberId,
      delivery: { state: 'pending', attempts: 0, network_message_id: null, error: null },
    });
  });

  test('is given to each of many concurrent requests, and all of them are stored', async () => {
    const before = await countRows(kit.service.db, 'send_queue', tenant.tenantId);
    const ids = await Promise.all(Array.from({ length: 700 }, () => tenant.send(freshPhone())));
    expect(new Set(ids).size).toBe(700);
    expect(await countRows(kit.service.db, 'send_queue', tenant.tenantId)).toBe(before + 700);
  });
});

describe('P5: an Idempotency-Key', () => {
  const body = { to: '447700900123', body: 'Once' };

  test('makes one message of 100 identical concurrent requests; the others get the same bytes, marked as replayed', async () => {
    const before = await countRows(kit.service.db, 'outbound_messages', tenant.tenantId);
    const answers = await Promise.all(Array.from({ length: 100 }, () => post(tenant, body, 'once')));
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(202);
    const replayed = answers.filter((answer) => answer.headers.get('idempotent-replayed') === 'true');
    expect(replayed.length).toBe(99);
    expect(await countRows(kit.service.db, 'outbound_messages', tenant.tenantId)).toBe(before + 1);
    expect(await countRows(kit.service.db, 'idempotency_keys', tenant.tenantId)).toBe(1);
  });

  test('with another body is refused with 422 and changes nothing', async () => {
    const first = await post(tenant, body, 'reused');
    const before = await counts();
    const second = await post(tenant, { ...body, body: 'Twice' }, 'reused');
    expect(second).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    expect(await counts()).toEqual(before);
    expect((await tenant.message(first.body.id)).body).toBe('Once');
  });

  test('of another tenant is another key', async () => {
    const mine = await post(tenant, body, 'shared');
    const theirs = await post(stranger, { ...body, body: 'Theirs' }, 'shared');
    expect(theirs.status).toBe(202);
    expect(theirs.headers.get('idempotent-replayed')).toBeNull();
    expect(theirs.body.id).not.toBe(mine.body.id);
    expect((await post(tenant, body, 'shared')).body.id).toBe(mine.body.id);
  });

  test('gives the first answer also after the message has changed and its times have passed', async () => {
    const request = { ...body, send_at: new Date(Date.now() + 86_400_000).toISOString() };
    const first = await post(tenant, request, 'later');
    await tenant.call('POST', `/v1/messages/${first.body.id}/cancel`);
    const again = await post(tenant, request, 'later');
    expect([again.status, again.text]).toEqual([202, first.text]);
  });

  test('of a refused request can be used again for a good one', async () => {
    expect((await post(tenant, { ...body, to: '12' }, 'mended')).status).toBe(400);
    expect((await post(tenant, body, 'mended')).status).toBe(202);
  });

  test('is one of many repeated concurrently in any order: each makes one message, and none gets an error', async () => {
    const keys = Array.from({ length: 300 }, (_, index) => `many-${index}`);
    const orders = [keys, [...keys].reverse(), keys, [...keys].reverse()];
    const answers = await Promise.all(
      orders.flatMap((order) => order.map(async (key) => ({ key, answer: await post(tenant, body, key) }))),
    );
    expect(new Set(answers.map(({ answer }) => answer.status))).toEqual(new Set([202]));
    const ids = new Map(answers.map(({ key, answer }) => [key, answer.body.id]));
    expect(answers.every(({ key, answer }) => ids.get(key) === answer.body.id)).toBe(true);
    expect(new Set(ids.values()).size).toBe(300);
  });

  test('keeps a cancellation from being answered differently the second time', async () => {
    const id = await tenant.send(freshPhone());
    const cancel = () => tenant.call('POST', `/v1/messages/${id}/cancel`, undefined, { 'idempotency-key': 'cancel' });
    const first = await cancel();
    const second = await cancel();
    expect(first.status).toBe(200);
    expect([second.status, second.text, second.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true']);
  });
});

describe('a refused request', () => {
  const good = { to: '447700900123', body: 'Hi' };
  const otherTenants = () => ({ ...good, phone_number_id: stranger.phoneNumberId });
  const cases: readonly (readonly [label: string, body: () => unknown, status: number])[] = [
    ['no recipient', () => ({ body: 'Hi' }), 400],
    ['no text', () => ({ to: good.to }), 400],
    ['an empty text', () => ({ ...good, body: '' }), 400],
    ['a text of 4097 characters', () => ({ ...good, body: 'x'.repeat(4097) }), 400],
    ['NUL in the text', () => Buffer.from('{"to":"447700900123","body":"a\\u0000b"}'), 400],
    ['half a surrogate pair', () => Buffer.from('{"to":"447700900123","body":"\\ud800"}'), 400],
    ['broken JSON', () => Buffer.from('{"to":'), 400],
    ['a list', () => [], 400],
    ['a number too short', () => ({ ...good, to: '123456' }), 400],
    ['a number too long', () => ({ ...good, to: '1'.repeat(16) }), 400],
    ['a recipient that is no number', () => ({ ...good, to: 'everybody' }), 400],
    ['an unknown field', () => ({ ...good, tenant_id: stranger.tenantId }), 400],
    ['an id of its own', () => ({ ...good, id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01' }), 400],
    ['an unknown type', () => ({ ...good, type: 'hologram' }), 400],
    ['an unknown priority', () => ({ ...good, priority: 'now' }), 400],
    ['a number of another tenant', otherTenants, 400],
    ['a number of nobody', () => ({ ...good, phone_number_id: '999' }), 400],
    ['a reply to nothing', () => ({ ...good, reply_to: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01' }), 400],
    ['a send_at in a year', () => ({ ...good, send_at: new Date(Date.now() + 365 * 86_400_000).toISOString() }), 400],
    ['an expires_at in the past', () => ({ ...good, expires_at: '2020-01-01T00:00:00Z' }), 400],
    ['a body of 2 MB', () => ({ ...good, body: 'x'.repeat(2_000_000) }), 413],
  ];

  test.each(cases)('leaves nothing behind: %s', async (_label, body, status) => {
    const before = await counts();
    const answer = await post(tenant, body(), 'refused');
    expect(answer.status).toBe(status);
    expect(typeof answer.body.error).toBe('string');
    expect(await counts()).toEqual(before);
  });

  test('naming a message of another tenant reads like naming none', async () => {
    const theirs = await stranger.send(freshPhone());
    const foreign = await post(tenant, { ...good, reply_to: theirs });
    const missing = await post(tenant, { ...good, reply_to: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01' });
    expect([foreign.status, foreign.text]).toEqual([400, missing.text]);
  });
});

describe("another tenant's message", () => {
  test.each([
    ['read', 'GET', ''],
    ['traced', 'GET', '/trace'],
    ['canceled', 'POST', '/cancel'],
  ])('%s is byte for byte a missing one', async (_label, method, suffix) => {
    const theirs = await stranger.send(freshPhone());
    const before = await stranger.message(theirs);
    const id = { 'x-request-id': 'the-same-id' };
    const foreign = await tenant.call(method, `/v1/messages/${theirs}${suffix}`, undefined, id);
    const missing = await tenant.call(
      method,
      `/v1/messages/0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01${suffix}`,
      undefined,
      id,
    );
    expect(foreign.status).toBe(404);
    expect([foreign.status, foreign.text]).toEqual([missing.status, missing.text]);
    const seen = (answer: Answer) => [...answer.headers].filter(([name]) => name !== 'date').sort();
    expect(seen(foreign)).toEqual(seen(missing));
    expect(await stranger.message(theirs)).toEqual(before);
  });

  test('is in no list', async () => {
    const theirs = await stranger.send('447700900999');
    const { body } = await tenant.call('GET', '/v1/messages/outbound?to=447700900999');
    expect(body.data).toEqual([]);
    const own = (await stranger.call('GET', '/v1/messages/outbound?to=447700900999')).body.data;
    expect(own.map((message: { id: string }) => message.id)).toEqual([theirs]);
  });
});
