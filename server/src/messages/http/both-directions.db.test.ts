import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MessageId } from '#core/ids';
import { surrogateId } from '#messages/domain/network-message-id';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
beforeAll(async () => {
  kit = await startTestService({ config: { unknownWaitS: 600 } });
});
afterAll(() => kit.close());

const LIST = '/v1/messages';

async function ids(of: TestTenant, query: string, list = LIST): Promise<readonly string[]> {
  const answer = await of.call('GET', `${list}?${query}`);
  expect(answer.status).toBe(200);
  return answer.body.data.map((message: Answer['body']) => message.id);
}

/** A customer writes. @returns the message */
async function receive(of: TestTenant, from: string): Promise<Answer['body']> {
  const before = await ids(of, `from=${from}`);
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: of.phoneNumberId, from, text: 'Hi' });
  const list = () => of.call('GET', `${LIST}?from=${from}`);
  return (await kit.until(list, ({ body }) => body.data.length > before.length, 'the message is stored')).body.data[0];
}

/** Three of each direction, in turns. @returns their ids, newest first */
async function exchange(of: TestTenant): Promise<readonly string[]> {
  const found: string[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    found.unshift((await receive(of, freshPhone())).id);
    found.unshift(await of.send(freshPhone()));
  }
  return found;
}

describe('the list of messages of both directions', () => {
  test('is newest first, and paged by offset as by cursor', async () => {
    const tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
    const all = await exchange(tenant);
    expect(await ids(tenant, '')).toEqual(all);
    for (const [offset, limit] of [
      [0, 2],
      [1, 3],
      [4, 5],
      [5, 1],
      [6, 2],
      [9, 2],
    ] as const) {
      const { body } = await tenant.call('GET', `${LIST}?offset=${offset}&limit=${limit}`);
      expect(body.data.map(({ id }: Answer['body']) => id)).toEqual(all.slice(offset, offset + limit));
      expect(body.page.has_more).toBe(offset + limit < all.length);
    }
    const walked: string[] = [];
    let cursor = '';
    do {
      const { body } = await tenant.call('GET', `${LIST}?limit=4${cursor}`);
      walked.push(...body.data.map(({ id }: Answer['body']) => id));
      cursor = body.page.next_cursor === null ? '' : `&cursor=${body.page.next_cursor}`;
    } while (cursor !== '');
    expect(walked).toEqual(all);
    expect(await ids(tenant, 'direction=inbound')).toEqual(all.filter((_, index) => index % 2 === 1));
    expect(await ids(tenant, 'direction=outbound&limit=2&offset=1')).toEqual([all[2], all[4]]);
  });

  test('leaves out the direction that does not have a filter, and finds a message by the reference of the caller', async () => {
    const tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
    const from = freshPhone();
    const { id: came } = await receive(tenant, from);
    const went = await tenant.send(from, { client_ref: 'order-42' });
    await tenant.untilMessage(went, ({ conversation_id }) => conversation_id !== null, 'it is in the conversation');
    const { conversation_id, contact_id } = await tenant.message(came);
    expect(await ids(tenant, `conversation_id=${conversation_id}`)).toEqual([went, came]);
    expect(await ids(tenant, `contact_id=${contact_id.toUpperCase()}`)).toEqual([went, came]);
    expect(await ids(tenant, 'type=text')).toEqual([went, came]);
    expect(await ids(tenant, 'client_ref=order-42')).toEqual([went]);
    expect(await ids(tenant, 'client_ref=order-4')).toEqual([]);
    expect(await ids(tenant, `to=${from}`)).toEqual([went]);
    expect(await ids(tenant, `from=${from}`)).toEqual([came]);
    expect(await ids(tenant, `from=${from}&to=${from}`)).toEqual([]);
    expect(await ids(tenant, 'direction=inbound&client_ref=order-42')).toEqual([]);
    expect(await ids(tenant, 'client_ref=order-42', '/v1/messages/outbound')).toEqual([went]);
    expect(await ids(tenant, `contact_id=${contact_id}`, '/v1/messages/outbound')).toEqual([went]);
    expect(await ids(tenant, `contact_id=${contact_id}`, '/v1/messages/inbound')).toEqual([came]);
  });

  test('is parted by the states of the delivery', async () => {
    const tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
    const later = { send_at: new Date(Date.now() + 3_600_000).toISOString() };
    const wanted = {
      pending: await tenant.send(freshPhone(), later),
      failed: await tenant.send('99900000003'),
      read: await tenant.send('99900000001'),
      delivered: await tenant.send('99900000002'),
    };
    for (const [state, id] of Object.entries(wanted)) {
      await tenant.untilMessage(id, ({ delivery }) => delivery.state === state, `one is ${state}`);
    }
    await kit.simulate('PUT', '/_sim/chaos', { steps: { send: [{ probability: 1, fault: 'drop_before_accept' }] } });
    const unknown = await tenant.send(freshPhone());
    await tenant.untilMessage(unknown, ({ delivery }) => delivery.state === 'unknown', 'one hangs');
    await kit.simulate('PUT', '/_sim/chaos', {});
    for (const [state, id] of Object.entries({ ...wanted, unknown })) {
      expect(await ids(tenant, `delivery_state=${state}`)).toEqual([id]);
    }
    for (const state of ['accepted', 'sent']) expect(await ids(tenant, `delivery_state=${state}`)).toEqual([]);
    const columns = { accepted: 'sent_ms = null', sent: 'sent_ms = 1' };
    for (const [state, change] of Object.entries(columns)) {
      const text = `update outbound_messages set delivered_ms = null, read_ms = null, ${change} where tenant_id = $1 and message_id = $2`;
      await kit.service.db.run({ name: `test_make_${state}`, text }, [tenant.tenantId, wanted.read]);
      expect(await ids(tenant, `delivery_state=${state}`)).toEqual([wanted.read]);
    }
  });
});

