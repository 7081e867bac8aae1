import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { describedForPeople } from '#http/testing/described';
import { installationPushKey } from '#notifications/actions/push-key';
import { MAX_SUBSCRIPTIONS } from '#notifications/domain/push';
import { makeSubscriber, type PushKit, type Subscriber, startPushKit } from '#notifications/testing/push-kit';
import { makeBrowser } from '#notifications/testing/push-service';
import { makePerson } from '#testing/test-people';

const PATH = '/v1/me/push-subscriptions';
let all: PushKit;
let ada: Subscriber;

beforeAll(async () => {
  all = await startPushKit();
});
afterAll(() => all.close());
/** Attempts to sign in that were counted by address are forgotten. */
const forgetAttempts = () => all.pass(60_000);
beforeEach(async () => {
  forgetAttempts();
  ada = await makeSubscriber(all);
});

const listOf = async ({ person }: Pick<Subscriber, 'person'>) => (await person.ask('GET', PATH)).body.data;
const put = (subscription: object) => ada.person.ask('PUT', PATH, subscription);
const actions = async () => {
  const { body } = await ada.tenant.call('GET', '/v1/audit-log?limit=100');
  return body.data
    .map(({ action }: { action: string }) => action)
    .filter((action: string) => action.startsWith('push.'));
};

test('all that is asked about browsers is answered as the document says', async () => {
  const { ask } = ada.person;
  const answers: Readonly<Record<string, unknown>> = {
    getPushKey: (await ask('GET', '/v1/me/push-key')).body,
    listPushSubscriptions: (await ask('GET', PATH)).body,
    putPushSubscription: (await put(ada.browser.subscription)).body,
    reportShownNotifications: (
      await ask('POST', '/v1/me/notifications/shown', { before: new Date(all.kit.rt.clock.now()).toISOString() })
    ).body,
    deletePushSubscription: (await ask('DELETE', `${PATH}/current`)).body,
  };
  const about = describedForPeople.filter(({ path }) => /push|shown/.test(path));
  expect(about.map(({ id }) => id).sort()).toEqual(Object.keys(answers).sort());
  for (const { id, successes } of about) {
    const [success] = successes();
    expect([id, success?.validate(answers[id]), success?.validate.errors]).toEqual([id, true, null]);
  }
});

describe('a browser', () => {
  test('is listed without its address and its keys, and is that of the session', async () => {
    const [one] = await listOf(ada);
    expect(one).toEqual({
      id: expect.any(String),
      current: true,
      service: new URL(all.pushes.url).host,
      user_agent: expect.any(String),
      created_at: expect.any(String),
      last_pushed_at: null,
    });
  });

  test('may subscribe again: the same changes nothing, another address takes the place of the first', async () => {
    const [before] = await listOf(ada);
    expect((await put(ada.browser.subscription)).body.id).toBe(before.id);
    expect(await actions()).toEqual(['push.subscribed']);
    expect((await put(makeBrowser(all.pushes).subscription)).body.id).toBe(before.id);
    expect(await listOf(ada)).toHaveLength(1);
    expect(await actions()).toEqual(['push.subscribed', 'push.subscribed']);
  });

  test('is taken by whoever subscribes with it next, also in another tenant', async () => {
    const ben = await makeSubscriber(all);
    expect((await ben.person.ask('PUT', PATH, ada.browser.subscription)).status).toBe(200);
    expect(await listOf(ada)).toEqual([]);
    expect(await listOf(ben)).toHaveLength(1);
  });

  test('is removed by its ID or as the current one, by its person alone', async () => {
    const [ben, stranger] = [await makeSubscriber(all, ada.tenant), await makeSubscriber(all)];
    const [{ id }] = await listOf(ada);
    expect((await stranger.person.ask('DELETE', `${PATH}/${id}`)).status).toBe(404);
    expect((await ben.person.ask('DELETE', `${PATH}/${id}`)).status).toBe(404);
    expect((await ben.person.ask('DELETE', `${PATH}/nothing`)).status).toBe(404);
    const removed = await ada.person.ask('DELETE', `${PATH}/${id.toUpperCase()}`);
    expect([removed.status, removed.body]).toEqual([200, { id, status: 'deleted' }]);
    expect((await ada.person.ask('DELETE', `${PATH}/current`)).status).toBe(404);
    expect((await ben.person.ask('DELETE', `${PATH}/current`)).status).toBe(200);
    expect(await actions()).toContain('push.unsubscribed');
  });

  test('goes with its session', async () => {
    await ada.person.ask('DELETE', '/v1/sessions/current');
    await ada.person.signIn();
    expect(await listOf(ada)).toEqual([]);
  });

  test('is refused when the person has as many as they may have', async () => {
    for (let count = 1; count < MAX_SUBSCRIPTIONS; count += 1) {
      forgetAttempts();
      ada.person.cookie = null;
      await ada.person.signIn();
      expect((await put(makeBrowser(all.pushes).subscription)).status).toBe(200);
    }
    forgetAttempts();
    ada.person.cookie = null;
    await ada.person.signIn();
    const refused = await put(makeBrowser(all.pushes).subscription);
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
    expect(await listOf(ada)).toHaveLength(MAX_SUBSCRIPTIONS);
  });
});

