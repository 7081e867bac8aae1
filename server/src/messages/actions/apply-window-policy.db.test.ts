import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeWindowRule } from '#access/actions/manage-tenants';
import { addSimulatedNumber } from '#testing/peers/link-dialog';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

const ACCOUNT = `79${process.pid}`;
let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
  await addSimulatedNumber(kit, ACCOUNT, true);
  const fallback = { name: 'hello_again', language: 'en' };
  tenant = await makeTestTenant(kit, { networkAccountId: ACCOUNT, windowPolicy: 'template', fallback });
});
afterAll(() => kit.close());

async function approve(name: string, text: string, example?: object): Promise<void> {
  const components = [{ type: 'BODY', text, ...(example && { example }) }];
  const draft = { name, language: 'en', category: 'utility', parameter_format: 'positional', components };
  const made = (await tenant.call('POST', '/v1/templates', draft)).body;
  await tenant.call('POST', `/v1/templates/${made.id}/submit`);
  const read = async () => (await tenant.call('GET', `/v1/templates/${made.id}`)).body;
  await kit.until(read, ({ sendable }) => sendable, `${name} is approved`);
}

const isSettled = ({ status }: { status: string }) => status === 'sent' || status === 'failed';

test('outside the window the fallback template is sent instead, and trace, answer and dry run say so', async () => {
  await approve('hello_again', 'We have news for you. Please write back.');
  const to = freshPhone();
  const dry = await tenant.call('POST', '/v1/messages?dry_run=true', { to, body: 'Hi' });
  expect(dry.body).toMatchObject({ would_send: true, warnings: [{ code: 'replaced_by_template' }] });
  const answer = await tenant.call('POST', '/v1/messages', { to, body: 'Hi' });
  expect([answer.status, answer.body.type]).toEqual([202, 'template']);
  const message = await tenant.untilMessage(answer.body.id, isSettled, 'it is sent');
  expect(message).toMatchObject({
    status: 'sent',
    type: 'template',
    template: { name: 'hello_again', language: 'en' },
  });
  const [sent] = await tenant.ledger(to);
  expect(sent?.request).toMatchObject({
    type: 'template',
    template: { name: 'hello_again', language: { code: 'en' } },
  });
  expect(JSON.stringify(sent?.request)).not.toContain('instead_of');
  const { data } = (await tenant.call('GET', `/v1/messages/${answer.body.id}/trace`)).body;
  expect(data[1]).toMatchObject({
    event: 'replaced_by_template',
    detail: expect.stringContaining('instead of the text'),
    data: { type: 'text', template: 'hello_again' },
  });
});

test('inside the window, and for templates, nothing is replaced', async () => {
  const to = freshPhone();
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from: to, text: 'hello' });
  await kit.until(
    async () => (await tenant.call('GET', `/v1/messages/inbound?from=${to}`)).body.data,
    (came) => came.length > 0,
    'the customer wrote',
  );
  expect((await tenant.call('POST', '/v1/messages', { to, body: 'Hi' })).body.type).toBe('text');
  const template = { name: 'hello_again', language: 'en' };
  const sent = await tenant.call('POST', '/v1/messages', { to: freshPhone(), type: 'template', template });
  expect(await tenant.events(sent.body.id)).not.toContain('replaced_by_template');
});

test('a fallback that cannot be sent is a refusal that says why, and no caller can pretend a replacement', async () => {
  await approve('with_name', 'Hello {{1}}, write back please.', { body_text: [['Ada']] });
  const rule = { windowPolicy: 'template', fallback: { name: 'with_name', language: 'en' } } as const;
  await changeWindowRule(kit.rt, kit.service.db, { tenantId: tenant.tenantId, rule });
  const post = () => tenant.call('POST', '/v1/messages', { to: freshPhone(), body: 'Hi' });
  const answer = await kit.until(post, ({ status }) => status === 400, 'the new rule counts');
  expect(answer.body).toMatchObject({ code: 'window_closed', error: expect.stringContaining('takes 1 parameters') });
  const dry = await tenant.call('POST', '/v1/messages?dry_run=true', { to: freshPhone(), body: 'Hi' });
  expect(dry.body).toMatchObject({ would_send: false, blockers: [{ code: 'window_closed' }] });
  const template = { name: 'hello_again', language: 'en', instead_of: 'text' };
  expect((await tenant.call('POST', '/v1/messages', { to: freshPhone(), type: 'template', template })).status).toBe(
    400,
  );
});
