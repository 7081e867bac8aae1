import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendExamples } from '#messages/http/schemas/send-examples';
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

function resend(of: TestTenant, id: string, headers: Record<string, string> = {}): Promise<Answer> {
  return of.call('POST', `/v1/messages/${id}/resend`, undefined, headers);
}

/** A message that was canceled, hence failed. */
async function failed(body: object): Promise<string> {
  const sendAt = new Date(kit.rt.clock.now() + 3_600_000).toISOString();
  const answer = await tenant.call('POST', '/v1/messages', { to: freshPhone(), ...body, send_at: sendAt });
  await tenant.call('POST', `/v1/messages/${answer.body.id}/cancel`);
  return answer.body.id;
}

describe('POST /v1/messages/{id}/resend', () => {
  test('makes a new message like the failed one, which names it and is sent', async () => {
    const fields = { client_ref: 'order-42', campaign_name: 'spring', priority: 'high', ttl_s: 600 };
    const id = await failed({ ...sendExamples.buttons.value, to: freshPhone(), ...fields });
    const answer = await resend(tenant, id);
    expect(answer).toMatchObject({ status: 202, body: { status: 'queued', type: 'interactive' } });
    const { ttl_s: _ttl, ...shown } = fields;
    const again = await tenant.untilMessage(answer.body.id, (message) => message.status === 'sent', 'it is sent');
    const { interactive } = sendExamples.buttons.value;
    expect(again).toMatchObject({ ...shown, interactive, resend_of: id, send_at: null });
    expect(Date.parse(again.expires_at) - Date.parse(again.created_at)).toBe(600_000);
    expect(await tenant.message(id)).toMatchObject({ status: 'failed', resend_of: null });
  });

  test('is a conflict for a message that has not failed', async () => {
    const id = await tenant.send(freshPhone());
    await tenant.untilMessage(id, (message) => message.status === 'sent', 'it is sent');
    expect(await resend(tenant, id)).toMatchObject({
      status: 409,
      body: { code: 'conflict', error: 'This message is sent; only a failed message can be sent again.' },
    });
  });

  test('makes one message for an Idempotency-Key', async () => {
    const id = await failed({ body: 'Hi' });
    const first = await resend(tenant, id, { 'idempotency-key': 'again' });
    const second = await resend(tenant, id, { 'idempotency-key': 'again' });
    expect([second.status, second.body]).toEqual([202, first.body]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect((await resend(tenant, id)).body.id).not.toBe(first.body.id);
  });

  test("answers the same bytes for another tenant's message, an inbound one and none", async () => {
    const headers = { 'x-request-id': 'same' };
    const foreign = await resend(stranger, await failed({ body: 'Hi' }), headers);
    const missing = await resend(stranger, '0190a6f2-0000-7000-8000-00000000dead', headers);
    expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
  });

  test('needs a key', async () => {
    const id = await failed({ body: 'Hi' });
    expect((await resend(tenant, id, { authorization: 'Bearer nobody' })).status).toBe(401);
  });
});
