import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWebhookReceiver, type WebhookReceiver } from '#testing/peers/webhook-receiver';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  kit = await startTestService({ config: { webhookAllow: '127.0.0.1' } });
});
afterAll(async () => {
  await kit.close();
  await receiver.close();
});

async function made(tenant: TestTenant, name: string, fields: object = {}) {
  // biome-ignore lint/suspicious/noThenProperty: a rule reads when … then
  const rule = { name, trigger: { on: 'message.received' }, then: [{ action: 'tag', add: [name] }], ...fields };
  const answer = await tenant.call('POST', '/v1/chatbot-rules', rule);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body;
}

async function places(tenant: TestTenant): Promise<readonly string[]> {
  const { data } = (await tenant.call('GET', '/v1/chatbot-rules')).body;
  return data.map(({ name, position }: { name: string; position: number }) => `${name}@${position}`);
}

test('a position is taken at once, by making and by changing; the others move, with an event and a version each', async () => {
  const tenant = await makeTestTenant(kit);
  const a = await made(tenant, 'a');
  const b = await made(tenant, 'b', { position: 900 });
  expect(b.position).toBe(2);
  const c = await made(tenant, 'c', { position: 1 });
  expect(await places(tenant)).toEqual(['c@1', 'a@2', 'b@3']);
  const moved = await tenant.call('PATCH', `/v1/chatbot-rules/${c.id}`, { position: 2 });
  expect([moved.body.position, moved.body.version]).toEqual([2, 2]);
  expect(await places(tenant)).toEqual(['a@1', 'c@2', 'b@3']);
  await tenant.call('DELETE', `/v1/chatbot-rules/${a.id}`);
  expect(await places(tenant)).toEqual(['c@1', 'b@2']);
  const { body } = await tenant.call('GET', '/v1/events?types=rule.updated');
  expect(body.data.map(({ data }: { data: { name: string; changes: object } }) => [data.name, data.changes])).toEqual([
    ['a', { position: [1, 2] }],
    ['b', { position: [2, 3] }],
    ['c', { position: [1, 2] }],
    ['a', { position: [2, 1] }],
    ['c', { position: [2, 1] }],
    ['b', { position: [3, 2] }],
  ]);
  expect((await tenant.call('GET', `/v1/chatbot-rules/${b.id}`)).body.version).toBe(3);
});

test('a draft is tried at its position', async () => {
  const tenant = await makeTestTenant(kit);
  const saved = await made(tenant, 'saved', { stop: true });
  // biome-ignore lint/suspicious/noThenProperty: a rule reads when … then
  const draft = { name: 'draft', trigger: { on: 'message.received' }, then: [{ action: 'stop' }] };
  const tried = async (rule: object) =>
    (await tenant.call('POST', '/v1/chatbot-rules/test', { given: { text: 'x' }, rule })).body.stopped_by === saved.id;
  expect([await tried(draft), await tried({ ...draft, position: 1 })]).toEqual([true, false]);
});

test('a webhook action reaches the endpoint that it names, whatever types that wants, and no other', async () => {
  const tenant = await makeTestTenant(kit);
  const subscribe = async (path: string, types?: readonly string[]) =>
    (await tenant.call('POST', '/v1/webhook-endpoints', { url: `${receiver.url}${path}`, ...(types && { types }) }))
      .body;
  const named = await subscribe('/named', ['endpoint.disabled']);
  await subscribe('/all');
  await made(tenant, 'call', {
    // biome-ignore lint/suspicious/noThenProperty: a rule reads when … then
    then: [{ action: 'webhook', endpoint_id: named.id, data: { flow: 'order' } }],
  });
  const from = freshPhone();
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from, text: 'Where is it?' });
  const types = (path: string) =>
    receiver.received.filter((hook) => hook.path === path).map(({ body }) => JSON.parse(body).type as string);
  await kit.until(
    async () => types('/named'),
    (came) => came.length > 0,
    'the call came',
  );
  const [hook] = receiver.received.filter(({ path }) => path === '/named');
  expect(JSON.parse(hook?.body ?? '{}')).toMatchObject({
    type: 'rule.fired',
    data: { endpoint_id: named.id, from, text: 'Where is it?', data: { flow: 'order' } },
  });
  // The other one got everything up to an event that was recorded later.
  await tenant.call('PATCH', `/v1/webhook-endpoints/${named.id}`, { description: 'x' });
  const last = await made(tenant, 'last');
  await kit.until(
    async () => receiver.received.filter(({ path, body }) => path === '/all' && body.includes(last.id)),
    (came) => came.length > 0,
    'the later event came',
  );
  expect(types('/all')).toContain('message.received');
  expect(types('/all')).not.toContain('rule.fired');
  expect(types('/named')).toEqual(['rule.fired']);
});

test('an endpoint of another tenant cannot be called', async () => {
  const [owner, stranger] = [await makeTestTenant(kit), await makeTestTenant(kit)];
  const endpoint = (await owner.call('POST', '/v1/webhook-endpoints', { url: `${receiver.url}/owner` })).body;
  const answer = await stranger.call('POST', '/v1/chatbot-rules', {
    name: 'spy',
    trigger: { on: 'message.received' },
    // biome-ignore lint/suspicious/noThenProperty: a rule reads when … then
    then: [{ action: 'webhook', endpoint_id: endpoint.id }],
  });
  expect([answer.status, answer.body.details[0].path]).toEqual([400, 'body.then[0].endpoint_id']);
});
