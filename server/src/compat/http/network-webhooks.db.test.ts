import { normalizeWebhook, verifySignature } from '@kapso/whatsapp-cloud-api/server';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WhatsAppAPI } from 'whatsapp-api-js';
import { replayCallbacks } from '#inbound/store/callbacks';
import {
  answering,
  type ReceivedHook,
  startWebhookReceiver,
  type WebhookReceiver,
} from '#testing/peers/webhook-receiver';
import { callbackBody, inboundText, ingest, ingested, statusItem } from '#testing/test-callbacks';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant, type TestTenantOptions } from '#testing/test-tenant';
import { post, received } from './testing/network-client.ts';

/* Endpoints of the format network, read by client libraries of the network as their authors published them. */
let kit: TestService;
let receiver: WebhookReceiver;
const ENDPOINTS = '/v1/webhook-endpoints';
const TOKEN = 'chosen-by-us';

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  receiver.answer = asClient;
  // 0: waits between attempts are as short as their jitter allows.
  kit = await startTestService({ config: { webhookAllow: '127.0.0.1' }, random: () => 0 });
});
afterEach(() => {
  receiver.answer = asClient;
});
afterAll(async () => {
  await kit.close();
  await receiver.close();
});

const clientOf = (appSecret: string) =>
  new WhatsAppAPI({ token: '', appSecret, webhookVerifyToken: TOKEN, v: 'v23.0' });

/** Answers the challenge as a client library does, and takes everything else. */
function asClient(hook: ReceivedHook, response: Parameters<WebhookReceiver['answer']>[1]): void {
  if (hook.body !== '') {
    answering(200)(hook, response);
    return;
  }
  const { searchParams } = new URL(hook.path, receiver.url);
  try {
    response.end(clientOf('none yet').get(Object.fromEntries(searchParams) as never));
  } catch {
    response.writeHead(403).end();
  }
}

interface Subscribed {
  readonly tenant: TestTenant;
  readonly path: string;
  readonly endpoint: Answer['body'];
}

async function subscribe(options: TestTenantOptions = {}): Promise<Subscribed> {
  const tenant = await makeTestTenant(kit, options);
  const path = `/${tenant.tenantId}`;
  const wish = { url: receiver.url + path, format: 'network', verify_token: TOKEN };
  const made = await tenant.call('POST', ENDPOINTS, wish);
  expect([made.status, made.body.format, made.body.types]).toEqual([201, 'network', null]);
  return { tenant, path, endpoint: made.body };
}

const cameTo = (path: string) => receiver.received.filter((hook) => hook.path === path && hook.body !== '');

/** Waits until so many webhooks came, each accepted by two libraries; returns what one of them makes of each. */
async function untilCame({ path, endpoint }: Subscribed, count: number) {
  await kit.until(
    async () => cameTo(path).length,
    (seen) => seen >= count,
    `${count} webhooks came to ${path}`,
  );
  const hooks = cameTo(path);
  for (const { body, headers } of hooks) {
    const signatureHeader = String(headers['x-hub-signature-256']);
    expect(verifySignature({ appSecret: endpoint.secret, rawBody: body, signatureHeader })).toBe(true);
    expect(await clientOf(endpoint.secret).verifyRequestSignature(body, signatureHeader)).toBe(true);
  }
  return hooks.map(({ body }) => normalizeWebhook(JSON.parse(body)));
}

const changeIn = ({ body }: ReceivedHook) => JSON.parse(body).entry[0].changes[0];

async function deliveries({ tenant, endpoint }: Subscribed): Promise<Answer['body'][]> {
  return (await tenant.call('GET', `${ENDPOINTS}/${endpoint.id}/deliveries`)).body.data;
}

