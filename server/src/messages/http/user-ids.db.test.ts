import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callbackBody, inboundText, ingest, statusItem } from '#testing/test-callbacks';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { freshUserId, writesHidden } from '#testing/user-ids';

let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
});
beforeEach(async () => {
  tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
});
afterAll(() => kit.close());

const isSent = ({ status }: Answer['body']) => status === 'sent';
const data = async (path: string) => (await tenant.call('GET', path)).body.data;
const contactOf = async (userId: string) => (await data(`/v1/contacts?user_id=${userId}`))[0];
const post = (path: string, body: object) => tenant.call('POST', path, body);

describe('a message to a user id', () => {
  test('says so in its answers and events, leaves in the network’s own field, and is read', async () => {
    const to = freshUserId();
    const accepted = await post('/v1/messages', { to, body: 'Hello' });
    expect(accepted).toMatchObject({ status: 202, body: { status: 'queued', type: 'text', to } });
    const { id } = accepted.body;
    const read = await tenant.untilMessage(id, ({ delivery }) => delivery.state === 'read', 'it is read');
    expect(read.to).toBe(to);
    const [{ request }] = await tenant.ledger(to);
    expect([request.recipient, 'to' in request]).toEqual([to, false]);
    expect((await data(`/v1/messages/outbound?to=${to}`)).map((one: Answer['body']) => one.id)).toEqual([id]);
    const events = await data('/v1/events?types=message.queued,message.sent,message.read&limit=100');
    expect(new Set(events.map((event: Answer['body']) => event.data.to))).toEqual(new Set([to]));
  });

  test.each([
    ['us.123', 'to is not a user ID such as US.13491208655302741918.'],
    [`US.${'1'.repeat(129)}`, 'to is not a user ID such as US.13491208655302741918.'],
    ['@ada.obi', 'to is a username; the network delivers to phone numbers and user IDs.'],
  ])('is refused when it is none: %s', async (to, error) => {
    const refused = await post('/v1/messages', { to, body: 'Hello' });
    expect(refused).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(refused.body.error).toBe(error);
    expect(await data('/v1/messages/outbound')).toEqual([]);
  });

  test('knows the 24-hour window of whoever wrote under it', async () => {
    const [known, stranger] = [freshUserId(), freshUserId()];
    await writesHidden(kit, tenant, known);
    const asked = async (to: string) => (await post('/v1/messages/dry-run', { to, body: 'Hello' })).body;
    expect(await asked(known)).toMatchObject({ would_send: true, warnings: [] });
    expect((await asked(stranger)).warnings).toMatchObject([{ code: 'window_closed' }]);
  });

  test('belongs to the contact and the conversation of the person, also when it was sent before they wrote', async () => {
    const to = freshUserId();
    const early = await tenant.send(to);
    await tenant.untilMessage(early, isSent, 'the first is sent');
    await writesHidden(kit, tenant, to);
    const late = await tenant.send(to);
    await tenant.untilMessage(late, isSent, 'the second is sent');
    const { id: contactId } = await contactOf(to);
    const listed = () => data(`/v1/messages/outbound?contact_id=${contactId}`);
    const both = await kit.until(listed, (list) => list.length === 2, 'both are of the contact');
    expect(both.map((one: Answer['body']) => one.id)).toEqual([late, early]);
    expect((await tenant.message(late)).conversation_id).not.toBeNull();
  });

  test('to many leaves in the order in which it was accepted', async () => {
    const to = freshUserId();
    const messages = Array.from({ length: 20 }, (_, n) => ({ to, body: `${n}` }));
    await post('/v1/messages/batch', { messages });
    const sent = await kit.until(
      () => tenant.ledger(to),
      (list) => list.length === 20,
      'all are sent',
    );
    expect(sent.map(({ request }) => request.text.body)).toEqual(messages.map(({ body }) => body));
  });

  test('is found by a status without its echo, whichever identity the status names', async () => {
    const [to, phone] = [freshUserId(), freshPhone()];
    await post('/v1/contacts', { phone, user_id: to });
    const id = await tenant.send(to);
    const { delivery } = await tenant.untilMessage(id, isSent, 'it is sent');
    const failed = statusItem(delivery.network_message_id, 'failed', null, {
      recipient_id: phone,
      errors: [{ code: 131026, title: 'Undeliverable' }],
    });
    await ingest(kit, callbackBody({ phoneNumberId: tenant.phoneNumberId, statuses: [failed] }));
    const told = await tenant.untilMessage(id, (m) => m.status === 'failed' || m.delivery.state === 'read', 'a report');
    expect(['failed', 'sent']).toContain(told.status);
  });
});

