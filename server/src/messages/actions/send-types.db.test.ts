import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendExamples } from '#messages/http/schemas/send-examples';
import { callbackBody, countRows, inboundText, ingest } from '#testing/test-callbacks';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;
let stranger: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit);
  stranger = await makeTestTenant(kit);
});
afterAll(() => kit.close());

/** Sends a body to a fresh recipient and waits until the network has it. */
async function sent(body: object): Promise<{ readonly id: string; readonly to: string }> {
  const to = freshPhone();
  const answer = await tenant.call('POST', '/v1/messages', { ...body, to });
  expect(answer).toMatchObject({ status: 202, body: { status: 'queued', to } });
  await tenant.untilMessage(answer.body.id, (message) => message.status === 'sent', 'the message is sent');
  return { id: answer.body.id, to };
}

async function receive(from: string): Promise<{ readonly id: string; readonly networkId: string }> {
  const networkId = `wamid.${from}`;
  await ingest(kit, callbackBody({ phoneNumberId: tenant.phoneNumberId, messages: [inboundText(networkId, from)] }));
  const list = await tenant.call('GET', `/v1/messages/inbound?from=${from}`);
  return { id: list.body.data[0].id, networkId };
}

const { template, templateByPosition, image, document, location, contacts, buttons, list } = sendExamples;
const bodyOf = (parameters: readonly object[]) => [{ type: 'body', parameters }];
const cases: readonly (readonly [label: string, body: { type: string }, network: unknown])[] = [
  [
    'a template with named values',
    template.value,
    {
      name: 'order_ready',
      language: { code: 'en_US' },
      components: bodyOf([
        // The store keeps no order of names; the network needs none.
        { type: 'text', parameter_name: 'order_no', text: 'A-17' },
        { type: 'text', parameter_name: 'first_name', text: 'Ada' },
      ]),
    },
  ],
  [
    'a template with values by position',
    templateByPosition.value,
    {
      name: 'order_ready',
      language: { code: 'en' },
      components: bodyOf([
        { type: 'text', text: 'Ada' },
        { type: 'text', text: 'A-17' },
      ]),
    },
  ],
  ['an image', image.value, image.value.media],
  ['a document', document.value, document.value.media],
  ['a place', location.value, location.value.location],
  ['contact cards', contacts.value, contacts.value.contacts],
  ['buttons', buttons.value, buttons.value.interactive],
  ['a list', list.value, list.value.interactive],
];

describe('the network gets', () => {
  test.each(cases)('%s as its own object, and reading shows what was sent', async (_label, body, network) => {
    const { id, to } = await sent(body);
    const [entry] = await tenant.ledger(to);
    expect(entry).toMatchObject({ type: body.type });
    expect(entry.request[body.type]).toEqual(network);
    const { to: _recipient, ...content } = body as { to?: string; type: string };
    expect(await tenant.message(id)).toMatchObject({ ...content, direction: 'outbound' });
    expect(await tenant.message(id)).not.toHaveProperty('body');
  });

  test('an answer of any type with its quotation', async () => {
    const from = freshPhone();
    const { id: replyTo, networkId } = await receive(from);
    const body = { ...image.value, to: from, reply_to: replyTo };
    const { id } = (await tenant.call('POST', '/v1/messages', body)).body;
    await tenant.untilMessage(id, (message) => message.status === 'sent', 'the answer is sent');
    expect((await tenant.ledger(from))[0].request.context).toEqual({ message_id: networkId });
  });

  test('a reaction to an inbound message with the id that the network gave it', async () => {
    const from = freshPhone();
    const target = await receive(from);
    const body = { to: from, type: 'reaction', reaction: { message_id: target.id, emoji: '👍' } };
    const { id } = (await tenant.call('POST', '/v1/messages', body)).body;
    await tenant.untilMessage(id, (message) => message.status === 'sent', 'the reaction is sent');
    const [{ request }] = await tenant.ledger(from);
    expect(request.reaction).toEqual({ message_id: target.networkId, emoji: '👍' });
    expect(request).not.toHaveProperty('context');
    expect(await tenant.message(id)).toMatchObject({ reaction: body.reaction, reply_to: target.id });
  });
});