describe('an endpoint of the format network', () => {
  test('is made only when its URL returns the challenge for the verify token, and moved only then', async () => {
    const one = await subscribe();
    const { tenant, endpoint } = one;
    const wish = { url: `${receiver.url}/${freshPhone()}`, format: 'network' };
    const wrong = await tenant.call('POST', ENDPOINTS, { ...wish, verify_token: 'wrong' });
    const message = 'url did not return hub.challenge. It returned 403.';
    expect([wrong.status, wrong.body.details]).toEqual([400, [{ path: 'body.url', message }]]);
    const moved = await tenant.call('PATCH', `${ENDPOINTS}/${endpoint.id}`, { url: wish.url, verify_token: 'wrong' });
    expect([moved.status, moved.body.details]).toEqual([400, [{ path: 'body.url', message }]]);
    receiver.answer = answering(200);
    const other = await tenant.call('POST', ENDPOINTS, { ...wish, verify_token: TOKEN });
    expect(other.body.details[0].message).toBe('url returned something else than the value of hub.challenge.');
    expect((await tenant.call('GET', ENDPOINTS)).body.data).toMatchObject([{ id: endpoint.id, url: endpoint.url }]);
  });

  test('takes no types and no order, and an endpoint of events takes no verify token', async () => {
    const { tenant, endpoint } = await subscribe();
    const url = `${receiver.url}/${freshPhone()}`;
    const chosen = { types: ['message.received'], ordering: 'conversation' };
    const paths = async (answer: Promise<Answer>) =>
      (await answer).body.details.map(({ path }: { path: string }) => path);
    const both = ['body.types', 'body.ordering'];
    expect(await paths(tenant.call('POST', ENDPOINTS, { url, format: 'network', ...chosen }))).toEqual(both);
    expect(await paths(tenant.call('PATCH', `${ENDPOINTS}/${endpoint.id}`, chosen))).toEqual(both);
    expect(await paths(tenant.call('POST', ENDPOINTS, { url, verify_token: TOKEN }))).toEqual(['body.verify_token']);
    const changed = await tenant.call('PATCH', `${ENDPOINTS}/${endpoint.id}`, { types: null, description: 'Mine' });
    expect(changed.body).toMatchObject({ format: 'network', types: null, description: 'Mine' });
  });

  test('gets what a customer writes as the network sent it, and no event', async () => {
    const one = await subscribe();
    const from = freshPhone();
    const { networkId } = await received(kit, one.tenant, from);
    const [webhook] = await untilCame(one, 1);
    expect(webhook?.messages).toMatchObject([{ id: networkId, from, type: 'text', text: { body: 'Hi' } }]);
    const heard: unknown[] = [];
    const client = clientOf(one.endpoint.secret);
    client.on.message = ({ phoneID, message }) => void heard.push([phoneID, message.id]);
    const [hook] = cameTo(one.path);
    const body = hook?.body ?? '';
    await client.post(JSON.parse(body), body, String(hook?.headers['x-hub-signature-256']));
    expect(heard).toEqual([[one.tenant.phoneNumberId, networkId]]);
    const [delivery, ...more] = await deliveries(one);
    expect([delivery, more]).toMatchObject([{ type: 'messages', sequence: null }, []]);
  });

  test('names messages by the ids that clients got at once, and gives back what they had sent along', async () => {
    const one = await subscribe();
    const { tenant } = one;
    const to = freshPhone();
    const fields = { to, text: { body: 'Hello' }, biz_opaque_callback_data: 'order 7' };
    const { id } = (await post(kit, tenant, fields)).body.messages[0];
    const { delivery } = await tenant.untilMessage(id, (message) => message.delivery.state === 'read', 'it is read');
    const statusesAt = () => cameTo(one.path).flatMap((hook) => changeIn(hook).value.statuses ?? []);
    const words = () => new Set(statusesAt().map(({ status }: { status: string }) => status));
    await kit.until(
      async () => words().size,
      (seen) => seen === 3,
      'every status came',
    );
    const known = { id, bizOpaqueCallbackData: 'order 7' };
    for (const { statuses } of await untilCame(one, 1)) {
      for (const status of statuses) expect(status).toMatchObject(known);
    }
    const count = statusesAt().length;
    const networkId = delivery.network_message_id;
    const { phoneNumberId } = tenant;
    const quoting = inboundText(`wamid.${freshPhone()}`, to, { context: { from: '15550001111', id: networkId } });
    const reaction = { type: 'reaction', text: undefined, reaction: { message_id: networkId, emoji: '👍' } };
    const nameless = statusItem(networkId, 'read', null, { recipient_id: to });
    await ingest(
      kit,
      callbackBody({ phoneNumberId, messages: [quoting, inboundText(`wamid.${freshPhone()}`, to, reaction)] }),
      callbackBody({ phoneNumberId, statuses: [nameless] }),
    );
    const isAnswer = (value: { messages?: unknown }) => value.messages !== undefined;
    const valuesAt = () => cameTo(one.path).map((hook) => changeIn(hook).value);
    await kit.until(
      async () => [valuesAt().filter(isAnswer).length, statusesAt().length - count],
      ([answers, more]) => answers === 1 && more === 1,
      'both callbacks came',
    );
    const [answer] = valuesAt().filter(isAnswer);
    expect(answer.messages).toMatchObject([{ context: { id } }, { reaction: { message_id: id, emoji: '👍' } }]);
    expect(new Set(statusesAt().map((status: { id: string }) => status.id))).toEqual(new Set([id]));
  });

  test('gets nothing that is about somebody else, in whatever callback it comes', async () => {
    const account = `4${freshPhone()}`;
    const [one, other] = [
      await subscribe({ networkAccountId: account }),
      await subscribe({ networkAccountId: account }),
    ];
    const [mine, theirs] = [freshPhone(), freshPhone()];
    const [first, second] = [one, other].map(({ tenant: { phoneNumberId } }, index) => {
      const from = [mine, theirs][index] ?? '';
      return JSON.parse(callbackBody({ phoneNumberId, messages: [inboundText(`wamid.${from}`, from)] })).entry[0];
    });
    const shared = { field: 'account_update', value: { event: 'ACCOUNT_VIOLATION', violation_info: {} } };
    const unknown = { field: 'a_new_field', value: { phone: mine } };
    const nobodys = { field: 'messages', value: { messages: [inboundText('wamid.X', mine)] } };
    const changes = [...first.changes, ...second.changes, shared, unknown, nobodys];
    await ingest(kit, JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: account, changes }] }));
    await untilCame(one, 2);
    await untilCame(other, 2);
    const came = (to: Subscribed) => deliveries(to).then((list) => list.map(({ type }) => type).toSorted());
    expect([await came(one), await came(other)]).toEqual([
      ['account_update', 'messages'],
      ['account_update', 'messages'],
    ]);
    expect(cameTo(one.path).filter(({ body }) => body.includes(theirs))).toEqual([]);
    expect(cameTo(other.path).filter(({ body }) => body.includes(mine))).toEqual([]);
  });

  test('gets each change once however often its callback is processed, and a failed one again as it was', async () => {
    const one = await subscribe();
    const { phoneNumberId } = one.tenant;
    receiver.answer = (hook, response) => answering(cameTo(one.path).length === 1 ? 500 : 200)(hook, response);
    const beganMs = kit.rt.clock.now();
    const [first, second] = [freshPhone(), freshPhone()];
    const entries = [first, second].map((from) => ({ phoneNumberId, messages: [inboundText(`wamid.${from}`, from)] }));
    await ingest(kit, callbackBody(...entries));
    await untilCame(one, 3);
    await replayCallbacks(kit.service.db, { fromMs: beganMs, toMs: beganMs + 3_600_000, leftover: null });
    await ingested(kit);
    const listed = await deliveries(one);
    expect(listed).toHaveLength(2);
    const bodies = new Map(cameTo(one.path).map(({ headers, body }) => [headers['webhook-id'], body]));
    expect([...bodies.keys()].toSorted()).toEqual(listed.map((delivery) => delivery.event_id).toSorted());
    expect(new Set(cameTo(one.path).map(({ body }) => body)).size).toBe(2);
    const [delivery] = listed;
    const resent = `${ENDPOINTS}/${one.endpoint.id}/deliveries/${delivery.id}/resend`;
    expect((await one.tenant.call('POST', resent)).status).toBe(202);
    await untilCame(one, 4);
    expect(cameTo(one.path).at(-1)?.body).toBe(bodies.get(delivery.event_id));
  });

  test('gets a test callback in the same form, and is signed by its new secret alone once that is made', async () => {
    const one = await subscribe();
    const { id } = one.endpoint;
    const rotated = await one.tenant.call('POST', `${ENDPOINTS}/${id}/rotate-secret`, { overlap_s: 3600 });
    expect(rotated.body.old_secret_until).toBeNull();
    await kit.until(
      async () => {
        await one.tenant.call('POST', `${ENDPOINTS}/${id}/test`, { type: 'message.received' });
        const hook = cameTo(one.path).at(-1);
        const signatureHeader = String(hook?.headers['x-hub-signature-256']);
        return verifySignature({ appSecret: rotated.body.secret, rawBody: hook?.body ?? '', signatureHeader });
      },
      (isSigned) => isSigned,
      'the new secret signs',
    );
    const [hook] = cameTo(one.path).slice(-1);
    expect(normalizeWebhook(JSON.parse(hook?.body ?? '')).messages).toMatchObject([{ type: 'text' }]);
  });
});
