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

describe('a canned reply', () => {
  test('says what it asks for, and is filled with the contact and the values', async () => {
    expect((await tenant.call('GET', path)).body).toMatchObject({ asks_for: ['order number'], use_count: 0 });
    const filled = await fill({ contact_id: contactId.toUpperCase(), values: { 'order number': 'A-17' } });
    expect([filled.status, filled.body]).toEqual([
      200,
      { content: { type: 'text', body: 'Hi Ada, order A-17 goes to Leeds.' }, missing: [] },
    ]);
    const { use_count, last_used_at, version } = (await tenant.call('GET', path)).body;
    expect([use_count, version, typeof last_used_at]).toEqual([1, 1, 'string']);
  });

  test('is filled for the contact of a conversation', async () => {
    const from = freshPhone();
    await kit.simulate('POST', '/_sim/inbound', {
      phone_number_id: tenant.phoneNumberId,
      from,
      text: 'Hi',
      name: 'Bo',
    });
    const list = () => tenant.call('GET', `/v1/messages/inbound?from=${from}`);
    const [message] = (await kit.until(list, ({ body }) => body.data.length > 0, 'the message is stored')).body.data;
    const { body } = await fill({ conversation_id: message.conversation_id, values: { 'order number': '1' } });
    expect(body).toEqual({
      content: { type: 'text', body: 'Hi Bo, order 1 goes to .' },
      missing: ['contact.attributes.town'],
    });
  });

  test('names what is missing, and does not count as used then', async () => {
    const before = (await tenant.call('GET', path)).body.use_count;
    expect((await fill({})).body.missing).toEqual(['?order number', 'contact.attributes.town']);
    expect((await fill({ contact_id: contactId })).body.missing).toEqual(['?order number']);
    expect((await tenant.call('GET', path)).body.use_count).toBe(before);
  });

  test('is counted once for one Idempotency-Key', async () => {
    const before = (await tenant.call('GET', path)).body.use_count;
    const body = { contact_id: contactId, values: { 'order number': '2' } };
    const key = { 'idempotency-key': 'fill-twice' };
    for (const _ of [1, 2]) expect((await tenant.call('POST', `${path}/fill`, body, key)).status).toBe(200);
    expect((await tenant.call('GET', path)).body.use_count).toBe(before + 1);
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
    const { body } = await tenant.call('POST', `/v1/canned-replies/${id}/fill`, { contact_id: contactId });
    expect(body).toEqual({ content: { type: 'text', body: '--' }, missing: ['toString'] });
  });

  test('has nothing for an attribute that was deleted', async () => {
    await tenant.call('DELETE', `/v1/contact-attributes/${attributeId}`);
    const { missing } = (await fill({ contact_id: contactId, values: { 'order number': '3' } })).body;
    expect(missing).toEqual(['contact.attributes.town']);
  });
});
