import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requeueDeadLetter } from '#messages/store/dead-letters';
import { isWhole } from '#testing/depth';
import { callbackBody, countRows, inboundText, ingest, statusItem } from '#testing/test-callbacks';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

/** By the network's clock, in seconds. */
const START_S = 1_790_000_000;
/** More of them with CALLBACK_CASES. */
const RUNS = Number(process.env.CALLBACK_CASES ?? (isWhole ? 2 : 1));
const HISTORIES = 12;

let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit);
});
afterAll(() => kit.close());

/** A callback about messages that were written with the app on the phone of the business. */
function echoBody(...echoes: readonly object[]): string {
  const metadata = { display_phone_number: '15550001111', phone_number_id: tenant.phoneNumberId };
  const value = { messaging_product: 'whatsapp', metadata, message_echoes: echoes };
  const entry = [{ id: '300000000000001', changes: [{ field: 'smb_message_echoes', value }] }];
  return JSON.stringify({ object: 'whatsapp_business_account', entry });
}

function echo(id: string, to: string, second: number, fields: object = {}): object {
  const text = { type: 'text', text: { body: 'We open at nine' } };
  return { from: '15550001111', to, id, timestamp: String(START_S + second), ...text, ...fields };
}

function question(id: string, from: string, second: number): string {
  const messages = [inboundText(id, from, { timestamp: String(START_S + second) })];
  return callbackBody({ phoneNumberId: tenant.phoneNumberId, messages });
}

function status(id: string, word: string, recipient: string): string {
  const statuses = [statusItem(id, word, null, { recipient_id: recipient })];
  return callbackBody({ phoneNumberId: tenant.phoneNumberId, statuses });
}

async function conversationsOf(customer: string): Promise<Answer['body'][]> {
  const { body } = await tenant.call('GET', `/v1/contacts?phone=${customer}`);
  const [contact] = body.data;
  if (contact === undefined) return [];
  return (await tenant.call('GET', `/v1/conversations?contact_id=${contact.id}`)).body.data;
}

async function threadOf(conversationId: string): Promise<Answer['body'][]> {
  return (await tenant.call('GET', `/v1/conversations/${conversationId}/messages?limit=100`)).body.data;
}

async function eventsOf(of: (data: Answer['body']) => boolean): Promise<Answer['body'][]> {
  const { body } = await tenant.call('GET', '/v1/events?limit=1000');
  return body.data.filter(({ data }: Answer['body']) => of(data));
}

const timeOf = (second: number): string => new Date((START_S + second) * 1000).toISOString();

test('what the owner writes on the phone is an answer in the thread: the customer waits no more, and it costs nothing', async () => {
  const customer = freshPhone();
  await ingest(kit, question(`wamid.Q.${customer}`, customer, 0));
  const usage = await countRows(kit.service.db, 'usage_counters', tenant.tenantId);
  await ingest(kit, echoBody(echo(`wamid.E.${customer}`, customer, 60, { context: { id: `wamid.Q.${customer}` } })));
  const [conversation, ...others] = await conversationsOf(customer);
  expect([conversation, others]).toMatchObject([
    {
      unread_count: 0,
      waiting_since: null,
      first_response_at: timeOf(60),
      last_outbound_at: timeOf(60),
      last_message: { direction: 'outbound', type: 'text', preview: 'We open at nine' },
    },
    [],
  ]);
  const [answer, asked] = await threadOf(conversation.id);
  const author = { kind: 'phone', id: null, name: null };
  expect(answer).toMatchObject({
    direction: 'outbound',
    status: 'sent',
    to: customer,
    body: 'We open at nine',
    author,
  });
  expect(answer).toMatchObject({
    reply_to: asked.id,
    client_ref: null,
    delivery: { state: 'sent', sent_at: timeOf(60) },
  });
  const sent = await eventsOf((data) => data.id === answer.id);
  expect(sent).toMatchObject([{ type: 'message.sent', data: { author, conversation_id: conversation.id } }]);
  const replied = await eventsOf((data) => data.reply?.message_id === answer.id);
  const timing = { since: timeOf(0), elapsed_ms: 60_000 };
  expect(replied).toMatchObject([
    { type: 'conversation.replied', data: { cause: 'phone', reply: { is_first: true }, timing } },
  ]);
  expect(await countRows(kit.service.db, 'usage_counters', tenant.tenantId)).toBe(usage);
  for (const table of ['send_queue', 'idempotency_keys', 'wallet_transfers', 'rule_queue'])
    expect([table, await countRows(kit.service.db, table, tenant.tenantId)]).toEqual([table, 0]);
});

