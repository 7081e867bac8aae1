import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { echoBody, historyBody, historyMessage } from '#inbound/testing/coexistence';
import { isWhole } from '#testing/depth';
import { callbackBody, countRows, inboundText, ingest, statusItem } from '#testing/test-callbacks';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

const BUSINESS = '15550001111';
const DAY_S = 24 * 60 * 60;
/** By the network's clock, in seconds: four months before the messages of these tests. */
const PAST_S = 1_780_000_000;
/** More of them with CALLBACK_CASES. */
const RUNS = Number(process.env.CALLBACK_CASES ?? (isWhole ? 2 : 1));
const STORIES = 12;

let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit);
});
afterAll(() => kit.close());

const asked = (customer: string, second: number, body = 'Are you open?') =>
  historyMessage(`wamid.I.${customer}.${second}`, { from: customer, second: PAST_S + second, text: { body } });
const answered = (customer: string, second: number, status = 'READ') =>
  historyMessage(`wamid.O.${customer}.${second}`, { from: BUSINESS, to: customer, second: PAST_S + second, status });
const history = (
  customer: string,
  messages: readonly object[],
  fields: { readonly phase?: number; readonly chunk_order?: number } = {},
) => historyBody(tenant.phoneNumberId, [{ id: customer, messages }], fields);

async function conversationsOf(customer: string): Promise<Answer['body'][]> {
  const [contact] = (await tenant.call('GET', `/v1/contacts?phone=${customer}`)).body.data;
  return (await tenant.call('GET', `/v1/conversations?contact_id=${contact.id}`)).body.data;
}

async function threadOf(customer: string): Promise<Answer['body'][]> {
  const [{ id }] = await conversationsOf(customer);
  return (await tenant.call('GET', `/v1/conversations/${id}/messages?limit=100`)).body.data;
}

async function typesOf(): Promise<readonly string[]> {
  return (await tenant.call('GET', '/v1/events?limit=1000')).body.data.map(({ type }: Answer['body']) => type);
}

test('the past makes no sound: its messages stand at their times in a resolved conversation, and nothing is unread, counted or sent', async () => {
  const customer = freshPhone();
  const before = await typesOf();
  const body = history(customer, [answered(customer, 5), asked(customer, 0), asked(customer, 5, 'Hello?')]);
  await ingest(kit, body, body);
  const [conversation, ...others] = await conversationsOf(customer);
  expect([conversation, others]).toMatchObject([
    {
      status: 'resolved',
      unread_count: 0,
      waiting_since: null,
      reopened_count: 0,
      last_message: { direction: 'outbound', type: 'text', at: new Date((PAST_S + 5) * 1000).toISOString() },
      window: { state: 'closed' },
    },
    [],
  ]);
  const thread = await threadOf(customer);
  expect(thread.map(({ direction, body: text }) => [direction, text])).toEqual([
    ['outbound', 'Yes, until six'],
    ['inbound', 'Hello?'],
    ['inbound', 'Are you open?'],
  ]);
  expect(thread[0]).toMatchObject({ author: { kind: 'phone' }, status: 'sent', delivery: { state: 'read' } });
  expect((await typesOf()).slice(before.length)).toEqual(['contact.created', 'account.notice']);
  for (const table of ['usage_counters', 'send_queue', 'rule_queue', 'notifications', 'dead_letters'])
    expect([table, await countRows(kit.service.db, table, tenant.tenantId)]).toEqual([table, 0]);
});

test("the window is open only if the customer wrote within 24 hours by the network's clock", async () => {
  const [recent, old] = [freshPhone(), freshPhone()];
  const nowS = Math.floor(kit.rt.clock.now() / 1000);
  for (const [customer, second] of [
    [recent, nowS - PAST_S - DAY_S + 3_600],
    [old, nowS - PAST_S - DAY_S - 3_600],
  ] as const)
    await ingest(kit, history(customer, [asked(customer, second), answered(customer, second + 60)]));
  const windows = [await conversationsOf(recent), await conversationsOf(old)].map(([one]) => one.window.state);
  expect(windows).toEqual(['open', 'closed']);
});

test('the first message after the past opens its conversation, as if the customer had none, and what is newer stays last', async () => {
  const customer = freshPhone();
  await ingest(kit, history(customer, [asked(customer, 0)]));
  const known = await typesOf();
  const messages = [inboundText(`wamid.L.${customer}`, customer)];
  await ingest(kit, callbackBody({ phoneNumberId: tenant.phoneNumberId, messages }));
  await ingest(kit, history(customer, [answered(customer, 9)], { phase: 1 }));
  const [conversation, ...others] = await conversationsOf(customer);
  expect(others).toEqual([]);
  expect(conversation).toMatchObject({ status: 'open', unread_count: 1, reopened_count: 0 });
  expect(conversation.last_message).toMatchObject({ direction: 'inbound', preview: 'Hi' });
  expect((await threadOf(customer)).map(({ body }) => body)).toEqual(['Hi', 'Yes, until six', 'Are you open?']);
  const types = (await typesOf()).slice(known.length);
  expect(types.toSorted()).toEqual(['account.notice', 'conversation.opened', 'message.received']);
});

