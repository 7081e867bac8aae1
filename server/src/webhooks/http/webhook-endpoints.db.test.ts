import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { watchMoves } from '#testing/database/watch-moves';
import {
  answering,
  type ReceivedHook,
  startWebhookReceiver,
  type WebhookReceiver,
} from '#testing/peers/webhook-receiver';
import { recordEvents } from '#testing/test-events';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { webhookTransitions } from '#webhooks/domain/webhook';

let kit: TestService;
let receiver: WebhookReceiver;
let moves: () => Promise<readonly string[]>;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  // 0: waits between attempts are as short as their jitter allows.
  kit = await startTestService({ config: { webhookAllow: '127.0.0.1' }, random: () => 0 });
  moves = await watchMoves(kit.service.db, 'webhook_deliveries', 'state');
});
afterAll(async () => {
  await kit.close();
  await receiver.close();
});

const ENDPOINTS = '/v1/webhook-endpoints';
const texts = (...bodies: string[]) => bodies.map((body) => ({ data: { body } }));

/** A tenant with an endpoint at a path of its own. */
async function subscribe(fields: object = {}): Promise<{ tenant: TestTenant; endpoint: Answer['body']; path: string }> {
  const tenant = await makeTestTenant(kit);
  const path = `/${tenant.tenantId}`;
  const made = await tenant.call('POST', ENDPOINTS, { url: receiver.url + path, ...fields });
  expect([made.status, made.text]).toEqual([201, expect.stringContaining('whsec_')]);
  return { tenant, endpoint: made.body, path };
}

const cameTo = (path: string) => receiver.received.filter((hook) => hook.path === path);
const bodiesAt = (path: string) => cameTo(path).map(({ body }) => JSON.parse(body).data.body);

async function untilCame(path: string, count: number): Promise<readonly ReceivedHook[]> {
  await kit.until(
    async () => cameTo(path).length,
    (seen) => seen >= count,
    `${count} webhooks came to ${path}`,
  );
  return cameTo(path);
}

function deliveries(tenant: TestTenant, { id }: { readonly id: string }, query = ''): Promise<Answer> {
  return tenant.call('GET', `${ENDPOINTS}/${id}/deliveries${query}`);
}

function untilDelivery(
  tenant: TestTenant,
  endpoint: { readonly id: string },
  done: (delivery: Answer['body']) => boolean,
): Promise<Answer['body']> {
  const ask = async () => (await deliveries(tenant, endpoint)).body.data[0];
  return kit.until(ask, (delivery) => delivery !== undefined && done(delivery), 'the delivery is as wanted');
}

