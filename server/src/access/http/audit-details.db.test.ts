import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;

beforeAll(async () => {
  kit = await startTestService({ config: { roles: 'api' } });
});
afterAll(() => kit.close());

async function newest(tenant: TestTenant, action: string): Promise<Answer['body']> {
  return (await tenant.call('GET', `/v1/audit-log?action=${action}&limit=1`)).body.data[0];
}

// biome-ignore lint/suspicious/noThenProperty: a rule reads when … then
const answering = (body: string) => ({ then: [{ action: 'reply', type: 'text', body }] });
const RULE = { name: 'Greeting', trigger: { on: 'message.received' }, enabled: false, ...answering('hidden one') };

test('a change has the values before and after, but of texts and conditions only the name of the field', async () => {
  const tenant = await makeTestTenant(kit);
  const rule = (await tenant.call('POST', '/v1/chatbot-rules', RULE)).body;
  const wish = { name: 'Welcome', when: { field: 'text', value: 'hidden two' }, ...answering('hidden three') };
  expect((await tenant.call('PATCH', `/v1/chatbot-rules/${rule.id}`, wish)).status).toBe(200);
  expect(await newest(tenant, 'rule.changed')).toMatchObject({
    target_id: rule.id,
    details: { fields: ['name', 'when', 'then'], changes: { name: ['Greeting', 'Welcome'] } },
  });
  const reply = (await tenant.call('POST', '/v1/canned-replies', { shortcut: 'hi', text: 'hidden four' })).body;
  await tenant.call('PATCH', `/v1/canned-replies/${reply.id}`, { shortcut: 'hello', text: 'hidden five' });
  expect(await newest(tenant, 'canned_reply.changed')).toMatchObject({
    details: { fields: ['shortcut', 'text'], changes: { shortcut: ['hi', 'hello'] } },
  });
  await tenant.call('GET', '/v1/contacts/export?q=hidden&status=active');
  expect((await newest(tenant, 'contacts.exported')).details).toEqual({
    format: 'ndjson',
    filters: { q: '(given)', status: 'active' },
  });
  const log = (await tenant.call('GET', '/v1/audit-log')).text;
  expect(log).not.toContain('hidden');
});

test('a change of what existed before the log had values has them: agents, webhooks and numbers', async () => {
  const tenant = await makeTestTenant(kit);
  const agent = (await tenant.call('POST', '/v1/agents', { name: 'Ana', email: 'ana@shop.example' })).body;
  await tenant.call('PATCH', `/v1/agents/${agent.id}`, { email: 'hidden@shop.example', skills: ['billing'] });
  expect((await newest(tenant, 'agent.changed')).details).toEqual({
    fields: ['email', 'skills'],
    changes: { skills: [[], ['billing']] },
  });
  const url = 'https://shop.example/hook';
  const endpoint = (await tenant.call('POST', '/v1/webhook-endpoints', { url, types: ['endpoint.disabled'] })).body;
  await tenant.call('PATCH', `/v1/webhook-endpoints/${endpoint.id}`, { url: `${url}/2`, enabled: false });
  expect((await newest(tenant, 'webhook.changed')).details).toEqual({
    fields: ['url', 'enabled'],
    changes: { url: [url, `${url}/2`], enabled: [true, false] },
  });
  await tenant.call('PATCH', `/v1/phone-numbers/${tenant.phoneNumberId}`, { name: 'Shop' });
  expect((await newest(tenant, 'number.changed')).details).toMatchObject({ fields: ['name'] });
});

test('a refused change, one that changes nothing, and a repeated request leave no entry more', async () => {
  const tenant = await makeTestTenant(kit);
  const rule = (await tenant.call('POST', '/v1/chatbot-rules', RULE)).body;
  const key = { key: `city_${freshPhone()}`, type: 'text' };
  const once = { 'idempotency-key': 'once' };
  await tenant.call('POST', '/v1/contact-attributes', key, once);
  const count = async () => (await tenant.call('GET', '/v1/audit-log')).body.data.length;
  const before = await count();
  await tenant.call('POST', '/v1/contact-attributes', key, once);
  expect((await tenant.call('POST', '/v1/contact-attributes', key)).status).toBe(409);
  await tenant.call('PATCH', `/v1/chatbot-rules/${rule.id}`, { name: 'Greeting' });
  await tenant.call('POST', '/v1/chatbot-rules/order', { order: [rule.id] });
  await tenant.call('DELETE', `/v1/segments/${rule.id}`);
  expect(await count()).toBe(before);
});
