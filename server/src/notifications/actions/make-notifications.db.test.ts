import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { removeOldRows } from '#maintenance/actions/clean-up-database';
import { addExampleAgents, EXAMPLE_AGENTS } from '#testing/test-agents';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { makeNotifications } from './make-notifications.ts';

const [ADA, BEN] = EXAMPLE_AGENTS;
let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
});
afterAll(() => kit.close());
beforeEach(async () => {
  tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
  await addExampleAgents(kit.rt, kit.service.db, tenant.tenantId);
});

const as = (agentId: string) => ({ 'x-agent-id': agentId });
const call = (agentId: string, method: string, path: string, body?: object) =>
  tenant.call(method, path, body, as(agentId));
const list = (agentId: string, query = '') => call(agentId, 'GET', `/v1/notifications${query}`);
const kindsOf = ({ body }: Answer) => body.data.map(({ kind }: { kind: string }) => kind);

async function conversation(): Promise<{ readonly id: string; readonly from: string }> {
  const from = freshPhone();
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from, text: 'Hi' });
  const messages = () => tenant.call('GET', `/v1/messages/inbound?from=${from}`);
  const { body } = await kit.until(messages, (answer) => answer.body.data.length > 0, 'the message is stored');
  return { id: body.data[0].conversation_id, from };
}

/** Waits until an agent has so many notifications: the service follows the events by itself. */
const arrived = (agentId: string, count: number) =>
  kit.until(
    () => list(agentId),
    ({ body }) => body.data.length >= count,
    `${count} notifications`,
  );

/** Waits until everything that has happened was followed, by notifying somebody of something that comes after it. */
async function settled(agentId: string): Promise<Answer> {
  const { id } = await conversation();
  const before = (await list(agentId)).body.data.length;
  await tenant.call('POST', `/v1/conversations/${id}/messages`, { type: 'note', body: '@last', mentions: [agentId] });
  return kit.until(
    () => list(agentId),
    ({ body }) => body.data.length > before && body.data[0].conversation_id === id,
    'the last notification',
  );
}

describe('an agent is notified', () => {
  test('of an assignment by somebody else, with the customer and who did it, and not of their own', async () => {
    const { id, from } = await conversation();
    const { body: boss } = await tenant.call('POST', '/v1/agents', { name: 'Cy', role: 'admin' });
    await call(BEN, 'POST', `/v1/conversations/${id}/assign`, { assignee_id: BEN });
    await call(boss.id, 'POST', `/v1/conversations/${id}/assign`, { assignee_id: ADA });
    const { body } = await arrived(ADA, 1);
    expect(body).toMatchObject({ unread: 1, data: [{ kind: 'assigned', conversation_id: id, read_at: null }] });
    expect(body.data[0]).toMatchObject({ contact: { phone: from }, actor: { kind: 'agent', id: boss.id } });
    expect(kindsOf(await settled(BEN))).toEqual(['mentioned']);
  });

  test('of a note that mentions them, once each, and not of their own', async () => {
    const { id } = await conversation();
    const note = { type: 'note', body: '@Ada @Ben look', mentions: [ADA, BEN, ADA] };
    const written = await call(ADA, 'POST', `/v1/conversations/${id}/messages`, note);
    const { body } = await arrived(BEN, 1);
    expect(body.data).toMatchObject([{ kind: 'mentioned', note_id: written.body.id, conversation_id: id }]);
    expect(kindsOf(await settled(ADA))).toEqual(['mentioned']);
  });

  test('of a message that they wrote and that failed, and not of those of others', async () => {
    const { id } = await conversation();
    const send_at = new Date(Date.now() + 3_600_000).toISOString();
    const sent = await call(ADA, 'POST', `/v1/conversations/${id}/messages`, { body: 'Later', send_at });
    expect(sent.status).toBe(202);
    await tenant.call('POST', `/v1/messages/${sent.body.id}/cancel`);
    const { body } = await arrived(ADA, 1);
    expect(body.data).toMatchObject([{ kind: 'message_failed', message_id: sent.body.id, conversation_id: id }]);
    expect(kindsOf(await settled(BEN))).toEqual(['mentioned']);
  });

  test('by a frame on streams with signals', async () => {
    const headers = { authorization: `Bearer ${tenant.key}` };
    const { body } = await fetch(`${kit.service.url}/v1/events/stream?signals=true`, { headers });
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    const { id } = await conversation();
    await tenant.call('POST', `/v1/conversations/${id}/messages`, { type: 'note', body: '@', mentions: [ADA] });
    let seen = '';
    while (!seen.includes(`event: notification\ndata: {"agent_id":"${ADA}"}\n\n`)) {
      seen += (await reader?.read())?.value ?? '';
    }
    await reader?.cancel();
  });
});

