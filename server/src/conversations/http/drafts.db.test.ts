import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jpegBytes, uploadFile } from '#testing/media/test-media';
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

async function conversation(): Promise<{ readonly path: string; readonly contactId: string }> {
  const from = freshPhone();
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from, text: 'Hi' });
  const list = () => tenant.call('GET', `/v1/messages/inbound?from=${from}`);
  const [message] = (await kit.until(list, ({ body }) => body.data.length > 0, 'the message is stored')).body.data;
  return { path: `/v1/conversations/${message.conversation_id}`, contactId: message.contact_id };
}

const draft = (path: string, method: string, headers = ADA, body?: object) =>
  tenant.call(method, `${path}/draft`, body, headers);

describe('the draft of an agent', () => {
  test('is kept for that agent alone, replaced as a whole, and no event', async () => {
    const { path } = await conversation();
    expect((await draft(path, 'GET')).status).toBe(404);
    const { media_id } = (await uploadFile(kit, tenant.key, jpegBytes())).body;
    const first = await draft(path, 'PUT', ADA, { body: 'It leaves', media_ids: [String(media_id).toUpperCase()] });
    expect([first.status, first.body]).toMatchObject([
      200,
      { body: 'It leaves', media_ids: [media_id], agent_id: ADA['x-agent-id'] },
    ]);
    await draft(path, 'PUT', BO, { body: 'Mine' });
    const second = await draft(path, 'PUT', ADA, { body: 'It leaves today' });
    expect((await draft(path, 'GET')).body).toEqual(second.body);
    expect(second.body).toMatchObject({ body: 'It leaves today', media_ids: [], created_at: first.body.created_at });
    expect((await draft(path, 'GET', BO)).body.body).toBe('Mine');
    expect((await tenant.call('GET', path)).body.version).toBe(1);
    expect((await tenant.call('GET', `${path}/events`)).body.data).toHaveLength(1);
    const deleted = await draft(path, 'DELETE');
    expect([deleted.status, deleted.body]).toEqual([200, { id: path.split('/').at(-1), status: 'deleted' }]);
    expect([(await draft(path, 'DELETE')).status, (await draft(path, 'GET')).status]).toEqual([404, 404]);
    expect((await draft(path, 'GET', BO)).status).toBe(200);
  });

  test('goes when that agent replies, and stays when another one or a program does', async () => {
    const { path } = await conversation();
    await draft(path, 'PUT', ADA, { body: 'Soon' });
    for (const headers of [BO, {}]) await tenant.call('POST', `${path}/messages`, { body: 'Hello' }, headers);
    await tenant.call('POST', `${path}/messages`, { type: 'note', body: 'Hm.' }, ADA);
    expect((await draft(path, 'GET')).status).toBe(200);
    await tenant.call('POST', `${path}/messages`, { body: 'Soon' }, ADA);
    expect((await draft(path, 'GET')).status).toBe(404);
  });

  test('goes with its contact, and with its agent', async () => {
    const { path, contactId } = await conversation();
    const { body: ana } = await tenant.call('POST', '/v1/agents', { name: 'Ana' });
    const other = (await conversation()).path;
    await draft(path, 'PUT', ADA, { body: 'Dear Ada' });
    await draft(other, 'PUT', { 'x-agent-id': ana.id }, { body: 'Dear Bo' });
    await tenant.call('DELETE', `/v1/contacts/${contactId}`);
    await tenant.call('DELETE', `/v1/agents/${ana.id}`);
    const text = 'select body from conversation_drafts where tenant_id = $1 and conversation_id = any($2::uuid[])';
    const ids = [path, other].map((one) => one.split('/').at(-1));
    expect((await kit.service.db.run({ name: 'test_drafts', text }, [tenant.tenantId, ids])).rows).toEqual([]);
  });

  test('is listed for that agent alone, the newest conversation first, page by page', async () => {
    const { body: ana } = await tenant.call('POST', '/v1/agents', { name: 'Ana' });
    const anas = { 'x-agent-id': ana.id };
    const saved: unknown[] = [];
    for (const body of ['One', 'Two', 'Three']) {
      const { path } = await conversation();
      saved.unshift((await draft(path, 'PUT', anas, { body })).body);
      await draft(path, 'PUT', BO, { body: 'Mine' });
    }
    const list = (search = '', headers: Record<string, string> = anas) =>
      tenant.call('GET', `/v1/drafts${search}`, undefined, headers);
    expect((await list()).body).toMatchObject({ data: saved, page: { next_cursor: null } });
    const first = (await list('?limit=2')).body;
    expect(first.data).toEqual(saved.slice(0, 2));
    const next = `?limit=2&cursor=${first.page.next_cursor}`;
    expect((await list(next)).body.data).toEqual(saved.slice(2));
    expect((await list(next, BO)).body.code).toBe('validation_failed');
    expect([(await list('', {})).status, (await list('', {})).body.code]).toEqual([400, 'validation_failed']);
  });

  test('is refused without an agent, without a conversation, too long, empty, or with a file that is not there', async () => {
    const { path } = await conversation();
    const nobody = `${path.slice(0, -4)}dead`;
    const codeOf = async (of: string, body: object, headers: Record<string, string> = ADA) => {
      const answer = await tenant.call('PUT', `${of}/draft`, body, headers);
      return [answer.status, answer.body.code];
    };
    expect(await codeOf(path, { body: 'x' }, {})).toEqual([400, 'validation_failed']);
    expect(await codeOf(nobody, { body: 'x' })).toEqual([404, 'not_found']);
    for (const body of ['', 'x'.repeat(4097)]) expect(await codeOf(path, { body })).toEqual([400, 'validation_failed']);
    const media_ids = ['0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9fff'];
    expect(await codeOf(path, { body: 'x', media_ids })).toEqual([400, 'validation_failed']);
    expect(await codeOf(path, { body: 'x'.repeat(4096) })).toEqual([200, undefined]);
  });
});
