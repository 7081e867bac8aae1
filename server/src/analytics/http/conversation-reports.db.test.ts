import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;
let agentId: string;
let teamId: string;
let removedId: string;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
  agentId = (await tenant.call('POST', '/v1/agents', { name: 'Ana' })).body.id;
  teamId = (await tenant.call('POST', '/v1/teams', { name: 'Support', members: [agentId] })).body.id;
  const ana = { 'x-agent-id': agentId };
  const [first, second] = [await customerWrites(), await customerWrites()];
  await tenant.call('PATCH', `/v1/conversations/${first}`, {
    assignee_id: agentId,
    team_id: teamId,
    add_tags: ['vip'],
  });
  expect((await tenant.call('POST', `/v1/conversations/${first}/messages`, { body: 'Hello' }, ana)).status).toBe(202);
  expect((await tenant.call('POST', `/v1/conversations/${first}/messages`, { body: 'And' }, ana)).status).toBe(202);
  await tenant.call('PATCH', `/v1/conversations/${first}`, { status: 'resolved' }, ana);
  await tenant.call('PATCH', `/v1/conversations/${first}`, { status: 'open' }, ana);
  removedId = (await tenant.call('POST', '/v1/agents', { name: 'Bo' })).body.id;
  const other = { 'x-agent-id': removedId };
  expect((await tenant.call('POST', `/v1/conversations/${second}/messages`, { body: 'Hello' }, other)).status).toBe(
    202,
  );
  expect((await tenant.call('DELETE', `/v1/agents/${removedId}`)).status).toBe(200);
});
afterAll(() => kit.close());

/** @returns the conversation that is opened */
async function customerWrites(): Promise<string> {
  const from = freshPhone();
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from, text: 'Hi' });
  const list = await kit.until(
    () => tenant.call('GET', `/v1/messages/inbound?from=${from}`),
    ({ body }) => body.data.length > 0,
    'the message of the customer is stored',
  );
  return list.body.data[0].conversation_id;
}

/** A report once everything that happened is in it. */
function complete(path: string, of = tenant): Promise<Answer> {
  return kit.until(
    () => of.call('GET', path),
    (answer) => answer.status !== 200 || answer.body.complete === true,
    'the report is complete',
  );
}

const counts = { opened: 2, reopened: 1, resolved: 1, assigned: 1, replies: 3 };
const some = (count: number) => ({ count, p50_s: expect.any(Number), business_p90_s: expect.any(Number) });
const none = { count: 0, p50_s: null, p90_s: null, p99_s: null, business_p50_s: null, business_p99_s: null };