describe('notifications', () => {
  test('are made once, however many processes follow the events', async () => {
    const { id } = await conversation();
    for (let round = 0; round < 5; round++) {
      await tenant.call('POST', `/v1/conversations/${id}/messages`, { type: 'note', body: '@', mentions: [ADA] });
      const { rt } = kit;
      const deps = { rt, db: kit.service.db, signals: { notify: () => undefined } };
      await Promise.all(Array.from({ length: 4 }, () => makeNotifications(deps)));
    }
    await arrived(ADA, 5);
    expect((await settled(ADA)).body.data).toHaveLength(6);
  });

  test('are read by their ids or until a moment, by their agent alone', async () => {
    const { id } = await conversation();
    for (let round = 0; round < 3; round++) {
      await tenant.call('POST', `/v1/conversations/${id}/messages`, { type: 'note', body: '@', mentions: [ADA] });
    }
    const { body } = await arrived(ADA, 3);
    const [newest, , oldest] = body.data;
    const read = (agentId: string, what: object) => call(agentId, 'POST', '/v1/notifications/read', what);
    expect((await read(BEN, { ids: [oldest.id] })).body).toEqual({ unread: 0 });
    expect((await list(ADA)).body.unread).toBe(3);
    expect((await read(ADA, { ids: [String(oldest.id).toUpperCase()] })).body).toEqual({ unread: 2 });
    expect((await list(ADA, '?unread=true')).body.data).toHaveLength(2);
    expect((await list(ADA, '?unread=false')).body.data).toMatchObject([{ id: oldest.id }]);
    expect((await read(ADA, { before: newest.created_at })).body).toEqual({ unread: 0 });
    for (const wrong of [{}, { ids: [newest.id], before: newest.created_at }, { ids: [] }, { ids: ['x'] }]) {
      expect((await read(ADA, wrong)).status).toBe(400);
    }
    expect((await tenant.call('GET', '/v1/notifications')).status).toBe(400);
  });

  test('are listed page by page', async () => {
    const { id } = await conversation();
    for (let round = 0; round < 3; round++) {
      await tenant.call('POST', `/v1/conversations/${id}/messages`, { type: 'note', body: '@', mentions: [ADA] });
    }
    const all = (await arrived(ADA, 3)).body.data;
    const first = await list(ADA, '?limit=2');
    const second = await list(ADA, `?limit=2&cursor=${first.body.page.next_cursor}`);
    expect([...first.body.data, ...second.body.data]).toEqual(all);
    expect((await list(BEN, `?cursor=${first.body.page.next_cursor}`)).status).toBe(400);
  });

  test('go with their agent, with their conversation, and after 30 days', async () => {
    const { id } = await conversation();
    const { id: kept } = await conversation();
    const mention = (of: string, agentId: string) =>
      tenant.call('POST', `/v1/conversations/${of}/messages`, { type: 'note', body: '@', mentions: [agentId] });
    await mention(id, ADA);
    await mention(kept, ADA);
    await mention(kept, BEN);
    await arrived(ADA, 2);
    await arrived(BEN, 1);
    const { contact_id: contact } = (await tenant.call('GET', `/v1/conversations/${id}`)).body;
    await tenant.call('DELETE', `/v1/contacts/${contact}`);
    const left = await kit.until(
      () => list(ADA),
      ({ body }) => body.data.length < 2,
      'the conversation is erased',
    );
    expect(left.body.data).toMatchObject([{ conversation_id: kept }]);
    await tenant.call('DELETE', `/v1/agents/${BEN}`);
    const text = 'select agent_id from notifications where tenant_id = $1';
    const rows = async () => (await kit.service.db.run({ name: 'test_notified', text }, [tenant.tenantId])).rows;
    expect(await rows()).toEqual([{ agent_id: ADA }]);
    const later = { ...kit.rt, clock: { ...kit.rt.clock, now: () => Date.now() + 31 * 24 * 3_600_000 } };
    expect((await removeOldRows(later, kit.service.db)).notifications).toBeGreaterThan(0);
    expect(await rows()).toEqual([]);
  });
});

test('a note cannot mention somebody who is no agent of the tenant', async () => {
  const { id } = await conversation();
  const stranger = await makeTestTenant(kit);
  const { body: eve } = await stranger.call('POST', '/v1/agents', { name: 'Eve' });
  const note = (mentions: readonly string[]) =>
    tenant.call('POST', `/v1/conversations/${id}/messages`, { type: 'note', body: '@', mentions });
  for (const nobody of [eve.id, '0190a6f2-0000-7000-8000-00000000dead']) {
    const refused = await note([ADA, nobody]);
    expect([refused.status, refused.body.details]).toEqual([
      400,
      [{ path: 'body.mentions[1]', message: 'mentions[1] is not an agent of this tenant.' }],
    ]);
  }
  expect((await tenant.call('GET', `/v1/conversations/${id}/messages`)).body.data).toHaveLength(1);
});
