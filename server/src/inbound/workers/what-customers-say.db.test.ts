import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callbackBody, countRows, inboundText, ingest } from '#testing/test-callbacks';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit);
});
afterAll(() => kit.close());

/** Lets messages of one customer come in, in one callback. */
function say(...messages: readonly object[]): Promise<void> {
  return ingest(kit, callbackBody({ phoneNumberId: tenant.phoneNumberId, messages }));
}

const nowS = (): string => String(Math.floor(kit.rt.clock.now() / 1000));

function write(sender: string, name: string, fields: object = {}): object {
  return inboundText(`wamid.${name}.${sender}`, sender, { timestamp: nowS(), ...fields });
}

async function inboundOf(sender: string): Promise<Answer['body'][]> {
  return (await tenant.call('GET', `/v1/messages/inbound?limit=100&from=${sender}`)).body.data;
}

async function conversationsOf(sender: string): Promise<Answer['body'][]> {
  const [message] = await inboundOf(sender);
  return (await tenant.call('GET', `/v1/conversations?contact_id=${message.contact_id}`)).body.data;
}

async function eventOf(messageId: string): Promise<Answer['body']> {
  const { body } = await tenant.call('GET', '/v1/events?types=message.received&limit=1000');
  return body.data.find(({ data }: Answer['body']) => data.id === messageId)?.data;
}

async function preview(sender: string): Promise<string | null> {
  const [conversation] = await conversationsOf(sender);
  return conversation.last_message.preview;
}

const notice = { type: 'system', text: undefined, system: { body: 'New code', type: 'customer_identity_changed' } };
const gone = (emoji?: string) => ({
  type: 'reaction',
  text: undefined,
  reaction: { message_id: 'wamid.OLD', ...(emoji === undefined ? {} : { emoji }) },
});

describe('what a message refers to is in the message, the lists, the conversation and the event', () => {
  const referral = {
    source_url: 'https://ads.example/1',
    source_id: '120200',
    source_type: 'ad',
    headline: 'Summer mugs',
    body: 'Half price',
    media_type: 'image',
    image_url: 'https://ads.example/1.jpg',
    ctwa_clid: 'click-1',
    welcome_message: { text: 'How can we help?' },
  };
  const none = { quoted: null, forwarded: null, referred_product: null, referral: null, network_error: null };
  test.each([
    ['nothing', {}, none],
    [
      'an advertisement',
      { referral },
      { referral: { source_id: '120200', ctwa_clid: 'click-1', video_url: null, welcome_text: 'How can we help?' } },
    ],
    ['a mark of forwarding', { context: { forwarded: true } }, { forwarded: 'forwarded', quoted: null }],
    ['many forwards', { context: { frequently_forwarded: true } }, { forwarded: 'frequently_forwarded' }],
    [
      'a product',
      { context: { from: '1', id: 'w', referred_product: { catalog_id: '7', product_retailer_id: 'mug' } } },
      { referred_product: { catalog_id: '7', product_retailer_id: 'mug' } },
    ],
    [
      'a message that is not stored here',
      { context: { from: '15550001111', id: 'wamid.ELSEWHERE' } },
      { reply_to: null, quoted: { message_id: null, network_message_id: 'wamid.ELSEWHERE', from: '15550001111' } },
    ],
  ])('%s', async (label, fields, shown) => {
    const sender = freshPhone();
    await say(write(sender, label.replaceAll(' ', ''), fields));
    const [message] = await inboundOf(sender);
    expect(message).toMatchObject(shown);
    expect((await tenant.call('GET', `/v1/messages/${message.id}`)).body).toEqual(message);
    const thread = await tenant.call('GET', `/v1/conversations/${message.conversation_id}/messages`);
    expect(thread.body.data).toEqual([message]);
    expect(await eventOf(message.id)).toEqual(message);
  });

  test("the customer's own earlier message, also one of the same callback", async () => {
    const sender = freshPhone();
    const quote = (name: string) => ({ context: { from: sender, id: `wamid.${name}.${sender}` } });
    await say(write(sender, 'A'), write(sender, 'B', quote('A')));
    await say(write(sender, 'C', quote('B')));
    const [c, b, a] = await inboundOf(sender);
    expect([a.reply_to, b.reply_to, c.reply_to]).toEqual([null, a.id, b.id]);
    expect(c.quoted).toEqual({ message_id: b.id, network_message_id: b.network_message_id, from: sender });
  });
});

describe('what has no text is described in a sentence, and so it stands in the list of conversations', () => {
  const order = { product_items: [{ product_retailer_id: 'mug', quantity: 2, item_price: 9.5, currency: 'EUR' }] };
  test.each([
    ['an order', { type: 'order', order }, 'An order of 2 items, EUR 19.00.'],
    [
      'a poll',
      { type: 'unsupported', unsupported: { type: 'poll_creation' }, errors: [{ code: 131051, title: 'Unknown' }] },
      'The customer sent a poll. The network does not deliver these to businesses.',
    ],
  ])('%s', async (_label, fields, summary) => {
    const sender = freshPhone();
    await say(write(sender, 'ODD', { text: undefined, ...fields }));
    expect(await inboundOf(sender)).toMatchObject([{ body: null, summary }]);
    expect(await preview(sender)).toBe(summary);
  });

  test('answers of a form are data', async () => {
    const sender = freshPhone();
    const response_json = JSON.stringify({ flow_token: 't-1', rating: 5 });
    const interactive = { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json } };
    await say(write(sender, 'FORM', { type: 'interactive', text: undefined, interactive }));
    const flow_response = { name: 'flow', flow_token: 't-1', data: { rating: 5 } };
    expect(await inboundOf(sender)).toMatchObject([{ body: 'Sent', flow_response }]);
  });
});