describe('P6: a webhook', () => {
  test('carries the event as the feed has it, and is accepted by the library of Standard Webhooks', async () => {
    const { tenant, endpoint, path } = await subscribe();
    await recordEvents(kit, tenant.tenantId, texts('Hello'));
    const [hook] = await untilCame(path, 1);
    const verified = new Webhook(endpoint.secret).verify(hook?.body ?? '', hook?.headers as Record<string, string>);
    const [event] = (await tenant.call('GET', '/v1/events')).body.data;
    expect(verified).toEqual(event);
    expect(hook?.headers['webhook-id']).toBe(event.id);
    const delivery = await untilDelivery(tenant, endpoint, ({ state }) => state === 'delivered');
    expect(delivery).toMatchObject({
      event_id: event.id,
      sequence: 1,
      attempts: 1,
      next_attempt_at: null,
      log: [{ status: 204, error: null }],
    });
  });

  test('is repeated with the same id and a new signature until it is taken', async () => {
    const { tenant, endpoint, path } = await subscribe();
    receiver.answer = (hook, response) =>
      answering(hook.path === path && cameTo(path).length === 1 ? 500 : 204)(hook, response);
    await recordEvents(kit, tenant.tenantId, texts('twice'));
    const [first, second] = await untilCame(path, 2);
    receiver.answer = answering(204);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    new Webhook(endpoint.secret).verify(second?.body ?? '', second?.headers as Record<string, string>);
    const { log } = await untilDelivery(tenant, endpoint, ({ state }) => state === 'delivered');
    expect(log).toMatchObject([
      { status: 500, error: 'status', response: 'noted' },
      { status: 204, error: null },
    ]);
  });

  test('of a type that the endpoint does not want is not sent', async () => {
    const { tenant, path } = await subscribe({ types: ['message.received'] });
    await recordEvents(kit, tenant.tenantId, [{ type: 'endpoint.disabled', data: disabledData }, ...texts('wanted')]);
    await untilCame(path, 1);
    expect(bodiesAt(path)).toEqual(['wanted']);
  });

  test('is signed by both secrets while they are rotated', async () => {
    const { tenant, endpoint, path } = await subscribe();
    const rotated = await tenant.call('POST', `${ENDPOINTS}/${endpoint.id}/rotate-secret`, { overlap_s: 3600 });
    expect(rotated.body.secret).not.toBe(endpoint.secret);
    expect(rotated.body.old_secret_until).not.toBeNull();
    await kit.until(
      async () => {
        await recordEvents(kit, tenant.tenantId, texts('again'));
        return cameTo(path).at(-1)?.headers['webhook-signature'];
      },
      (signature) => String(signature).split(' ').length === 2,
      'two signatures came',
    );
    const hook = cameTo(path).at(-1);
    for (const secret of [endpoint.secret, rotated.body.secret]) {
      new Webhook(secret).verify(hook?.body ?? '', hook?.headers as Record<string, string>);
    }
  });

  test('answered with 410 disables its endpoint, and an event says so', async () => {
    const { tenant, endpoint, path } = await subscribe();
    receiver.answer = (hook, response) => answering(hook.path === path ? 410 : 204)(hook, response);
    await recordEvents(kit, tenant.tenantId, texts('no more'));
    const events = await kit.until(
      () => tenant.call('GET', '/v1/events?types=endpoint.disabled'),
      ({ body }) => body.data.length === 1,
      'the event tells of it',
    );
    receiver.answer = answering(204);
    expect(events.body.data[0].data).toMatchObject({ id: endpoint.id, reason: 'gone' });
    expect((await tenant.call('GET', `${ENDPOINTS}/${endpoint.id}`)).body).toMatchObject({
      enabled: false,
      disabled_reason: 'gone',
    });
  });

  test('to a redirect is a failure: it is not followed', async () => {
    const { tenant, endpoint, path } = await subscribe();
    const target = answering(302, { location: `${receiver.url}/elsewhere` });
    receiver.answer = (hook, response) => (hook.path === path ? target : answering(204))(hook, response);
    await recordEvents(kit, tenant.tenantId, texts('over there'));
    const { log } = await untilDelivery(tenant, endpoint, ({ attempts }) => attempts > 0);
    receiver.answer = answering(204);
    expect(log[0]).toMatchObject({ status: 302, error: 'redirect' });
    expect(cameTo('/elsewhere')).toEqual([]);
  });

  test('that fails holds back only its own conversation, where the endpoint keeps their order', async () => {
    const { tenant, path } = await subscribe({ ordering: 'conversation' });
    const told = (conversation: string, body: string) => ({ data: { conversation_id: conversation, body } });
    const [one, two] = ['0190a6f2-0000-7a11-8f00-000000000001', '0190a6f2-0000-7a11-8f00-000000000002'];
    let refusals = 1;
    receiver.answer = (hook, response) => {
      const isHead = hook.path === path && JSON.parse(hook.body).data.body === 'one a';
      answering(isHead && refusals-- > 0 ? 503 : 204, isHead ? { 'retry-after': '1' } : {})(hook, response);
    };
    await recordEvents(kit, tenant.tenantId, [
      told(one, 'one a'),
      told(one, 'one b'),
      told(two, 'two a'),
      told(one, 'one c'),
    ]);
    await untilCame(path, 5);
    receiver.answer = answering(204);
    expect(bodiesAt(path).filter((body) => body.startsWith('one'))).toEqual(['one a', 'one a', 'one b', 'one c']);
    expect(bodiesAt(path).indexOf('two a')).toBeLessThan(bodiesAt(path).indexOf('one b'));
  });
});

const disabledData = {
  id: '0190a6f5-1111-7222-8333-444455556666',
  url: 'https://shop.example/hooks/postrider',
  reason: 'failing',
  failing_since: null,
  disabled_at: '2030-01-06T09:00:00.000Z',
};

