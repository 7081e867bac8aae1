import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiKey } from '#access/actions/manage-tenants';
import { addExampleAgents, EXAMPLE_AGENTS } from '#testing/test-agents';
import { callApi, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

const [ADA, BO] = [{ 'x-agent-id': EXAMPLE_AGENTS[0] }, { 'x-agent-id': EXAMPLE_AGENTS[1] }];
const OPEN = { field: 'conversation.status', value: 'open' };
let kit: TestService;
let tenant: TestTenant;
let stranger: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
  stranger = await makeTestTenant(kit, { ratePerSecond: 0 });
  await addExampleAgents(kit.rt, kit.service.db, tenant.tenantId);
});
afterAll(() => kit.close());

async function conversation(): Promise<string> {
  const from = freshPhone();
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from, text: 'Hi' });
  const list = () => tenant.call('GET', `/v1/messages/inbound?from=${from}`);
  return (await kit.until(list, ({ body }) => body.data.length > 0, 'the message is stored')).body.data[0]
    .conversation_id;
}

async function found(when: object, headers: Record<string, string> = {}): Promise<readonly string[]> {
  const { body } = await tenant.call('POST', '/v1/conversations/search', { when }, headers);
  return body.data.map(({ id }: { id: string }) => id);
}

let names = 0;
async function makeView(fields: object = {}, headers: Record<string, string> = ADA) {
  names += 1;
  return tenant.call('POST', '/v1/views', { name: `View ${names}`, when: OPEN, ...fields }, headers);
}
const listed = async (headers = {}) =>
  (await tenant.call('GET', '/v1/views', undefined, headers)).body.data.map(({ id }: { id: string }) => id);
const countOf = async (id: string, headers: Record<string, string> = ADA) =>
  (await tenant.call('GET', '/v1/views/counts', undefined, headers)).body.data.find(
    (one: { id: string }) => one.id === id,
  );

