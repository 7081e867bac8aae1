import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;
let stranger: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit);
  stranger = await makeTestTenant(kit);
});
afterAll(() => kit.close());

/** A message of a customer that the simulator knows of. */
async function received(of: TestTenant): Promise<string> {
  const from = freshPhone();
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: of.phoneNumberId, from, text: 'Hi' });
  const list = await kit.until(
    () => of.call('GET', `/v1/messages/inbound?from=${from}`),
    (answer) => answer.body.data.length === 1,
    'the message is stored',
  );
  return list.body.data[0].id;
}

function read(of: TestTenant, id: string, body?: object, headers?: Record<string, string>): Promise<Answer> {
  return of.call('POST', `/v1/messages/${id}/read`, body, headers);
}

describe('POST /v1/messages/{id}/read', () => {
  test('notifies the network, with and without the typing indicator', async () => {
    const id = await received(tenant);
    expect(await read(tenant, id)).toMatchObject({ status: 200, body: { id, read: true, typing: false } });
    expect(await read(tenant, id, { typing: true })).toMatchObject({ status: 200, body: { id, typing: true } });
  });

  test('does it once for an Idempotency-Key', async () => {
    const id = await received(tenant);
    const first = await read(tenant, id, {}, { 'idempotency-key': 'read once' });
    expect(first.status).toBe(400);
    const key = { 'idempotency-key': 'read-once' };
    expect((await read(tenant, id, {}, key)).headers.get('idempotent-replayed')).toBeNull();
    expect((await read(tenant, id, {}, key)).headers.get('idempotent-replayed')).toBe('true');
  });

  test('refuses a field that it does not know', async () => {
    expect(await read(tenant, await received(tenant), { typing: 'yes' })).toMatchObject({ status: 400 });
    expect(await read(tenant, await received(tenant), { colour: 'red' })).toMatchObject({ status: 400 });
  });

  test("answers the same bytes for another tenant's message and for none", async () => {
    const headers = { 'x-request-id': 'same' };
    const foreign = await read(stranger, await received(tenant), undefined, headers);
    const missing = await read(stranger, '0190a6f2-0000-7000-8000-00000000dead', undefined, headers);
    expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
  });

  test('needs a key that may send', async () => {
    expect((await read(tenant, await received(tenant), {}, { authorization: 'Bearer nobody' })).status).toBe(401);
    const reader = await makeTestTenant(kit, { scopes: ['messages:read'] });
    expect((await read(reader, await received(reader))).status).toBe(403);
  });

  test('is a conflict for a message of the business', async () => {
    const answer = await read(tenant, await tenant.send(freshPhone()));
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });

  test('passes on what the network says when it refuses', async () => {
    const id = await received(tenant);
    await kit.simulate('POST', '/_sim/reset');
    expect(await read(tenant, id)).toMatchObject({
      status: 409,
      body: { code: 'refused_by_network', error: expect.stringMatching(/^The network rejected this: A value/) },
    });
  });

  test('is a 503 with Retry-After when the network does not answer', async () => {
    const away = await startTestService({ config: { networkUrl: 'http://127.0.0.1:9' } });
    try {
      const of = await makeTestTenant(away);
      const from = freshPhone();
      await away.simulate('POST', '/_sim/inbound', { phone_number_id: of.phoneNumberId, from, text: 'Hi' });
      const list = await away.until(
        () => of.call('GET', `/v1/messages/inbound?from=${from}`),
        (answer) => answer.body.data.length === 1,
        'the message is stored',
      );
      const answer = await read(of, list.body.data[0].id);
      expect([answer.status, answer.body.code]).toEqual([503, 'network_unreachable']);
      expect(answer.headers.get('retry-after')).toBe('1');
    } finally {
      await away.close();
    }
  });
});