describe('only what a customer says to the business opens the window', () => {
  test.each([
    ['a notice of the network', notice],
    ['a removed reaction', gone()],
    ['an emptied reaction', gone('')],
  ])('%s of somebody who never wrote opens nothing and is shown all the same', async (_label, fields) => {
    const sender = freshPhone();
    await say(write(sender, 'NOTICE', fields));
    const [message] = await inboundOf(sender);
    expect(message).toMatchObject({ conversation_id: null, opens_window: false });
    expect(await conversationsOf(sender)).toEqual([]);
    const path = `/v1/contacts/${message.contact_id}`;
    expect((await tenant.call('GET', `${path}/messages`)).body.data).toMatchObject([{ id: message.id }]);
    expect((await tenant.call('GET', path)).body).toMatchObject({ last_inbound_at: null });
    const asked = { to: sender, type: 'text', body: 'Hi' };
    const { warnings } = (await tenant.call('POST', '/v1/messages?dry_run=true', asked)).body;
    expect(warnings).toMatchObject([{ code: 'window_closed' }]);
  });

  test('a notice in a conversation stands in its thread and changes nothing else about it', async () => {
    const sender = freshPhone();
    await say(write(sender, 'FIRST'));
    const [before] = await conversationsOf(sender);
    await say(write(sender, 'NOTICE', notice));
    expect(await conversationsOf(sender)).toEqual([before]);
    const thread = (await tenant.call('GET', `/v1/conversations/${before.id}/messages`)).body.data;
    expect(thread).toMatchObject([
      { type: 'system', opens_window: false },
      { type: 'text', opens_window: true },
    ]);
  });

  test('a notice beside a first message counts as nothing, and stands in the conversation that the message opens', async () => {
    const sender = freshPhone();
    await say(write(sender, 'NOTICE', notice), write(sender, 'FIRST'));
    const [conversation, ...more] = await conversationsOf(sender);
    expect([more, conversation.unread_count]).toEqual([[], 1]);
    const shown = await inboundOf(sender);
    expect(shown.map((message) => message.conversation_id)).toEqual([conversation.id, conversation.id]);
  });
});

describe('a message of a group', () => {
  test('never stands in the private conversation of who wrote it, and names its group', async () => {
    const sender = freshPhone();
    await say(write(sender, 'PRIVATE'));
    const [before] = await conversationsOf(sender);
    await say(write(sender, 'GROUP', { group_id: 'Y2FwaQ', text: { body: 'Hello all' } }));
    expect(await conversationsOf(sender)).toEqual([before]);
    const [message] = await inboundOf(sender);
    expect(message).toMatchObject({
      body: 'Hello all',
      group_id: 'Y2FwaQ',
      conversation_id: null,
      opens_window: false,
    });
    expect(message.contact_id).toBe(before.contact_id);
    expect(await eventOf(message.id)).toEqual(message);
    const thread = (await tenant.call('GET', `/v1/conversations/${before.id}/messages`)).body.data;
    expect(thread).toMatchObject([{ body: 'Hi' }]);
  });

  test('that says STOP in it is no objection to messages of the business', async () => {
    const sender = freshPhone();
    await say(write(sender, 'STOP', { group_id: 'Y2FwaQ', text: { body: 'STOP' } }));
    const [message] = await inboundOf(sender);
    const contact = (await tenant.call('GET', `/v1/contacts/${message.contact_id}`)).body;
    expect(contact.consent.marketing).toBe('unknown');
  });

  test('is erased with the person', async () => {
    const sender = freshPhone();
    const context = { from: sender, id: 'wamid.MINE' };
    await say(write(sender, 'ERASED', { group_id: 'Y2FwaQ', text: { body: 'Secret' }, context }));
    const [message] = await inboundOf(sender);
    expect((await tenant.call('DELETE', `/v1/contacts/${message.contact_id}`)).status).toBeLessThan(300);
    const left = (await tenant.call('GET', `/v1/messages/${message.id}`)).body;
    expect(left).toMatchObject({ body: null, from: null, group_id: null, quoted: null });
  });
});

test('rules decide about what a customer says, and neither about notices nor groups', async () => {
  const sender = freshPhone();
  // biome-ignore lint/suspicious/noThenProperty: a rule reads when … then
  const stop = { name: 'Stop', trigger: { on: 'message.received' }, then: [{ action: 'stop' }] };
  const rule = await tenant.call('POST', '/v1/chatbot-rules', stop);
  expect(rule.status).toBe(201);
  const group = { group_id: 'Y2FwaQ' };
  await say(write(sender, 'SAID'), write(sender, 'N', notice), write(sender, 'G', group), write(sender, 'R', gone()));
  await kit.until(
    () => countRows(kit.service.db, 'rule_queue', tenant.tenantId),
    (rows) => rows === 0,
    'every message is decided',
  );
  expect(await countRows(kit.service.db, 'rule_decisions', tenant.tenantId)).toBe(1);
  await tenant.call('DELETE', `/v1/chatbot-rules/${rule.body.id}`);
});

test('a list beside the messages of a callback is kept as unhandled items, one for each member', async () => {
  const sender = freshPhone();
  const lists = { message_echoes: [{ id: 'e1' }, { id: 'e2' }] };
  const change = { phoneNumberId: tenant.phoneNumberId, messages: [write(sender, 'BESIDE')], ...lists };
  await ingest(kit, callbackBody(change));
  expect(await inboundOf(sender)).toHaveLength(1);
  const text = "select raw from callback_leftovers where name = 'message_echoes' order by item";
  const { rows } = await kit.service.db.run({ name: 'test_echoes', text }, []);
  expect(rows.map((row) => (row as { raw: unknown }).raw)).toEqual(lists.message_echoes);
});
