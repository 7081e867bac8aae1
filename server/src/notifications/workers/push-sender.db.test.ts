import { createECDH } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { removeOldRows } from '#maintenance/actions/clean-up-database';
import { claimPushes } from '#notifications/store/push-queue';
import {
  makeSubscriber,
  mention,
  openConversation,
  type PushKit,
  type Subscriber,
  startPushKit,
} from '#notifications/testing/push-kit';
import { makeBrowser, verifySender } from '#notifications/testing/push-service';
import { makePushSender } from './push-sender.ts';

const PAGE_HAS_MS = 3_000;
const HALF_HOUR_MS = 1_800_000;
const MOST_OF_REST_MS = 800_000;
const LEASE_MS = 60_000;

let all: PushKit;
let ada: Subscriber;
let conversationId: string;

beforeAll(async () => {
  all = await startPushKit();
});
afterAll(() => all.close());
beforeEach(async () => {
  all.pushes.received.length = 0;
  all.pushes.reply = () => ({ status: 201 });
  ada = await makeSubscriber(all);
  conversationId = (await openConversation(all.kit, ada.tenant, 'Where is my parcel?')).id;
});

const queued = async (subscriber = ada) => {
  const text = 'select attempts::int, due_ms::float8 as due_ms from push_queue where tenant_id = $1 order by due_ms';
  const { rows } = await all.kit.service.db.run<{ attempts: number; due_ms: number }>(
    { name: 'test_push_queue', text },
    [subscriber.tenant.tenantId],
  );
  return rows;
};
const untilQueued = (count: number, subscriber = ada) =>
  all.kit.until(
    () => queued(subscriber),
    (rows) => rows.length === count,
    `${count} pushes are queued`,
  );
/** What push services ask for in these tests: longer than the time for which an attempt is claimed. */
const REST_S = 900;
/** An attempt has been answered, and the push waits for the next one. */
const untilTried = (attempts: number) =>
  all.kit.until(
    () => queued(),
    (rows) => rows.some((row) => row.attempts === attempts && row.due_ms > all.kit.rt.clock.now() + MOST_OF_REST_MS),
    `attempt ${attempts} is settled`,
  );
const untilShown = (count: number, subscriber = ada) =>
  all.kit.until(
    async () => subscriber.browser.shown(),
    (shown) => shown.length >= count,
    `${count} pushes`,
  );
/** What is in the queue has been tried, and nothing is left of it. */
const untilEmpty = () =>
  all.kit.until(
    () => queued(),
    (rows) => rows.length === 0,
    'the queue is empty',
  );
/** Mentions Ada, waits until the push is queued, and lets the time of pages pass. */
async function mentionAda(body?: string): Promise<void> {
  await mention(ada.tenant, conversationId, [ada.agentId], body);
  await untilQueued(1);
  all.pass(PAGE_HAS_MS);
}

