import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { callbackBody, countRows, ingest, statusItem } from '#testing/test-callbacks';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { freshUserId } from '#testing/user-ids';

let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService({ isAlone: true });
});
beforeEach(async () => {
  tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
});
afterAll(() => kit.close());

/** What the network tells when a customer taps "stop" or "resume" under offers and announcements. */
function preference(value: string, fields: object, phoneNumberId: string = tenant.phoneNumberId): string {
  const detail = `User requested to ${value} marketing messages`;
  const user_preferences = [{ detail, category: 'marketing_messages', value, timestamp: 1_790_000_000, ...fields }];
  const metadata = { display_phone_number: '15550001111', phone_number_id: phoneNumberId };
  const change = {
    field: 'user_preferences',
    value: { messaging_product: 'whatsapp', metadata, contacts: [], user_preferences },
  };
  const entry = [{ id: '300000000000001', time: 1_790_000_000, changes: [change] }];
  return JSON.stringify({ object: 'whatsapp_business_account', entry });
}

const data = async (path: string): Promise<Answer['body'][]> => (await tenant.call('GET', path)).body.data;
const contactOf = async (phone: string) => (await data(`/v1/contacts?phone=${phone}`))[0];
const offer = (to: string, fields: object = {}) =>
  tenant.call('POST', '/v1/messages', { to, body: 'Sale', priority: 'bulk', ...fields });
const untilRefused = (to: string) =>
  kit.until(
    () => offer(to),
    ({ body }) => body.code === 'recipient_opted_out',
    'marketing is refused',
  );
const untilTaken = (to: string) =>
  kit.until(
    () => offer(to),
    ({ status }) => status === 202,
    'marketing is taken',
  );

test('stop ends marketing from that number, with its proof and an event; other messages go on, and resume opens it again', async () => {
  const phone = freshPhone();
  await ingest(kit, preference('stop', { wa_id: phone }));
  const refused = await untilRefused(phone);
  expect(refused).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('stop marketing from this number') },
  });
  expect((await tenant.call('POST', '/v1/messages', { to: phone, body: 'Your order' })).status).toBe(202);
  const contact = await contactOf(phone);
  const number = { phone_number_id: tenant.phoneNumberId, marketing: 'denied', at: '2026-09-21T14:13:20.000Z' };
  expect(contact.consent).toEqual({ marketing: 'unknown', source: null, at: null, numbers: [number] });
  await ingest(kit, preference('resume', { wa_id: phone, timestamp: 1_790_000_100 }));
  await untilTaken(phone);
  const ledger = await data(`/v1/contacts/${contact.id}/consent/history`);
  expect(ledger).toMatchObject([
    { marketing: 'granted', phone_number_id: tenant.phoneNumberId, source: 'network' },
    { marketing: 'denied', source: 'network', wording: 'User requested to stop marketing messages', message_id: null },
  ]);
  const events = await data('/v1/events?types=contact.opted_out,contact.opted_in&limit=100');
  expect(events.map(({ type, data: told }) => [type, told.id, told.phone_number_id])).toEqual([
    ['contact.opted_out', contact.id, tenant.phoneNumberId],
    ['contact.opted_in', contact.id, tenant.phoneNumberId],
  ]);
});

test('what waits from that number is stopped, what another number sends is not', async () => {
  const phone = freshPhone();
  const waiting = (await offer(phone, { send_at: new Date(kit.rt.clock.now() + 3_600_000).toISOString() })).body.id;
  const plain = (
    await offer(phone, { priority: 'normal', send_at: new Date(kit.rt.clock.now() + 3_600_000).toISOString() })
  ).body.id;
  await ingest(kit, preference('stop', { wa_id: phone }));
  const stopped = await tenant.message(waiting);
  expect([stopped.status, stopped.delivery.error?.code]).toEqual(['failed', 'contact_opted_out']);
  expect((await tenant.message(plain)).status).toBe('queued');
});

test('the latest word counts in any order and any number of times', async () => {
  const phone = freshPhone();
  const stop = preference('stop', { wa_id: phone, timestamp: 1_790_000_000 });
  const resume = preference('resume', { wa_id: phone, timestamp: 1_790_000_100 });
  await ingest(kit, resume, stop, resume, stop);
  const { id, consent } = await contactOf(phone);
  expect(consent.numbers).toMatchObject([{ marketing: 'granted' }]);
  expect(await data(`/v1/contacts/${id}/consent/history`)).toEqual([]);
  await untilTaken(phone);
});

test('a customer who shows only a user id is stopped by it, and by the number once that is known', async () => {
  const [userId, phone] = [freshUserId(), freshPhone()];
  await ingest(kit, preference('stop', { user_id: userId }));
  await untilRefused(userId);
  const [{ id }] = await data(`/v1/contacts?user_id=${userId}`);
  expect((await tenant.call('PATCH', `/v1/contacts/${id}`, { phone })).status).toBe(200);
  await untilRefused(phone);
});

test('a report that marketing was refused for it stops more of it, and names the message as its proof', async () => {
  const phone = freshPhone();
  const id = await tenant.send(phone);
  const { delivery } = await tenant.untilMessage(id, ({ status }) => status === 'sent', 'it is sent');
  const failed = statusItem(delivery.network_message_id, 'failed', null, {
    recipient_id: phone,
    errors: [{ code: 131050, title: 'User stopped marketing' }],
  });
  await ingest(kit, callbackBody({ phoneNumberId: tenant.phoneNumberId, statuses: [failed] }));
  await untilRefused(phone);
  expect((await contactOf(phone)).consent.numbers).toMatchObject([{ marketing: 'denied' }]);
});

test('a campaign skips who has stopped marketing from its number, with the reason', async () => {
  const [stopped, willing] = [freshPhone(), freshPhone()];
  await ingest(kit, preference('stop', { wa_id: stopped }));
  const template = { name: 'order_shipped', language: 'en' };
  const draft = { name: 'spring', template, phone_number_id: tenant.phoneNumberId };
  const { body } = await tenant.call('POST', '/v1/campaigns', draft);
  await tenant.call('POST', `/v1/campaigns/${body.id}/recipients`, { recipients: [{ to: stopped }, { to: willing }] });
  await tenant.call('POST', `/v1/campaigns/${body.id}/start`);
  const find = async () => (await tenant.call('GET', `/v1/campaigns/${body.id}`)).body;
  const done = await kit.until(find, ({ status }) => status === 'completed', 'it is completed');
  expect(done.recipients).toMatchObject({ sent: 1, skipped: 1 });
  expect(await data(`/v1/campaigns/${body.id}/recipients?status=skipped`)).toMatchObject([
    { to: stopped, reason: { code: 'recipient_opted_out' } },
  ]);
});

test('what is malformed, or of a number that nobody has, changes nothing and is kept', async () => {
  const before = await countRows(kit.service.db, 'callback_leftovers');
  await ingest(
    kit,
    preference('stop', {}),
    preference('stop', { wa_id: freshPhone(), timestamp: 'soon' }),
    preference('stop', { wa_id: freshPhone() }, '1'),
    preference('wave', { wa_id: freshPhone() }),
  );
  expect(await countRows(kit.service.db, 'callback_leftovers')).toBe(before + 4);
  expect(await data('/v1/contacts')).toEqual([]);
});
