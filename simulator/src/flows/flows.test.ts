import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CUSTOMER, codeOf, NUMBER_ID, objects, startTestNetwork, type TestNetwork } from '../testing/network.ts';
import { flowProblems } from './check-flow-json.ts';

let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork();
});
beforeEach(async () => {
  await network.post('/_sim/reset', {});
  await network.post('/_sim/numbers', { phone_number_id: NUMBER_ID, waba_id: WABA });
});
afterAll(() => network.close());

const WABA = '300400500';
const flows = `/v26.0/${WABA}/flows`;
const layout = { type: 'SingleColumnLayout', children: [{ type: 'Footer', label: 'Send' }] };
const screen = { id: 'FIRST', terminal: true, layout };
const json = { version: '7.2', screens: [screen] };

async function create(fields: object = {}): Promise<string> {
  const made = await network.graph('POST', flows, { name: 'appointment', categories: ['OTHER'], ...fields });
  return String(made.body.id);
}

/** Uploads as the network takes it: a form with a file. */
async function upload(id: string, text: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const form = new FormData();
  form.append('name', 'flow.json');
  form.append('asset_type', 'FLOW_JSON');
  form.append('file', new Blob([text], { type: 'application/json' }), 'flow.json');
  const response = await fetch(`${network.simulator.url}/v26.0/${id}/assets`, {
    method: 'POST',
    headers: { authorization: 'Bearer token' },
    body: form,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const shown = async (id: string, fields = 'id,status') =>
  (await network.graph('GET', `/v26.0/${id}?fields=${fields}`)).body;

test('a flow is created empty, gets its JSON, is published and deprecated, and each status is reported', async () => {
  const id = await create();
  expect(await shown(id, 'status,json_version')).toEqual({ id, status: 'DRAFT' });
  expect((await upload(id, JSON.stringify(json))).body).toEqual({ success: true, validation_errors: [] });
  const whole = await shown(id, 'json_version,preview.invalidate(false),whatsapp_business_account,health_status');
  expect(whole).toMatchObject({
    json_version: '7.2',
    preview: { preview_url: expect.stringContaining(id) },
    whatsapp_business_account: { id: WABA },
    health_status: { can_send_message: 'AVAILABLE' },
  });
  expect((await network.graph('POST', `/v26.0/${id}/publish`)).body).toEqual({ success: true });
  expect((await network.graph('POST', `/v26.0/${id}/deprecate`)).body).toEqual({ success: true });
  expect((await shown(id)).status).toBe('DEPRECATED');
  await network.quiet();
  const reported = network.receiver.posts.filter(({ value }) => value.flow_id === id);
  expect(reported.map(({ value }) => [value.old_status, value.new_status])).toEqual([
    ['DRAFT', 'PUBLISHED'],
    ['PUBLISHED', 'DEPRECATED'],
  ]);
});

test('each change is allowed in its statuses alone, with the codes of the network', async () => {
  const id = await create();
  const codes = async () => ({
    change: codeOf(await network.graph('POST', `/v26.0/${id}`, { categories: ['SURVEY'] })),
    publish: codeOf(await network.graph('POST', `/v26.0/${id}/publish`)),
    deprecate: codeOf(await network.graph('POST', `/v26.0/${id}/deprecate`)),
  });
  expect(await codes()).toEqual({ change: undefined, publish: 139002, deprecate: 139003 });
  await upload(id, JSON.stringify({ ...json, screens: [screen, screen] }));
  expect((await codes()).publish).toBe(139002);
  await upload(id, JSON.stringify(json));
  await network.graph('POST', `/v26.0/${id}/publish`);
  expect(codeOf(await network.graph('DELETE', `/v26.0/${id}`))).toBe(139004);
  expect((await upload(id, '{}')).status).toBe(400);
  expect(await codes()).toEqual({ change: 139001, publish: 139002, deprecate: undefined });
});

test('a file that is no JSON is not stored, and what has errors is', async () => {
  const id = await create({ flow_json: JSON.stringify(json) });
  expect((await upload(id, '{"version":')).body).toMatchObject({ success: false, validation_errors: [{}] });
  expect((await shown(id, 'json_version')).json_version).toBe('7.2');
  const broken = await upload(id, JSON.stringify({ version: '7.3', screens: [] }));
  expect(broken.body).toMatchObject({ success: true, validation_errors: [{ pointers: [{ path: 'screens' }] }] });
  expect((await shown(id, 'json_version')).json_version).toBe('7.3');
});

const away = { name: 'navigate', next: { type: 'screen', name: 'NOWHERE' } };
test.each([
  ['a version', { ...json, version: 7 }, 'version'],
  ['screens', { version: '7.2', screens: [] }, 'screens'],
  ['a name of letters', { ...json, screens: [{ ...screen, id: 'A1' }] }, 'screens[0].id'],
  ['a name that the network does not use', { ...json, screens: [{ ...screen, id: 'SUCCESS' }] }, 'screens[0].id'],
  ['names that differ', { ...json, screens: [screen, screen] }, 'screens[1].id'],
  ['a last screen', { ...json, screens: [{ ...screen, terminal: false }] }, 'screens'],
  ['a layout', { ...json, screens: [{ ...screen, layout: undefined }] }, 'screens[0].layout'],
  [
    'a footer on the last screen',
    { ...json, screens: [{ ...screen, layout: { children: [{ type: 'TextBody' }] } }] },
    'screens[0].layout.children',
  ],
  [
    'steps to screens that exist',
    { ...json, screens: [{ ...screen, layout: { children: [{ type: 'Footer', 'on-click-action': away }] } }] },
    'screens[0].layout.children[0].on-click-action.next.name',
  ],
  ['routes to screens that exist', { ...json, routing_model: { FIRST: ['NOWHERE'] } }, 'routing_model.FIRST'],
  ['routes with a source of data', { ...json, data_api_version: '3.0' }, 'routing_model'],
])('a flow needs %s', (_label, value, path) => {
  expect(flowProblems(JSON.parse(JSON.stringify(value)))).toMatchObject([{ pointers: [{ path }] }]);
});

test('flows are listed newest first, and copied; a name is good for one of an account', async () => {
  const first = await create({ flow_json: JSON.stringify(json) });
  expect(codeOf(await network.graph('POST', flows, { name: 'appointment', categories: ['OTHER'] }))).toBe(100);
  const copy = await create({ name: 'copy', clone_flow_id: first });
  expect((await shown(copy, 'json_version')).json_version).toBe('7.2');
  const { body } = await network.graph('GET', `${flows}?limit=1`);
  expect(objects(body.data)).toMatchObject([{ id: copy }]);
  const others = await network.graph('GET', '/v26.0/300400999/flows');
  expect(objects(others.body.data)).toEqual([]);
});

test.each([
  ['without a name', { name: undefined }, 131008],
  ['of no category', { categories: [] }, 100],
  ['of an unknown category', { categories: ['FUN'] }, 100],
  ['as a copy of nothing', { clone_flow_id: '1' }, 100],
  ['with JSON that is none', { flow_json: '[]' }, 100],
])('no flow is created %s', async (_label, fields, code) => {
  const made = await network.graph('POST', flows, { name: 'appointment', categories: ['OTHER'], ...fields });
  expect(codeOf(made)).toBe(code);
});

const send = (parameters: object) =>
  network.graph('POST', `/v26.0/${NUMBER_ID}/messages`, {
    messaging_product: 'whatsapp',
    to: CUSTOMER,
    type: 'interactive',
    interactive: {
      type: 'flow',
      body: { text: 'Please choose.' },
      action: { name: 'flow', parameters: { flow_message_version: '3', flow_cta: 'Begin', ...parameters } },
    },
  });

test('a flow is sent as a draft or published, by id or by name, and not once it is blocked or deprecated', async () => {
  const id = await create({ flow_json: JSON.stringify(json) });
  expect(codeOf(await send({ flow_id: id }))).toBe(131009);
  expect((await send({ flow_id: id, mode: 'draft' })).status).toBe(200);
  await network.graph('POST', `/v26.0/${id}/publish`);
  expect((await send({ flow_name: 'appointment' })).status).toBe(200);
  expect(codeOf(await send({ flow_id: id, mode: 'draft' }))).toBe(131009);
  await network.post('/_sim/flows', { id, status: 'BLOCKED' });
  expect(codeOf(await send({ flow_id: id }))).toBe(132068);
  await network.post('/_sim/flows', { id, status: 'DEPRECATED' });
  expect(codeOf(await send({ flow_id: id }))).toBe(131009);
  expect((await send({ flow_id: '77' })).status).toBe(200);
});