describe('a notification', () => {
  test('reaches the browser, encrypted for it and signed by this installation, without any text', async () => {
    await mentionAda('A secret about @Ada');
    const [shown] = await untilShown(1);
    const { body } = await ada.person.ask('GET', '/v1/notifications');
    expect(shown).toEqual({
      id: body.data[0].id,
      kind: 'mentioned',
      conversation_id: conversationId,
      customer: 'Ada Obi',
      who: null,
      text: null,
      unread: 1,
      created_at: body.data[0].created_at,
    });
    const [push] = all.pushes.received;
    if (push === undefined) throw new Error('There is none.');
    const { ttl, topic, urgency } = push.headers;
    expect([topic, urgency, push.headers['content-encoding']]).toEqual([
      conversationId.replaceAll('-', ''),
      'normal',
      'aes128gcm',
    ]);
    expect(Number(ttl)).toBeGreaterThan(11 * 3_600);
    const key = (await ada.person.ask('GET', '/v1/me/push-key')).body.public_key;
    const claims = await verifySender(push, key);
    expect([claims.aud, claims.sub, claims.named]).toEqual([all.pushes.url, 'mailto:postrider@localhost', key]);
    await untilEmpty();
    const list = await ada.person.ask('GET', '/v1/me/push-subscriptions');
    expect(list.body.data[0].last_pushed_at).not.toBeNull();
  });

  test('has the text of the note for somebody who wants it', async () => {
    await ada.person.ask('PATCH', '/v1/me', { preferences: { notifications: { push_text: true } } });
    await mentionAda('Please call her, @Ada');
    expect((await untilShown(1))[0].text).toBe('Please call her, @Ada');
  });

  test('that a page has shown is not pushed, and one that comes later is', async () => {
    await mention(ada.tenant, conversationId, [ada.agentId]);
    await untilQueued(1);
    const { body } = await ada.person.ask('GET', '/v1/notifications');
    const shown = await ada.person.ask('POST', '/v1/me/notifications/shown', { before: body.data[0].created_at });
    expect([shown.status, shown.body]).toEqual([200, { unread: 1 }]);
    expect(await queued()).toEqual([]);
    await mentionAda();
    expect((await untilShown(1))[0].unread).toBe(2);
    expect(all.pushes.received).toHaveLength(1);
  });

  test('reaches every browser of its agent, and no other agent', async () => {
    const ben = await makeSubscriber(all, ada.tenant);
    const second = makeBrowser(all.pushes);
    const [cookie] = [ada.person.cookie];
    ada.person.cookie = null;
    await ada.person.signIn();
    await ada.person.ask('PUT', '/v1/me/push-subscriptions', second.subscription);
    ada.person.cookie = cookie;
    await mention(ada.tenant, conversationId, [ada.agentId]);
    await untilQueued(2);
    all.pass(PAGE_HAS_MS);
    await untilShown(1);
    await untilEmpty();
    expect([ada.browser.shown().length, second.shown().length, ben.browser.shown().length]).toEqual([1, 1, 0]);
  });

  test('that does not pop up by the preferences is not queued', async () => {
    const kinds = { mentioned: { page: true, desktop: false } };
    await ada.person.ask('PATCH', '/v1/me', { preferences: { notifications: { kinds } } });
    await mention(ada.tenant, conversationId, [ada.agentId]);
    await all.kit.until(
      () => ada.person.ask('GET', '/v1/notifications'),
      ({ body }) => body.data.length === 1,
      'it is in the list',
    );
    expect(await queued()).toEqual([]);
  });

  test.each([
    [
      'was read',
      () =>
        ada.person.ask('POST', '/v1/notifications/read', { before: new Date(all.kit.rt.clock.now()).toISOString() }),
    ],
    [
      'comes in quiet hours',
      () => {
        const notifications = { quiet_hours: { from: '00:00', to: '23:59', time_zone: 'Etc/UTC' } };
        return ada.person.ask('PATCH', '/v1/me', { preferences: { notifications } });
      },
    ],
    ['is for a session that was ended', () => ada.person.ask('DELETE', '/v1/sessions/current')],
    ['is for an agent who was deleted', () => ada.tenant.call('DELETE', `/v1/agents/${ada.agentId}`)],
    [
      'is for a browser where pushes were turned off',
      () => ada.person.ask('DELETE', '/v1/me/push-subscriptions/current'),
    ],
  ])('that %s meanwhile is not pushed', async (_what, change) => {
    await mention(ada.tenant, conversationId, [ada.agentId]);
    await untilQueued(1);
    expect((await change()).status).toBe(200);
    all.pass(PAGE_HAS_MS);
    await untilEmpty();
    expect(all.pushes.received).toEqual([]);
  });
});

