import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { linkAccount, makeSimulatedAccount } from '#testing/peers/link-dialog';
import { answerFlow, flowJson, flowMessage, makeFlow } from '#testing/test-flows';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

/** 100 are asked for at once. */
const MORE_THAN_A_PAGE = 101;

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

const fields = (more: object = {}) => ({ name: 'appointment', categories: ['appointment_booking'], ...more });

async function created(more: object = {}): Promise<string> {
  const { status, body } = await tenant.call('POST', '/v1/flows', fields(more));
  expect(status).toBe(201);
  return body.id;
}

/** Sends a message from the number of the account. @returns its id */
function send(to: string, message: object): Promise<string> {
  return tenant.send(to, { body: undefined, phone_number_id: phoneNumberId, ...message });
}

test('a flow is created empty, gets its JSON, is published, sent, answered, and its answer is a row', async () => {
  const made = (await tenant.call('POST', '/v1/flows', fields())).body;
  expect(made).toMatchObject({ status: 'draft', network_account_id: networkAccountId, preview: null });
  const path = `/v1/flows/${made.id}`;
  const stored = await tenant.call('PUT', `${path}/json`, flowJson);
  expect(stored).toMatchObject({ status: 200, body: { id: made.id, saved: true, validation_errors: [] } });
  expect((await tenant.call('GET', path)).body).toMatchObject({
    ...fields(),
    json_version: '7.2',
    preview: { url: expect.stringContaining(made.id), expires_at: expect.stringMatching(/Z$/) },
    health: { can_send: 'available', problems: [] },
  });
  const published = await tenant.call('POST', `${path}/publish`);
  expect(published).toMatchObject({ status: 200, body: { status: 'published' } });
  const from = freshPhone();
  const messageId = await send(from, flowMessage({ flow_id: made.id, flow_token: 'order-42' }));
  const entered = { flow_token: 'order-42', day: '2030-01-07', guests: 2 };
  const answer = await answerFlow(kit, tenant, { messageId, from, phoneNumberId, entered });
  const { data, page } = (await tenant.call('GET', `${path}/answers`)).body;
  expect(page.has_more).toBe(false);
  expect(data).toEqual([
    {
      message_id: answer.id,
      sent_message_id: messageId,
      received_at: answer.received_at,
      phone_number_id: phoneNumberId,
      from,
      from_user_id: answer.from_user_id,
      profile_name: answer.profile_name,
      contact_id: answer.contact_id,
      conversation_id: answer.conversation_id,
      flow_token: 'order-42',
      data: { day: '2030-01-07', guests: 2 },
    },
  ]);
  expect((await tenant.call('POST', `${path}/deprecate`)).body.status).toBe('deprecated');
});

