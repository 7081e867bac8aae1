import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readEvents } from '#events/store/events';
import { addConversations } from '#testing/test-agents';
import { callApi, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

const NOBODYS = '0190a6f2-0000-7000-8000-00000000dead';
let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
});
beforeEach(async () => {
  tenant = await makeTestTenant(kit);
});
afterAll(() => kit.close());

async function made(path: string, body: object): Promise<{ id: string; [field: string]: unknown }> {
  const answer = await tenant.call('POST', path, body);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body;
}
const agent = (fields: object = {}) => made('/v1/agents', { name: 'Ana', ...fields });
const team = (fields: object = {}) => made('/v1/teams', { name: 'Support', ...fields });

async function eventTypes(): Promise<readonly string[]> {
  const { tenantId } = tenant;
  const events = await readEvents(kit.service.db, { tenantId, after: 0, types: null, limit: 100 });
  return events.map(({ type }) => type).filter((type) => !type.startsWith('message'));
}

describe('agents', () => {
  test('are added once per Idempotency-Key, listed, changed by version and removed, each told', async () => {
    const once = { 'idempotency-key': 'ana' };
    const first = await tenant.call('POST', '/v1/agents', { name: 'Ana', external_id: 'crm-1' }, once);
    const again = await tenant.call('POST', '/v1/agents', { name: 'Ana', external_id: 'crm-1' }, once);
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
    const { id } = first.body;
    expect((await tenant.call('GET', '/v1/agents?external_id=crm-1')).body.data).toEqual([first.body]);
    const path = `/v1/agents/${id}`;
    const changed = await tenant.call('PATCH', path, { role: 'admin' }, { 'if-match': '"1"' });
    expect([changed.status, changed.headers.get('etag'), changed.body.role]).toEqual([200, '"2"', 'admin']);
    expect(await tenant.call('PATCH', path, { role: 'agent' }, { 'if-match': '"1"' })).toMatchObject({ status: 412 });
    expect((await tenant.call('PATCH', path, { role: 'admin' })).body.version).toBe(2);
    expect((await tenant.call('POST', `${path}/presence`)).body).toMatchObject({ availability: 'online', version: 3 });
    expect((await tenant.call('DELETE', path)).body).toEqual({ id, status: 'deleted' });
    expect(await eventTypes()).toEqual([
      'agent.created',
      'agent.updated',
      'agent.availability_changed',
      'agent.availability_changed',
      'agent.deleted',
    ]);
    const actions = (await tenant.call('GET', `/v1/audit-log?target_id=${id}`)).body.data;
    expect(actions.map(({ action }: { action: string }) => action)).toEqual([
      'agent.deleted',
      'agent.changed',
      'agent.created',
    ]);
  });

  test.each([
    ['no name', 'POST', '/v1/agents', {}],
    ['a role that is none', 'POST', '/v1/agents', { name: 'Ana', role: 'boss' }],
    ['less than no room', 'POST', '/v1/agents', { name: 'Ana', capacity: { max_open: -1 } }],
    ['a member of nobody', 'POST', '/v1/teams', { name: 'Support', members: [NOBODYS] }],
    ['hours without a zone', 'POST', '/v1/business-hours', { name: 'Shop', timezone: 'Mars/Base', weekly: {} }],
    [
      'a time that is none',
      'POST',
      '/v1/business-hours',
      { name: 'x', timezone: 'UTC', weekly: { mon: [['9', '17']] } },
    ],
  ])('%s is refused', async (_label, method, path, body) => {
    expect(await tenant.call(method, path, body)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect((await tenant.call('GET', path)).body.data).toEqual([]);
  });

  test('the last owner stays, also when two go at once', async () => {
    const [one, two] = [await agent({ role: 'owner' }), await agent({ role: 'owner' })];
    const leave = ({ id }: { id: string }) => tenant.call('DELETE', `/v1/agents/${id}`);
    const answers = await Promise.all([leave(one), leave(two)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });
});

describe('a request that acts for an agent', () => {
  test('may do what the role of the agent allows, named or bound', async () => {
    const [owner, admin, plain] = [await agent({ role: 'owner' }), await agent({ role: 'admin' }), await agent()];
    const as = (id: string) => ({ 'x-agent-id': id });
    const add = (id: string, role: string) => tenant.call('POST', '/v1/agents', { name: 'Cy', role }, as(id));
    expect((await add(plain.id, 'agent')).status).toBe(403);
    expect((await add(admin.id, 'agent')).status).toBe(201);
    expect((await add(admin.id, 'owner')).status).toBe(403);
    expect((await tenant.call('DELETE', `/v1/agents/${owner.id}`, undefined, as(admin.id))).status).toBe(403);
    expect((await add(owner.id, 'owner')).status).toBe(201);
    const second = await agent({ role: 'owner' });
    const { key, agent_id } = await made('/v1/api-keys', { name: 'desk', agent_id: second.id });
    expect(agent_id).toBe(second.id);
    const asKey = (headers: object, body: object, path: string) =>
      callApi(kit.service.url, 'POST', path, body, { authorization: `Bearer ${key}`, ...headers });
    expect((await asKey({}, { name: 'x', agent_id: admin.id }, '/v1/api-keys')).status).toBe(403);
    expect((await asKey({}, { name: 'x' }, '/v1/api-keys')).body.agent_id).toBe(second.id);
    await tenant.call('DELETE', `/v1/agents/${second.id}`);
    const keys = (await tenant.call('GET', '/v1/api-keys')).body.data;
    const bound = keys.filter((one: { agent_id: string | null }) => one.agent_id === second.id);
    expect(bound.map(({ status }: { status: string }) => status)).toEqual(['revoked', 'revoked']);
  });
});

describe('teams and hours', () => {
  test('are made, changed, referred to and removed', async () => {
    const ana = await agent();
    const weekly = { mon: [['09:00', '12:00']], fri: [['22:00', '02:00']] };
    const hours = await made('/v1/business-hours', { name: 'Shop', timezone: 'Europe/Berlin', weekly });
    const support = await team({ members: [ana.id], business_hours_id: hours.id, is_default: true });
    const sales = await team({ overflow_team_id: support.id, is_default: true });
    expect((await tenant.call('GET', `/v1/teams/${support.id}`)).body).toMatchObject({
      is_default: false,
      members: [ana.id],
    });
    expect((await tenant.call('GET', `/v1/agents?team_id=${support.id}`)).body.data).toHaveLength(1);
    const state = (at: string) => tenant.call('GET', `/v1/business-hours/${hours.id}/state?at=${at}`);
    expect((await state('2026-01-05T08:30:00Z')).body).toMatchObject({
      open: true,
      changes_at: '2026-01-05T11:00:00.000Z',
    });
    expect((await state('1969-12-31T00:00:00Z')).status).toBe(400);
    const number = `/v1/phone-numbers/${tenant.phoneNumberId}`;
    const attached = await tenant.call('PATCH', number, { business_hours_id: hours.id });
    expect(attached.body).toMatchObject({ business_hours_id: hours.id, version: 2 });
    expect((await tenant.call('PATCH', number, { business_hours_id: NOBODYS })).status).toBe(400);
    await tenant.call('PATCH', number, { business_hours_id: null });
    for (const path of [`/v1/business-hours/${hours.id}`, `/v1/teams/${support.id}`]) {
      expect(await tenant.call('DELETE', path)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    }
    await tenant.call('PATCH', `/v1/teams/${sales.id}`, { overflow_team_id: null });
    await tenant.call('PATCH', `/v1/teams/${support.id}`, { business_hours_id: null, members: [] });
    for (const path of [`/v1/business-hours/${hours.id}`, `/v1/teams/${support.id}`]) {
      expect((await tenant.call('DELETE', path)).status).toBe(200);
    }
    const own = await tenant.call('PATCH', `/v1/teams/${sales.id}`, { overflow_team_id: sales.id });
    expect(own).toMatchObject({ status: 400, body: { details: [{ path: 'body.overflow_team_id' }] } });
  });
});

test('an agent takes a conversation, hands it back and says that it is there; others are for who may assign', async () => {
  const [ana, bo, boss] = [await agent(), await agent({ name: 'Bo' }), await agent({ role: 'admin' })];
  const [id] = await addConversations(kit.rt, kit.service.db, tenant.tenantId, [{}]);
  const path = `/v1/conversations/${id}`;
  const as = (one: { id: string }) => ({ 'x-agent-id': one.id });
  const assign = (to: string | null, by: { id: string }) =>
    tenant.call('POST', `${path}/assign`, { assignee_id: to }, as(by));
  expect((await assign(ana.id, ana)).body.assignee_id).toBe(ana.id);
  expect((await assign(bo.id, ana)).body).toMatchObject({ code: 'forbidden' });
  expect((await tenant.call('PATCH', path, { assignee_id: bo.id }, as(ana))).status).toBe(403);
  const bulk = { ids: [id], change: { assignee_id: bo.id } };
  expect((await tenant.call('POST', '/v1/conversations/bulk', bulk, as(ana))).status).toBe(403);
  expect((await assign(null, ana)).body.assignee_id).toBe(null);
  expect((await assign(bo.id, boss)).body.assignee_id).toBe(bo.id);
  const nobodys = await tenant.call('PATCH', path, { assignee_id: NOBODYS, team_id: NOBODYS });
  expect([nobodys.status, nobodys.body.details]).toEqual([
    400,
    [
      { path: 'body.assignee_id', message: 'assignee_id does not name an agent of this tenant.' },
      { path: 'body.team_id', message: 'team_id does not name a team of this tenant.' },
    ],
  ]);
  const presence = (of: { id: string }, by: { id: string }) =>
    tenant.call('POST', `/v1/agents/${of.id}/presence`, {}, as(by));
  const answers = [await presence(ana, ana), await presence(bo, ana), await presence(bo, boss)];
  expect(answers.map(({ status }) => status)).toEqual([200, 403, 200]);
});

test('a customer who writes is given to an agent by the running service, and the log says why', async () => {
  const ana = await agent({ capacity: { max_open: 1 } });
  const bo = await agent({ name: 'Bo' });
  await team({ policy: 'round_robin', members: [ana.id, bo.id], is_default: true });
  const from = freshPhone();
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from, text: 'Hi' });
  const [message] = await kit.until(
    async () => (await tenant.call('GET', `/v1/messages/inbound?from=${from}`)).body.data,
    (data) => data.length === 1,
    'the message is here',
  );
  const log = async () =>
    (await tenant.call('GET', `/v1/conversations/${message.conversation_id}/assignment-log`)).body;
  expect((await log()).waiting.because).toBe('nobody_has_room');
  await tenant.call('POST', `/v1/agents/${ana.id}/presence`, { availability: 'online' });
  const { data, waiting } = await kit.until(log, (found) => found.data.length > 0, 'the conversation is assigned');
  const skipped = [{ agent_id: bo.id, name: 'Bo', reason: 'offline', detail: null }];
  expect([data, waiting]).toEqual([
    [expect.objectContaining({ outcome: 'assigned', agent_id: ana.id, because: 'round_robin', skipped })],
    null,
  ]);
});
