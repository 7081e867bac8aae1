import { randomInt } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBlobStore } from '#blobs/open-store';
import { removeLooseBlobs } from '#media/actions/clean-up-media';
import { columnsWith } from '#testing/database/sweep-database';
import { jpegBytes, uploadFile } from '#testing/media/test-media';
import { startWebhookReceiver, type WebhookReceiver } from '#testing/peers/webhook-receiver';
import { endpointConfig } from '#testing/test-endpoints';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  kit = await startTestService({ config: endpointConfig });
  tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
});
afterAll(async () => {
  await kit.close();
  await receiver.close();
});

const WORD = 'Kanarienvogel';
/** A number of Brazil, in both of its spellings: the network answers with the one that was not dialled. */
const local = String(randomInt(1_000_000, 10_000_000));
const DIALLED = `55119${`9${local}`}`;
const ANSWERS_AS = `5511${`9${local}`}`;
const CANARIES = [WORD, DIALLED, ANSWERS_AS];

/** A text that nobody else says, of the door that it came in by. */
const canary = (door: string) => `${WORD} ${door}`;

async function ask(
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<Answer['body']> {
  const answer = await tenant.call(method, path, body, headers);
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

async function says(message: object): Promise<void> {
  const inbound = { phone_number_id: tenant.phoneNumberId, from: ANSWERS_AS, name: canary('profile'), ...message };
  const before = (await ask('GET', `/v1/messages/inbound?from=${ANSWERS_AS}`)).data.length;
  expect((await kit.simulate('POST', '/_sim/inbound', inbound)).status).toBe(200);
  const list = () => ask('GET', `/v1/messages/inbound?from=${ANSWERS_AS}`);
  await kit.until(list, ({ data }) => data.length > before, 'the customer has written');
}

/** Everything that a tenant sets up, and that meets the person later. */
async function setUp(): Promise<void> {
  receiver.answer = (hook, response) => void response.writeHead(200).end(hook.body.slice(0, 200));
  await ask('POST', '/v1/webhook-endpoints', { url: receiver.url });
  await ask('POST', '/v1/contact-attributes', { key: 'pet', type: 'text' });
  await ask('POST', '/v1/chatbot-rules', {
    name: 'answers',
    trigger: { on: 'message.received' },
    // biome-ignore lint/suspicious/noThenProperty: a rule reads when … then
    then: [
      { action: 'reply', type: 'text', body: 'You said {{text}}, {{contact.name}}' },
      { action: 'note', body: 'It said {{text}}' },
      { action: 'tag', add: ['greeted'] },
    ],
  });
}

/** What comes in: every kind of message that carries words of the person, and a file. */
async function comeIn(): Promise<string> {
  await says({ text: canary('inbound text') });
  const media = { mime_type: 'image/jpeg', data: jpegBytes().toString('base64'), caption: canary('caption') };
  await says({ media: { ...media, filename: `${canary('inbound file')}.jpg` } });
  await says({ message: { type: 'location', location: { latitude: 1, longitude: 2, name: canary('place') } } });
  const list_reply = { id: canary('list id'), title: canary('list title'), description: canary('list words') };
  await says({ message: { type: 'interactive', interactive: { type: 'list_reply', list_reply } } });
  const name = { formatted_name: canary('card'), first_name: canary('card') };
  await says({ message: { type: 'contacts', contacts: [{ name, phones: [{ phone: DIALLED, wa_id: DIALLED }] }] } });
  await says({ message: { type: 'button', button: { text: canary('button'), payload: canary('payload') } } });
  const read = () => ask('GET', `/v1/messages/inbound?from=${ANSWERS_AS}`);
  const { data } = await kit.until(
    read,
    (page) => page.data.some((message: Answer['body']) => message.media?.status === 'ready'),
    'the file is here',
  );
  return data[0].conversation_id;
}

/** What goes out: each type, with references of the caller; some delivered, one failed, one that waits. */
async function goOut(conversationId: string): Promise<{ readonly waiting: string; readonly sent: string }> {
  const upload = await uploadFile(kit, tenant.key, jpegBytes(), { filename: `${canary('upload')}.jpg` });
  const { media_id } = upload.body;
  const sent = await tenant.send(DIALLED, { body: canary('outbound'), client_ref: canary('reference') });
  const key = { 'idempotency-key': 'the-canary' };
  await ask(
    'POST',
    '/v1/messages',
    { to: DIALLED, type: 'image', media: { media_id, caption: canary('caption') } },
    key,
  );
  const name = { formatted_name: canary('sent card'), first_name: canary('sent card') };
  await ask('POST', '/v1/messages', { to: DIALLED, type: 'contacts', contacts: [{ name }] });
  await ask('POST', '/v1/messages', {
    to: ANSWERS_AS,
    type: 'location',
    location: { latitude: 1, longitude: 1, name: canary('sent place') },
  });
  const buttons = [{ type: 'reply', reply: { id: canary('button id'), title: 'Yes' } }];
  const interactive = { type: 'button', body: { text: canary('question') }, action: { buttons } };
  await ask('POST', '/v1/messages', { to: DIALLED, type: 'interactive', interactive });
  const components = [{ type: 'body', parameters: [{ type: 'text', text: canary('template value') }] }];
  await ask('POST', '/v1/messages', {
    to: DIALLED,
    type: 'template',
    template: { name: 'order_shipped', language: 'en', components },
  });
  await ask('POST', `/v1/conversations/${conversationId}/messages`, { type: 'text', body: canary('reply') });
  const canceled = await tenant.send(DIALLED, { body: canary('canceled'), send_at: inAnHour() });
  await ask('POST', `/v1/messages/${canceled}/cancel`);
  const waiting = await tenant.send(DIALLED, { body: canary('waiting'), send_at: inAnHour(), client_ref: DIALLED });
  await tenant.untilMessage(sent, ({ delivery }) => delivery.state === 'read', 'the message is read');
  return { waiting, sent };
}

/** What people and imports keep of the person. */
async function keep(contactId: string, conversationId: string): Promise<void> {
  await ask('PATCH', `/v1/contacts/${contactId}`, {
    name: canary('name'),
    external_id: canary('external id'),
    tags: [canary('tag')],
    attributes: { pet: canary('attribute') },
  });
  const consent = { source: canary('source'), wording: canary('wording') };
  await ask('POST', `/v1/contacts/${contactId}/consent`, { marketing: 'granted', ...consent });
  await ask('POST', `/v1/conversations/${conversationId}/messages`, { type: 'note', body: canary('note') });
  await ask('POST', `/v1/conversations/${conversationId}/suggestions`, { body: canary('suggestion') });
  await ask('PATCH', `/v1/conversations/${conversationId}`, { add_tags: [canary('conversation tag')] });
  const bulk = await ask('POST', '/v1/bulk-changes', {
    ids: [conversationId],
    change: { add_tags: [canary('bulk tag')], remove_tags: [canary('conversation tag')] },
  });
  const changed = () => ask('GET', `/v1/bulk-changes/${bulk.id}`);
  await kit.until(changed, ({ finished_at: end }) => end !== null, 'the bulk change ends');
  await ask('PATCH', `/v1/conversations/${conversationId}`, { add_tags: [canary('conversation tag')] });
  const other = await ask(
    'POST',
    '/v1/contacts',
    { phone: freshPhone(), name: canary('merged') },
    { 'idempotency-key': 'k' },
  );
  await ask('POST', `/v1/contacts/${contactId}/merge`, { contact_id: other.id });
  const table = `phone,name\n${DIALLED},${canary('imported')}\n${WORD},${canary('bad row')}\n`;
  const imported = await tenant.call('POST', '/v1/imports', Buffer.from(table), { 'content-type': 'text/csv' });
  const read = () => ask('GET', `/v1/imports/${imported.body.id}`);
  await kit.until(read, ({ finished_at: end }) => end !== null, 'the import ends');
  const campaign = await ask('POST', '/v1/campaigns', {
    name: 'Birds',
    template: { name: 'order_shipped', language: 'en' },
  });
  const recipients = [{ to: DIALLED, variables: { code: canary('variable') } }];
  await ask('POST', `/v1/campaigns/${campaign.id}/recipients`, { recipients });
}

function inAnHour(): string {
  return new Date(kit.rt.clock.now() + 3_600_000).toISOString();
}

/** Where a canary may stand afterwards, and which item of the answer says so. */
const NAMED: Readonly<Record<string, string>> = {
  'callbacks.bodies': 'callbacks',
  'callback_leftovers.raw': 'callbacks',
  'idempotency_keys.response': 'idempotency',
  'webhook_deliveries.log': 'webhook_attempts',
  'webhook_deliveries.body': 'webhook_attempts',
  'contact_consents.source': 'consent',
  'media.filename': 'uploads',
  'import_errors.reason': 'uploads',
  'analytics_conversations.key': 'reports',
  'analytics_conversation_days.key': 'reports',
  'analytics_durations.key': 'reports',
};

async function leaveAndErase() {
  await setUp();
  await says({ text: canary('first words') });
  const [first] = (await ask('GET', `/v1/messages/inbound?from=${ANSWERS_AS}`)).data;
  const conversationId = await comeIn();
  const messages = await goOut(conversationId);
  await keep(first.contact_id, conversationId);
  const before = await columnsWith(kit.service.db, CANARIES);
  const answer = await ask('DELETE', `/v1/contacts/${first.contact_id}`);
  return { contactId: first.contact_id as string, conversationId, messages, before, answer };
}

test('an erased person is found in no column and no file but in the places that the answer names', async () => {
  const { db } = kit.service;
  const { contactId, conversationId, messages, before, answer } = await leaveAndErase();
  expect(before.length).toBeGreaterThan(25);
  expect(answer).toMatchObject({ id: contactId, status: 'deleted' });
  const named = new Set(
    answer.erasure.filter((item: Answer['body']) => item.outcome === 'kept').map((item: Answer['body']) => item.what),
  );
  const rest = { name: 'test_erasures', text: 'select count(*)::integer as n from contact_erasures' };
  const left = async () => (await db.run<{ n: number }>(rest, [])).rows[0]?.n;
  await kit.until(left, (n) => n === 0, 'the events are searched');
  const places = await columnsWith(db, CANARIES);
  expect(places.filter((place) => !named.has(NAMED[place] ?? ''))).toEqual([]);

  expect(await tenant.message(messages.waiting)).toMatchObject({
    status: 'failed',
    to: 'erased',
    delivery: { error: { code: 'contact_erased' } },
  });
  expect(await tenant.message(messages.sent)).toMatchObject({ status: 'sent', to: 'erased', client_ref: null });
  expect((await ask('GET', `/v1/conversations/${conversationId}`)).last_message.preview).toBeNull();
  expect((await tenant.call('POST', `/v1/messages/${messages.waiting}/resend`)).status).toBe(409);
  const audit = (await ask('GET', `/v1/audit-log?action=contact.erased`)).data;
  expect(audit).toMatchObject([{ target_id: contactId, details: {} }]);

  const store = openBlobStore(kit.rt.config);
  const later = { ...kit.rt, clock: { ...kit.rt.clock, now: () => kit.rt.clock.now() + 7_200_000 } };
  const files = () =>
    readdirSync(join(kit.rt.config.dataDir, 'media'), { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
  const stored = files().length;
  await removeLooseBlobs(later, db, (key) => store.remove(key));
  expect(files().length).toBe(stored - 1);
});
