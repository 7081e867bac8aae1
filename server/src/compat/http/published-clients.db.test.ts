import { afterAll, beforeAll, expect, test } from 'vitest';
import { jpegBytes } from '#testing/media/test-media';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { received, untilSent } from './testing/network-client.ts';
import { type ClientTarget, clientsWith, publishedClients } from './testing/published-clients.ts';

/* Client libraries of the network, unmodified, against the service and the simulator: what they can do there, they can do here. */
const ACCOUNT = `3${freshPhone()}`;
const TEMPLATE = 'order_ready';
let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit, { networkAccountId: ACCOUNT });
  const { id } = await createTemplate(TEMPLATE);
  await untilApproved(async () => (await tenant.call('GET', `/${id}`)).body.status);
});
afterAll(() => kit.close());

const target = (): ClientTarget => {
  const { key, phoneNumberId } = tenant;
  return { url: kit.service.url, key, phoneNumberId, accountId: ACCOUNT };
};

const photo = (bytes = jpegBytes()): Blob => new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' });

async function createTemplate(name: string): Promise<{ readonly id: string; readonly name: string }> {
  const components = [{ type: 'BODY', text: 'Order {{1}} is ready.', example: { body_text: [['A-17']] } }];
  const body = { name, language: 'en_US', category: 'UTILITY', components };
  return { id: (await tenant.call('POST', `/${ACCOUNT}/message_templates`, body)).body.id, name };
}

function untilApproved(status: () => Promise<string | undefined>): Promise<unknown> {
  return kit.until(status, (word) => word === 'APPROVED', 'the network approves the template');
}

/** What the network got from this number for a recipient, once all these messages were sent. */
async function arrived(to: string, ids: readonly string[]): Promise<readonly unknown[]> {
  for (const id of ids) expect((await untilSent(tenant, id)).status).toMatch(/^(sent|delivered|read)$/);
  const requests = new Map((await tenant.ledger(to)).map(({ id, request }) => [id, request]));
  const sent = await Promise.all(ids.map((id) => tenant.message(id)));
  return sent.map(({ delivery }) => requests.get(delivery.network_message_id));
}

test.each(publishedClients)('%s sends, quotes, reacts and marks as read', async (_name, make) => {
  const client = make(target());
  const to = freshPhone();
  const question = await received(kit, tenant, to);
  const first = await client.text(to, 'Hello');
  const ids = [
    first,
    await client.text(to, 'Yes', question.networkId),
    await client.text(to, 'And more', first),
    await client.buttons(to),
    await client.template(to, TEMPLATE),
    await client.image(to, await client.upload(photo())),
    await client.react(to, question.networkId),
  ];
  expect(await client.markRead(question.networkId)).toBe(true);
  const requests = await arrived(to, ids);
  const { delivery } = await tenant.message(first);
  const components = [{ type: 'body', parameters: [{ type: 'text', text: 'A-17' }] }];
  expect(requests).toMatchObject([
    { type: 'text', text: { body: 'Hello' } },
    { type: 'text', text: { body: 'Yes' }, context: { message_id: question.networkId } },
    { type: 'text', text: { body: 'And more' }, context: { message_id: delivery.network_message_id } },
    { interactive: { type: 'button', action: { buttons: [{ type: 'reply', reply: { id: 'yes', title: 'Yes' } }] } } },
    { type: 'template', template: { name: TEMPLATE, language: { code: 'en_US' }, components } },
    { type: 'image', image: { id: expect.stringMatching(/^\d+$/), caption: 'Here' } },
    { type: 'reaction', reaction: { message_id: question.networkId, emoji: '👍' } },
  ]);
});

test.each(clientsWith('textToUser'))('%s writes to a customer who shows no number', async (_name, make) => {
  const userId = `US.${freshPhone()}`;
  const id = await make(target()).textToUser(userId);
  expect(await arrived(userId, [id])).toMatchObject([{ recipient: userId, text: { body: 'Hello' } }]);
});

test.each(publishedClients)('%s downloads the bytes that it uploaded', async (_name, make) => {
  const client = make(target());
  const bytes = jpegBytes();
  const id = await client.upload(photo(bytes));
  expect(Buffer.from(await client.download(id)).equals(bytes)).toBe(true);
});

test.each(clientsWith('deleteMedia'))('%s deletes a file', async (_name, make) => {
  const client = make(target());
  const id = await client.upload(photo());
  expect(await client.deleteMedia(id)).toBe(true);
  expect((await tenant.call('GET', `/${id}`)).status).toBe(400);
});

test.each(
  clientsWith('createTemplate', 'templateStatus'),
)('%s creates a template and sees its approval', async (_name, make) => {
  const client = make(target());
  const id = await client.createTemplate(`order_${freshPhone()}`);
  await untilApproved(() => client.templateStatus(id));
});

test.each(clientsWith('templateNames', 'deleteTemplate'))('%s lists and deletes templates', async (_name, make) => {
  const client = make(target());
  const { name } = await createTemplate(`order_${freshPhone()}`);
  expect(await client.templateNames()).toContain(name);
  expect(await client.deleteTemplate(name)).toBe(true);
  expect(await client.templateNames()).not.toContain(name);
});

test('every client does something of each kind, and three of four manage templates', () => {
  const able = (call: 'textToUser' | 'deleteMedia' | 'createTemplate' | 'templateNames') => clientsWith(call).length;
  expect([publishedClients.length, able('textToUser'), able('deleteMedia')]).toEqual([4, 2, 3]);
  expect([able('createTemplate'), able('templateNames')]).toEqual([2, 3]);
});