describe('a message from the phone', () => {
  test('to somebody who never wrote makes the contact and its conversation, in which nobody waits, and is found by search', async () => {
    const customer = freshPhone();
    const text = { body: `Quokka${customer}` };
    await ingest(kit, echoBody(echo(`wamid.E.${customer}`, customer, 0, { text })));
    const [conversation] = await conversationsOf(customer);
    const hits = async () => (await tenant.call('GET', `/v1/search?q=Quokka${customer}`)).body.messages.data.length;
    await kit.until(hits, (count) => count === 1, 'the message is found');
    expect(conversation).toMatchObject({ status: 'open', unread_count: 0, waiting_since: null });
    expect(conversation).toMatchObject({ window: { state: 'closed', expires_at: null } });
    expect(await threadOf(conversation.id)).toHaveLength(1);
  });

  test('is told with what it says, whatever it is; the file of one stays on the phone', async () => {
    const customer = freshPhone();
    const kinds = {
      image: { image: { id: '910', mime_type: 'image/jpeg', caption: 'Our new room' } },
      location: { location: { latitude: 1.5, longitude: 2, name: 'Shop' } },
      reaction: { reaction: { message_id: 'wamid.X', emoji: '👍' } },
      hologram: { hologram: { id: '1' } },
    };
    const echoes = Object.entries(kinds).map(([type, content], index) =>
      echo(`wamid.${type}.${customer}`, customer, index, { type, text: undefined, ...content }),
    );
    await ingest(kit, echoBody(...echoes));
    const [conversation] = await conversationsOf(customer);
    expect((await threadOf(conversation.id)).toReversed()).toMatchObject([
      { type: 'image', media: { media_id: null, caption: 'Our new room' } },
      { type: 'location', location: { latitude: 1.5, longitude: 2, name: 'Shop', address: null } },
      { type: 'reaction', reaction: { message_id: 'wamid.X', emoji: '👍' } },
      { type: 'unsupported' },
    ]);
  });

  test('stays the last one when a question comes in late that it had answered', async () => {
    const customer = freshPhone();
    await ingest(kit, echoBody(echo(`wamid.E.${customer}`, customer, 60)));
    await ingest(kit, question(`wamid.Q.${customer}`, customer, 0));
    const [conversation] = await conversationsOf(customer);
    expect(conversation).toMatchObject({ unread_count: 0, waiting_since: null });
    expect(conversation.last_message).toMatchObject({ direction: 'outbound', preview: 'We open at nine' });
  });

  test('stands after what was sent through the API in the same second, of which the network tells no parts', async () => {
    const customer = freshPhone();
    await ingest(kit, question(`wamid.Q.${customer}`, customer, 0));
    const [asked] = await conversationsOf(customer);
    const { status: replied } = await tenant.call('POST', `/v1/conversations/${asked.id}/messages`, {
      ...{ type: 'template', force: true },
      template: { name: 'order_shipped', language: 'en' },
    });
    expect(replied).toBe(202);
    const [before] = await conversationsOf(customer);
    expect(before.last_message).toMatchObject({ direction: 'outbound', type: 'template' });
    const second = Math.floor(Date.parse(before.last_message.at) / 1000) - START_S;
    await ingest(kit, echoBody(echo(`wamid.E.${customer}`, customer, second)));
    const [after] = await conversationsOf(customer);
    expect(after.last_message).toMatchObject({ direction: 'outbound', type: 'text', preview: 'We open at nine' });
  });

  test('that failed is neither queued nor sent again by the service', async () => {
    const customer = freshPhone();
    const id = `wamid.E.${customer}`;
    await ingest(kit, echoBody(echo(id, customer, 0)), status(id, 'failed', customer));
    const [conversation] = await conversationsOf(customer);
    const [message] = await threadOf(conversation.id);
    expect(message).toMatchObject({ status: 'failed' });
    const { status: refused, body } = await tenant.call('POST', `/v1/messages/${message.id}/resend`);
    expect([refused, body.code]).toEqual([409, 'conflict']);
    const letter = { tenantId: tenant.tenantId, messageId: message.id, nowMs: kit.rt.clock.now(), trace: '[]' };
    expect(await requeueDeadLetter(kit.service.db, letter)).toBeNull();
    expect(await countRows(kit.service.db, 'send_queue', tenant.tenantId)).toBe(0);
  });
});