describe('a search for conversations', () => {
  test('joins fields of the conversation and of its contact, and "me" is the acting agent', async () => {
    const [mine, other] = [await conversation(), await conversation()];
    await tenant.call('PATCH', `/v1/conversations/${mine}`, { assignee_id: ADA['x-agent-id'], add_tags: ['Refund'] });
    const { contact_id } = (await tenant.call('GET', `/v1/conversations/${other}`)).body;
    await tenant.call('POST', `/v1/contacts/${contact_id}/tags`, { add: ['VIP'] });
    const toMe = { field: 'conversation.assignee_id', value: 'me' };
    expect(await found(toMe, ADA)).toEqual([mine]);
    expect(await found(toMe, BO)).toEqual([]);
    expect(await found(toMe)).toEqual([]);
    expect(await found({ field: 'conversation.tags', value: 'Refund' })).toEqual([mine]);
    expect(await found({ field: 'contact.tags', value: 'vip' })).toEqual([other]);
    expect(await found({ all: [OPEN, { not: { field: 'contact.tags', value: 'vip' } }] })).toEqual([mine]);
    expect(await found({ any: [toMe, { field: 'contact.tags', value: 'vip' }] }, ADA)).toEqual([other, mine]);
    const closing = { field: 'conversation.window_expires_at', match: 'lt' };
    expect(await found({ ...closing, value: '+2h' })).toEqual([]);
    expect(await found({ ...closing, value: '+25h' })).toEqual([other, mine]);
  });

  test('is walked by cursor in its order, and never shows those of another tenant', async () => {
    for (let index = 0; index < 3; index += 1) await conversation();
    const all = await found(OPEN);
    const walked: string[] = [];
    let cursor = '';
    do {
      const path = `/v1/conversations/search?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const { data, page } = (await tenant.call('POST', path, { when: OPEN })).body;
      walked.push(...data.map(({ id }: { id: string }) => id));
      cursor = page.has_more ? page.next_cursor : '';
    } while (cursor !== '');
    expect(walked).toEqual(all);
    expect((await stranger.call('POST', '/v1/conversations/search', { when: OPEN })).body.data).toEqual([]);
  });

  test('asks for contacts only with a key that may read them', async () => {
    const { tenantId } = tenant;
    const scopes = ['conversations:read', 'conversations:write'] as const;
    const fields = { tenantId, name: 'narrow', mode: 'test', scopes, expiresMs: null } as const;
    const { key } = await createApiKey(kit.rt, kit.service.db, fields);
    const headers = { authorization: `Bearer ${key}` };
    const ask = async (path: string, body: object) =>
      (await callApi(kit.service.url, 'POST', path, body, headers)).status;
    const ofContact = { not: { any: [{ field: 'contact.tags', value: 'VIP' }] } };
    expect(await ask('/v1/conversations/search', { when: OPEN })).toBe(200);
    expect(await ask('/v1/conversations/search', { when: ofContact })).toBe(403);
    expect(await ask('/v1/views', { name: 'Narrow', when: ofContact, shared: true })).toBe(403);
  });

  test('names every fault of its condition', async () => {
    const when = {
      all: [
        { field: 'conversation.status', value: 'gone' },
        { field: 'conversation.color', value: 'x' },
      ],
    };
    const { status, body } = await tenant.call('POST', '/v1/conversations/search', { when });
    expect([status, body.details.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      ['body.when.all[0].value', 'body.when.all[1].field'],
    ]);
  });
});

describe('a view', () => {
  test('of an agent is seen and changed by that agent alone; a shared one is seen by all', async () => {
    const own = (await makeView()).body;
    const shared = (await makeView({ shared: true }, {})).body;
    expect([own.shared, shared.shared]).toEqual([false, true]);
    expect(await listed(ADA)).toEqual(expect.arrayContaining([own.id, shared.id]));
    expect(await listed(BO)).toEqual([shared.id]);
    expect(await listed()).toEqual([shared.id]);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { name: 'Taken over' } : undefined;
      expect((await tenant.call(method, `/v1/views/${own.id}`, body, BO)).status).toBe(404);
      expect((await stranger.call(method, `/v1/views/${shared.id}`, body)).status).toBe(404);
    }
    expect((await tenant.call('GET', `/v1/views/${own.id}`, undefined, ADA)).body).toEqual(own);
  });

  test('is shared only by who may manage agents, and belongs to an agent or to all', async () => {
    const { id } = (await tenant.call('POST', '/v1/agents', { name: 'Cy', role: 'agent' })).body;
    const cy = { 'x-agent-id': id };
    expect((await makeView({ shared: true }, cy)).status).toBe(403);
    const own = (await makeView({}, cy)).body;
    expect((await tenant.call('PATCH', `/v1/views/${own.id}`, { shared: true }, cy)).status).toBe(403);
    const shared = (await makeView({ shared: true }, {})).body;
    expect((await tenant.call('DELETE', `/v1/views/${shared.id}`, undefined, cy)).status).toBe(403);
    expect((await makeView({}, {})).status).toBe(400);
    expect((await tenant.call('DELETE', `/v1/agents/${id}`)).status).toBe(200);
    const text = 'select 1 from conversation_views where tenant_id = $1 and agent_id = $2';
    const { rowCount } = await kit.service.db.run({ name: 'test_views_of', text }, [tenant.tenantId, id]);
    expect(rowCount).toBe(0);
  });

  test('has a name of its own, a version, and one of 50 places', async () => {
    const first = (await makeView({ name: 'Mornings' }, BO)).body;
    expect((await makeView({ name: 'mornings' }, BO)).status).toBe(409);
    expect((await makeView({ name: 'Mornings' }, ADA)).status).toBe(201);
    const second = (await makeView({ name: 'Evenings', position: 0 }, BO)).body;
    const path = `/v1/views/${second.id}`;
    expect((await tenant.call('PATCH', path, { name: 'MORNINGS' }, BO)).status).toBe(409);
    expect((await tenant.call('PATCH', path, { name: 'x' }, { ...BO, 'if-match': '"9"' })).status).toBe(412);
    const ids = await listed(BO);
    expect(ids.indexOf(second.id)).toBeLessThan(ids.indexOf(first.id));
    for (let made = 2; made < 50; made += 1) expect((await makeView({}, BO)).status).toBe(201);
    expect((await makeView({}, BO)).body.error).toBe('An agent can have at most 50 views. Delete one first.');
  });

  test('is counted with all others in one call, also when its team or tag is gone; a deleted attribute is said', async () => {
    const attribute = { key: 'tier', label: 'Tier', type: 'text' };
    const { id: attributeId } = (await tenant.call('POST', '/v1/contact-attributes', attribute)).body;
    const ofTier = { field: 'contact.attributes.tier', value: 'gold' };
    const open = (await makeView()).body.id;
    const gone = (await makeView({ when: { field: 'conversation.team_id', value: attributeId } })).body.id;
    const tier = (await makeView({ when: ofTier })).body.id;
    await conversation();
    expect(await countOf(open)).toEqual({ id: open, count: (await found(OPEN)).length, more: false });
    expect(await countOf(gone)).toMatchObject({ count: 0 });
    expect(await countOf(tier)).toMatchObject({ count: 0 });
    await tenant.call('DELETE', `/v1/contact-attributes/${attributeId}`);
    expect(await countOf(tier)).toEqual({ id: tier, count: null, more: false });
    expect(await countOf(open)).toMatchObject({ more: false });
  });
});
