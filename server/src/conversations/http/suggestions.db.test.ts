import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeOldRows } from '#maintenance/actions/clean-up-database';
import { addExampleAgents, EXAMPLE_AGENTS } from '#testing/test-agents';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

const [ADA, BO] = [{ 'x-agent-id': EXAMPLE_AGENTS[0] }, { 'x-agent-id': EXAMPLE_AGENTS[1] }];
const DAY_MS = 24 * 60 * 60 * 1_000;
let kit: TestService;
let tenant: TestTenant;
let stranger: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
  stranger = await makeTestTenant(kit);
  for (const { tenantId } of [tenant, stranger]) await addExampleAgents(kit.rt, kit.service.db, tenantId);
});
afterAll(() => kit.close());

/** A conversation that a customer has begun. */
async function customerWrites(from = freshPhone(), text = 'Hi'): Promise<string> {
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from, text });
  const list = () => tenant.call('GET', `/v1/messages/inbound?from=${from}`);
  return (await kit.until(list, ({ body }) => body.data.length > 0, 'the message is stored')).body.data[0]
    .conversation_id;
}

const suggest = (id: string, fields: object = {}, headers = {}) =>
  tenant.call('POST', `/v1/conversations/${id}/suggestions`, { body: 'It leaves today.', ...fields }, headers);
const list = async (id: string, query = '') =>
  (await tenant.call('GET', `/v1/conversations/${id}/suggestions${query}`)).body.data;
const decide = (verb: 'take' | 'discard', id: string, headers: object, by = tenant) =>
  by.call('POST', `/v1/suggestions/${id}/${verb}`, undefined, headers as Record<string, string>);