describe('a push service', () => {
  test.each([404, 410])('that answers %i has the subscription removed', async (status) => {
    all.pushes.reply = () => ({ status });
    await mentionAda();
    await untilEmpty();
    expect((await ada.person.ask('GET', '/v1/me/push-subscriptions')).body.data).toEqual([]);
    expect(all.pushes.received).toHaveLength(1);
  });

  test('that is overloaded is asked again, not before it wants to be, and the browser gets the push', async () => {
    const headers = { 'retry-after': String(REST_S) };
    all.pushes.reply = (nth) => (nth === 0 ? { status: 429, headers } : { status: 201 });
    await mentionAda();
    await untilTried(1);
    all.pass(REST_S * 1_000);
    await untilEmpty();
    expect(ada.browser.shown()).toHaveLength(2);
    expect(new Set(ada.browser.shown().map(({ id }) => id)).size).toBe(1);
  });

  test('that fails again and again is given up after five attempts, and the subscription stays', async () => {
    all.pushes.reply = () => ({ status: 503, headers: { 'retry-after': String(REST_S) } });
    await mentionAda();
    for (let attempts = 1; attempts < 5; attempts += 1) {
      await untilTried(attempts);
      all.pass(HALF_HOUR_MS * 1.25);
    }
    await untilEmpty();
    expect(all.pushes.received).toHaveLength(5);
    expect((await ada.person.ask('GET', '/v1/me/push-subscriptions')).body.data).toHaveLength(1);
  });

  test('that refuses a push for good is not asked again', async () => {
    all.pushes.reply = () => ({ status: 413 });
    await mentionAda();
    await untilEmpty();
    expect(all.pushes.received).toHaveLength(1);
  });

  test('that is silent holds up no other tenant', async () => {
    const ben = await makeSubscriber(all);
    const other = await openConversation(all.kit, ben.tenant);
    all.pushes.reply = (nth) => (nth < 8 ? null : { status: 201 });
    for (let note = 0; note < 8; note += 1) await mention(ada.tenant, conversationId, [ada.agentId]);
    await untilQueued(8);
    all.pass(PAGE_HAS_MS);
    await untilShown(8);
    await mention(ben.tenant, other.id, [ben.agentId]);
    await untilQueued(1, ben);
    all.pass(PAGE_HAS_MS);
    await untilShown(1, ben);
    expect(await queued()).toHaveLength(8);
  });
});

describe('a push is sent', () => {
  const othersSender = () => {
    const { rt, service } = all.kit;
    return makePushSender({ rt, db: service.db, key: key(), isDue: async () => true });
  };
  const key = () => {
    const pair = createECDH('prime256v1');
    return { publicKey: pair.generateKeys('base64url'), privateKey: pair.getPrivateKey('base64url') };
  };

  test('once, however many processes send', async () => {
    const others = [othersSender(), othersSender(), othersSender()];
    for (const other of others) other.start();
    for (let note = 0; note < 5; note += 1) await mention(ada.tenant, conversationId, [ada.agentId]);
    await untilQueued(5);
    all.pass(PAGE_HAS_MS);
    await untilEmpty();
    expect(ada.browser.shown()).toHaveLength(5);
    await Promise.all(others.map((other) => other.stop()));
  });

  test('by another process when the one that claimed it has died', async () => {
    await mention(ada.tenant, conversationId, [ada.agentId]);
    await untilQueued(1);
    const nowMs = all.kit.rt.clock.now() + PAGE_HAS_MS;
    const claim = { nowMs, leaseUntilMs: nowMs + LEASE_MS, busy: [], perTenant: 8, limit: 64 };
    expect(await claimPushes(all.kit.service.db, claim)).toHaveLength(1);
    all.pass(PAGE_HAS_MS + LEASE_MS);
    await untilShown(1);
    await untilEmpty();
  });
});

test('an address that has become private since is not asked', async () => {
  const { db } = all.kit.service;
  const text = "update push_subscriptions set endpoint = 'https://10.0.0.1/send/1' where tenant_id = $1";
  await db.run({ name: 'test_private', text }, [ada.tenant.tenantId]);
  await mentionAda();
  await untilEmpty();
  expect(all.pushes.received).toEqual([]);
});

test('subscriptions of sessions that have ended are removed', async () => {
  const stays = await makeSubscriber(all, ada.tenant);
  await ada.person.ask('DELETE', '/v1/sessions/current');
  const text = 'select agent_id from push_subscriptions where tenant_id = $1';
  const agents = async () =>
    (await all.kit.service.db.run({ name: 'test_subscribed', text }, [ada.tenant.tenantId])).rows;
  await removeOldRows(all.kit.rt, all.kit.service.db);
  expect(await agents()).toEqual([{ agent_id: stays.agentId }]);
});
