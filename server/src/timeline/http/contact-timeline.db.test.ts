import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiKey } from '#access/actions/manage-tenants';
import { makeCampaign } from '#testing/test-campaign';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { timelineTypes } from '#timeline/domain/timeline-type';

let kit: TestService;
let tenant: TestTenant;
let contactId: string;
let conversationId: string;
const customer = freshPhone();

const SKIPPED = { code: 'recipient_opted_out', message: 'The recipient has opted out of marketing.' };

type Named = 'message' | 'note' | 'change' | 'decision' | 'consent' | 'merge';
type Item = { readonly type: string; readonly campaign_id?: string } & {
  readonly [field in Named]?: { readonly id: string };
};

/** What an item is about: the statuses of a message that was just sent still change. */
const nameOf = ({ type, campaign_id, message, note, change, decision, consent, merge }: Item) =>
  `${type} ${campaign_id ?? (message ?? note ?? change ?? decision ?? consent ?? merge)?.id}`;

/** A customer with everything that a timeline can hold. */
beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit);
  const call = async (method: string, path: string, body?: object) => {
    const answer = await tenant.call(method, path, body);
    expect([200, 201, 202], answer.text).toContain(answer.status);
    return answer.body;
  };
  await call('POST', '/v1/chatbot-rules', {
    name: 'Greeting',
    trigger: { on: 'message.received' },
    when: { field: 'text', match: 'word', value: 'hello' },
    // biome-ignore lint/suspicious/noThenProperty: a rule reads when … then
    then: [{ action: 'tag', add: ['greeted'] }],
  });
  await write('hello');
  await write('nothing that a rule knows');
  const [inbound] = (await call('GET', `/v1/messages/inbound?from=${customer}`)).data;
  ({ contact_id: contactId, conversation_id: conversationId } = inbound);
  await kit.until(
    () => timeline('?type=rule_decision'),
    (items) => items.length > 0,
    'the decision is stored',
  );
  await call('POST', `/v1/conversations/${conversationId}/messages`, { type: 'note', body: 'Knows our shop.' });
  await call('POST', `/v1/contacts/${contactId}/consent`, { marketing: 'granted', source: 'form' });
  const other = await call('POST', '/v1/contacts', { phone: freshPhone() });
  await call('POST', `/v1/contacts/${contactId}/merge`, { contact_id: other.id });
  await call('POST', `/v1/conversations/${conversationId}/resolve`, {});
  await call('POST', '/v1/messages', { to: customer, body: 'Good bye.' });
  await skip(await makeCampaign(kit, tenant), customer);
});
afterAll(() => kit.close());

/** Notes of a campaign that it left somebody out. */
async function skip(campaignId: string, phone: string, of = tenant): Promise<void> {
  const text = `insert into campaign_recipients (tenant_id, campaign_id, place, phone, status, reason)
    values ($1, $2, 1000, $3, 'skipped', $4::jsonb)`;
  const values = [of.tenantId, campaignId, phone, JSON.stringify(SKIPPED)];
  await kit.service.db.run({ name: 'test_skip_recipient', text }, values);
}

async function write(text: string) {
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from: customer, text });
  const list = () => tenant.call('GET', `/v1/messages/inbound?from=${customer}&limit=1`);
  await kit.until(list, ({ body }) => body.data[0]?.body === text, 'the message is stored');
}

const ask = (query = '', headers = {}) =>
  tenant.call('GET', `/v1/contacts/${contactId}/timeline${query}`, undefined, headers);
const timeline = async (query = ''): Promise<Item[]> => (await ask(query)).body.data;