describe('a subscription is refused and changes nothing', () => {
  const address = (endpoint: string) => ({ ...ada.browser.subscription, endpoint });
  const keys = (changed: object) => {
    return { ...ada.browser.subscription, keys: { ...ada.browser.subscription.keys, ...changed } };
  };
  const offCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url');

  test.each([
    ['http://push.example.com/send', 'body.endpoint', 'endpoint must begin with https://.'],
    ['https://localhost/send', 'body.endpoint', 'endpoint must point to a public host.'],
    ['https://10.0.0.1/send', 'body.endpoint', 'endpoint must point to a public host.'],
    ['https://169.254.169.254/latest', 'body.endpoint', 'endpoint must point to a public host.'],
    ['https://me:secret@push.example.com/', 'body.endpoint', 'endpoint must not contain a user name or password.'],
    ['nothing', 'body.endpoint', 'endpoint must be an absolute https URL.'],
  ])('for the address %s', async (endpoint, path, message) => {
    const refused = await put(address(endpoint));
    expect([refused.status, refused.body.details]).toEqual([400, [{ path, message }]]);
    expect(await listOf(ada)).toHaveLength(1);
  });

  test.each([
    ['p256dh', () => offCurve],
    ['p256dh', () => 'AAAA'],
    ['p256dh', () => 'not base64!'],
    ['auth', () => 'AAAA'],
    ['auth', () => ''],
  ])('for a wrong %s', async (name, value) => {
    const refused = await put(keys({ [name]: value() }));
    expect([refused.status, refused.body.details[0].path]).toEqual([400, `body.keys.${name}`]);
  });

  test('without a session, or with a key of the API', async () => {
    const nobody = await makePerson(all.kit, ada.tenant);
    expect((await nobody.ask('PUT', PATH, ada.browser.subscription)).status).toBe(401);
    expect((await ada.tenant.call('PUT', PATH, ada.browser.subscription)).status).toBe(401);
    expect((await ada.tenant.call('GET', '/v1/me/push-key')).status).toBe(401);
  });
});

test('the key is the same for all processes, and a pair', async () => {
  const { db } = all.kit.service;
  const [first, second] = await Promise.all([installationPushKey(db), installationPushKey(db)]);
  expect(first).toEqual(second);
  const { body } = await ada.person.ask('GET', '/v1/me/push-key');
  expect(body).toEqual({ public_key: first.publicKey });
  expect(Buffer.from(first.publicKey, 'base64url')).toHaveLength(65);
  expect(Buffer.from(first.privateKey, 'base64url')).toHaveLength(32);
});

test('what was shown must be a time', async () => {
  const path = '/v1/me/notifications/shown';
  for (const before of ['yesterday', '2030-02-31T00:00:00Z', null]) {
    expect((await ada.person.ask('POST', path, { before })).status).toBe(400);
  }
});
