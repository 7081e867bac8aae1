import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jpegBytes, uploadFile } from '#testing/media/test-media';
import { addSimulatedNumber } from '#testing/peers/link-dialog';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;
let account: string;
let accounts = 0;

beforeAll(async () => {
  kit = await startTestService();
  [tenant, account] = await tenantWithAccount();
});
afterAll(() => kit.close());

async function tenantWithAccount(): Promise<readonly [TestTenant, string]> {
  accounts += 1;
  const networkAccountId = `77${process.pid}${accounts}`;
  await addSimulatedNumber(kit, networkAccountId, true);
  return [await makeTestTenant(kit, { networkAccountId }), networkAccountId];
}

const BODY = {
  type: 'BODY',
  text: 'Hello {{1}}, your order {{2}} is ready.',
  example: { body_text: [['Ada', 'A-17']] },
};
const draft = (name: string, change: object = {}) => ({
  name,
  language: 'en_US',
  category: 'utility',
  components: [BODY],
  ...change,
});

async function expectOk(asked: Promise<Answer>, status = 200): Promise<Answer['body']> {
  const answer = await asked;
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status });
  return answer.body;
}

const make = (name: string, change: object = {}) =>
  expectOk(tenant.call('POST', '/v1/templates', draft(name, change)), 201);
const read = async (id: string) => (await tenant.call('GET', `/v1/templates/${id}`)).body;
const submit = (id: string) => tenant.call('POST', `/v1/templates/${id}/submit`);
const untilStatus = (id: string, status: string) =>
  kit.until(
    () => read(id),
    (template) => template.status === status,
    `the template is ${status}`,
  );
const review = (policy: object) => kit.simulate('PUT', '/_sim/templates/review', policy);
const atNetwork = (change: object) =>
  expectOk(kit.simulate('POST', '/_sim/templates', { waba_id: account, ...change }));
const historyOf = async (id: string): Promise<readonly { kind: string; cause: string; details: object }[]> =>
  (await expectOk(tenant.call('GET', `/v1/templates/${id}/history`))).data;

async function eventsOf(templateId: string): Promise<readonly string[]> {
  const { rows } = await kit.service.db.run<{ body: string }>(
    {
      name: 'test_template_events',
      text: 'select body from event_pages where tenant_id = $1 and body is not null order by last_seq',
    },
    [tenant.tenantId],
  );
  const all = rows.flatMap(({ body }) => JSON.parse(body) as { type: string; data: { id: string } }[]);
  return all.filter(({ data }) => data.id === templateId).map(({ type }) => type);
}