describe('a suggestion', () => {
  test('is offered to agents, becomes the draft of who takes it over, and says who that was', async () => {
    const id = await customerWrites();
    await tenant.call('PUT', `/v1/conversations/${id}/draft`, { body: 'Before' }, ADA);
    const made = await suggest(id);
    expect([made.status, made.body]).toMatchObject([
      201,
      { status: 'open', author: { kind: 'key' }, decided_by: null },
    ]);
    expect(await list(id, '?open=true')).toEqual([made.body]);
    const taken = await decide('take', made.body.id, ADA);
    expect(taken.body).toMatchObject({ status: 'taken', decided_by: ADA['x-agent-id'], body: 'It leaves today.' });
    expect((await tenant.call('GET', `/v1/conversations/${id}/draft`, undefined, ADA)).body.body).toBe(
      'It leaves today.',
    );
    expect((await tenant.call('GET', `/v1/conversations/${id}/draft`, undefined, BO)).status).toBe(404);
    expect(await list(id, '?open=true')).toEqual([]);
    expect(await list(id)).toEqual([taken.body]);
  });

  test('is decided about once, by the first of two agents', async () => {
    const { id } = (await suggest(await customerWrites())).body;
    const both = await Promise.all([decide('take', id, ADA), decide('discard', id, BO)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const again = await decide('take', id, BO);
    expect([again.status, again.body.code]).toEqual([409, 'conflict']);
  });

  test('is stored once, and taken over once, for each Idempotency-Key', async () => {
    const id = await customerWrites();
    const [first, second] = [
      await suggest(id, {}, { 'idempotency-key': 's' }),
      await suggest(id, {}, { 'idempotency-key': 's' }),
    ];
    expect(second.body).toEqual(first.body);
    const once = { ...ADA, 'idempotency-key': 't' };
    const taken = await decide('take', first.body.id, once);
    expect((await decide('take', first.body.id, once)).body).toEqual(taken.body);
    expect(await list(id)).toHaveLength(1);
  });

  test('has events that say what happened and not what is said in it', async () => {
    const id = await customerWrites();
    const { id: suggestionId } = (await suggest(id, { body: 'A secret' })).body;
    await decide('discard', suggestionId, BO);
    const types = 'suggestion.created,suggestion.taken,suggestion.discarded';
    const { data } = (await tenant.call('GET', `/v1/events?types=${types}&limit=1000`)).body;
    const about = data.filter((one: { data: { id: string } }) => one.data.id === suggestionId);
    expect(about.map(({ type }: { type: string }) => type)).toEqual(['suggestion.created', 'suggestion.discarded']);
    expect(about[1].data).toMatchObject({ conversation_id: id, decided_by: BO['x-agent-id'], status: 'discarded' });
    expect(JSON.stringify(about)).not.toContain('A secret');
  });

  test('expires, and is removed a month later', async () => {
    const id = await customerWrites();
    const made = (await suggest(id, { expires_in_s: 1 })).body;
    const expired = await kit.until(
      () => list(id),
      ([one]) => one.status === 'expired',
      'it expires',
    );
    expect(expired[0].id).toBe(made.id);
    expect(await list(id, '?open=true')).toEqual([]);
    expect((await decide('take', made.id, ADA)).body.error).toContain('expired');
    const later = { ...kit.rt, clock: { ...kit.rt.clock, now: () => kit.rt.clock.now() + 31 * DAY_MS } };
    await removeOldRows(later, kit.service.db);
    expect(await list(id)).toEqual([]);
  });

  test('finds room for five that are open, however many ask at once', async () => {
    const id = await customerWrites();
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => suggest(id)))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(5);
    expect(statuses.filter((status) => status === 409)).toHaveLength(3);
    const [{ id: first }] = await list(id);
    await decide('discard', first, ADA);
    expect((await suggest(id)).status).toBe(201);
  });

  test('belongs to its tenant, and only an agent decides about it', async () => {
    const id = await customerWrites();
    const made = (await suggest(id)).body;
    expect((await stranger.call('POST', `/v1/conversations/${id}/suggestions`, { body: 'Hi' })).status).toBe(404);
    expect((await stranger.call('GET', `/v1/conversations/${id}/suggestions`)).status).toBe(404);
    expect((await decide('take', made.id, ADA, stranger)).status).toBe(404);
    expect((await decide('take', made.id, {})).status).toBe(400);
    expect((await suggest(id, { body: '' })).status).toBe(400);
    expect((await suggest(id, { expires_in_s: 8 * 24 * 60 * 60 })).status).toBe(400);
    expect(await list(id, '?open=true')).toEqual([made]);
  });
});

test('a chatbot rule suggests an answer, and says so where there is no room for it', async () => {
  const trigger = { on: 'message.received' };
  const when = { field: 'text', match: 'contains', value: 'parcel' };
  // biome-ignore lint/suspicious/noThenProperty: a rule reads when … then
  const rule = { name: 'Parcels', trigger, when, then: [{ action: 'suggest', body: 'It leaves today.' }] };
  const made = await tenant.call('POST', '/v1/chatbot-rules', rule);
  expect(made.status).toBe(201);
  const from = freshPhone();
  const id = await customerWrites(from, 'Where is my parcel?');
  const [one] = await kit.until(
    () => list(id),
    (all) => all.length > 0,
    'the rule suggests',
  );
  expect(one).toMatchObject({ body: 'It leaves today.', author: { kind: 'rule', id: made.body.id } });
  for (const body of ['two', 'three', 'four', 'five']) expect((await suggest(id, { body })).status).toBe(201);
  const again = { phone_number_id: tenant.phoneNumberId, from, text: 'The parcel!' };
  await kit.simulate('POST', '/_sim/inbound', again);
  const decisions = () => tenant.call('GET', `/v1/chatbot-rules/decisions?conversation_id=${id}`);
  const [latest] = (await kit.until(decisions, ({ body }) => body.data.length === 2, 'the rule decides again')).body
    .data;
  expect(latest.actions).toMatchObject([
    { action: 'suggest', outcome: 'failed', why: expect.stringContaining('5 open') },
  ]);
  expect(await list(id)).toHaveLength(5);
});
