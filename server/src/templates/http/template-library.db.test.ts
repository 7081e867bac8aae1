import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { linkAccount, makeSimulatedAccount } from '#testing/peers/link-dialog';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;
let networkAccountId: string;
let phoneNumberId: string;

beforeAll(async () => {
  kit = await startTestService();
});
beforeEach(async () => {
  await kit.simulate('PUT', '/_sim/failures', {});
  tenant = await makeTestTenant(kit);
  ({ networkAccountId, phoneNumberId } = await makeSimulatedAccount(kit, true));
  await linkAccount(tenant, networkAccountId);
});
afterAll(() => kit.close());

const buttons = [
  { type: 'url', url: 'https://shop.example/{{1}}', example: 'https://shop.example/way' },
  { type: 'phone_number', phone_number: '+4930123456' },
];
const collection = (change: object = {}) => ({
  library_template: 'ready_for_collection',
  language: 'en_US',
  name: 'my_collection',
  buttons,
  ...change,
});
const take = (change: object = {}, from = tenant) =>
  from.call('POST', '/v1/templates/from-library', collection(change));
const submit = (id: string) => tenant.call('POST', `/v1/templates/${id}/submit`);
const list = async (query = ''): Promise<readonly string[]> => {
  const { body } = await tenant.call('GET', `/v1/template-library${query}`);
  return body.data.map(({ name, language }: { name: string; language: string }) => `${name}/${language}`);
};
const drafts = async (): Promise<number> => (await tenant.call('GET', '/v1/templates?status=draft')).body.data.length;

test('the library is listed as the network has it, and narrowed down by what the network can look for', async () => {
  const { body } = await tenant.call('GET', '/v1/template-library?name=ready_for_collection');
  expect(body.data).toEqual([
    {
      id: expect.stringMatching(/^\d+$/),
      name: 'ready_for_collection',
      language: 'en_US',
      category: 'utility',
      topic: 'order_management',
      use_case: 'order_pick_up',
      industries: ['e_commerce'],
      header: 'Ready to collect',
      body: 'Your order {{1}} waits for you at {{2}}. Bring this message with you.',
      variables: [
        { key: '1', type: 'text', example: 'A-17' },
        { key: '2', type: 'address', example: '1 Main Street' },
      ],
      buttons: [
        { type: 'url', text: 'Find the way', url: 'https://www.example.com', phone_number: null, needs_input: true },
        { type: 'phone_number', text: 'Call the shop', url: null, phone_number: '+15550001111', needs_input: true },
      ],
    },
  ]);
  expect(await list('?language=es')).toEqual(['delivery_on_its_way/es']);
  expect(await list('?topic=payments&industry=e_commerce')).toEqual(['payment_received/en_US']);
  expect(await list('?use_case=feedback_survey')).toEqual(['how_was_it/en_US']);
  expect(await list('?q=invoice')).toEqual(['payment_received/en_US']);
  expect(await list('?q=nothing')).toEqual([]);
});

test('pages of the library have each entry once', async () => {
  const whole = await list();
  const seen: string[] = [];
  for (let path: string | null = '/v1/template-library?limit=4'; path !== null; ) {
    const { body }: Awaited<ReturnType<TestTenant['call']>> = await tenant.call('GET', path);
    seen.push(...body.data.map(({ name, language }: Record<string, string>) => `${name}/${language}`));
    const { next_cursor: cursor } = body.page;
    path = cursor && `/v1/template-library?limit=4&cursor=${cursor}`;
  }
  expect(seen).toEqual(whole);
  expect(new Set(whole).size).toBe(6);
});

test('an entry becomes a draft, is approved as soon as it is submitted, and is sent', async () => {
  const made = await take();
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    ...{ name: 'my_collection', status: 'draft', category: 'utility', library_template: 'ready_for_collection' },
    network_account_id: networkAccountId,
    variables: [
      { key: '1', where: 'body', type: 'text', example: 'A-17' },
      { key: '2', where: 'body', type: 'text', example: '1 Main Street' },
      { key: '1', where: 'buttons[1]', type: 'text' },
    ].map((variable) => expect.objectContaining({ key: variable.key })),
  });
  const { status, body } = await submit(made.body.id);
  expect({ status, body }).toMatchObject({ status: 200, body: { status: 'approved', sendable: true } });
  expect(body.library_template).toBe('ready_for_collection');
  const variables = ['A-17', '1 Main Street', 'way'];
  const template = { name: 'my_collection', language: 'en_US', variables };
  const id = await tenant.send(freshPhone(), {
    ...{ body: undefined, phone_number_id: phoneNumberId, type: 'template', template },
  });
  await kit.until(
    async () => (await tenant.call('GET', `/v1/messages/${id}`)).body,
    (message) => message.status === 'sent',
    'the message is sent',
  );
});