describe('nothing is stored of', () => {
  const media_id = '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01';

  async function refused(body: object): Promise<{ code: string; details: unknown }> {
    const before = await countRows(kit.service.db, 'outbound_messages');
    const answer = await tenant.call('POST', '/v1/messages', { to: freshPhone(), ...body });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(await countRows(kit.service.db, 'outbound_messages')).toBe(before);
    return answer.body;
  }

  test('a media that was not uploaded; each is named by its place', async () => {
    expect(await refused({ type: 'image', media: { media_id } })).toEqual({
      error: 'media.media_id does not exist or has expired.',
      code: 'unknown_media',
      details: [{ path: 'body.media.media_id', message: 'media.media_id does not exist or has expired' }],
    });
    const header = { type: 'image', image: { media_id } };
    const interactive = { ...buttons.value.interactive, header };
    expect(await refused({ type: 'interactive', interactive })).toMatchObject({
      code: 'unknown_media',
      details: [{ path: 'body.interactive.header.image.media_id' }],
    });
  });

  test("a reaction to a message that is not there, or is another tenant's, with the same words", async () => {
    const theirs = await stranger.send(freshPhone());
    const react = (id: string) => refused({ type: 'reaction', reaction: { message_id: id, emoji: '👍' } });
    const [foreign, missing] = [await react(theirs), await react(media_id)];
    expect(foreign).toMatchObject({ code: 'unknown_reply_to', details: [{ path: 'body.reaction.message_id' }] });
    expect(foreign).toEqual(missing);
  });

  test('a reaction to a message that has not reached the network', async () => {
    const sendAt = new Date(kit.rt.clock.now() + 3_600_000).toISOString();
    const waiting = await tenant.send(freshPhone(), { send_at: sendAt });
    const body = { type: 'reaction', reaction: { message_id: waiting, emoji: '👍' } };
    expect((await refused(body)).code).toBe('conflict');
  });
});

describe('a tenant that refuses free-form messages outside the window', () => {
  test('still sends templates, and nothing else of any type', async () => {
    const strict = await makeTestTenant(kit, { windowPolicy: 'refuse' });
    const post = (body: object) => strict.call('POST', '/v1/messages', { ...body, to: freshPhone() });
    expect((await post(template.value)).status).toBe(202);
    for (const { value } of [image, location, contacts, buttons]) {
      expect((await post(value)).body.code).toBe('window_closed');
    }
  });
});

describe('the network takes', () => {
  const cardImage = { type: 'image', image: { link: 'https://shop.example/a.png' } };
  const cardOf = (index: number) => ({
    card_index: index,
    type: 'cta_url',
    header: cardImage,
    body: { text: `Card ${index}` },
    action: { name: 'cta_url', parameters: { display_text: 'Open', url: 'https://shop.example' } },
  });
  const kinds: readonly ({ readonly type: string } & Readonly<Record<string, unknown>>)[] = [
    { type: 'product', action: { catalog_id: '1', product_retailer_id: '2' } },
    {
      type: 'product_list',
      header: { type: 'text', text: 'Flowers' },
      action: { catalog_id: '1', sections: [{ title: 'Red', product_items: [{ product_retailer_id: '2' }] }] },
    },
    {
      type: 'catalog_message',
      action: { name: 'catalog_message', parameters: { thumbnail_product_retailer_id: '2' } },
    },
    {
      type: 'flow',
      action: {
        name: 'flow',
        parameters: {
          flow_message_version: '3',
          flow_id: '1',
          flow_cta: 'Book',
          flow_action: 'navigate',
          flow_action_payload: { screen: 'FIRST', data: { slot: 1 } },
        },
      },
    },
    { type: 'carousel', action: { cards: [cardOf(0), cardOf(1)] } },
    { type: 'call_permission_request', action: { name: 'call_permission_request' } },
    { type: 'request_contact_info', action: { name: 'request_contact_info' } },
    { type: 'address_message', action: { name: 'address_message', parameters: { country: 'IN' } } },
    { type: 'voice_call', action: { name: 'voice_call', parameters: { display_text: 'Call us' } } },
  ];

  test.each(kinds)('an interactive message of the kind $type', async (kind) => {
    const body = kind.type === 'product' ? {} : { body: { text: 'Choose' } };
    const { to } = await sent({ type: 'interactive', interactive: { ...body, ...kind } });
    expect((await tenant.ledger(to))[0].request.interactive).toEqual({ ...body, ...kind });
  });

  const { scheduled: _later, reaction: _foreign, ...now } = sendExamples;
  test.each(Object.entries(now))('the documented example %s', async (_name, { value }) => {
    await sent(value);
  });
});