test('everything that happened with a contact is told, newest first, each decision after its message', async () => {
  const items = await timeline();
  const told = items.filter(({ type }) => type !== 'conversation_change').map(({ type }) => type);
  expect(told).toEqual(['campaign_skip', 'message', 'merge', 'consent', 'note', 'message', 'rule_decision', 'message']);
  expect(items.filter(({ type }) => type === 'conversation_change').length).toBeGreaterThan(0);
  expect(items.find(({ type }) => type === 'note')).toMatchObject({ note: { body: 'Knows our shop.' } });
  expect(items.find(({ type }) => type === 'consent')).toMatchObject({ consent: { marketing: 'granted' } });
  expect(items.find(({ type }) => type === 'merge')).toMatchObject({ merge: { contact_id: contactId } });
  const changes = items.filter(({ type }) => type === 'conversation_change');
  expect(changes).toContainEqual(
    expect.objectContaining({
      conversation_id: conversationId,
      change: expect.objectContaining({ changes: expect.objectContaining({ status: ['open', 'resolved'] }) }),
    }),
  );
  const at = items.findIndex(({ type }) => type === 'rule_decision');
  expect(items[at]).toMatchObject({ decision: { message_id: items[at + 1]?.message?.id } });
});

test('page by page, by cursor and by offset, it is the same', async () => {
  const whole = await timeline();
  const byCursor: Item[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body } = await ask(`?limit=1${cursor && `&cursor=${cursor}`}`);
    byCursor.push(...body.data);
    cursor = body.page.next_cursor;
  }
  expect(byCursor.map(nameOf)).toEqual(whole.map(nameOf));
  const byOffset = await Promise.all(whole.map((_, offset) => timeline(`?limit=1&offset=${offset}`)));
  expect(byOffset.flat().map(nameOf)).toEqual(whole.map(nameOf));
});

test.each(timelineTypes)('of one type alone: %s', async (type) => {
  const whole = await timeline();
  const ofType = whole.filter((item) => item.type === type);
  expect((await timeline(`?type=${type}`)).map(nameOf)).toEqual(ofType.map(nameOf));
});

test('a key sees what its scopes let it read elsewhere, and asks for nothing else', async () => {
  const scopes = ['contacts:read'];
  const fields = { tenantId: tenant.tenantId, name: 'narrow', mode: 'test', scopes, expiresMs: null } as const;
  const { key } = await createApiKey(kit.rt, kit.service.db, fields);
  const headers = { authorization: `Bearer ${key}` };
  const { body } = await ask('', headers);
  expect(body.data.map(({ type }: Item) => type)).toEqual(['merge', 'consent']);
  const refused = await ask('?type=message', headers);
  expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
  expect(refused.text).toContain('messages:read');
});

test('after a merge, the timeline of the survivor has that of the other', async () => {
  const [one, two] = [freshPhone(), freshPhone()];
  const [kept, merged] = await Promise.all(
    [one, two].map(async (phone) => (await tenant.call('POST', '/v1/contacts', { phone })).body),
  );
  await tenant.send(two, { body: 'Before' });
  await tenant.call('POST', `/v1/contacts/${merged.id}/consent`, { marketing: 'denied', source: 'desk' });
  await tenant.call('POST', `/v1/contacts/${kept.id}/merge`, { contact_id: merged.id });
  const { body } = await tenant.call('GET', `/v1/contacts/${merged.id}/timeline`);
  expect(body.data.map(({ type }: Item) => type)).toEqual(['merge', 'consent', 'consent', 'message']);
});

test('nobody of another tenant finds it, and a cursor of another contact leads nowhere', async () => {
  const other = await makeTestTenant(kit);
  expect((await other.call('GET', `/v1/contacts/${contactId}/timeline`)).status).toBe(404);
  const { next_cursor } = (await ask('?limit=1')).body.page;
  const stranger = (await tenant.call('POST', '/v1/contacts', { phone: freshPhone() })).body;
  const answer = await tenant.call('GET', `/v1/contacts/${stranger.id}/timeline?cursor=${next_cursor}`);
  expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
});

test('campaigns that skipped another customer, or belong to another tenant, are not part of it', async () => {
  const before = await timeline('?type=campaign_skip');
  expect(before).toMatchObject([{ campaign_name: expect.any(String), reason: SKIPPED, at: expect.any(String) }]);
  await skip(await makeCampaign(kit, tenant), freshPhone());
  const stranger = await makeTestTenant(kit);
  await skip(await makeCampaign(kit, stranger), customer, stranger);
  expect(await timeline('?type=campaign_skip')).toEqual(before);
});
