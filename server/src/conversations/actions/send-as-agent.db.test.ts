import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePerson, OWN_PAGE, type TestPerson } from '#testing/test-people';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;
let person: TestPerson;
let agentId: string;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
  await tenant.call('PATCH', `/v1/phone-numbers/${tenant.phoneNumberId}`, { assign_on_reply: true });
  person = await makePerson(kit, tenant);
  await person.signIn();
  agentId = (await person.ask('GET', '/v1/me')).body.agent.id;
});
afterAll(() => kit.close());

const send = (to: string, fields: object = {}, headers: object = {}) =>
  person.ask('POST', '/v1/messages', { to, body: 'Hello', ...fields }, { ...OWN_PAGE, ...headers });
const read = async (id: string) => (await tenant.call('GET', `/v1/conversations/${id}`)).body;

/** A customer writes; returns the conversation. */
async function customerWrites(from: string): Promise<string> {
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from, text: 'Hi' });
  const list = () => tenant.call('GET', `/v1/messages/inbound?from=${from}`);
  return (await kit.until(list, ({ body }) => body.data.length > 0, 'the message is stored')).body.data[0]
    .conversation_id;
}

test('what a person sends to a customer with an open conversation is their answer in it, once for each key', async () => {
  const from = freshPhone();
  const id = await customerWrites(from);
  expect(await read(id)).toMatchObject({ unread_count: 1, waiting_since: expect.any(String), assignee_id: null });
  const headers = { 'idempotency-key': `answer-${id}` };
  const [first, second] = await Promise.all([send(from, {}, headers), send(from, {}, headers)]);
  expect([first.status, second.body]).toEqual([202, first.body]);
  expect(await read(id)).toMatchObject({
    unread_count: 0,
    waiting_since: null,
    assignee_id: agentId,
    last_message: { id: first.body.id, direction: 'outbound' },
  });
  expect(await tenant.message(first.body.id)).toMatchObject({
    conversation_id: id,
    author: { kind: 'agent', id: agentId },
  });
  const { data } = (await tenant.call('GET', '/v1/events?types=conversation.replied&limit=1000')).body;
  const about = data.filter(
    (one: { data: { reply: { message_id: string } } }) => one.data.reply.message_id === first.body.id,
  );
  expect(about).toHaveLength(1);
  await tenant.untilMessage(first.body.id, ({ status }) => status === 'sent', 'it is sent');
});

test('a key that sends ends no wait and leaves unread what is unread', async () => {
  const from = freshPhone();
  const id = await customerWrites(from);
  await tenant.send(from);
  expect(await read(id)).toMatchObject({ unread_count: 1, waiting_since: expect.any(String), assignee_id: null });
});

test('a resolved conversation stays as it is, and a stranger gets the message with the warning of any send', async () => {
  const from = freshPhone();
  const id = await customerWrites(from);
  await tenant.call('POST', `/v1/conversations/${id}/resolve`);
  const before = await read(id);
  expect((await send(from)).headers.get('postrider-warning')).toBeNull();
  expect(await read(id)).toMatchObject({ status: 'resolved', version: before.version });
  const stranger = await send(freshPhone());
  expect([stranger.status, stranger.headers.get('postrider-warning')]).toEqual([202, 'window_closed']);
});

test('while a colleague writes in the conversation, the message is sent all the same', async () => {
  const from = freshPhone();
  const id = await customerWrites(from);
  const colleague = (await tenant.call('POST', '/v1/agents', { name: 'Bo' })).body.id;
  const lease = await tenant.call('POST', `/v1/conversations/${id}/lease`, undefined, { 'x-agent-id': colleague });
  expect(lease.status).toBe(200);
  expect((await send(from)).status).toBe(202);
});

test('a message that is refused changes nothing', async () => {
  const from = freshPhone();
  const id = await customerWrites(from);
  expect((await send(from, { reply_to: id })).status).toBe(400);
  expect(await read(id)).toMatchObject({ unread_count: 1, assignee_id: null });
});
