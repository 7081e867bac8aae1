import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/json';
import { type Answer, callApi, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { post, received, untilSent } from './testing/network-client.ts';

let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit);
});
afterAll(() => kit.close());

function send(fields: object, headers: Record<string, string> = {}): Promise<Answer> {
  return post(kit, tenant, { to: freshPhone(), ...fields }, headers);
}

/** What the network got of a message that was accepted just now. */
async function arrived(answer: Answer): Promise<JsonObject> {
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"message_status":"accepted"')]);
  await untilSent(tenant, answer.body.messages[0].id);
  const [entry] = await tenant.ledger(answer.body.contacts[0].wa_id);
  return entry.request as JsonObject;
}

describe('a send in the form of the network', () => {
  test('is answered as the network answers, with an id that our own API knows too', async () => {
    const to = freshPhone();
    const answer = await send({ to: `+${to}`, type: 'text', text: { body: 'Hello', preview_url: true } });
    expect(answer.body).toEqual({
      messaging_product: 'whatsapp',
      contacts: [{ input: `+${to}`, wa_id: to }],
      messages: [{ id: expect.stringMatching(/^wamid\./), message_status: 'accepted' }],
    });
    const [message] = (await tenant.call('GET', `/v1/messages/outbound?to=${to}`)).body.data;
    expect(message).toMatchObject({ type: 'text', body: 'Hello', phone_number_id: tenant.phoneNumberId });
    expect((await arrived(answer)).text).toEqual({ body: 'Hello', preview_url: true });
  });

  test.each<[string, JsonObject]>([
    ['text', { text: { body: 'Hi' } }],
    ['image', { image: { link: 'https://shop.example/a.jpg', caption: 'A' } }],
    ['video', { video: { link: 'https://shop.example/a.mp4' } }],
    ['audio', { audio: { link: 'https://shop.example/a.ogg', voice: true } }],
    ['document', { document: { link: 'https://shop.example/a.pdf', filename: 'a.pdf', caption: 'A' } }],
    ['sticker', { sticker: { link: 'https://shop.example/a.webp' } }],
    ['location', { location: { latitude: 51.5, longitude: -0.12, name: 'Shop' } }],
    ['contacts', { contacts: [{ name: { formatted_name: 'Ada Obi', first_name: 'Ada' } }] }],
    [
      'interactive',
      {
        interactive: {
          type: 'button',
          body: { text: 'Well?' },
          action: { buttons: [{ type: 'reply', reply: { id: 'yes', title: 'Yes' } }] },
        },
      },
    ],
    [
      'template',
      {
        template: {
          name: 'order_ready',
          language: { code: 'en_US' },
          components: [{ type: 'body', parameters: [{ type: 'text', text: 'A-17' }] }],
        },
      },
    ],
  ])('of type %s reaches the network with the same content', async (type, content) => {
    expect(await arrived(await send({ type, ...content }))).toMatchObject({ type, ...content });
  });

  test('quotes what a customer wrote, by the id of the network, and what the business wrote, by any of its ids in any case', async () => {
    const to = freshPhone();
    const question = await received(kit, tenant, to);
    const answer = await send({ to, text: { body: 'Yes' }, context: { message_id: question.networkId } });
    expect((await arrived(answer)).context).toEqual({ message_id: question.networkId });
    const [{ id: surrogate }] = answer.body.messages;
    const { id, delivery } = await untilSent(tenant, surrogate);
    for (const message_id of [surrogate, delivery.network_message_id, id, id.toUpperCase()]) {
      const next = await send({ to, text: { body: 'And more' }, context: { message_id } });
      const sent = await untilSent(tenant, next.body.messages[0].id);
      expect(sent.reply_to).not.toBeNull();
    }
    const quoted = (await tenant.ledger(to)).map(({ request }) => request.context?.message_id);
    expect(quoted).toEqual([question.networkId, ...Array.from({ length: 4 }, () => delivery.network_message_id)]);
  });

  test('reacts to messages of both sides', async () => {
    const to = freshPhone();
    const question = await received(kit, tenant, to);
    const own = await send({ to, text: { body: 'Hello' } });
    const { delivery } = await untilSent(tenant, own.body.messages[0].id);
    for (const message_id of [question.networkId, own.body.messages[0].id]) {
      const answer = await send({ to, type: 'reaction', reaction: { message_id, emoji: '👍' } });
      await untilSent(tenant, answer.body.messages[0].id);
    }
    const targets = (await tenant.ledger(to)).flatMap(({ request }) => request.reaction?.message_id ?? []);
    expect(targets).toEqual([question.networkId, delivery.network_message_id]);
  });

  test('goes to the user ID in recipient, and to the number when there are both', async () => {
    const [userId, to] = [`US.${freshPhone()}`, freshPhone()];
    const first = await post(kit, tenant, { recipient: userId, text: { body: 'Hello' } });
    expect(first.body.contacts).toEqual([{ input: userId, user_id: userId }]);
    const { delivery } = await untilSent(tenant, first.body.messages[0].id);
    const context = { message_id: delivery.network_message_id };
    const second = await post(kit, tenant, { recipient: userId, text: { body: 'And more' }, context });
    await untilSent(tenant, second.body.messages[0].id);
    const requests = (await tenant.ledger(userId)).map(({ request }) => request);
    expect(requests).toMatchObject([{ recipient: userId }, { recipient: userId, context }]);
    const both = await post(kit, tenant, { to, recipient: userId, text: { body: 'Hello' } });
    expect(both.body.contacts).toEqual([{ input: to, wa_id: to }]);
  });

  test('takes objects as JSON text and members that are null, as clients of the network send them', async () => {
    const contacts = [{ name: { formatted_name: 'Ada', first_name: 'Ada', last_name: null }, birthday: null }];
    const answer = await send({ type: 'contacts', contacts: JSON.stringify(contacts), context: null });
    expect((await arrived(answer)).contacts).toEqual([{ name: { formatted_name: 'Ada', first_name: 'Ada' } }]);
  });

  test('keeps opaque data as the reference of the client, whatever it looks like', async () => {
    const answer = await send({ text: { body: 'Hi' }, biz_opaque_callback_data: '{"order":42}' });
    expect((await untilSent(tenant, answer.body.messages[0].id)).client_ref).toBe('{"order":42}');
  });

  test('is sent once for an Idempotency-Key, and answered the same again', async () => {
    const [to, headers] = [freshPhone(), { 'idempotency-key': freshPhone() }];
    const first = await send({ to, text: { body: 'Once' } }, headers);
    const again = await send({ to, text: { body: 'Once' } }, headers);
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true']);
    expect((await tenant.call('GET', `/v1/messages/outbound?to=${to}`)).body.data).toHaveLength(1);
    const other = await send({ to, text: { body: 'Twice' } }, headers);
    expect([other.status, other.body.error.code]).toEqual([400, 100]);
  });

  test("waits for the network's own id when asked to", async () => {
    const answer = await send({ text: { body: 'Hi' } }, { prefer: 'wait=30' });
    const [{ id }] = answer.body.messages;
    expect([answer.headers.get('preference-applied'), id.length > 40]).toEqual(['wait=30', true]);
    expect((await untilSent(tenant, id)).delivery.network_message_id).toBe(id);
  });

  test('is refused as the network refused it, when that comes to light during the wait', async () => {
    await kit.simulate('PUT', '/_sim/config', { strict_templates: true });
    const template = { name: 'nobody_created_it', language: { code: 'en' } };
    const answer = await send({ type: 'template', template }, { prefer: 'wait=30' });
    await kit.simulate('PUT', '/_sim/config', { strict_templates: false });
    expect([answer.status, answer.body.error.code]).toEqual([400, 132001]);
  });

  test('works without a version in the path, and with the key in the header of another provider', async () => {
    const body = { messaging_product: 'whatsapp', to: freshPhone(), text: { body: 'Hi' } };
    const headers = { 'd360-api-key': tenant.key };
    expect(await callApi(kit.service.url, 'POST', `/${tenant.phoneNumberId}/messages`, body, headers)).toMatchObject({
      status: 200,
    });
  });
});