describe('conversations', () => {
  test('are in the summary and its previous time, unless it is about what no conversation has', async () => {
    const { body } = await complete('/v1/analytics/summary');
    expect(body.conversations).toMatchObject({
      ...counts,
      first_response: some(2),
      reply: some(2),
      resolution: some(1),
    });
    expect(body.previous_conversations).toMatchObject({ opened: 0, first_response: none });
    const number = await complete(`/v1/analytics/summary?phone_number_id=${tenant.phoneNumberId}`);
    expect(number.body.conversations).toEqual(body.conversations);
    const texts = await complete('/v1/analytics/summary?type=text');
    expect(texts.body).toMatchObject({ conversations: null, previous_conversations: null });
  });

  test('of one agent, team, tag or handler are in summary and series, where messages are null, in CSV too', async () => {
    for (const scope of [`agent_id=${agentId}`, `team_id=${teamId}`, 'tag=vip']) {
      const { body } = await complete(`/v1/analytics/summary?${scope}`);
      expect(body).toMatchObject({ messages: null, previous: null, conversations: { replies: 2, resolved: 1 } });
      const series = await complete(`/v1/analytics/timeseries?interval=hour&${scope}`);
      const replies = series.body.data.map((point: { replies: number }) => point.replies);
      expect(replies.reduce((sum: number, one: number) => sum + one, 0)).toBe(2);
      expect(series.body.data.at(-1)).toMatchObject({ accepted: null, received: null });
    }
    const { body } = await complete('/v1/analytics/summary?handled_by=none');
    expect(body).toMatchObject({ messages: null, conversations: { opened: 2 } });
    const table = await tenant.call('GET', '/v1/analytics/summary?tag=vip', undefined, { accept: 'text/csv' });
    expect(table.text.split('\r\n')[1]).toMatch(/^current,,,,,,,,\d/);
    const two = await tenant.call('GET', '/v1/analytics/timeseries?tag=vip&template=hello');
    expect(two).toMatchObject({ status: 400, body: { details: [{ path: 'query.template' }] } });
    expect((await tenant.call('GET', `/v1/analytics/summary?tag=vip&agent_id=${agentId}`)).status).toBe(400);
  });

  test('are in the series and add up to the summary', async () => {
    const { body } = await complete('/v1/analytics/timeseries?interval=hour');
    const sum = (name: string) =>
      body.data.reduce((total: number, point: Record<string, number>) => total + (point[name] ?? 0), 0);
    expect(Object.fromEntries(Object.keys(counts).map((name) => [name, sum(name)]))).toEqual(counts);
    const texts = await complete('/v1/analytics/timeseries?type=text');
    expect(texts.body.data[0]).toMatchObject({ opened: null, replies: null });
  });

  test('count for the agent, the team, the tag and the handler that they had when it happened', async () => {
    const rows = async (query: string) => (await complete(`/v1/analytics/response-times?${query}`)).body.data;
    const ofAna = { replies: 2, resolved: 1, reopened: 1, assigned: 1, first_response: some(1), reply: some(1) };
    expect(await rows('by=agent_id')).toMatchObject([
      { key: agentId, name: 'Ana', opened: 0, ...ofAna },
      { key: removedId, name: null, replies: 1, resolved: 0 },
    ]);
    expect(await rows(`agent_id=${agentId.toUpperCase()}`)).toMatchObject([{ key: agentId, name: 'Ana', ...ofAna }]);
    expect(await rows('by=team_id')).toMatchObject([{ key: teamId, name: 'Support', replies: 2, opened: 0 }]);
    expect(await rows('tag=vip')).toMatchObject([{ key: 'vip', name: null, replies: 2, resolved: 1 }]);
    expect(await rows('by=phone_number_id')).toMatchObject([{ key: tenant.phoneNumberId, ...counts }]);
    expect(await rows('handled_by=bot')).toMatchObject([{ key: 'bot', opened: 0, resolution: none }]);
    expect(await rows('')).toMatchObject([{ key: '', ...counts }]);
  });

  test('show what each agent did and has to do, also of one who is no longer there', async () => {
    await tenant.call('POST', '/v1/agents', { name: 'Cy', capacity: { max_open: 3 } });
    const { body } = await complete('/v1/analytics/agents');
    expect(body.data).toMatchObject([
      { agent_id: agentId, name: 'Ana', assigned: 1, replies: 2, written: 2, resolved: 1, open_conversations: 1 },
      { agent_id: removedId, name: null, replies: 1, written: 1, open_conversations: null, max_open: null },
      { name: 'Cy', assigned: 0, replies: 0, written: 0, first_response: none, open_conversations: 0, max_open: 3 },
    ]);
  });

  test('of authors say who wrote: a program that answers in the conversation of an agent is not that agent', async () => {
    const [key] = (await tenant.call('GET', '/v1/api-keys')).body.data;
    const before = (await complete('/v1/analytics/authors')).body.by_kind;
    expect(before).toMatchObject({ agent: 3, rule: 0, campaign: 0 });
    const id = await customerWrites();
    await tenant.call('PATCH', `/v1/conversations/${id}`, { assignee_id: agentId });
    expect((await tenant.call('POST', `/v1/conversations/${id}/messages`, { body: 'By a program' })).status).toBe(202);
    await tenant.send(freshPhone());
    const { body } = await complete('/v1/analytics/authors');
    expect(body.by_kind).toEqual({ ...before, key: before.key + 2 });
    expect(body.data).toContainEqual({ kind: 'key', id: key.id, name: key.name, messages: before.key + 2 });
    expect(body.data).toContainEqual({ kind: 'agent', id: agentId, name: 'Ana', messages: 2 });
    expect(body.data).toContainEqual({ kind: 'agent', id: removedId, name: null, messages: 1 });
    const agents = (await complete('/v1/analytics/agents')).body.data;
    expect(agents.find(({ agent_id }: { agent_id: string }) => agent_id === agentId).written).toBe(2);
  });

  test('come as CSV to whoever accepts it', async () => {
    for (const [path, column] of [
      ['/v1/analytics/agents', 'resolution_business_p90_s'],
      ['/v1/analytics/authors', 'messages'],
      ['/v1/analytics/response-times', 'first_response_p50_s'],
      ['/v1/analytics/summary', 'reply_count'],
      ['/v1/analytics/timeseries', 'reopened'],
    ]) {
      const answer = await tenant.call('GET', String(path), undefined, { accept: 'text/csv' });
      expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      const [head = '', ...lines] = answer.text.trimEnd().split('\r\n');
      expect(head.split(',')).toContain(column);
      expect(new Set(lines.map((line) => line.split(',').length))).toEqual(new Set([head.split(',').length]));
    }
  });

  test('of another tenant count nothing, whatever agent, team or number is named', async () => {
    const other = await makeTestTenant(kit);
    for (const query of [`agent_id=${agentId}`, `team_id=${teamId}`, `phone_number_id=${tenant.phoneNumberId}`]) {
      const { body } = await complete(`/v1/analytics/response-times?${query}`, other);
      expect(body.data).toMatchObject([{ name: null, opened: 0, replies: 0, first_response: none }]);
    }
    expect((await complete('/v1/analytics/agents', other)).body.data).toEqual([]);
    expect((await complete('/v1/analytics/authors', other)).body.data).toEqual([]);
  });
});