test('a file takes the place of its mark, in either order, and what cannot be shown says so in words', async () => {
  const [first, last] = [freshPhone(), freshPhone()];
  const mark = (customer: string) =>
    history(customer, [
      historyMessage(`wamid.F.${customer}`, { from: customer, second: PAST_S, type: 'media_placeholder' }),
    ]);
  const image = { id: '900800701', mime_type: 'image/jpeg', caption: 'The roof' };
  const file = (customer: string) =>
    historyBody(tenant.phoneNumberId, [], {}, [
      { from: customer, id: `wamid.F.${customer}`, timestamp: String(PAST_S), type: 'image', image },
    ]);
  await ingest(kit, mark(first));
  expect(await threadOf(first)).toMatchObject([
    { type: 'unsupported', summary: 'A file that was sent before the API was used.' },
  ]);
  await ingest(kit, file(first), file(last), mark(last));
  for (const customer of [first, last]) {
    expect(await threadOf(customer)).toMatchObject([
      { type: 'image', body: 'The roof', media: { mime_type: 'image/jpeg' } },
    ]);
    expect((await conversationsOf(customer))[0].last_message).toMatchObject({ type: 'image', preview: 'The roof' });
  }
});

test('that the business does not share its past is a notice, once, and so is how far the network has come', async () => {
  const own = await makeTestTenant(kit);
  const refusal = historyBody(own.phoneNumberId, [], { errors: [{ code: 2593109, title: 'Not shared' }] });
  const end = historyBody(own.phoneNumberId, [], { phase: 2, chunk_order: 9, progress: 100 });
  await ingest(kit, refusal, refusal, end, end);
  const { data } = (await own.call('GET', '/v1/events')).body;
  expect(data.map((one: Answer['body']) => [one.type, one.data.field, one.data.message])).toEqual([
    ['account.notice', 'history', 'The business does not share the messages from before the API was used.'],
    ['account.notice', 'history', 'The network has handed over all messages from before the API was used.'],
  ]);
});

test('what the past and an echo, a message or a report say of one message becomes one message, and is reported once', async () => {
  const customer = freshPhone();
  const second = 30;
  const text = { type: 'text', text: { body: 'Yes, until six' } };
  const live = {
    from: BUSINESS,
    to: customer,
    id: `wamid.O.${customer}.30`,
    timestamp: String(PAST_S + second),
    ...text,
  };
  await ingest(kit, history(customer, [asked(customer, 0), answered(customer, second, 'DELIVERED')]));
  const known = await typesOf();
  const again = [inboundText(`wamid.I.${customer}.0`, customer, { timestamp: String(PAST_S) })];
  const read = [statusItem(`wamid.O.${customer}.30`, 'read', null, { recipient_id: customer })];
  const { phoneNumberId } = tenant;
  await ingest(kit, callbackBody({ phoneNumberId, messages: again }), echoBody(phoneNumberId, live));
  await ingest(kit, callbackBody({ phoneNumberId, statuses: read }), echoBody(phoneNumberId, live));
  const thread = await threadOf(customer);
  expect(thread.map(({ direction }) => direction)).toEqual(['outbound', 'inbound']);
  expect(thread[0]).toMatchObject({ delivery: { state: 'read' } });
  const types = (await typesOf()).slice(known.length);
  expect(types.filter((type) => type.startsWith('message.'))).toEqual([
    'message.received',
    'message.sent',
    'message.read',
  ]);
  expect((await conversationsOf(customer))[0]).toMatchObject({ status: 'open', unread_count: 0, waiting_since: null });
});

test('what was written before the API is found by search', async () => {
  const customer = freshPhone();
  await ingest(kit, history(customer, [asked(customer, 0, `Wombat${customer}`)]));
  const hits = async () => (await tenant.call('GET', `/v1/search?q=Wombat${customer}`)).body.messages.data.length;
  await kit.until(hits, (count) => count === 1, 'the message is found');
});

/** Something that happened between one customer and the business, one in a second, and how the network reports it. */
const happening = fc.record({
  kind: fc.constantFrom('question', 'answer'),
  reported: fc.constantFrom('live', 'past', 'past', 'both'),
  order: fc.nat(1_000),
  pastOrder: fc.nat(1_000),
  again: fc.boolean(),
});
const story = fc.array(happening, { minLength: 2, maxLength: 6 });
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;
type Body = (customer: string) => string;