describe('answers', () => {
  test('belong to the flow that they were sent with, by its id, its name, or the button of a template', async () => {
    const [mine, other] = [await created({ flow_json: flowJson }), await created({ name: 'o', flow_json: flowJson })];
    for (const id of [mine, other]) await tenant.call('POST', `/v1/flows/${id}/publish`);
    const template = await approvedTemplate(mine);
    const from = freshPhone();
    const expected: string[] = [];
    for (const message of [
      flowMessage({ flow_id: mine }),
      flowMessage({ flow_name: 'appointment' }),
      { type: 'template', template },
    ]) {
      const messageId = await send(from, message);
      expected.unshift((await answerFlow(kit, tenant, { messageId, from, phoneNumberId, entered: { a: 1 } })).id);
    }
    const messageId = await send(from, flowMessage({ flow_id: other }));
    const last = await answerFlow(kit, tenant, { messageId, from, phoneNumberId, entered: { a: 1 } });
    const idsOf = async (id: string) =>
      (await tenant.call('GET', `/v1/flows/${id}/answers`)).body.data.map(
        (row: { message_id: string }) => row.message_id,
      );
    expect(await idsOf(mine)).toEqual(expected);
    expect(await idsOf(other)).toEqual([last.id]);
  });

  test('come in pages and as one table, with a column for each field, in which nothing is a formula', async () => {
    const id = await created({ flow_json: flowJson });
    const from = freshPhone();
    const messageId = await send(from, flowMessage({ flow_id: id, mode: 'draft', flow_token: 't' }));
    const answers = [{ day: 'Monday' }, { day: '=1+1', more: ['a', 'b'] }, { note: 'Yes, please' }];
    for (const entered of answers) await answerFlow(kit, tenant, { messageId, from, phoneNumberId, entered });
    const path = `/v1/flows/${id}/answers`;
    const first = (await tenant.call('GET', `${path}?limit=2`)).body;
    const second = (await tenant.call('GET', `${path}?limit=2&cursor=${first.page.next_cursor}`)).body;
    const entered = [...first.data, ...second.data].map(({ data }: { data: object }) => data);
    expect([entered, second.page.has_more]).toEqual([answers.toReversed(), false]);
    const table = await tenant.call('GET', path, undefined, { accept: 'text/csv' });
    expect(table.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [header, ...lines] = table.text.trimEnd().split('\r\n');
    expect(header).toMatch(/,flow_token,data\.note,data\.day,data\.more$/);
    expect(lines.map((line) => line.split(',conversation_id').at(-1)?.slice(-30))).toEqual([
      expect.stringMatching(/,"Yes, please",,$/),
      expect.stringMatching(/,,'=1\+1,"\["/),
      expect.stringMatching(/,,Monday,$/),
    ]);
  });

  test('are gone with the contact who gave them', async () => {
    const id = await created({ flow_json: flowJson });
    const from = freshPhone();
    const messageId = await send(from, flowMessage({ flow_id: id, mode: 'draft' }));
    const entered = { day: 'Monday' };
    const { contact_id } = await answerFlow(kit, tenant, { messageId, from, phoneNumberId, entered });
    expect((await tenant.call('DELETE', `/v1/contacts/${contact_id}`)).status).toBe(200);
    expect((await tenant.call('GET', `/v1/flows/${id}/answers`)).body.data).toEqual([]);
  });
});

/** A template whose button opens the flow, as it is sent. */
async function approvedTemplate(flowId: string): Promise<object> {
  const name = 'book_approved';
  const components = [
    { type: 'BODY', text: 'Please choose a day.' },
    { type: 'BUTTONS', buttons: [{ type: 'FLOW', text: 'Begin', flow_id: flowId, navigate_screen: 'DAY' }] },
  ];
  const body = { name, language: 'en', category: 'utility', components, network_account_id: networkAccountId };
  const { id } = (await tenant.call('POST', '/v1/templates', body)).body;
  await tenant.call('POST', `/v1/templates/${id}/submit`);
  const read = async () => (await tenant.call('GET', `/v1/templates/${id}`)).body;
  await kit.until(read, ({ status }) => status === 'approved', 'the template is approved');
  return { name, language: 'en' };
}

test('flows of all accounts are listed, the highest id first, over all pages of the network, and by pages here', async () => {
  const second = await makeSimulatedAccount(kit);
  await linkAccount(tenant, second.networkAccountId);
  const ids: string[] = [];
  for (let place = 0; place < MORE_THAN_A_PAGE; place += 1) {
    const body = { name: `flow ${place}`, categories: ['OTHER'] };
    const response = await fetch(`${kit.sim.url}/v26.0/${second.networkAccountId}/flows`, {
      method: 'POST',
      headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    ids.unshift(((await response.json()) as { id: string }).id);
  }
  ids.unshift(await created({ network_account_id: networkAccountId }));
  const seen: string[] = [];
  let cursor = '';
  do {
    const { data, page } = (await tenant.call('GET', `/v1/flows?limit=40${cursor}`)).body;
    seen.push(...data.map(({ id }: { id: string }) => id));
    cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
  } while (cursor !== '');
  expect(seen).toEqual(ids);
  const own = await tenant.call('GET', `/v1/flows?network_account_id=${networkAccountId}`);
  expect(own.body.data).toMatchObject([{ id: ids[0], network_account_id: networkAccountId }]);
});

test('of several accounts the one of a new flow is named, unless it is a copy', async () => {
  const source = await created({ flow_json: flowJson });
  const second = await makeSimulatedAccount(kit);
  await linkAccount(tenant, second.networkAccountId);
  const refused = await tenant.call('POST', '/v1/flows', fields({ name: 'new' }));
  expect(refused).toMatchObject({ status: 400, body: { code: 'unknown_network_account' } });
  const copy = await tenant.call('POST', '/v1/flows', fields({ name: 'copy', clone_flow_id: source }));
  expect(copy).toMatchObject({ status: 201, body: { network_account_id: networkAccountId } });
  expect((await tenant.call('GET', `/v1/flows/${copy.body.id}`)).body.json_version).toBe('7.2');
  const elsewhere = fields({ clone_flow_id: source, network_account_id: second.networkAccountId });
  expect(await tenant.call('POST', '/v1/flows', elsewhere)).toMatchObject({
    status: 400,
    body: { details: [{ path: 'body.clone_flow_id' }] },
  });
});

test('JSON with mistakes is stored, and each mistake is named with its place, until the flow can be published', async () => {
  const id = await created();
  const broken = { ...flowJson, screens: [flowJson.screens[0], flowJson.screens[0]] };
  const stored = await tenant.call('PUT', `/v1/flows/${id}/json`, broken);
  const validation_errors = [
    { code: 'DUPLICATE_SCREEN_ID', message: 'There is another screen DAY.', places: ['screens[1].id'] },
  ];
  expect(stored.body).toEqual({ id, saved: true, validation_errors });
  expect((await tenant.call('GET', `/v1/flows/${id}`)).body).toMatchObject({ validation_errors });
  expect((await tenant.call('POST', `/v1/flows/${id}/publish`)).status).toBe(409);
  await tenant.call('PUT', `/v1/flows/${id}/json`, flowJson);
  expect((await tenant.call('POST', `/v1/flows/${id}/publish`)).status).toBe(200);
});

test('the network decides which change a status allows, and the refusal says its code and what to do', async () => {
  const id = await created();
  const refused = async (method: string, rest: string, body?: object) => {
    const { status, body: answer } = await tenant.call(method, `/v1/flows/${id}${rest}`, body);
    return [status, answer.code, /Code (\d+)/.exec(answer.error)?.[1]];
  };
  const by = (code: string) => [409, 'refused_by_network', code];
  expect(await refused('POST', '/publish')).toEqual(by('139002'));
  expect(await refused('POST', '/deprecate')).toEqual(by('139003'));
  await tenant.call('PUT', `/v1/flows/${id}/json`, flowJson);
  await tenant.call('POST', `/v1/flows/${id}/publish`);
  expect(await refused('PATCH', '', { name: 'other' })).toEqual(by('139001'));
  expect(await refused('PUT', '/json', flowJson)).toEqual(by('139001'));
  expect(await refused('DELETE', '')).toEqual(by('139004'));
  expect((await tenant.call('GET', `/v1/flows/${id}`)).body).toMatchObject({ ...fields(), status: 'published' });
});

test.each([
  [{ name: '' }, 'body.name'],
  [{ name: 'x'.repeat(513) }, 'body.name'],
  [{ categories: [] }, 'body.categories'],
  [{ categories: ['fun'] }, 'body.categories[0]'],
  [{ clone_flow_id: 'mine' }, 'body.clone_flow_id'],
  [{ flow_json: [] }, 'body.flow_json'],
  [{ endpoint_uri: 'https://shop.example' }, 'body.endpoint_uri'],
])('a flow that the network would not take is refused in words (%#)', async (wrong, path) => {
  const refused = await tenant.call('POST', '/v1/flows', fields(wrong));
  expect(refused).toMatchObject({ status: 400, body: { code: 'validation_failed', details: [{ path }] } });
  expect((await tenant.call('GET', '/v1/flows')).body.data).toEqual([]);
});

test('each change has an entry in the audit log, with names and nothing of the form', async () => {
  const id = await created();
  await tenant.call('PATCH', `/v1/flows/${id}`, { categories: ['survey'] });
  await tenant.call('PUT', `/v1/flows/${id}/json`, flowJson);
  await tenant.call('DELETE', `/v1/flows/${id}`);
  expect((await tenant.call('GET', `/v1/flows/${id}`)).status).toBe(404);
  const { data } = (await tenant.call('GET', `/v1/audit-log?target_id=${id}`)).body;
  expect(data.map(({ action, details }: { action: string; details: object }) => [action, details])).toEqual([
    ['flow.deleted', { name: 'appointment' }],
    ['flow.json_changed', { validation_errors: 0 }],
    ['flow.changed', { fields: ['categories'] }],
    ['flow.created', { name: 'appointment' }],
  ]);
});

test('an account whose token is gone hides no flow of another', async () => {
  const id = await created();
  const gone = await makeSimulatedAccount(kit);
  const account = await linkAccount(tenant, gone.networkAccountId);
  expect((await tenant.call('DELETE', `/v1/accounts/${account.id}`)).status).toBe(200);
  expect((await tenant.call('GET', `/v1/flows/${id}`)).status).toBe(200);
  expect((await tenant.call('GET', '/v1/flows/999')).status).toBe(409);
});

test('nothing of it can be read or changed by another tenant, also with a token that reaches every account', async () => {
  const id = await makeFlow(tenant, networkAccountId);
  // The number of one is the operator's, whose token the network lets read every flow; the other has an account of its own.
  const sharing = await makeTestTenant(kit, { networkAccountId: '300400500600' });
  const linked = await makeTestTenant(kit);
  await linkAccount(linked, (await makeSimulatedAccount(kit)).networkAccountId);
  const calls = [
    ['GET', ''],
    ['PATCH', '', { name: 'mine' }],
    ['PUT', '/json', flowJson],
    ['POST', '/publish'],
    ['POST', '/deprecate'],
    ['DELETE', ''],
    ['GET', '/answers'],
  ] as const;
  for (const other of [sharing, linked]) {
    for (const [method, rest, body] of calls) {
      expect([rest, (await other.call(method, `/v1/flows/${id}${rest}`, body)).status]).toEqual([rest, 404]);
    }
    const copy = await other.call('POST', '/v1/flows', fields({ clone_flow_id: id }));
    expect(copy).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    const listed = await other.call('GET', `/v1/flows?network_account_id=${networkAccountId}`);
    expect(listed).toMatchObject({ status: 200, body: { data: [] } });
  }
  expect((await tenant.call('GET', `/v1/flows/${id}`)).body.status).toBe('draft');
});