describe('a message of a customer', () => {
  test('is marked as read by the id of the network, with a typing indicator when asked', async () => {
    const { networkId } = await received(kit, tenant, freshPhone());
    for (const typing of [{}, { typing_indicator: { type: 'text' } }]) {
      const answer = await post(kit, tenant, { status: 'read', message_id: networkId, ...typing });
      expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    }
  });

  test('is not marked as read when it is of the business, of another number or of nobody', async () => {
    const stranger = await makeTestTenant(kit);
    const foreign = (await received(kit, stranger, freshPhone())).networkId;
    const own = (await send({ text: { body: 'Hi' } })).body.messages[0].id;
    for (const message_id of [own, foreign, 'wamid.HBgLMTU1NTAwMDIyMjIVAgASGBQzQTAxMjM0NTY3ODlBQkNERUYwMQA=', 'x']) {
      const answer = await post(kit, tenant, { status: 'read', message_id });
      expect([message_id, answer.status, answer.body.error.code]).toEqual([message_id, 400, 131009]);
    }
  });
});

describe('what is wrong is said in the form of the network', () => {
  test.each<[string, object, number, RegExp]>([
    ['no recipient', { to: null, text: { body: 'Hi' } }, 100, /^to is required/],
    [
      'a user ID that is none',
      { to: null, recipient: 'us.1', text: { body: 'Hi' } },
      100,
      /^recipient must be a user ID/,
    ],
    ['a recipient that is no number', { to: 'Ada', text: { body: 'Hi' } }, 100, /^to contains letters/],
    ['a group', { recipient_type: 'group', text: { body: 'Hi' } }, 100, /groups are not supported/],
    ['no text', { type: 'text' }, 100, /^text\.body is required/],
    ['a text of 4097 characters', { text: { body: 'x'.repeat(4097) } }, 100, /^text\.body has 4097 characters/],
    ['an unknown type', { type: 'poll', poll: {} }, 100, /^type must be one of/],
    ['an unknown field', { text: { body: 'Hi' }, colour: 'red' }, 100, /^colour is not supported here/],
    ['an unknown field of a text', { text: { body: 'Hi', bold: true } }, 100, /^text\.bold is not a known field/],
    ['media of nobody', { type: 'image', image: { id: '0190a6f2-0000-7000-8000-00000000dead' } }, 131009, /^image\.id/],
    ['two sources', { type: 'image', image: { id: 'x', link: 'https://a.example' } }, 100, /image/],
    ['a quote of nobody', { text: { body: 'Hi' }, context: { message_id: 'wamid.X' } }, 131009, /^context\.message_id/],
    ['JSON text that is none', { type: 'contacts', contacts: '[{' }, 100, /not valid JSON/],
    ['text that cannot be stored', { type: 'text', text: '{"body":"\\u0000"}' }, 100, /text/],
  ])('%s', async (_label, fields, code, details) => {
    const before = (await tenant.call('GET', '/v1/messages/outbound?limit=1')).body.data[0]?.id;
    const answer = await send(fields);
    expect([answer.status, answer.body.error]).toEqual([
      400,
      {
        message: expect.stringMatching(new RegExp(`^\\(#${code}\\) `)),
        type: 'OAuthException',
        code,
        error_data: { messaging_product: 'whatsapp', details: expect.stringMatching(details) },
        fbtrace_id: answer.headers.get('x-request-id'),
      },
    ]);
    expect((await tenant.call('GET', '/v1/messages/outbound?limit=1')).body.data[0]?.id).toBe(before);
  });

  test('a body that is no JSON, and one that is no object', async () => {
    const path = `/v23.0/${tenant.phoneNumberId}/messages`;
    for (const body of [Buffer.from('{"to"'), Buffer.from('[]'), Buffer.from('')]) {
      const answer = await tenant.call('POST', path, body, { 'content-type': 'application/json' });
      expect([answer.status, answer.body.error.code]).toEqual([400, 100]);
    }
  });

  test('a closed window, when the tenant refuses messages outside of it', async () => {
    const strict = await makeTestTenant(kit, { windowPolicy: 'refuse' });
    const answer = await post(kit, strict, { to: freshPhone(), text: { body: 'Hi' } });
    expect([answer.status, answer.body.error.code]).toEqual([400, 131047]);
  });

  test('what the network offers and this service does not', async () => {
    for (const path of ['whatsapp_business_profile', 'register', 'message_history']) {
      const answer = await tenant.call('POST', `/v23.0/${tenant.phoneNumberId}/${path}`, {});
      expect([answer.status, answer.body.error]).toMatchObject([400, { code: 100, error_subcode: 33 }]);
    }
  });
});
