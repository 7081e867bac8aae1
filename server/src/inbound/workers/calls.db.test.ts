import { afterAll, beforeAll, expect, test } from 'vitest';
import { callbackBody, countRows, inboundText, ingest } from '#testing/test-callbacks';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

const BUSINESS = '15550001111';

let kit: TestService;
let tenant: TestTenant;
/** When each call begins, by the network's clock, in seconds. */
let startS: number;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit);
  startS = Math.floor(kit.rt.clock.now() / 1000) - 600;
});
afterAll(() => kit.close());

/** Lets reports of calls come in, each change in a callback of its own. */
async function report(...values: readonly object[]): Promise<void> {
  const metadata = { display_phone_number: BUSINESS, phone_number_id: tenant.phoneNumberId };
  const bodies = values.map((value) =>
    JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [{ id: '1', changes: [{ field: 'calls', value: { metadata, ...value } }] }],
    }),
  );
  await ingest(kit, ...bodies);
}

type Report = (customer: string) => object;
const timeText = (seconds: number): string => new Date(seconds * 1000).toISOString();
const idOf = (customer: string): string => `wacid.${customer}`;

function call(fields: object, afterS = 0): Report {
  return (customer) => ({
    calls: [{ id: idOf(customer), from: customer, to: BUSINESS, timestamp: String(startS + afterS), ...fields }],
  });
}

function ourCall(fields: object, afterS = 0): Report {
  return (customer) =>
    call({ direction: 'BUSINESS_INITIATED', from: BUSINESS, to: customer, ...fields }, afterS)(customer);
}

function status(word: string, afterS: number): Report {
  return (customer) => ({
    statuses: [
      { id: idOf(customer), type: 'call', status: word, timestamp: String(startS + afterS), recipient_id: customer },
    ],
  });
}

const spoken = (): object => ({
  status: 'COMPLETED',
  start_time: String(startS + 4),
  end_time: String(startS + 137),
  duration: 133,
});

async function inboundOf(customer: string): Promise<Answer['body'][]> {
  return (await tenant.call('GET', `/v1/messages/inbound?limit=100&from=${customer}`)).body.data;
}

async function conversationOf(entry: Answer['body']): Promise<Answer['body']> {
  return (await tenant.call('GET', `/v1/conversations/${entry.conversation_id}`)).body;
}

async function eventsOf(id: string): Promise<readonly Answer['body'][]> {
  const types = 'message.received,call.started,call.updated,call.ended';
  const { body } = await tenant.call('GET', `/v1/events?types=${types}&limit=1000`);
  return body.data.filter(({ data }: Answer['body']) => data.id === id);
}

/** All orders of these things. */
function ordersOf<T>(things: readonly T[]): readonly (readonly T[])[] {
  if (things.length === 0) return [[]];
  return things.flatMap((first) => ordersOf(things.filter((one) => one !== first)).map((rest) => [first, ...rest]));
}

const connect = { event: 'connect', direction: 'USER_INITIATED' };
const terminate = { event: 'terminate', direction: 'USER_INITIATED' };

test('however often and in whichever order its reports come, a call is one entry with the same end, and is unread once if nobody answered', async () => {
  const ended = { direction: 'user_initiated', started_at: timeText(startS) };
  const kinds = [
    {
      reports: [call(connect), call({ ...terminate, status: 'COMPLETED' }, 30)],
      end: { ...ended, state: 'missed', answered_at: null, ended_at: timeText(startS + 30), duration_seconds: null },
      unread: 1,
      summary: 'Missed voice call.',
    },
    {
      reports: [call(connect), call({ ...terminate, ...spoken() }, 137)],
      end: { ...ended, state: 'answered', answered_at: timeText(startS + 4), ended_at: timeText(startS + 137) },
      unread: 0,
      summary: 'Voice call, 2 min 13 s.',
    },
  ];
  const runs = kinds.flatMap((kind) =>
    ordersOf(kind.reports).map((order) => ({ ...kind, order, customer: freshPhone() })),
  );
  for (let step = 0; step < 2; step += 1) {
    const told = runs.flatMap(({ order, customer }) => order.slice(step, step + 1).map((tell) => tell(customer)));
    await report(...told, ...told);
  }
  for (const { customer, end, unread, summary } of runs) {
    const [entry, ...more] = await inboundOf(customer);
    expect([entry, more]).toMatchObject([{ type: 'call', body: null, summary, opens_window: true, call: end }, []]);
    expect(entry.network_timestamp).toBe(timeText(startS));
    const conversation = await conversationOf(entry);
    expect(conversation).toMatchObject({
      unread_count: unread,
      window: { state: 'open' },
      last_message: { type: 'call', preview: summary },
    });
    expect(conversation.waiting_since === null).toBe(unread === 0);
    const events = await eventsOf(entry.id);
    expect(events.filter(({ type }) => type === 'call.ended')).toHaveLength(1);
    expect(events).toHaveLength(2);
    expect(events.at(-1).data).toEqual(entry);
  }
});

