import { afterAll, beforeAll, expect, test } from 'vitest';
import { callbackBody, countRows, inboundText, ingest } from '#testing/test-callbacks';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

/** By the network's clock, in seconds. */
const START_S = 1_790_000_000;

let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit);
});
afterAll(() => kit.close());

/** A callback with entries of the book of the business's phone. */
function bookBody(...state_sync: readonly object[]): string {
  const metadata = { display_phone_number: '15550001111', phone_number_id: tenant.phoneNumberId };
  const value = { messaging_product: 'whatsapp', metadata, state_sync };
  const entry = [{ id: '300000000000001', changes: [{ field: 'smb_app_state_sync', value }] }];
  return JSON.stringify({ object: 'whatsapp_business_account', entry });
}

function added(phone: string, name: string, second: number): object {
  const contact = { full_name: name, first_name: name.split(' ')[0], phone_number: phone };
  return { type: 'contact', contact, action: 'add', metadata: { timestamp: String(START_S + second) } };
}

function removed(phone: string, second: number): object {
  const metadata = { timestamp: String(START_S + second) };
  return { type: 'contact', contact: { phone_number: phone }, action: 'remove', metadata };
}

async function contactOf(phone: string): Promise<Answer['body']> {
  return (await tenant.call('GET', `/v1/contacts?phone=${phone}`)).body.data[0];
}

test("names of the phone's book end the same in any order and twice, and what leaves the book keeps its contact and name", async () => {
  const entries = (phone: string) => [added(phone, 'Ann', 0), added(phone, 'Ann Lee', 10), removed(phone, 20)];
  const orders = [
    [0, 1, 2],
    [2, 1, 0],
    [1, 0, 2, 1, 0],
  ];
  for (const order of orders) {
    const phone = freshPhone();
    for (const index of order) await ingest(kit, bookBody(entries(phone)[index] ?? {}));
    expect([order, await contactOf(phone)]).toMatchObject([order, { name: 'Ann Lee', phone }]);
  }
});

test("a name that somebody here gave stays, and what a customer calls itself yields to the phone's book", async () => {
  const [named, unnamed] = [freshPhone(), freshPhone()];
  await tenant.call('POST', '/v1/contacts', { phone: named, name: 'Dr. Lee' });
  const contacts = [{ profile: { name: '~lee~' }, wa_id: unnamed }];
  const messages = [inboundText(`wamid.B.${unnamed}`, unnamed)];
  await ingest(kit, callbackBody({ phoneNumberId: tenant.phoneNumberId, messages, contacts }));
  await ingest(kit, bookBody(added(named, 'Ann', 0), added(unnamed, 'Bob', 0)));
  expect(await contactOf(named)).toMatchObject({ name: 'Dr. Lee' });
  const bob = await contactOf(unnamed);
  expect(bob).toMatchObject({ name: 'Bob', profile_name: '~lee~' });
  await ingest(kit, bookBody(added(named, 'Ann Lee', 5), added(unnamed, 'Bob Ray', 5)));
  expect(await contactOf(named)).toMatchObject({ name: 'Dr. Lee' });
  expect(await contactOf(unnamed)).toMatchObject({ id: bob.id, name: 'Bob Ray' });
});

test('a book of 700 people in one callback makes one contact each with one event, and no conversation; unreadable entries are kept', async () => {
  const own = await makeTestTenant(kit);
  const phones = Array.from({ length: 700 }, (_, index) => `44770098${String(index).padStart(4, '0')}`);
  const entries = phones.flatMap((phone, index) => {
    const entry = added(phone, `Person ${index}`, index);
    return index === 7 ? [entry, entry, { ...added(phone, '', 0), contact: { phone_number: phone } }] : [entry];
  });
  const body = bookBody(...entries).replaceAll(tenant.phoneNumberId, own.phoneNumberId);
  const leftovers = await countRows(kit.service.db, 'callback_leftovers');
  await ingest(kit, body, body);
  expect(await countRows(kit.service.db, 'contacts', own.tenantId)).toBe(phones.length);
  expect(await countRows(kit.service.db, 'conversations', own.tenantId)).toBe(0);
  expect(await countRows(kit.service.db, 'callback_leftovers')).toBe(leftovers + 2);
  const { data } = (await own.call('GET', '/v1/events?limit=1000')).body;
  const types = data.map(({ type }: Answer['body']) => type);
  expect(types).toEqual(phones.map(() => 'contact.created'));
});
