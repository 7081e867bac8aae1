import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiKey } from '#access/actions/manage-tenants';
import { addExampleAgents, EXAMPLE_AGENTS } from '#testing/test-agents';
import { makeBulkChange } from '#testing/test-bulk-changes';
import { callApi, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

const [ADA, BO] = [{ 'x-agent-id': EXAMPLE_AGENTS[0] }, { 'x-agent-id': EXAMPLE_AGENTS[1] }];
const PATH = '/v1/bulk-changes';
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

async function conversation(of: TestTenant = tenant): Promise<string> {
  const from = freshPhone();
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: of.phoneNumberId, from, text: 'Hi' });
  const list = () => of.call('GET', `/v1/messages/inbound?from=${from}`);
  return (await kit.until(list, ({ body }) => body.data.length > 0, 'the message is stored')).body.data[0]
    .conversation_id;
}

async function tagged(tag: string, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await conversation());
  for (const id of ids) await tenant.call('POST', `/v1/conversations/${id}/tags`, { add_tags: [tag] });
  return ids;
}
const whenTagged = (tag: string) => ({ field: 'conversation.tags', value: tag });

async function ended(begun: { readonly body: { readonly id: string } }) {
  const read = async () => (await tenant.call('GET', `${PATH}/${begun.body.id}`)).body;
  return kit.until(read, ({ finished_at: end }) => end !== null, 'the bulk change ends');
}
const read = async (id: string) => (await tenant.call('GET', `/v1/conversations/${id}`)).body;

describe('a bulk change by a condition', () => {
  test('is previewed, made by the running service, listed with its outcomes, and undone', async () => {
    const ids = await tagged('moving', 3);
    const when = whenTagged('moving');
    const preview = await tenant.call('POST', `${PATH}/preview`, { when });
    expect(preview.body).toEqual({ matching: 3, more: false });
    const change = { assignee_id: BO['x-agent-id'], priority: 'high', remove_tags: ['moving'], read: true };
    const begun = await tenant.call('POST', PATH, { when, expected: 3, change });
    expect(begun).toMatchObject({ status: 202, body: { status: 'queued', total: 3, waiting: 3, change } });
    const done = await ended(begun);
    expect(done).toMatchObject({ status: 'completed', changed: 3, refused: 0, actor: { kind: 'key' } });
    expect(done.undo_until).not.toBeNull();
    const changed = { assignee_id: BO['x-agent-id'], priority: 'high', tags: [], unread_count: 0 };
    for (const id of ids) expect(await read(id)).toMatchObject(changed);
    await tenant.call('PATCH', `/v1/conversations/${ids[0]}`, { priority: 'low' });
    const undo = await tenant.call('POST', `${PATH}/${begun.body.id}/undo`);
    expect(undo).toMatchObject({ status: 202, body: { undoes: begun.body.id, change: null, total: 3 } });
    expect(await ended(undo)).toMatchObject({ changed: 2, refused: 1 });
    const before = { assignee_id: null, priority: 'normal', tags: ['moving'], unread_count: 1 };
    for (const id of ids.slice(1)) expect(await read(id)).toMatchObject(before);
    const left = await tenant.call('GET', `${PATH}/${undo.body.id}/items?outcome=refused`);
    expect(left.body.data).toEqual([
      { conversation_id: ids[0], outcome: 'refused', code: 'conflict', reason: 'Its priority has been changed since.' },
    ]);
    const again = await tenant.call('POST', `${PATH}/${begun.body.id}/undo`);
    expect(again).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((await tenant.call('GET', `${PATH}/${begun.body.id}`)).body).toMatchObject({
      undone_by: undo.body.id,
      undo_until: null,
    });
    const listed = (await tenant.call('GET', `${PATH}?limit=2`)).body.data;
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([undo.body.id, begun.body.id]);
  });

  test('says how many match when it is another number, and changes nothing', async () => {
    const [id] = await tagged('counted', 2);
    const body = { when: whenTagged('counted'), expected: 1, change: { priority: 'urgent' } };
    expect(await tenant.call('POST', PATH, body)).toMatchObject({
      status: 409,
      body: {
        code: 'conflict',
        error: '2 conversations match now, and you expected 1. Look at them again. Nothing was changed.',
      },
    });
    expect((await read(id ?? '')).priority).toBe('normal');
  });

  test('is made once for each Idempotency-Key', async () => {
    await tagged('once', 1);
    const body = { when: whenTagged('once'), expected: 1, change: { add_tags: ['twice'] } };
    const key = { 'idempotency-key': 'bulk-once' };
    const [first, second] = [await tenant.call('POST', PATH, body, key), await tenant.call('POST', PATH, body, key)];
    expect([second.status, second.body.id]).toEqual([202, first.body.id]);
    expect((await ended(first)).changed).toBe(1);
  });

  test('asks for contacts only with a key that may read them', async () => {
    const { rt, service } = kit;
    const scopes = ['conversations:read', 'conversations:write'];
    const made = { tenantId: tenant.tenantId, name: 'inbox', mode: 'test', scopes, expiresMs: null } as const;
    const { key } = await createApiKey(rt, service.db, made);
    const when = { field: 'contact.tags', value: 'VIP' };
    for (const [path, body] of [
      [PATH, { when, expected: 0, change: { priority: 'low' } }],
      [`${PATH}/preview`, { when }],
    ] as const) {
      const answer = await callApi(service.url, 'POST', path, body, { authorization: `Bearer ${key}` });
      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
  });

  test.each([
    [{ change: { priority: 'low' } }, 'Send either when or ids.'],
    [{ when: whenTagged('x'), ids: [EXAMPLE_AGENTS[0]], change: { priority: 'low' } }, 'Send either when or ids.'],
    [{ when: whenTagged('x'), change: { priority: 'low' } }, 'expected is required with when.'],
    [
      { ids: [EXAMPLE_AGENTS[0]], expected: 1, change: { priority: 'low' } },
      'expected belongs to when: the ids say how many they are.',
    ],
    [
      { when: { field: 'conversation.colour', value: 'x' }, expected: 0, change: { priority: 'low' } },
      'This field cannot be used here.',
    ],
    [{ ids: [EXAMPLE_AGENTS[0]], change: { priority: 'low' } }, 'ids[0] does not name a conversation of this tenant.'],
  ])('is refused in a sentence: %j', async (body, error) => {
    const before = (await tenant.call('GET', PATH)).body.data.length;
    expect(await tenant.call('POST', PATH, body)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', error },
    });
    expect((await tenant.call('GET', PATH)).body.data).toHaveLength(before);
  });
});