describe('P6: what was missed', () => {
  test('while the endpoint was disabled is delivered by recover, once', async () => {
    const { tenant, endpoint, path } = await subscribe();
    const self = `${ENDPOINTS}/${endpoint.id}`;
    expect((await tenant.call('PATCH', self, { enabled: false })).body).toMatchObject({ disabled_reason: 'person' });
    await recordEvents(kit, tenant.tenantId, texts('a', 'b'));
    expect((await tenant.call('POST', `${self}/recover`, { since: endpoint.created_at })).status).toBe(409);
    await tenant.call('PATCH', self, { enabled: true });
    const wish = { since: endpoint.created_at, only: 'missing' };
    const counted = await tenant.call('POST', `${self}/recover`, { ...wish, dry_run: true });
    expect(counted.body).toEqual({ matched: 2, dry_run: true, has_more: false });
    expect((await tenant.call('POST', `${self}/recover`, wish)).body).toMatchObject({ matched: 2, dry_run: false });
    await untilCame(path, 2);
    expect(bodiesAt(path).toSorted()).toEqual(['a', 'b']);
    expect((await tenant.call('POST', `${self}/recover`, wish)).body.matched).toBe(0);
  });

  test('by time and kind is chosen: what was given up, what was never tried, or all of it', async () => {
    const { tenant, endpoint, path } = await subscribe();
    const self = `${ENDPOINTS}/${endpoint.id}`;
    await recordEvents(kit, tenant.tenantId, texts('taken'));
    await untilDelivery(tenant, endpoint, ({ state }) => state === 'delivered');
    receiver.answer = (hook, response) => answering(hook.path === path ? 503 : 204)(hook, response);
    await recordEvents(kit, tenant.tenantId, texts('given up'));
    await untilDelivery(tenant, endpoint, ({ attempts, state }) => state === 'pending' && attempts > 0);
    expect((await tenant.call('PATCH', self, { enabled: false })).status).toBe(200);
    await recordEvents(kit, tenant.tenantId, texts('never tried'));
    receiver.answer = answering(204);
    expect((await tenant.call('PATCH', self, { enabled: true })).status).toBe(200);
    const recover = async (wish: object) =>
      (await tenant.call('POST', `${self}/recover`, { since: endpoint.created_at, ...wish })).body.matched;
    const counts = ['failed', 'missing', 'all'].map((only) => recover({ only, dry_run: true }));
    expect(await Promise.all(counts)).toEqual([1, 1, 3]);
    expect(await recover({ only: 'all', until: endpoint.created_at })).toBe(0);
    const before = cameTo(path).length;
    expect(await recover({})).toBe(1);
    const [again] = (await untilCame(path, before + 1)).slice(before);
    expect(JSON.parse(again?.body ?? '').data.body).toBe('given up');
  });

  test('is sent again one by one, with the same id', async () => {
    const { tenant, endpoint, path } = await subscribe();
    await recordEvents(kit, tenant.tenantId, texts('lost'));
    const { id } = await untilDelivery(tenant, endpoint, ({ state }) => state === 'delivered');
    const again = await tenant.call('POST', `${ENDPOINTS}/${endpoint.id}/deliveries/${id}/resend`);
    expect(again).toMatchObject({ status: 202, body: { id, attempts: 0 } });
    const [first, second] = await untilCame(path, 2);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  });

  test('a test sends an example of any type', async () => {
    const { tenant, endpoint, path } = await subscribe({ types: ['message.read'] });
    const queued = await tenant.call('POST', `${ENDPOINTS}/${endpoint.id}/test`, { type: 'message.received' });
    expect(queued).toMatchObject({ status: 202, body: { state: 'pending', sequence: null } });
    const [hook] = await untilCame(path, 1);
    const verified = new Webhook(endpoint.secret).verify(hook?.body ?? '', hook?.headers as Record<string, string>);
    expect(verified).toMatchObject({ id: queued.body.event_id, sequence: 0, type: 'message.received' });
    expect((await tenant.call('GET', '/v1/events')).body.data).toEqual([]);
  });
});

describe('/v1/webhook-endpoints', () => {
  test('keeps its secret encrypted, and shows it once', async () => {
    const tenant = await makeTestTenant(kit);
    const once = { 'idempotency-key': 'one-endpoint' };
    const made = await tenant.call('POST', ENDPOINTS, { url: `${receiver.url}/kept` }, once);
    const repeated = await tenant.call('POST', ENDPOINTS, { url: `${receiver.url}/kept` }, once);
    expect(repeated.body).toEqual({ ...made.body, secret: null });
    const shown = await tenant.call('GET', `${ENDPOINTS}/${made.body.id}`);
    expect(shown.text).not.toContain('whsec_');
    const table = { name: 'test_endpoints', text: 'select * from webhook_endpoints' };
    const stored = JSON.stringify((await kit.service.db.run(table, [])).rows);
    expect(stored).not.toContain(made.body.secret.slice('whsec_'.length));
  });

  test.each([
    'http://shop.example/hook',
    'https://user:secret@shop.example/',
    'https://10.1/',
    'https://0x0a.1/',
    'https://167772161/',
    'https://[::ffff:10.0.0.1]/',
    'https://localhost./',
    'https://shop.example:25/',
    'ftp://shop.example/',
    'shop.example',
  ])('refuses %s', async (url) => {
    const tenant = await makeTestTenant(kit);
    const answer = await tenant.call('POST', ENDPOINTS, { url });
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'body.url' }] } });
  });

  test('honours If-Match, and another tenant sees nothing of it', async () => {
    const { tenant, endpoint } = await subscribe();
    const stranger = await makeTestTenant(kit);
    const self = `${ENDPOINTS}/${endpoint.id}`;
    expect((await stranger.call('GET', self)).status).toBe(404);
    expect((await stranger.call('PATCH', self, { enabled: false })).status).toBe(404);
    expect((await tenant.call('PATCH', self, { description: 'x' }, { 'if-match': '"7"' })).status).toBe(412);
    const changed = await tenant.call('PATCH', self, { description: 'x' }, { 'if-match': '"1"' });
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"']);
    expect((await tenant.call('DELETE', self)).body).toEqual({ id: endpoint.id, status: 'deleted' });
    expect((await tenant.call('GET', self)).status).toBe(404);
  });
});

test('whatever happened here, each delivery went only where docs/state-machines.md draws it', async () => {
  const drawn = Object.entries(webhookTransitions).flatMap(([from, tos]) => tos.map((to) => `${from} > ${to}`));
  expect(await moves()).toEqual(drawn.toSorted());
});
