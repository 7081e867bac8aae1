import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;

beforeAll(async () => {
  kit = await startTestService();
});
afterAll(() => kit.close());

const greeting = {
  name: 'Greeting',
  trigger: { on: 'message.received' },
  when: { field: 'text', match: 'word', value: 'hello' },
  // biome-ignore lint/suspicious/noThenProperty: a rule reads when … then
  then: [
    { action: 'reply', body: 'Hello!' },
    { action: 'tag', add: ['greeted'] },
  ],
};

async function made(tenant: TestTenant, fields: object = {}) {
  const answer = await tenant.call('POST', '/v1/chatbot-rules', { ...greeting, ...fields });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body;
}

test('a customer who writes gets the answer of the rule once, and the decision says why', async () => {
  const tenant = await makeTestTenant(kit);
  const rule = await made(tenant);
  const from = freshPhone();
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from, text: 'Héllo you' });
  const [sent] = await kit.until(
    () => tenant.ledger(from),
    (all) => all.length > 0,
    'the answer is sent',
  );
  expect(sent.request.text.body).toBe('Hello!');
  const decisions = (await tenant.call('GET', `/v1/chatbot-rules/decisions?rule_id=${rule.id}`)).body.data;
  expect(decisions).toHaveLength(1);
  expect(decisions[0]).toMatchObject({
    matched_rules: [rule.id],
    verdicts: [
      { rule_id: rule.id, outcome: 'matched', predicates: [{ field: 'text', seen: 'Héllo you', matched: true }] },
    ],
    actions: [
      { action: 'reply', outcome: 'done', message_id: expect.any(String) },
      { action: 'tag', outcome: 'done' },
    ],
  });
  expect((await tenant.message(decisions[0].actions[0].message_id)).to).toBe(from);
});

describe('saving a rule', () => {
  test('names rules that can never match and rules that answer twice', async () => {
    const tenant = await makeTestTenant(kit);
    const first = await made(tenant, { name: 'first', stop: true });
    const second = await made(tenant, { when: { field: 'text', value: 'hello' } });
    expect(second.unreachable).toEqual([
      { rule_id: second.id, by_id: first.id, reason: expect.stringContaining('first') },
    ]);
    await tenant.call('PATCH', `/v1/chatbot-rules/${first.id}`, { stop: false });
    const read = (await tenant.call('GET', `/v1/chatbot-rules/${second.id}`)).body;
    expect([read.unreachable, read.conflicts.length]).toEqual([[], 1]);
  });

  test('names every fault of it at once, each with its path', async () => {
    const tenant = await makeTestTenant(kit);
    const answer = await tenant.call('POST', '/v1/chatbot-rules', {
      ...greeting,
      // biome-ignore lint/suspicious/noThenProperty: a rule reads when … then
      then: [
        { action: 'reply', type: 'image', media: {} },
        { action: 'reply', body: 'Hi', to: '447700900123' },
        { action: 'state', status: 'snoozed' },
        { action: 'tag', colour: 'red' },
      ],
    });
    expect(answer.status).toBe(400);
    expect(answer.body.details.map(({ path }: { path: string }) => path)).toEqual([
      'body.then[0].media',
      'body.then[1].to',
      'body.then[2].status',
      'body.then[3].colour',
    ]);
  });

  test('with an old version is refused, and tests that fail keep it off', async () => {
    const tenant = await makeTestTenant(kit);
    const rule = await made(tenant, {
      enabled: false,
      tests: [{ name: 'Bye', given: { text: 'bye' }, matches: true }],
    });
    const path = `/v1/chatbot-rules/${rule.id}`;
    const on = await tenant.call('PATCH', path, { enabled: true });
    expect([on.status, on.body.code]).toEqual([409, 'rule_tests_failed']);
    expect((await tenant.call('PATCH', path, { name: 'Other' }, { 'if-match': '"1"' })).headers.get('etag')).toBe(
      '"2"',
    );
    expect((await tenant.call('PATCH', path, { name: 'Third' }, { 'if-match': '"1"' })).status).toBe(412);
    expect((await tenant.call('DELETE', path, undefined, { 'if-match': '"1"' })).status).toBe(412);
  });

  test('of another tenant answers as one that does not exist', async () => {
    const [owner, stranger] = [await makeTestTenant(kit), await makeTestTenant(kit)];
    const rule = await made(owner);
    for (const [method, body] of [['GET'], ['PATCH', { enabled: false }], ['DELETE']] as const) {
      expect((await stranger.call(method, `/v1/chatbot-rules/${rule.id}`, body)).status).toBe(404);
    }
    expect((await stranger.call('POST', '/v1/chatbot-rules/order', { order: [rule.id] })).status).toBe(400);
  });
});

test('the order of rules is that of the request, and decides who stops whom', async () => {
  const tenant = await makeTestTenant(kit);
  const [first, second] = [await made(tenant, { stop: true }), await made(tenant, { name: 'second', stop: true })];
  const order = await tenant.call('POST', '/v1/chatbot-rules/order', { order: [second.id, first.id] });
  expect(order.body.data.map(({ id, position }: { id: string; position: number }) => [id, position])).toEqual([
    [second.id, 1],
    [first.id, 2],
  ]);
  const tried = await tenant.call('POST', '/v1/chatbot-rules/test', { given: { text: 'hello' } });
  expect(tried.body).toMatchObject({
    stopped_by: second.id,
    verdicts: [{ outcome: 'matched' }, { outcome: 'not_reached' }],
  });
  expect((await tenant.call('POST', '/v1/chatbot-rules/order', { order: [first.id] })).status).toBe(400);
});

test('a trial does nothing, and judges a rule that is not saved', async () => {
  const tenant = await makeTestTenant(kit);
  const tried = await tenant.call('POST', '/v1/chatbot-rules/test', { given: { text: 'hello' }, rule: greeting });
  expect(tried.body.actions.map(({ action }: { action: { action: string } }) => action.action)).toEqual([
    'reply',
    'tag',
  ]);
  expect((await tenant.call('GET', '/v1/chatbot-rules')).body.data).toEqual([]);
  expect((await tenant.call('GET', '/v1/messages/outbound')).body.data).toEqual([]);
});