test('a conversation that is resolved stays so when the owner writes once more', async () => {
  const customer = freshPhone();
  await ingest(kit, question(`wamid.Q.${customer}`, customer, 0));
  const [before] = await conversationsOf(customer);
  await tenant.call('PATCH', `/v1/conversations/${before.id}`, { status: 'resolved' });
  await ingest(kit, echoBody(echo(`wamid.E.${customer}`, customer, 60)));
  const after = await conversationsOf(customer);
  expect(after).toMatchObject([{ id: before.id, status: 'resolved' }]);
  expect(await threadOf(before.id)).toHaveLength(2);
});

test('an edit and a deletion on the phone change the message, in every order and twice, are told, and are erased with the customer', async () => {
  const steps = {
    echo: (id: string, to: string) => echo(id, to, 0, { text: { body: 'We open at nine' } }),
    edit: (id: string, to: string) =>
      echo(`${id}.EDIT`, to, 60, {
        type: 'edit',
        text: undefined,
        edit: { original_message_id: id, message: { type: 'text', text: { body: 'We open at ten' } } },
      }),
    revoke: (id: string, to: string) =>
      echo(`${id}.REVOKE`, to, 120, { type: 'revoke', text: undefined, revoke: { original_message_id: id } }),
  };
  const edited = {
    body: 'We open at ten',
    deleted_at: null,
    edits: [{ body: 'We open at nine', edited_at: timeOf(60) }],
  };
  const deleted = { deleted_at: timeOf(120), edits: [] };
  const orders = [
    ...[
      ['echo', 'edit'],
      ['edit', 'echo'],
    ],
    ...[
      ['echo', 'edit', 'revoke'],
      ['revoke', 'edit', 'echo'],
      ['edit', 'revoke', 'echo'],
      ['revoke', 'echo', 'edit'],
    ],
  ] as (keyof typeof steps)[][];
  for (const order of orders) {
    const customer = freshPhone();
    const id = `wamid.E.${customer}`;
    for (const step of order)
      await ingest(kit, echoBody(steps[step](id, customer)), echoBody(steps[step](id, customer)));
    const [conversation] = await conversationsOf(customer);
    const [message, ...others] = await threadOf(conversation.id);
    const isDeleted = order.length === 3;
    expect([message, others], order.join()).toMatchObject([isDeleted ? deleted : edited, []]);
    expect('body' in message, order.join()).toBe(!isDeleted);
    expect(conversation.last_message.preview).toBe(isDeleted ? 'This message was deleted.' : edited.body);
    const told = await eventsOf((data) => data.id === message.id);
    if (order[0] === 'echo')
      expect(told.at(-1)).toMatchObject({ type: isDeleted ? 'message.deleted' : 'message.edited', data: message });
    await tenant.call('DELETE', `/v1/contacts/${conversation.contact_id}`);
    const erased = await tenant.message(message.id);
    expect([erased.to, erased.edits, 'body' in erased], order.join()).toEqual(['erased', [], false]);
  }
  expect(await countRows(kit.service.db, 'parked_changes')).toBe(0);
});