test('what the network itself wrote is not checked as if the tenant had', async () => {
  const made = await take({
    ...{ library_template: 'payment_due', name: 'due' },
    buttons: [{ type: 'phone_number', phone_number: '+4930123456' }],
  });
  expect((await submit(made.body.id)).body.status).toBe('approved');
});

test('a draft whose text is changed is a template like any other', async () => {
  const { id } = (await take()).body;
  const components = [
    { type: 'BODY', text: 'Your order {{1}} is at {{2}} now.', example: { body_text: [['A-17', 'the shop']] } },
  ];
  const changed = await tenant.call('PATCH', `/v1/templates/${id}`, { components });
  expect(changed.body.library_template).toBeNull();
  await kit.simulate('PUT', '/_sim/templates/review', { outcome: 'PENDING' });
  expect((await submit(id)).body.status).toBe('submitted');
  await kit.simulate('PUT', '/_sim/templates/review', {});
});

test('the same wish twice is one draft, and a name that is taken is a conflict', async () => {
  const [first, again] = [await take(), await take()];
  expect(again.body.id).toBe(first.body.id);
  const other = await take({ library_template: 'payment_received', buttons: [] });
  expect(other).toMatchObject({ status: 409, body: { code: 'conflict' } });
});

test('a template that was taken from the library elsewhere is known as one after a sync, and ours stays one', async () => {
  const { id } = (await take()).body;
  await submit(id);
  const made = { name: 'elsewhere', language: 'en_US', category: 'UTILITY', library_template_name: 'payment_received' };
  const url = `${kit.sim.url}/v26.0/${networkAccountId}/message_templates`;
  const headers = { authorization: 'Bearer simulator-token', 'content-type': 'application/json' };
  expect((await fetch(url, { method: 'POST', headers, body: JSON.stringify(made) })).status).toBe(200);
  await tenant.call('POST', '/v1/templates/sync');
  const { data } = (await tenant.call('GET', '/v1/templates')).body;
  const known = data.map((one: Record<string, unknown>) => [one.name, one.library_template, one.version, one.status]);
  expect(known.toSorted()).toEqual([
    ['elsewhere', 'payment_received', 1, 'approved'],
    ['my_collection', 'ready_for_collection', 1, 'approved'],
  ]);
});

test.each([
  ['an entry that does not exist', { library_template: 'no_such_entry' }, 'body.library_template'],
  ['a language that the entry has not', { language: 'de' }, 'body.library_template'],
  ['no inputs', { buttons: [] }, 'body.buttons'],
  ['inputs in another order', { buttons: buttons.toReversed() }, 'body.buttons[0].type'],
  [
    'a variable without a sample',
    { buttons: [{ type: 'url', url: 'https://shop.example/{{1}}' }, buttons[1]] },
    'body.buttons[0].example',
  ],
  ['an address that is none', { buttons: [{ type: 'url', url: 'shop' }, buttons[1]] }, 'body.buttons[0].url'],
  ['a button of another kind', { buttons: [{ type: 'otp' }, buttons[1]] }, 'body.buttons[0].type'],
  ['a name that is none', { name: 'Mine' }, 'body.name'],
])('%s is a 400 that names the place, and leaves no draft', async (_what, change, path) => {
  const answer = await take(change);
  expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  expect(answer.body.details.map((detail: { path: string }) => detail.path)).toContain(path);
  expect(await drafts()).toBe(0);
});

test("another tenant's account is none of ours", async () => {
  const stranger = await makeTestTenant(kit);
  expect((await take({ network_account_id: networkAccountId }, stranger)).body.code).toBe('unknown_network_account');
  expect((await stranger.call('GET', '/v1/template-library')).body.code).toBe('unknown_network_account');
});

test.each([
  ['refuses', { code: 100 }, 'refused_by_network'],
  ['breaks off', { fault: 'cut' }, 'network_unreachable'],
])('when the network %s, the answer says so and no draft is left', async (_how, failure, code) => {
  await kit.simulate('PUT', '/_sim/failures', { template_library: { ...failure, times: 2 } });
  expect((await tenant.call('GET', '/v1/template-library')).body.code).toBe(code);
  expect((await take()).body.code).toBe(code);
  expect(await drafts()).toBe(0);
});
