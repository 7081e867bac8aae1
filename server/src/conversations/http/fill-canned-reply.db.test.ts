import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

const TEXT = 'Hi {{contact.name|there}}, order {{?order number}} goes to {{contact.attributes.town}}.';
let kit: TestService;
let tenant: TestTenant;
let stranger: TestTenant;
let path: string;
let contactId: string;
let attributeId: string;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit);
  stranger = await makeTestTenant(kit);
  const attribute = { key: 'town', label: 'Town', type: 'text' };
  attributeId = (await tenant.call('POST', '/v1/contact-attributes', attribute)).body.id;
  const contact = { phone: freshPhone(), name: 'Ada', attributes: { town: 'Leeds' } };
  contactId = (await tenant.call('POST', '/v1/contacts', contact)).body.id;
  path = `/v1/canned-replies/${(await tenant.call('POST', '/v1/canned-replies', { shortcut: 'order', text: TEXT })).body.id}`;
});
afterAll(() => kit.close());

const fill = (body: object, by = tenant) => by.call('POST', `${path}/fill`, body);

const textOf = ({ body }: { body: { messages: readonly { body?: string }[] } }) => body.messages[0]?.body;

describe('a canned reply', () => {
  test('says what it asks for, and is filled with the contact and the values', async () => {
    expect((await tenant.call('GET', path)).body).toMatchObject({ asks_for: ['order number'], use_count: 0 });
    const filled = await fill({ contact_id: contactId.toUpperCase(), values: { 'order number': 'A-17' } });
    const message = {
      type: 'text',
      body: 'Hi Ada, order A-17 goes to Leeds.',
      canned_reply_id: path.split('/').at(-1),
    };
    expect([filled.status, filled.body]).toEqual([200, { messages: [message], missing: [], missing_media_ids: [] }]);
  });

  test('is filled for the contact of a conversation', async () => {
    const filled = await fill({ conversation_id: await openConversation('Bo'), values: { 'order number': '1' } });
    expect(textOf(filled)).toBe('Hi Bo, order 1 goes to .');
    expect(filled.body.missing).toEqual(['contact.attributes.town']);
  });

  test('names what is missing', async () => {
    expect((await fill({})).body.missing).toEqual(['?order number', 'contact.attributes.town']);
    expect((await fill({ contact_id: contactId })).body.missing).toEqual(['?order number']);
  });

  test('is filled for contacts of its own tenant alone', async () => {
    const { body } = await stranger.call('POST', '/v1/contacts', { phone: freshPhone() });
    expect((await fill({ contact_id: body.id })).status).toBe(400);
    expect((await fill({ contact_id: contactId }, stranger)).status).toBe(404);
    expect((await fill({ contact_id: contactId, conversation_id: contactId })).status).toBe(400);
  });

  test('has nothing for a name that is no field', async () => {
    const reply = { shortcut: 'odd', text: '{{toString}}{{contact.toString|-}}{{?toString|-}}' };
    const { id } = (await tenant.call('POST', '/v1/canned-replies', reply)).body;
    const filled = await tenant.call('POST', `/v1/canned-replies/${id}/fill`, { contact_id: contactId });
    expect([textOf(filled), filled.body.missing]).toEqual(['--', ['toString']]);
  });

  test('has nothing for an attribute that was deleted', async () => {
    await tenant.call('DELETE', `/v1/contact-attributes/${attributeId}`);
    const { missing } = (await fill({ contact_id: contactId, values: { 'order number': '3' } })).body;
    expect(missing).toEqual(['contact.attributes.town']);
  });
});

describe('uses of a canned reply', () => {
  const uses = async () => (await tenant.call('GET', path)).body;

  test('are the replies that name it: filling is none, and a repeated request is one', async () => {
    const id = await openConversation('Cy');
    const { messages } = (await fill({ conversation_id: id, values: { 'order number': '4' } })).body;
    expect((await uses()).use_count).toBe(0);
    const key = { 'idempotency-key': 'reply-twice' };
    const send = () => tenant.call('POST', `/v1/conversations/${id}/messages`, messages[0], key);
    for (const _ of [1, 2]) expect((await send()).status).toBe(202);
    const { use_count, last_used_at, version } = await uses();
    expect([use_count, version, typeof last_used_at]).toEqual([1, 1, 'string']);
  });

  test('are not counted for a reply that is refused', async () => {
    const id = await openConversation('Di');
    const body = { body: 'Hi', canned_reply_id: path.split('/').at(-1), if_last_message_id: contactId };
    const before = (await uses()).use_count;
    expect((await tenant.call('POST', `/v1/conversations/${id}/messages`, body)).status).toBe(409);
    expect((await uses()).use_count).toBe(before);
  });

  test('of one that is gone, or of another tenant, do not hold up the answer', async () => {
    const id = await openConversation('Ed');
    const other = { shortcut: 'theirs', text: 'Hi' };
    const theirs = (await stranger.call('POST', '/v1/canned-replies', other)).body.id;
    for (const canned_reply_id of [theirs, contactId]) {
      const body = { body: 'Hi', canned_reply_id };
      expect((await tenant.call('POST', `/v1/conversations/${id}/messages`, body)).status).toBe(202);
    }
    expect((await stranger.call('GET', `/v1/canned-replies/${theirs}`)).body.use_count).toBe(0);
  });
});

/** A conversation that a customer of this name has begun. */
async function openConversation(name: string): Promise<string> {
  const from = freshPhone();
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from, text: 'Hi', name });
  const list = () => tenant.call('GET', `/v1/messages/inbound?from=${from}`);
  return (await kit.until(list, ({ body }) => body.data.length > 0, 'the message is stored')).body.data[0]
    .conversation_id;
}