test('a customer cannot change what the business wrote, nor can a phone what was sent through the API', async () => {
  const customer = freshPhone();
  const sent = await tenant.send(customer);
  const { delivery } = await tenant.untilMessage(sent, (one) => one.delivery.network_message_id !== null, 'it is sent');
  const revoke = { type: 'revoke', text: undefined, revoke: { original_message_id: delivery.network_message_id } };
  await ingest(kit, echoBody(echo(`wamid.R.${customer}`, customer, 0, revoke)));
  await ingest(kit, echoBody(echo(`wamid.E.${customer}`, customer, 0)));
  const forged = { type: 'revoke', text: undefined, revoke: { original_message_id: `wamid.E.${customer}` } };
  const messages = [inboundText(`wamid.F.${customer}`, customer, forged)];
  await ingest(kit, callbackBody({ phoneNumberId: tenant.phoneNumberId, messages }));
  expect(await tenant.message(sent)).toMatchObject({ deleted_at: null });
  const [conversation] = await conversationsOf(customer);
  // What was sent through the API is linked to the conversation in the background.
  const written = (await threadOf(conversation.id)).filter(({ author }) => author?.kind === 'phone');
  expect(written).toMatchObject([{ body: 'We open at nine', deleted_at: null }]);
  await kit.service.db.run({ name: 'test_forget_changes', text: 'delete from parked_changes' }, []);
});

/** Something that happens between one customer and the business: at most one thing in a second. */
const happening = fc.record({
  kind: fc.constantFrom('question', 'echo', 'echo'),
  order: fc.nat(1_000),
  again: fc.boolean(),
});
const story = fc.array(happening, { minLength: 2, maxLength: 6 });
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

interface Arrival {
  readonly order: number;
  readonly body: (customer: string) => string;
}

/** The callbacks of a story in the order in which they come in: some twice, and statuses before their messages. */
function arrivalsOf(happenings: Story): readonly Arrival[] {
  const all = happenings.flatMap(({ kind, order, again }, second): readonly Arrival[] => {
    const name = (customer: string) => `wamid.${second}.${customer}`;
    const told: Arrival = {
      order,
      body: (customer) =>
        kind === 'question'
          ? question(name(customer), customer, second)
          : echoBody(echo(name(customer), customer, second)),
    };
    const read: Arrival = { order: (order * 7) % 1_000, body: (customer) => status(name(customer), 'read', customer) };
    return [told, ...(kind === 'echo' ? [read] : []), ...(again ? [{ ...told, order: 1_000 - order }] : [])];
  });
  return all.toSorted((one, other) => one.order - other.order);
}

/** How the conversation stands at last, whatever the order was. */
function endOf(happenings: Story): object {
  const seconds = (wanted: string) => happenings.flatMap(({ kind }, second) => (kind === wanted ? [second] : []));
  const answered = seconds('echo').at(-1) ?? -1;
  const waiting = seconds('question').filter((second) => second > answered);
  const lastBy = happenings.at(-1)?.kind === 'echo' ? 'outbound' : 'inbound';
  return { unread_count: waiting.length, isWaiting: waiting.length > 0, firstAnswer: seconds('echo')[0], lastBy };
}

test('questions, answers from the phone and their statuses, in any order and twice, end in the same conversation', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(story, { minLength: HISTORIES, maxLength: HISTORIES }), async (stories) => {
      const all = stories.map((one) => ({ story: one, customer: freshPhone(), arrivals: arrivalsOf(one) }));
      const longest = Math.max(...all.map(({ arrivals }) => arrivals.length));
      for (let step = 0; step < longest; step += 1) {
        await ingest(
          kit,
          ...all.flatMap(({ customer, arrivals }) => arrivals.slice(step, step + 1).map(({ body }) => body(customer))),
        );
      }
      for (const { story: told, customer } of all) {
        const [conversation, ...others] = await conversationsOf(customer);
        expect(others).toEqual([]);
        const { unread_count, waiting_since, first_response_at } = conversation;
        const firstAnswer = first_response_at === null ? undefined : Date.parse(first_response_at) / 1000 - START_S;
        const lastBy = conversation.last_message.direction;
        expect({ unread_count, isWaiting: waiting_since !== null, firstAnswer, lastBy }).toEqual(endOf(told));
        const thread = await threadOf(conversation.id);
        expect(thread).toHaveLength(told.length);
        for (const message of thread.filter(({ direction }) => direction === 'outbound'))
          expect(message.delivery.state).toBe('read');
        const newest = told.length - 1;
        const last = thread.find(({ id }) => id === conversation.last_message.id);
        if (told[newest]?.kind === 'echo') expect(last.delivery.sent_at).toBe(timeOf(newest));
      }
      expect(await countRows(kit.service.db, 'parked_statuses')).toBe(0);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});
