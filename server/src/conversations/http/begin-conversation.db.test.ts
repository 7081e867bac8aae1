import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addExampleAgents, EXAMPLE_AGENTS } from '#testing/test-agents';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

const [ADA, BO] = EXAMPLE_AGENTS;
let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
  await addExampleAgents(kit.rt, kit.service.db, tenant.tenantId);
});
afterAll(() => kit.close());

const begin = (body: object, headers: Record<string, string> = {}) =>
  tenant.call('POST', '/v1/conversations', body, headers);
const message = { body: 'Hello' };

async function receive(from: string): Promise<Answer['body']> {
  const list = () => tenant.call('GET', `/v1/messages/inbound?from=${from}`);
  const before = (await list()).body.data.length;
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from, text: 'Hi' });
  return (await kit.until(list, ({ body }) => body.data.length > before, 'the message is stored')).body.data[0];
}

async function countOf(path: string): Promise<number> {
  return (await tenant.call('GET', path)).body.data.length;
}

describe('a conversation that the business begins', () => {
  test('has a new contact, its message and the agent who began it, and is told as opened', async () => {
    const to = freshPhone();
    const answer = await begin({ to: `+${to}`, message }, { 'x-agent-id': ADA });
    expect(answer.status).toBe(201);
    const { conversation, message: sent, is_new } = answer.body;
    expect(is_new).toBe(true);
    expect(sent).toEqual({ id: expect.any(String), status: 'queued', type: 'text', to });
    expect(conversation).toMatchObject({
      ...{
        status: 'open',
        assignee_id: ADA,
        unread_count: 0,
        waiting_since: null,
        first_response_at: null,
        version: 1,
      },
      contact: { phone: to },
      last_message: { id: sent.id, direction: 'outbound', preview: 'Hello' },
      window: { state: 'closed', expires_at: null },
    });
    const { id } = conversation;
    const read = (await tenant.call('GET', `/v1/conversations/${id}`)).body;
    expect(read).toMatchObject({ number: conversation.number, contact_id: conversation.contact_id, assignee_id: ADA });
    await tenant.untilMessage(sent.id, ({ status }) => status === 'sent', 'it is sent');
    const author = { kind: 'agent', id: ADA, name: 'Ana Lima' };
    expect(await tenant.message(sent.id)).toMatchObject({
      conversation_id: id,
      contact_id: conversation.contact_id,
      author,
    });
    expect((await tenant.ledger(to)).length).toBe(1);
    const [change] = (await tenant.call('GET', `/v1/conversations/${id}/events`)).body.data;
    expect(change).toMatchObject({ changes: { status: [null, 'open'], assignee_id: [null, ADA] }, actor: { id: ADA } });
    const { data } = (await tenant.call('GET', '/v1/events?types=conversation.opened,contact.created&limit=1000')).body;
    const of = (type: string, value: string) =>
      data.filter((event: Answer['body']) => event.type === type && event.data.id === value).length;
    expect([of('conversation.opened', id), of('contact.created', conversation.contact_id)]).toEqual([1, 1]);
    expect((await tenant.call('GET', `/v1/agents/${ADA}`)).body.capacity.open).toBe(1);
    const reply = await receive(to);
    expect(reply.conversation_id).toBe(id);
    expect(await countOf(`/v1/conversations?contact_id=${conversation.contact_id}`)).toBe(1);
  });

  test('is not begun twice: the message joins the one that is not resolved, unless another agent writes there', async () => {
    const from = freshPhone();
    const { conversation_id: id, contact_id } = await receive(from);
    const joined = await begin({ contact_id, message }, { 'x-agent-id': ADA });
    expect([joined.status, joined.body.is_new, joined.body.conversation.id]).toEqual([201, false, id]);
    expect(joined.body.conversation).toMatchObject({ unread_count: 0, waiting_since: null, assignee_id: null });
    await tenant.call('POST', `/v1/conversations/${id}/lease`, undefined, { 'x-agent-id': BO });
    const refused = await begin({ contact_id, message }, { 'x-agent-id': ADA });
    expect([refused.status, refused.body.code]).toEqual([409, 'conversation_conflict']);
    expect(await countOf(`/v1/messages/outbound?conversation_id=${id}`)).toBe(1);
  });

  test('after a resolved one is a new one, in which the window of the customer goes on', async () => {
    const { conversation_id: old, contact_id } = await receive(freshPhone());
    await tenant.call('POST', `/v1/conversations/${old}/resolve`);
    const { body } = await begin({ contact_id, message });
    expect(body.conversation.id).not.toBe(old);
    expect(body.conversation).toMatchObject({ assignee_id: null, window: { state: 'open' } });
  });

  test('is begun once per Idempotency-Key, also when what it needs is gone since', async () => {
    const to = freshPhone();
    const headers = { 'idempotency-key': `begin-${to}` };
    const answers = await Promise.all([1, 2, 3].map(() => begin({ to, message }, headers)));
    for (const { status, body } of answers) expect([status, body]).toEqual([201, answers[0]?.body]);
    expect(await countOf(`/v1/messages/outbound?to=${to}`)).toBe(1);
    await tenant.call('POST', `/v1/contacts/${answers[0]?.body.conversation.contact_id}/block`);
    await kit.until(
      () => begin({ to, message }),
      ({ body }) => body.code === 'recipient_blocked',
      'the block is known everywhere',
    );
    const again = await begin({ to, message }, headers);
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([
      ...[201, answers[0]?.body, 'true'],
    ]);
  });

  test('is one, whoever begins it at the same time', async () => {
    const to = freshPhone();
    const answers = await Promise.all([ADA, BO, ADA, BO].map((id) => begin({ to, message }, { 'x-agent-id': id })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.conversation.id)).size).toBe(1);
    expect(answers.filter(({ body }) => body.is_new)).toHaveLength(1);
    expect(await countOf(`/v1/messages/outbound?to=${to}`)).toBe(4);
  });

  test('leaves nothing behind when its message is refused', async () => {
    const to = freshPhone();
    const media = { type: 'image', media: { media_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9fff' } };
    const refused = await begin({ to, message: media });
    expect([refused.status, refused.body.code, refused.body.details?.[0]?.path]).toEqual([
      ...[400, 'unknown_media', 'body.message.media.media_id'],
    ]);
    const faults = [
      [{ to, contact_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9fff', message }, 400, 'validation_failed'],
      [{ message }, 400, 'validation_failed'],
      [{ to, message: { body: '' } }, 400, 'validation_failed'],
      [{ to, message: { body: 'Hi', to } }, 400, 'validation_failed'],
      [{ to, message: { type: 'note', body: 'Hi' } }, 400, 'validation_failed'],
      [{ to: '12', message }, 400, 'validation_failed'],
      [{ contact_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9fff', message }, 404, 'not_found'],
    ] as const;
    for (const [body, status, code] of faults) {
      const answer = await begin(body);
      expect([answer.status, answer.body.code]).toEqual([status, code]);
    }
    expect(await countOf(`/v1/contacts?phone=${to}`)).toBe(0);
  });
});
