import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addExampleAgents, EXAMPLE_AGENTS } from '#testing/test-agents';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

const [ADA, BO] = [{ 'x-agent-id': EXAMPLE_AGENTS[0] }, { 'x-agent-id': EXAMPLE_AGENTS[1] }];
let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
  await addExampleAgents(kit.rt, kit.service.db, tenant.tenantId);
});
afterAll(() => kit.close());

/** A customer writes; returns the message. */
async function customerWrites(from = freshPhone(), text = 'Hi') {
  const before = (await tenant.call('GET', `/v1/messages/inbound?from=${from}`)).body.data.length;
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from, text });
  const list = await kit.until(
    () => tenant.call('GET', `/v1/messages/inbound?from=${from}`),
    ({ body }) => body.data.length > before,
    'the message of the customer is stored',
  );
  return list.body.data[0];
}

const read = async (id: string) => (await tenant.call('GET', `/v1/conversations/${id}`)).body;
const reply = (id: string, fields: object = {}, headers = {}) =>
  tenant.call('POST', `/v1/conversations/${id}/messages`, { body: 'Hello', ...fields }, headers);

describe('a reply', () => {
  test('goes to the customer as any message, belongs to the conversation from the start, and ends the wait', async () => {
    const from = freshPhone();
    const { conversation_id: id, contact_id } = await customerWrites(from);
    expect(await read(id)).toMatchObject({ status: 'open', unread_count: 1, waiting_since: expect.any(String) });
    const answer = await reply(id, { body: 'Soon' }, ADA);
    expect(answer.status).toBe(202);
    expect(await tenant.message(answer.body.id)).toMatchObject({ conversation_id: id, contact_id, to: from });
    expect(await read(id)).toMatchObject({
      waiting_since: null,
      first_response_at: expect.any(String),
      last_message: { id: answer.body.id, direction: 'outbound', preview: 'Soon' },
      version: 1,
    });
    await tenant.untilMessage(answer.body.id, ({ status }) => status === 'sent', 'it is sent');
    expect((await tenant.ledger(from)).length).toBe(1);
  });

  test('of an agent counts as having read the conversation, and one of a program does not', async () => {
    const { conversation_id: id } = await customerWrites();
    await reply(id);
    expect(await read(id)).toMatchObject({ unread_count: 1, waiting_since: null });
    const { body } = await reply(id, {}, ADA);
    expect(await read(id)).toMatchObject({ unread_count: 0, assignee_id: null });
    const { data } = (await tenant.call('GET', '/v1/events?types=conversation.replied&limit=1000')).body;
    const event = data.find(
      (one: { data: { reply: object } }) => (one.data.reply as { message_id: string }).message_id === body.id,
    );
    expect(event.data).toMatchObject({ unread_count: 0, changes: { unread_count: [1, 0] }, actor: { kind: 'agent' } });
  });

  test('gives an agent the conversation that nobody has, where the number says so, and takes it from nobody', async () => {
    const own = await makeTestTenant(kit, { ratePerSecond: 0 });
    await addExampleAgents(kit.rt, kit.service.db, own.tenantId);
    const before = tenant;
    tenant = own;
    await own.call('PATCH', `/v1/phone-numbers/${own.phoneNumberId}`, { assign_on_reply: true });
    const { conversation_id: id } = await customerWrites();
    await reply(id);
    expect(await read(id)).toMatchObject({ assignee_id: null, version: 1 });
    const headers = { ...ADA, 'idempotency-key': `take-${id}` };
    await Promise.all([reply(id, {}, headers), reply(id, {}, headers)]);
    expect(await read(id)).toMatchObject({ assignee_id: ADA['x-agent-id'], unread_count: 0, version: 2 });
    await reply(id, {}, BO);
    expect(await read(id)).toMatchObject({ assignee_id: ADA['x-agent-id'], version: 2 });
    const history = (await own.call('GET', `/v1/conversations/${id}/events`)).body.data;
    expect(history[0]).toMatchObject({
      changes: { assignee_id: [null, ADA['x-agent-id']], unread_count: [1, 0] },
      actor: { kind: 'agent', id: ADA['x-agent-id'] },
      cause: 'reply',
    });
    const types = (await own.call('GET', '/v1/events?limit=1000')).body.data.map(({ type }: { type: string }) => type);
    expect(types.filter((type: string) => type === 'conversation.assigned')).toHaveLength(1);
    expect((await own.call('GET', '/v1/conversations/counts')).body.active).toMatchObject({
      unassigned: 0,
      waiting: 0,
      by_assignee: { [ADA['x-agent-id']]: 1 },
    });
    expect((await own.call('GET', `/v1/agents/${ADA['x-agent-id']}`)).body.capacity.open).toBe(1);
    tenant = before;
  });

  test('is refused while another agent holds the conversation, and taken from its holder, by force, or afterwards', async () => {
    const { conversation_id: id } = await customerWrites();
    const path = `/v1/conversations/${id}/lease`;
    expect((await tenant.call('POST', path, undefined, ADA)).body.lease).toMatchObject({ agent_id: ADA['x-agent-id'] });
    const refused = await reply(id, {}, BO);
    expect([refused.status, refused.body.code]).toEqual([409, 'conversation_conflict']);
    expect(refused.body.error).toContain(ADA['x-agent-id']);
    expect((await tenant.call('POST', path, undefined, BO)).status).toBe(409);
    expect((await reply(id, {}, ADA)).status).toBe(202);
    expect((await reply(id, { force: true }, BO)).status).toBe(202);
    await tenant.call('DELETE', path, undefined, ADA);
    expect((await reply(id, {}, BO)).status).toBe(202);
  });

  test('is stored once per Idempotency-Key, and its repetition gets the same answer whatever has happened since', async () => {
    const { id: seen, conversation_id: id } = await customerWrites();
    const headers = { 'idempotency-key': `reply-${id}` };
    const first = await reply(id, { if_last_message_id: seen }, headers);
    const again = await reply(id, { if_last_message_id: seen }, headers);
    expect([first.status, again.status, again.body]).toEqual([202, 202, first.body]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  test('of two concurrent ones that saw the same message only one is stored', async () => {
    const { id: seen, conversation_id: id } = await customerWrites();
    const answers = await Promise.all(
      [ADA, BO, ADA, BO].map((agent) => reply(id, { if_last_message_id: seen }, agent)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409, 409, 409]);
    const { body } = await tenant.call('GET', `/v1/messages/outbound?conversation_id=${id}`);
    expect(body.data.length).toBe(1);
  });

  test('P10: outside the window is refused before anything is stored, but for a template', async () => {
    const { conversation_id: id } = await customerWrites();
    const text = 'update conversations set window_expires_ms = 1 where tenant_id = $1 and conversation_id = $2';
    await kit.service.db.run({ name: 'test_close_window', text }, [tenant.tenantId, id]);
    expect(await read(id)).toMatchObject({ window: { state: 'closed', allowed: ['template'] } });
    const refused = await reply(id);
    expect([refused.status, refused.body.code]).toEqual([400, 'window_closed']);
    const template = { type: 'template', body: undefined, template: { name: 'order_ready', language: 'en_US' } };
    expect((await reply(id, template)).status).toBe(202);
    expect((await tenant.call('GET', `/v1/messages/outbound?conversation_id=${id}`)).body.data.length).toBe(1);
  });
});

describe('the thread', () => {
  test('shows what came, what was sent over any endpoint and the notes, newest first, page by page', async () => {
    const from = freshPhone();
    const earlier = await tenant.send(from);
    await tenant.untilMessage(earlier, ({ status }) => status === 'sent', 'the first message is sent');
    const first = await customerWrites(from);
    const id = first.conversation_id;
    const note = await tenant.call('POST', `/v1/conversations/${id}/messages`, { type: 'note', body: 'Be kind.' }, ADA);
    expect([note.status, note.body.author]).toEqual([201, { kind: 'agent', id: ADA['x-agent-id'] }]);
    const answer = (await reply(id)).body.id;
    const elsewhere = await tenant.send(from);
    await tenant.untilMessage(elsewhere, (message) => message.conversation_id === id, 'it is in the conversation');
    await tenant.untilMessage(earlier, (message) => message.conversation_id === id, 'what came before is there too');
    const expected = [elsewhere, answer, note.body.id, first.id, earlier];
    expect((await pages(`/v1/conversations/${id}/messages`, 2)).map((entry) => entry.id)).toEqual(expected);
    const after = await tenant.call('GET', `/v1/conversations/${id}/messages?after=${note.body.id}`);
    expect(after.body.data.map((entry: { id: string }) => entry.id)).toEqual([elsewhere, answer]);
    expect(await read(id)).toMatchObject({ last_message: { id: elsewhere, direction: 'outbound' } });
  });
});

async function pages(path: string, limit: number): Promise<readonly { readonly id: string }[]> {
  const found: { readonly id: string }[] = [];
  let cursor = '';
  do {
    const join = path.includes('?') ? '&' : '?';
    const { body } = await tenant.call('GET', `${path}${join}limit=${limit}${cursor}`);
    found.push(...body.data);
    cursor = body.page.next_cursor === null ? '' : `&cursor=${body.page.next_cursor}`;
  } while (cursor !== '');
  return found;
}

describe('the list', () => {
  test('filters, sorts and pages without losing a conversation that moves in the meantime', async () => {
    const own = await makeTestTenant(kit, { ratePerSecond: 0 });
    await addExampleAgents(kit.rt, kit.service.db, own.tenantId);
    const before = tenant;
    tenant = own;
    const ids: string[] = [];
    for (const phone of [1, 2, 3, 4].map(() => freshPhone())) ids.push((await customerWrites(phone)).conversation_id);
    const [a = '', b = '', c = '', d = ''] = ids;
    await own.call('PATCH', `/v1/conversations/${a}`, { assignee_id: ADA['x-agent-id'], priority: 'urgent' });
    await own.call('POST', `/v1/conversations/${b}/tags`, { add_tags: ['vip'] });
    await own.call('POST', `/v1/conversations/${c}/resolve`);
    await reply(d, {}, BO);
    const list = async (query: string, headers = {}) => {
      const { body } = await own.call('GET', `/v1/conversations?${query}`, undefined, headers);
      return body.data.map((one: { id: string }) => one.id).toSorted();
    };
    expect(await list('status=open')).toEqual([a, b, d].toSorted());
    expect(await list('assignee=me', ADA)).toEqual([a]);
    expect(await list('assignee=none')).toEqual([b, c, d].toSorted());
    expect(await list('tag=vip')).toEqual([b]);
    expect(await list('priority=urgent&unread=true')).toEqual([a]);
    expect(await list('sort=waiting_since')).toEqual([a, b].toSorted());
    expect(await list('waiting=false')).toEqual([c, d].toSorted());
    const { phone } = (await read(a)).contact;
    expect(await list(`q=${phone.slice(0, 11)}&contact_id=${(await read(a)).contact_id}`)).toEqual([a]);
    expect((await pages('/v1/conversations?', 1)).map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    const first = (await own.call('GET', '/v1/conversations?limit=2')).body;
    const [top] = first.data;
    await customerWrites(top.contact.phone);
    const rest = (await own.call('GET', `/v1/conversations?limit=9&cursor=${first.page.next_cursor}`)).body.data;
    expect([...first.data, ...rest].map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect((await own.call('GET', '/v1/conversations/counts')).body).toMatchObject({
      total: 4,
      by_status: { open: 3, resolved: 1 },
      active: { total: 3, waiting: expect.any(Number), unassigned: 2, by_assignee: { [ADA['x-agent-id']]: 1 } },
    });
    tenant = before;
  });
});

describe('a change over the API', () => {
  test('requires the version it names, is recorded once per key, and is in the history', async () => {
    const { conversation_id: id } = await customerWrites();
    const patch = (fields: object, tag: string) =>
      tenant.call('PATCH', `/v1/conversations/${id}`, fields, { ...ADA, 'if-match': tag });
    const changed = await patch({ status: 'pending' }, '"1"');
    expect([changed.status, changed.headers.get('etag'), changed.body.status]).toEqual([200, '"2"', 'pending']);
    expect((await patch({ status: 'open' }, '"1"')).status).toBe(412);
    expect((await patch({ snoozed_until: '2099-01-01T00:00:00Z' }, '*')).status).toBe(409);
    for (const header of ['k', 'k']) {
      const again = await tenant.call('POST', `/v1/conversations/${id}/resolve`, undefined, {
        'idempotency-key': `${header}-${id}`,
      });
      expect([again.status, again.body.status]).toEqual([200, 'resolved']);
    }
    const history = (await tenant.call('GET', `/v1/conversations/${id}/events`)).body.data;
    expect(history.map((entry: { changes: object; cause: string }) => [entry.cause, entry.changes])).toEqual([
      ['api', { status: ['pending', 'resolved'] }],
      ['api', { status: ['open', 'pending'] }],
      ['inbound', { status: [null, 'open'] }],
    ]);
  });

  test('to many reports the outcome of each', async () => {
    const { conversation_id: id } = await customerWrites();
    const missing = kit.rt.newId();
    const change = { ids: [id, missing], change: { status: 'resolved' } };
    const bulk = () => tenant.call('POST', '/v1/conversations/bulk', change);
    expect((await bulk()).body.data.map((one: { outcome: string }) => one.outcome)).toEqual(['changed', 'refused']);
    expect((await bulk()).body.data.map((one: { outcome: string }) => one.outcome)).toEqual(['unchanged', 'refused']);
  });
});