test.each([
  [
    'agent_id=0190a6f2-9a00-7b00-8c00-00000000000a&tag=vip',
    'query.tag',
    'tag cannot be combined with agent_id. Use one of them.',
  ],
  ['tag=vip&by=tag', 'query.by', 'by cannot be combined with tag. Use one of them.'],
])('a report of response times of %s is refused with what is wrong', async (query, path, message) => {
  const { status, body } = await tenant.call('GET', `/v1/analytics/response-times?${query}`);
  expect(status).toBe(400);
  expect(body.details).toEqual([{ path, message }]);
});

test('business hours are those that held when it happened, of the team before the number', async () => {
  const fresh = await makeTestTenant(kit, { ratePerSecond: 0 });
  const closed = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] };
  const hours = { name: 'Never', timezone: 'UTC', weekly: closed, holidays: [], is_default: true };
  const made = await fresh.call('POST', '/v1/business-hours', hours);
  expect(made.status).toBe(201);
  const from = freshPhone();
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: fresh.phoneNumberId, from, text: 'Hi' });
  const list = await kit.until(
    () => fresh.call('GET', `/v1/messages/inbound?from=${from}`),
    ({ body }) => body.data.length > 0,
    'the message of the customer is stored',
  );
  const id = list.body.data[0].conversation_id;
  const move = 'update conversations set waiting_since_ms = waiting_since_ms - 7200000 where tenant_id = $1';
  await kit.service.db.run({ name: 'test_move_wait', text: move }, [fresh.tenantId]);
  expect((await fresh.call('POST', `/v1/conversations/${id}/messages`, { body: 'Hello' })).status).toBe(202);
  const always = Object.fromEntries(Object.keys(closed).map((day) => [day, [['00:00', '24:00']]]));
  const changed = await fresh.call('PATCH', `/v1/business-hours/${made.body.id}`, { weekly: always });
  expect(changed.status).toBe(200);
  const { body } = await complete('/v1/analytics/response-times', fresh);
  const { first_response: first } = body.data[0];
  expect(first.count).toBe(1);
  expect(first.p50_s).toBeGreaterThan(7200 * 0.95);
  expect(first.business_p50_s).toBeLessThan(1);
});