describe('a bulk change by ids', () => {
  test('of another tenant is refused in the words for nobody, and nothing is changed', async () => {
    const [mine, theirs] = [await conversation(), await conversation(stranger)];
    const body = { ids: [mine, theirs], change: { status: 'resolved' } };
    expect(await tenant.call('POST', PATH, body)).toMatchObject({
      status: 400,
      body: { error: 'ids[1] does not name a conversation of this tenant.', details: [{ path: 'body.ids[1]' }] },
    });
    expect((await read(mine)).status).toBe('open');
    const theirTeam = { ids: [mine], change: { team_id: theirs } };
    expect(await tenant.call('POST', PATH, theirTeam)).toMatchObject({
      status: 400,
      body: { details: [{ path: 'body.change.team_id' }] },
    });
  });

  test('shows its conversations page by page, in its order', async () => {
    const ids = await tagged('paged', 3);
    const begun = await tenant.call('POST', PATH, { ids, change: { add_tags: ['seen'] } });
    await ended(begun);
    const first = await tenant.call('GET', `${PATH}/${begun.body.id}/items?limit=2`);
    const next = await tenant.call(
      'GET',
      `${PATH}/${begun.body.id}/items?limit=2&cursor=${first.body.page.next_cursor}`,
    );
    const shown = [...first.body.data, ...next.body.data].map((one) => [one.conversation_id, one.outcome]);
    expect(shown).toEqual(ids.map((id) => [id, 'changed']));
    expect(next.body.page.has_more).toBe(false);
    expect(await stranger.call('GET', `${PATH}/${begun.body.id}/items`)).toMatchObject({ status: 404 });
  });

  test('assigns to others only what an agent with that permission asks for', async () => {
    const id = await conversation();
    const toBo = { ids: [id], change: { assignee_id: BO['x-agent-id'] } };
    expect(await tenant.call('POST', PATH, toBo, ADA)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    const toMe = { ids: [id], change: { assignee_id: ADA['x-agent-id'] } };
    const begun = await tenant.call('POST', PATH, toMe, ADA);
    expect(await ended(begun)).toMatchObject({ changed: 1, actor: { kind: 'agent', id: ADA['x-agent-id'] } });
    expect(await tenant.call('POST', `${PATH}/${begun.body.id}/undo`, undefined, BO)).toMatchObject({
      status: 403,
      body: { error: 'The role agent lacks the permission conversations:assign_others.' },
    });
    expect((await tenant.call('POST', `${PATH}/${begun.body.id}/undo`, undefined, ADA)).status).toBe(202);
  });

  test('is canceled by a program, whoever began it, and not once it has ended', async () => {
    const { rt, service } = kit;
    const id = await makeBulkChange({ rt, db: service.db, tenantId: tenant.tenantId }, 'running');
    expect(await tenant.call('POST', `${PATH}/${id}/cancel`, undefined, ADA)).toMatchObject({ status: 403 });
    expect(await tenant.call('POST', `${PATH}/${id}/cancel`)).toMatchObject({
      status: 200,
      body: { status: 'canceled', total: 2, changed: 1, waiting: 1 },
    });
    expect(await tenant.call('POST', `${PATH}/${id}/cancel`)).toMatchObject({
      status: 409,
      body: { error: 'The bulk change is canceled. Only one that is queued or running can be canceled.' },
    });
    expect(await stranger.call('POST', `${PATH}/${id}/cancel`)).toMatchObject({ status: 404 });
  });
});