describe('P11: a template', () => {
  test('is a draft, is handed in, and follows what the network tells', async () => {
    await review({ delay_ms: 3_600_000 });
    const { id } = await make('order_ready');
    expect(await read(id)).toMatchObject({ status: 'draft', sendable: false, network_account_id: account, version: 1 });
    expect(await expectOk(submit(id))).toMatchObject({ status: 'submitted', submitted_version: 1, sendable: false });
    await atNetwork({ name: 'order_ready', status: 'APPROVED' });
    expect(await untilStatus(id, 'approved')).toMatchObject({ sendable: true, reason: null });
    await atNetwork({ name: 'order_ready', quality: 'YELLOW', category: 'MARKETING' });
    await kit.until(
      () => read(id),
      ({ category }) => category === 'marketing',
      'the category is told',
    );
    expect(await read(id)).toMatchObject({ quality: 'yellow', previous_category: 'utility' });
    await atNetwork({ name: 'order_ready', quality: 'RED' });
    expect(await untilStatus(id, 'paused')).toMatchObject({ sendable: false, reason: 'FIRST_PAUSE' });
    expect((await historyOf(id)).map(({ kind, cause }) => `${cause} ${kind}`).toReversed()).toEqual([
      'api created',
      'api status',
      'api submitted',
      'network status',
      'network quality',
      'network category',
      'network quality',
      'network status',
    ]);
    expect(await eventsOf(id)).toEqual([
      'template.created',
      'template.status_changed',
      'template.status_changed',
      'template.quality_changed',
      'template.category_changed',
      'template.quality_changed',
      'template.status_changed',
    ]);
    await review({});
  });

  test('that the network would refuse is refused here, with every fault', async () => {
    const { id } = await make('unfit', { components: [{ type: 'BODY', text: '{{1}} and {{2}}' }] });
    const answer = await submit(id);
    expect([answer.status, answer.body.code]).toEqual([400, 'template_invalid']);
    expect(answer.body.details.length).toBe(5);
    expect((await read(id)).status).toBe('draft');
  });

  test('that is rejected says why, and is handed in again after a change', async () => {
    await review({ outcome: 'REJECTED', reason: 'PROMOTIONAL' });
    const { id } = await make('promo');
    await expectOk(submit(id));
    expect((await untilStatus(id, 'rejected')).reason).toContain('PROMOTIONAL');
    await review({});
    const text = 'Hello {{1}}, your order {{2}} can be collected.';
    const changed = await expectOk(tenant.call('PATCH', `/v1/templates/${id}`, { components: [{ ...BODY, text }] }));
    expect(changed).toMatchObject({ version: 2, submitted_version: 1, status: 'rejected' });
    await expectOk(submit(id));
    expect(await untilStatus(id, 'approved')).toMatchObject({ version: 2, submitted_version: 2 });
  });

  test('that is approved goes on in its old form while an edit is reviewed, once in 24 hours', async () => {
    const { id } = await make('edited');
    await expectOk(submit(id));
    await untilStatus(id, 'approved');
    const again = await submit(id);
    expect([again.status, again.body.code]).toEqual([409, 'conflict']);
    const patch = (text: string) =>
      tenant.call('PATCH', `/v1/templates/${id}`, { components: [{ type: 'BODY', text }] });
    await expectOk(patch('The first edit of it.'));
    await review({ delay_ms: 3_600_000 });
    expect(await expectOk(submit(id))).toMatchObject({ status: 'submitted', sendable: true });
    expect((await patch('In review.')).status).toBe(409);
    await atNetwork({ name: 'edited', status: 'APPROVED' });
    await untilStatus(id, 'approved');
    await expectOk(patch('The second edit of it.'));
    const second = await submit(id);
    expect([second.status, second.body.code]).toEqual([409, 'template_edit_limit']);
    await review({});
  });

  test('has its sample of a picture carried to the network when it is handed in', async () => {
    const upload = await uploadFile(kit, tenant.key, jpegBytes(2_000));
    const header = { type: 'header', format: 'image', example: { media_id: upload.body.media_id } };
    const { id } = await make('with_picture', { components: [header, BODY] });
    await expectOk(submit(id));
    await untilStatus(id, 'approved');
    const { data } = (await kit.simulate('GET', '/_sim/templates')).body;
    const kept = data.find((one: { name: string }) => one.name === 'with_picture');
    expect(kept.components[0].example.header_handle[0]).toMatch(/^https:/);
  });

  test('that the network refuses is a draft again, with the reason', async () => {
    const components = [{ type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::nobody'] } }, BODY];
    const { id } = await make('no_handle', { components });
    const answer = await submit(id);
    expect([answer.status, answer.body.code]).toEqual([409, 'refused_by_network']);
    expect(await read(id)).toMatchObject({ status: 'draft', submitted_version: null, network_template_id: null });
    expect((await historyOf(id))[0]).toMatchObject({ kind: 'refused', cause: 'network' });
  });

  test('is deleted at the network too, and its name is free here', async () => {
    const { id } = await make('gone');
    await expectOk(submit(id));
    await untilStatus(id, 'approved');
    expect(await expectOk(tenant.call('DELETE', `/v1/templates/${id}`))).toEqual({ id, status: 'deleted' });
    expect((await tenant.call('GET', `/v1/templates/${id}`)).status).toBe(404);
    const { data } = (await kit.simulate('GET', '/_sim/templates')).body;
    expect(data.map((one: { name: string }) => one.name)).not.toContain('gone');
    await make('gone');
  });

  test('is shown with values, and with its samples where there are none', async () => {
    const button = { type: 'URL', text: 'Track', url: 'https://a.example/{{1}}', example: ['https://a.example/A-17'] };
    const { id } = await make('shown', { components: [BODY, { type: 'BUTTONS', buttons: [button] }] });
    const preview = await expectOk(tenant.call('POST', `/v1/templates/${id}/preview`, { variables: { 1: 'Grace' } }));
    expect(preview).toMatchObject({ body: 'Hello Grace, your order A-17 is ready.', missing: [] });
    expect(preview.buttons).toEqual([{ type: 'url', text: 'Track', target: 'https://a.example/Grace' }]);
  });

  test('is changed only in the version that was read', async () => {
    const { id } = await make('versions');
    const stale = await tenant.call('PATCH', `/v1/templates/${id}`, { category: 'marketing' }, { 'if-match': '"7"' });
    expect(stale.status).toBe(412);
    expect((await tenant.call('GET', `/v1/templates/${id}`)).headers.get('etag')).toBe('"1"');
  });

  test('of the same name and language is there once', async () => {
    const { id } = await make('twice');
    expect((await make('twice')).id).toBe(id);
    const other = await tenant.call('POST', '/v1/templates', draft('twice', { category: 'marketing' }));
    expect([other.status, other.body.code]).toEqual([409, 'conflict']);
  });
});

test('a list finds templates by status, category, language, name and words', async () => {
  await make('find_me', { language: 'pt_BR', components: [{ type: 'BODY', text: 'Alguma coisa rara' }] });
  const names = async (search: string) =>
    (await expectOk(tenant.call('GET', `/v1/templates?${search}`))).data.map((one: { name: string }) => one.name);
  expect(await names('language=pt_BR&status=draft')).toEqual(['find_me']);
  expect(await names('name=find_')).toEqual(['find_me']);
  expect(await names('name=find%25')).toEqual([]);
  expect(await names('q=RARA')).toEqual(['find_me']);
  expect(await names('category=authentication')).toEqual([]);
});

test('a sync brings, changes and removes what the network has, and leaves drafts and the unchanged alone', async () => {
  const [own, networkAccountId] = await tenantWithAccount();
  const graph = async (method: string, path: string, body?: object) => {
    const headers = { authorization: 'Bearer simulator-token', 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${kit.sim.url}/v25.0/${path}`, { method, headers, ...sent });
    expect(response.status).toBe(200);
  };
  const put = (name: string) =>
    graph('POST', `${networkAccountId}/message_templates`, {
      name,
      language: 'en',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: 'From the manager of the network.' }],
    });
  const sync = () => expectOk(own.call('POST', '/v1/templates/sync'));
  const many = Array.from({ length: 120 }, (_, index) => `made_${index}`);
  for (const name of many) await put(name);
  await expectOk(own.call('POST', '/v1/templates', draft('mine')), 201);
  expect(await sync()).toMatchObject({ added: 120, updated: 0, deleted: 0, unchanged: 0 });
  expect(await sync()).toMatchObject({ added: 0, updated: 0, deleted: 0, unchanged: 120 });
  await graph('DELETE', `${networkAccountId}/message_templates?name=made_7`);
  await put('made_later');
  expect(await sync()).toMatchObject({ added: 1, updated: 0, deleted: 1, unchanged: 119 });
  const all = await expectOk(own.call('GET', '/v1/templates?limit=1000'));
  expect(all.data.map((one: { name: string }) => one.name).toSorted()).toEqual(
    [...many.filter((name) => name !== 'made_7'), 'made_later', 'mine'].toSorted(),
  );
  expect(all.data.find((one: { name: string }) => one.name === 'made_1')).toMatchObject({
    status: 'approved',
    sendable: true,
  });
});

test("another tenant's template is a 404 everywhere, and a tenant without an account is told so", async () => {
  const { id } = await make('private');
  const stranger = await makeTestTenant(kit);
  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/submit'],
    ['POST', '/preview'],
    ['GET', '/history'],
  ] as const) {
    const body = method === 'PATCH' ? { category: 'utility' } : path === '/preview' ? {} : undefined;
    expect((await stranger.call(method, `/v1/templates/${id}${path}`, body)).status).toBe(404);
  }
  const none = await stranger.call('POST', '/v1/templates', draft('nowhere'));
  expect([none.status, none.body.code]).toEqual([400, 'unknown_network_account']);
  expect((await expectOk(stranger.call('POST', '/v1/templates/sync'))).accounts).toEqual([]);
});

test('the tenant of the first start hands templates in at the simulated network and sends them, without linking anything', async () => {
  const made = await expectOk(kit.call('POST', '/v1/templates', draft('first_steps')), 201);
  await expectOk(kit.call('POST', `/v1/templates/${made.id}/submit`));
  await kit.until(
    async () => (await kit.call('GET', `/v1/templates/${made.id}`)).body,
    (template) => template.status === 'approved',
    'the template is approved',
  );
  const template = { name: 'first_steps', language: 'en_US', variables: ['Ada', 'A-17'] };
  const sent = await kit.call(
    'POST',
    '/v1/messages',
    { to: '447700900123', type: 'template', template },
    {
      prefer: 'wait=30',
    },
  );
  expect(sent.body).toMatchObject({ status: 'sent', type: 'template' });
});