describe('a person who shows only a user id', () => {
  test('is answered in the conversation, by an agent and by a rule', async () => {
    const answer = { action: 'reply', type: 'text', body: 'Welcome' };
    // biome-ignore lint/suspicious/noThenProperty: a rule reads when … then
    const rule = { name: 'greets', trigger: { on: 'message.received' }, then: [answer] };
    expect((await post('/v1/chatbot-rules', rule)).status).toBe(201);
    const userId = freshUserId();
    await writesHidden(kit, tenant, userId);
    const [{ conversation_id: conversationId }] = await data(`/v1/messages/inbound?from=${userId}`);
    const reply = await post(`/v1/conversations/${conversationId}/messages`, { body: 'Hello' });
    expect(reply).toMatchObject({ status: 202, body: { to: userId } });
    const sent = await kit.until(
      () => tenant.ledger(userId),
      (list) => list.length === 2,
      'both are sent',
    );
    expect(sent.map(({ request }) => request.text.body).sort()).toEqual(['Hello', 'Welcome']);
  });

  test('is written to first: a contact made with the user id, a conversation begun with it', async () => {
    const userId = freshUserId();
    const made = await post('/v1/contacts', { user_id: userId, name: 'Ada' });
    expect(made).toMatchObject({ status: 201, body: { phone: null, user_id: userId } });
    const twice = await post('/v1/contacts', { user_id: userId });
    expect([twice.status, twice.body.code]).toEqual([409, 'contact_exists']);
    const begun = await post('/v1/conversations', { to: userId, message: { body: 'Hello' } });
    expect(begun).toMatchObject({ status: 201, body: { message: { to: userId } } });
    expect(begun.body.conversation.contact).toMatchObject({ id: made.body.id });
    const again = await post('/v1/conversations', { contact_id: made.body.id, message: { body: 'More' } });
    expect(again.body).toMatchObject({ is_new: false, message: { to: userId } });
  });

  test('has a valid user id, or a number', async () => {
    const none = await post('/v1/contacts', { name: 'Ada' });
    expect([none.status, none.body.error]).toEqual([400, 'The body needs a phone or a user_id.']);
    const wrong = await post('/v1/contacts', { user_id: 'ada' });
    expect(wrong.body.error).toBe('user_id is not a user ID of the network such as US.13491208655302741918.');
  });

  test('gives the user id up to whoever has it now, and no two contacts have it', async () => {
    const [first, second] = [freshUserId(), freshUserId()];
    const one = (await post('/v1/contacts', { user_id: first })).body;
    const other = (await post('/v1/contacts', { user_id: second })).body;
    const taken = await tenant.call('PATCH', `/v1/contacts/${one.id}`, { user_id: second });
    expect([taken.status, taken.body.code]).toEqual([409, 'contact_exists']);
    const third = freshUserId();
    expect((await tenant.call('PATCH', `/v1/contacts/${other.id}`, { user_id: third })).status).toBe(200);
    expect((await tenant.call('PATCH', `/v1/contacts/${one.id}`, { user_id: second })).status).toBe(200);
    expect([(await contactOf(second)).id, await contactOf(first)]).toEqual([one.id, undefined]);
  });

  test('that is blocked is not written to by the user id, and STOP ends its marketing', async () => {
    const userId = freshUserId();
    await writesHidden(kit, tenant, userId, { text: { body: 'STOP' } });
    const { id, consent } = await contactOf(userId);
    expect(consent.marketing).toBe('denied');
    const bulk = () => post('/v1/messages', { to: userId, body: 'Sale', priority: 'bulk' });
    await kit.until(bulk, ({ body }) => body.code === 'recipient_opted_out', 'marketing is refused');
    expect((await post('/v1/messages', { to: userId, body: 'Your order' })).status).toBe(202);
    await tenant.call('POST', `/v1/contacts/${id}/block`);
    const plain = () => post('/v1/messages', { to: userId, body: 'Your order' });
    await kit.until(plain, ({ body }) => body.code === 'recipient_blocked', 'everything is refused');
  });

  test('is erased with everything that went to the user id', async () => {
    const userId = freshUserId();
    await writesHidden(kit, tenant, userId);
    const id = await tenant.send(userId);
    await tenant.untilMessage(id, isSent, 'it is sent');
    const contact = await contactOf(userId);
    expect((await tenant.call('DELETE', `/v1/contacts/${contact.id}`)).status).toBe(200);
    expect((await tenant.message(id)).to).not.toContain(userId);
    expect(await data(`/v1/messages/inbound?from=${userId}`)).toEqual([]);
  });

  test('whose tap or quote names our message is linked to it, by whichever identity it went', async () => {
    const [userId, phone] = [freshUserId(), freshPhone()];
    const button = { type: 'button', text: undefined, button: { payload: 'p', text: 'Yes' } };
    const taps = async (to: string) => {
      const id = await tenant.send(to);
      const { delivery } = await tenant.untilMessage(id, isSent, 'it is sent');
      await writesHidden(kit, tenant, userId, { ...button, context: { from: '1', id: delivery.network_message_id } });
      const [newest] = await data(`/v1/messages/inbound?from=${userId}`);
      expect(newest).toMatchObject({ type: 'button', reply_to: id });
    };
    await taps(userId);
    const both = inboundText(`wamid.BOTH.${phone}`, phone, { from_user_id: userId });
    await ingest(kit, callbackBody({ phoneNumberId: tenant.phoneNumberId, messages: [both] }));
    await taps(phone);
  });
});

describe('a campaign', () => {
  test('goes to user ids that were added, and to members of its audience who show no number', async () => {
    const [added, member] = [freshUserId(), freshUserId()];
    await post('/v1/contacts', { user_id: member, tags: ['VIP'] });
    const when = { field: 'contact.tags', match: 'has', value: 'VIP' };
    const template = { name: 'order_shipped', language: 'en' };
    const { body } = await post('/v1/campaigns', { name: 'spring', template, audience: { when } });
    const wrong = await post(`/v1/campaigns/${body.id}/recipients`, { recipients: [{ to: 'us.1' }] });
    expect([wrong.status, wrong.body.details[0].path]).toEqual([400, 'body.recipients[0].to']);
    expect((await post(`/v1/campaigns/${body.id}/recipients`, { recipients: [{ to: added }] })).status).toBe(200);
    expect((await tenant.call('POST', `/v1/campaigns/${body.id}/start`)).status).toBe(200);
    const find = async () => (await tenant.call('GET', `/v1/campaigns/${body.id}`)).body;
    const done = await kit.until(find, ({ status }) => status === 'completed', 'it is completed');
    expect(done).toMatchObject({ audience: { left_out: 0 }, recipients: { total: 2, sent: 2 } });
    const requests = (await tenant.ledger()).map(({ request }) => request.recipient);
    expect(requests.toSorted()).toEqual([added, member].toSorted());
  });
});
