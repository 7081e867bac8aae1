import { afterAll, beforeAll, expect, test } from 'vitest';
import { addExampleAgents, EXAMPLE_AGENTS } from '#testing/test-agents';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

const [ADA, BO] = EXAMPLE_AGENTS;
let kit: TestService;
let tenant: TestTenant;
let key: { readonly kind: 'key'; readonly id: string; readonly name: string };

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
  await addExampleAgents(kit.rt, kit.service.db, tenant.tenantId);
  const { body } = await tenant.call('GET', '/v1/api-keys');
  key = { kind: 'key', id: body.data[0].id, name: 'test' };
});
afterAll(() => kit.close());

const agent = (id: string, name: string | null = 'Ana Lima') => ({ kind: 'agent', id, name });
const authorOf = async (id: string) => (await tenant.message(id)).author;

async function eventOf(id: string, type: string): Promise<Answer['body']> {
  const read = async () => {
    const { body } = await tenant.call('GET', `/v1/events?types=${type}&limit=1000`);
    return body.data.find(({ data }: Answer['body']) => data.id === id);
  };
  return (await kit.until(read, (event) => event !== undefined, `${type} is recorded`)).data;
}

test('a message names the key that sent it, or the agent whom the key acted for, alone and in a batch', async () => {
  expect(await authorOf(await tenant.send(freshPhone()))).toEqual(key);
  const as = { 'x-agent-id': ADA };
  const sent = await tenant.call('POST', '/v1/messages', { to: freshPhone(), body: 'Hi' }, as);
  expect(await authorOf(sent.body.id)).toEqual(agent(ADA));
  await tenant.call('PATCH', `/v1/agents/${BO}`, { role: 'admin' });
  const messages = [{ to: freshPhone(), body: 'Hi' }];
  const batch = await tenant.call('POST', '/v1/messages/batch', { messages }, { 'x-agent-id': BO });
  expect(await authorOf(batch.body.data[0].message.id)).toEqual(agent(BO));
});

test('a message that is sent again names who sent it again, and a repetition keeps who sent it first', async () => {
  const send_at = new Date(Date.now() + 3_600_000).toISOString();
  const id = await tenant.send(freshPhone(), { send_at });
  await tenant.call('POST', `/v1/messages/${id}/cancel`);
  const headers = { 'x-agent-id': ADA, 'idempotency-key': `again-${id}` };
  const again = await tenant.call('POST', `/v1/messages/${id}/resend`, undefined, headers);
  const { 'idempotency-key': once } = headers;
  await tenant.call('POST', `/v1/messages/${id}/resend`, undefined, { 'idempotency-key': once });
  expect([await authorOf(id), await authorOf(again.body.id)]).toEqual([key, agent(ADA)]);
});

test('an answer to a customer names its author in the message, in the thread, in the lists and in every event', async () => {
  const from = freshPhone();
  const rule = {
    name: 'Greeter',
    trigger: { on: 'message.received' },
    // biome-ignore lint/suspicious/noThenProperty: a rule reads when … then
    then: [{ action: 'reply', type: 'text', body: 'Welcome' }],
  };
  const { body: made } = await tenant.call('POST', '/v1/chatbot-rules', rule);
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from, text: 'Hi' });
  const list = () => tenant.call('GET', `/v1/messages/outbound?to=${from}`);
  const greeting = (await kit.until(list, ({ body }) => body.data.length > 0, 'the rule answers')).body.data[0];
  const byRule = { kind: 'rule', id: made.id, name: 'Greeter' };
  expect(greeting.author).toEqual(byRule);
  const path = `/v1/conversations/${(await tenant.untilMessage(greeting.id, (m) => m.conversation_id !== null, 'it is linked')).conversation_id}/messages`;
  const reply = await tenant.call('POST', path, { body: 'Hello' }, { 'x-agent-id': BO });
  const thread = (await tenant.call('GET', path)).body.data.filter(
    ({ direction }: Answer['body']) => direction === 'outbound',
  );
  expect(thread.map(({ author }: Answer['body']) => author)).toEqual([agent(BO), byRule]);
  for (const type of ['message.queued', 'message.sent', 'message.delivered']) {
    expect((await eventOf(reply.body.id, type)).author).toEqual(agent(BO));
  }
  expect((await eventOf(greeting.id, 'message.queued')).author).toEqual(byRule);
  await tenant.call('DELETE', `/v1/chatbot-rules/${made.id}`);
  expect(await authorOf(greeting.id)).toEqual({ ...byRule, name: null });
});

test('a failure names the author too, whether the network, the deadline or a cancel ended the message', async () => {
  const refused = await tenant.send('99900000003');
  expect((await eventOf(refused, 'message.failed')).author).toEqual(key);
  const send_at = new Date(Date.now() + 3_600_000).toISOString();
  const canceled = await tenant.send(freshPhone(), { send_at });
  await tenant.call('POST', `/v1/messages/${canceled}/cancel`);
  expect((await eventOf(canceled, 'message.failed')).author).toEqual(key);
});

test('the name is the current one, and null once the agent was deleted', async () => {
  const { body: ana } = await tenant.call('POST', '/v1/agents', { name: 'Ana' });
  const body = { to: freshPhone(), body: 'Hi' };
  const { id } = (await tenant.call('POST', '/v1/messages', body, { 'x-agent-id': ana.id })).body;
  await tenant.call('PATCH', `/v1/agents/${ana.id}`, { name: 'Ana Sousa' });
  expect(await authorOf(id)).toEqual(agent(ana.id, 'Ana Sousa'));
  await tenant.call('DELETE', `/v1/agents/${ana.id}`);
  expect(await authorOf(id)).toEqual(agent(ana.id, null));
});

test('a message from before authors were recorded names nobody', async () => {
  const id = await tenant.send(freshPhone());
  const text =
    'update outbound_messages set author_kind = null, author_id = null where tenant_id = $1 and message_id = $2';
  await kit.service.db.run({ name: 'test_forget_author', text }, [tenant.tenantId, id]);
  expect(await authorOf(id)).toBeNull();
  expect((await eventOf(id, 'message.queued')).author).toBeNull();
});