test('a call that rings opens the conversation and the window, and is neither unread nor waiting yet', async () => {
  const customer = freshPhone();
  await report(call(connect)(customer));
  const [entry] = await inboundOf(customer);
  expect(await conversationOf(entry)).toMatchObject({
    unread_count: 0,
    waiting_since: null,
    window: { state: 'open' },
  });
  expect((await eventsOf(entry.id)).map(({ type }) => type)).toEqual(['call.started']);
  const thread = await tenant.call('GET', `/v1/conversations/${entry.conversation_id}/messages`);
  expect(thread.body.data).toEqual([entry]);
  expect((await tenant.call('GET', `/v1/messages/${entry.id}`)).body).toEqual(entry);
});

test('a missed call waits in the conversation that the customer has by then, and does not hide what came after it', async () => {
  const [resolved, talking] = [freshPhone(), freshPhone()];
  await report(call(connect)(resolved), call(connect)(talking));
  const [entry] = await inboundOf(resolved);
  const path = `/v1/conversations/${entry.conversation_id}`;
  const patch = await tenant.call('PATCH', path, { status: 'resolved' });
  expect(patch.status).toBe(200);
  const text = inboundText(`wamid.${talking}`, talking, { timestamp: String(startS + 10) });
  await ingest(kit, callbackBody({ phoneNumberId: tenant.phoneNumberId, messages: [text] }));
  const end = call({ ...terminate, status: 'COMPLETED' }, 30);
  await report(end(resolved), end(talking));
  const [missed] = await inboundOf(resolved);
  expect(await conversationOf(missed)).toMatchObject({ status: 'open', unread_count: 1 });
  const [said] = await inboundOf(talking);
  expect(await conversationOf(said)).toMatchObject({ unread_count: 2, last_message: { type: 'text', preview: 'Hi' } });
});

test('a call of the business opens no window, is never unread, and says what the customer did', async () => {
  const end = ourCall({ event: 'terminate', status: 'COMPLETED' }, 30);
  const kinds = [
    {
      order: ordersOf([ourCall({ event: 'connect' }), status('RINGING', 2), status('REJECTED', 20), end]),
      state: 'rejected',
    },
    { order: [[ourCall({ event: 'connect' }), status('RINGING', 2), status('ACCEPTED', 5)]], state: 'answered' },
    { order: [[end]], state: 'missed' },
  ];
  const runs = kinds.flatMap(({ order, state }) => order.map((one) => ({ one, state, customer: freshPhone() })));
  for (let step = 0; step < 4; step += 1) {
    await report(...runs.flatMap(({ one, customer }) => one.slice(step, step + 1).map((tell) => tell(customer))));
  }
  for (const { customer, state } of runs) {
    const entries = await inboundOf(customer);
    expect(entries).toMatchObject([
      { opens_window: false, conversation_id: null, call: { direction: 'business_initiated', state } },
    ]);
  }
});

test('a call is not counted as a message, and nothing of it is left when the contact is erased', async () => {
  const other = await makeTestTenant(kit);
  const customer = freshPhone();
  const metadata = { display_phone_number: BUSINESS, phone_number_id: other.phoneNumberId };
  const value = { metadata, ...call({ ...terminate, status: 'COMPLETED' })(customer) };
  await ingest(
    kit,
    JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '1', changes: [{ field: 'calls', value }] }] }),
  );
  expect(await countRows(kit.service.db, 'inbound_messages', other.tenantId)).toBe(1);
  // The conversation that it opened is counted, and nothing else.
  expect(await countRows(kit.service.db, 'usage_counters', other.tenantId)).toBe(1);
  const [entry] = (await other.call('GET', '/v1/messages/inbound')).body.data;
  expect((await other.call('DELETE', `/v1/contacts/${entry.contact_id}`)).status).toBeLessThan(300);
  const erased = (await other.call('GET', `/v1/messages/${entry.id}`)).body;
  expect(erased).toMatchObject({
    type: 'call',
    from: null,
    summary: null,
    network_message_id: expect.stringContaining('erased'),
  });
  expect(erased).not.toHaveProperty('call');
});
