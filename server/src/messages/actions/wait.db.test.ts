import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit);
});
afterAll(() => kit.close());

function post(body: object, headers: Record<string, string> = {}): Promise<Answer> {
  return tenant.call(
    'POST',
    '/v1/messages',
    { to: freshPhone(), body: 'Hi', ...body },
    { prefer: 'wait=30', ...headers },
  );
}

test('Prefer: wait answers with the whole message as soon as it is sent', async () => {
  const answer = await post({});
  expect(answer).toMatchObject({ status: 200, body: { direction: 'outbound', status: 'sent', body: 'Hi' } });
  expect(answer.headers.get('preference-applied')).toBe('wait=30');
  expect(await tenant.message(answer.body.id)).toMatchObject({ id: answer.body.id, status: 'sent' });
});

test('Prefer: wait answers with the reason as soon as it has failed', async () => {
  await kit.simulate('PUT', '/_sim/chaos', { steps: { send: [{ probability: 1, fault: 'error', code: 131009 }] } });
  try {
    const answer = await post({});
    expect(answer).toMatchObject({ status: 200, body: { status: 'failed' } });
    expect(answer.body.delivery.error.code).toBe('parameter_value_invalid');
  } finally {
    await kit.simulate('PUT', '/_sim/chaos', {});
  }
});

test('a send of unknown outcome ends the wait when its status comes', async () => {
  await kit.simulate('PUT', '/_sim/chaos', { steps: { send: [{ probability: 1, fault: 'accept_then_drop' }] } });
  try {
    expect(await post({})).toMatchObject({ status: 200, body: { status: 'sent' } });
  } finally {
    await kit.simulate('PUT', '/_sim/chaos', {});
  }
});

test('a message that cannot leave in time is the ordinary 202', async () => {
  const sendAt = new Date(kit.rt.clock.now() + 3_600_000).toISOString();
  const answer = await post({ send_at: sendAt }, { prefer: 'wait=1' });
  expect(answer.status).toBe(202);
  expect(Object.keys(answer.body).sort()).toEqual(['id', 'status', 'to', 'type']);
  expect(answer.headers.get('preference-applied')).toBeNull();
});

test('a repetition with the same key waits for the same message', async () => {
  const body = { to: freshPhone() };
  const first = await post(body, { 'idempotency-key': 'waits' });
  const second = await post(body, { 'idempotency-key': 'waits' });
  expect([second.status, second.body.id]).toEqual([200, first.body.id]);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
});
