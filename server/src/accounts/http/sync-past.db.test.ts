import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit);
});
afterAll(() => kit.close());

const ask = (type: string) => tenant.call('POST', `/v1/phone-numbers/${tenant.phoneNumberId}/sync`, { type });

test('what the phone had is handed over once it is asked for: its contacts by name, and its messages in their conversation', async () => {
  const customer = freshPhone();
  const messages = [
    { with: customer, text: 'Are you open?', hours_ago: 50 },
    { with: customer, text: 'Until six', from_business: true, hours_ago: 49 },
  ];
  const contacts = [{ phone: customer, name: 'Ann Lee' }];
  await kit.simulate('POST', '/_sim/past', { phone_number_id: tenant.phoneNumberId, contacts, messages });
  for (const type of ['messages', 'contacts'])
    expect(await ask(type)).toMatchObject({ status: 202, body: { phone_number_id: tenant.phoneNumberId, type } });
  const conversation = await kit.until(
    async () => (await tenant.call('GET', '/v1/conversations?status=resolved')).body.data[0],
    (one) => one?.contact.name === 'Ann Lee' && one.last_message.preview === 'Until six',
    'the past is here',
  );
  const { data } = (await tenant.call('GET', `/v1/conversations/${conversation.id}/messages`)).body;
  expect(data.map(({ body }: Answer['body']) => body)).toEqual(['Until six', 'Are you open?']);
  expect(await ask('contacts')).toMatchObject({
    status: 409,
    body: { code: 'conflict', error: 'The network was asked for this before, and hands it over only once.' },
  });
});