const pastOf =
  (kind: string, second: number): Body =>
  (customer) =>
    history(customer, [(kind === 'question' ? asked : answered)(customer, second)], { chunk_order: second });

const liveOf =
  (kind: string, second: number): Body =>
  (customer) => {
    const timestamp = String(PAST_S + second);
    const question = inboundText(`wamid.I.${customer}.${second}`, customer, { timestamp });
    if (kind === 'question') return callbackBody({ phoneNumberId: tenant.phoneNumberId, messages: [question] });
    const text = { type: 'text', text: { body: 'Yes, until six' } };
    const id = `wamid.O.${customer}.${second}`;
    return echoBody(tenant.phoneNumberId, { from: BUSINESS, to: customer, id, timestamp, ...text });
  };

const readOf =
  (second: number): Body =>
  (customer) => {
    const statuses = [statusItem(`wamid.O.${customer}.${second}`, 'read', null, { recipient_id: customer })];
    return callbackBody({ phoneNumberId: tenant.phoneNumberId, statuses });
  };

/** The callbacks of a story in the order in which they come in: some twice, and statuses before their messages. */
function arrivalsOf(happenings: Story): readonly Body[] {
  const all = happenings.flatMap(({ kind, reported, order, pastOrder, again }, second) => [
    ...(reported === 'past' ? [] : [{ at: order, body: liveOf(kind, second) }]),
    ...(reported === 'live' ? [] : [{ at: pastOrder, body: pastOf(kind, second) }]),
    ...(reported !== 'live' && again ? [{ at: 1_000 - pastOrder, body: pastOf(kind, second) }] : []),
    ...(kind === 'answer' ? [{ at: (order * 7) % 1_000, body: readOf(second) }] : []),
  ]);
  return all.toSorted((one, other) => one.at - other.at).map(({ body }) => body);
}

/** How the conversation stands at last, whatever the order was: the past decides only what there is and the window. */
function endOf(happenings: Story): object {
  const seconds = (wanted: string, all: boolean) =>
    happenings.flatMap(({ kind, reported }, second) =>
      kind === wanted && (all || reported !== 'past') ? [second] : [],
    );
  const live = { questions: seconds('question', false), answers: seconds('answer', false) };
  const waiting = live.questions.filter((second) => second > (live.answers.at(-1) ?? -1));
  const isLive = live.questions.length + live.answers.length > 0;
  return {
    status: isLive ? 'open' : 'resolved',
    reopened: 0,
    unread: waiting.length,
    isWaiting: waiting.length > 0,
    firstAnswer: live.answers[0] ?? null,
    lastInbound: seconds('question', true).at(-1) ?? null,
    messages: happenings.map(({ kind }, second) => `${second} ${kind === 'question' ? 'received' : 'read'}`),
  };
}

function secondOf(time: string | null): number | null {
  return time === null ? null : Date.parse(time) / 1000 - PAST_S;
}

function standsNow(conversation: Answer['body'], thread: readonly Answer['body'][]): object {
  const messages = thread.map(({ direction, network_timestamp: at, delivery }) =>
    direction === 'inbound' ? `${secondOf(at)} received` : `${secondOf(delivery.sent_at)} ${delivery.state}`,
  );
  return {
    status: conversation.status,
    reopened: conversation.reopened_count,
    unread: conversation.unread_count,
    isWaiting: conversation.waiting_since !== null,
    firstAnswer: secondOf(conversation.first_response_at),
    lastInbound: secondOf(conversation.last_inbound_at),
    messages: messages.toSorted(),
  };
}

test('the past, messages, echoes and statuses, in any order and twice, end in the same contact, conversation and messages', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(story, { minLength: STORIES, maxLength: STORIES }), async (stories) => {
      const all = stories.map((one) => ({ told: one, customer: freshPhone(), arrivals: arrivalsOf(one) }));
      const longest = Math.max(...all.map(({ arrivals }) => arrivals.length));
      for (let step = 0; step < longest; step += 1) {
        const next = all.flatMap(({ customer, arrivals }) =>
          arrivals.slice(step, step + 1).map((body) => body(customer)),
        );
        await ingest(kit, ...next);
      }
      for (const { told, customer } of all) {
        const [conversation, ...others] = await conversationsOf(customer);
        expect(others).toEqual([]);
        const thread = await threadOf(customer);
        expect(standsNow(conversation, thread)).toEqual(endOf(told));
        const hasLive = told.some(({ reported }) => reported !== 'past');
        if (!hasLive) expect(conversation.last_message.id).toBe(thread[0]?.id);
      }
      expect(await countRows(kit.service.db, 'parked_statuses')).toBe(0);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});