describe('the messages of a contact', () => {
  test('are those of all its conversations, and those sent to its numbers outside of one', async () => {
    const tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
    await tenant.call('PATCH', `/v1/phone-numbers/${tenant.phoneNumberId}`, { reopen_policy: 'always_new' });
    const phone = freshPhone();
    const { id } = (await tenant.call('POST', '/v1/contacts', { phone })).body;
    const path = `/v1/contacts/${id}/messages`;
    expect(await ids(tenant, '', path)).toEqual([]);
    const later = { send_at: new Date(Date.now() + 3_600_000).toISOString() };
    const outside = await tenant.send(phone, later);
    expect(await ids(tenant, '', path)).toEqual([outside]);
    const first = await receive(tenant, phone);
    await tenant.call('POST', `/v1/conversations/${first.conversation_id}/resolve`);
    const second = await receive(tenant, phone);
    expect(second.conversation_id).not.toBe(first.conversation_id);
    await tenant.send(freshPhone(), later);
    await receive(tenant, freshPhone());
    expect(await ids(tenant, '', path)).toEqual([second.id, first.id, outside]);
    expect(await ids(tenant, 'direction=outbound', path)).toEqual([outside]);
    expect(await ids(tenant, 'limit=1&offset=1', path)).toEqual([first.id]);
    const missing = await tenant.call('GET', `/v1/contacts/${first.id}/messages`);
    expect([missing.status, missing.body.code]).toEqual([404, 'not_found']);
  });
});

describe('what a message replies to', () => {
  test('is named by its ID here, its ID on the network or the one that stands for it, alone and in a batch', async () => {
    const tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
    const to = freshPhone();
    const question = await receive(tenant, to);
    const own = await tenant.send(to);
    const sent = await tenant.untilMessage(own, ({ delivery }) => delivery.network_message_id !== null, 'it is sent');
    const names = [
      question.id.toUpperCase(),
      question.network_message_id,
      own,
      sent.delivery.network_message_id,
      surrogateId(own as MessageId),
    ];
    const wanted = [question.id, question.id, own, own, own];
    const replyOf = async (id: string) => (await tenant.message(id)).reply_to;
    const single = [];
    for (const reply_to of names) single.push(await replyOf(await tenant.send(to, { reply_to })));
    expect(single).toEqual(wanted);
    const messages = [...names, 'wamid.bm9ib2R5'].map((reply_to) => ({ to, body: 'Hi', reply_to }));
    const { data } = (await tenant.call('POST', '/v1/messages/batch', { messages })).body;
    const accepted = data.filter(({ status }: Answer['body']) => status === 202);
    const batch = [];
    for (const { message } of accepted) batch.push(await replyOf(message.id));
    expect(batch).toEqual(wanted);
    expect(data.at(-1)).toMatchObject({ status: 400, error: { code: 'unknown_reply_to' } });
    const inConversation = `/v1/conversations/${question.conversation_id}/messages`;
    const reply = await tenant.call('POST', inConversation, { body: 'Hi', reply_to: question.network_message_id });
    expect(await replyOf(reply.body.id)).toBe(question.id);
  });

  test("is never another tenant's, by whichever name", async () => {
    const [tenant, stranger] = [await makeTestTenant(kit), await makeTestTenant(kit)];
    const question = await receive(tenant, freshPhone());
    for (const reply_to of [question.id, question.network_message_id, surrogateId(question.id)]) {
      const answer = await stranger.call('POST', '/v1/messages', { to: freshPhone(), body: 'Hi', reply_to });
      expect([answer.status, answer.body.code]).toEqual([400, 'unknown_reply_to']);
    }
  });
});
