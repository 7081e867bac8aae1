import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/json';
import { describedForPeople } from '#http/testing/described';
import { TestClock } from '#testing/test-runtime';
import { type Answer, callApi, startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { ensureOwner } from '#users/actions/first-owner';
import { makeSignInLink } from '#users/actions/sign-in';
import { relyingPartyOf } from '#users/domain/passkey';
import { SoftwareAuthenticator, UNVERIFIED, UNVERIFIED_WITH_KEY } from '#users/testing/software-authenticator';

const ORIGIN = 'https://chat.example.com';
const RECENT_MS = 10 * 60_000;
const clock = new TestClock();
let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService({ clock, config: { publicUrl: ORIGIN } });
  tenant = await makeTestTenant(kit);
});
afterAll(() => kit.close());

const OWN_PAGE = { 'postrider-client': 'test', 'sec-fetch-site': 'same-origin' };

/** Sign-ins are limited by address, which these tests have only one of: so much later, one more is free. */
const A_WHILE_MS = 2_000;

function ask(cookie: string | null, method: string, path: string, body?: unknown, at = kit): Promise<Answer> {
  const headers = cookie === null ? OWN_PAGE : { ...OWN_PAGE, cookie };
  return callApi(at.service.url, method, path, body, headers);
}

const cookieOf = (answer: Answer) => (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';

/** Signs the owner in by a link, as of now. */
async function signIn(at = kit, of = tenant): Promise<string> {
  clock.advance(A_WHILE_MS);
  const link = await makeSignInLink(at.rt, at.service.db, await ensureOwner(at.rt, at.service.db, of.tenantId));
  const answer = await ask(null, 'POST', '/v1/sessions', { method: 'link', token: link.split('#token=')[1] }, at);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return cookieOf(answer);
}

async function optionsFor(cookie: string) {
  const answer = await ask(cookie, 'POST', '/v1/me/passkeys/challenge', {});
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body.options;
}

async function optionsToSignIn() {
  clock.advance(A_WHILE_MS);
  const answer = await ask(null, 'POST', '/v1/passkeys/challenge', {});
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body.options;
}

/** An authenticator with a passkey of whoever is signed in. */
async function register(cookie: string, name = 'Laptop') {
  const authenticator = new SoftwareAuthenticator(ORIGIN);
  const credential = authenticator.create(await optionsFor(cookie));
  const answer = await ask(cookie, 'POST', '/v1/me/passkeys', { name, credential });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return { authenticator, passkey: answer.body };
}

function signInWith(credential: JsonObject, fields: object = {}): Promise<Answer> {
  clock.advance(A_WHILE_MS);
  return ask(null, 'POST', '/v1/passkeys/sessions', { credential, ...fields });
}

/** A person of their own tenant, whom no other test knows. */
async function stranger(): Promise<string> {
  return signIn(kit, await makeTestTenant(kit));
}

describe('a passkey', () => {
  test('signs its person in, as often as they like, and the session counts as a recent sign-in', async () => {
    const { authenticator, passkey } = await register(await signIn());
    for (const remember of [false, true]) {
      const answer = await signInWith(authenticator.get(await optionsToSignIn()), { remember });
      expect([answer.status, answer.body.agent.role, answer.body.tenant.id]).toEqual([201, 'owner', tenant.tenantId]);
      expect(answer.headers.get('set-cookie')?.includes('Max-Age')).toBe(remember);
      expect((await ask(cookieOf(answer), 'POST', '/v1/api-keys', { name: 'of a program' })).status).toBe(201);
    }
    const { body } = await ask(await signIn(), 'GET', '/v1/me/passkeys');
    expect(body.data.find(({ id }: { readonly id: string }) => id === passkey.id).last_used_at).not.toBeNull();
  });

  test('is listed and renamed by its person, and signs nobody in once it is removed', async () => {
    const cookie = await stranger();
    const first = await register(cookie, 'Laptop');
    const second = await register(cookie, 'Phone');
    await ask(cookie, 'PATCH', `/v1/me/passkeys/${first.passkey.id}`, { name: 'Old laptop' });
    const names = async () =>
      (await ask(cookie, 'GET', '/v1/me/passkeys')).body.data.map(({ name }: { readonly name: string }) => name);
    expect(await names()).toEqual(['Old laptop', 'Phone']);
    expect((await ask(cookie, 'DELETE', `/v1/me/passkeys/${first.passkey.id}`)).status).toBe(200);
    expect(await names()).toEqual(['Phone']);
    expect((await signInWith(first.authenticator.get(await optionsToSignIn()))).body.code).toBe('sign_in_failed');
    expect((await signInWith(second.authenticator.get(await optionsToSignIn()))).status).toBe(201);
  });

  test('of another person is not there', async () => {
    const { passkey } = await register(await signIn());
    const other = await stranger();
    for (const [method, body] of [
      ['PATCH', { name: 'Mine' }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await ask(other, method, `/v1/me/passkeys/${passkey.id}`, body);
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    }
    expect((await ask(other, 'GET', '/v1/me/passkeys')).body.data).toEqual([]);
  });

  test('leaves entries in the audit log, and says how somebody signed in', async () => {
    const own = await makeTestTenant(kit);
    const cookie = await signIn(kit, own);
    const { authenticator, passkey } = await register(cookie);
    await ask(cookie, 'PATCH', `/v1/me/passkeys/${passkey.id}`, { name: 'Desk' });
    await signInWith(authenticator.get(await optionsToSignIn()));
    await ask(cookie, 'DELETE', `/v1/me/passkeys/${passkey.id}`);
    const { body } = await own.call('GET', '/v1/audit-log?limit=4');
    expect(body.data.map(({ action, details }: Answer['body']) => [action, details])).toEqual([
      ['passkey.removed', { name: 'Desk' }],
      ['session.started', { method: 'passkey' }],
      ['passkey.changed', { name: 'Desk' }],
      ['passkey.added', { name: 'Laptop' }],
    ]);
  });

  test('is one of 20 at most, however many are added at the same time', async () => {
    const cookie = await stranger();
    const answers = await Promise.all(
      Array.from({ length: 22 }, async () => {
        const { body } = await ask(cookie, 'POST', '/v1/me/passkeys/challenge', {});
        const credential = new SoftwareAuthenticator(ORIGIN).create(body.options);
        return ask(cookie, 'POST', '/v1/me/passkeys', { name: 'One of many', credential });
      }),
    );
    expect(answers.filter(({ status }) => status === 201).length).toBe(20);
    expect(answers.filter(({ body }) => body.code === 'conflict').length).toBe(2);
    expect((await ask(cookie, 'POST', '/v1/me/passkeys/challenge', {})).body.code).toBe('conflict');
  });
});

describe('adding a passkey', () => {
  test.each([
    ['of another page', { origin: 'https://evil.example' }],
    ['of another domain', { rpId: 'evil.example' }],
    ['that verified nobody', { flags: UNVERIFIED_WITH_KEY }],
    ['that was made to sign in', { type: 'webauthn.get' }],
  ])('refuses an answer %s', async (_case, odd) => {
    const cookie = await stranger();
    const credential = new SoftwareAuthenticator(ORIGIN).create(await optionsFor(cookie), odd);
    const answer = await ask(cookie, 'POST', '/v1/me/passkeys', { name: 'Odd', credential });
    expect([answer.status, answer.body.code]).toEqual([409, 'passkey_refused']);
    expect((await ask(cookie, 'GET', '/v1/me/passkeys')).body.data).toEqual([]);
  });

  test.each([
    ['nothing', {}],
    ['no answer', { id: 'x', rawId: 'x', type: 'public-key' }],
    ['texts that are none', { id: 1, rawId: 2, type: 'public-key', response: { clientDataJSON: 3 } }],
    [
      'client data that is no JSON',
      { id: 'x', rawId: 'x', response: { clientDataJSON: 'AAAA', attestationObject: 'AA' } },
    ],
  ])('refuses %s', async (_case, credential) => {
    const answer = await ask(await signIn(), 'POST', '/v1/me/passkeys', { name: 'Odd', credential });
    expect([answer.status, answer.body.code]).toEqual([409, 'passkey_refused']);
  });

  test('takes a challenge once, for five minutes, of the same person, and none that was made to sign in', async () => {
    const [cookie, other] = [await stranger(), await stranger()];
    const authenticator = new SoftwareAuthenticator(ORIGIN);
    const options = await optionsFor(cookie);
    const credential = authenticator.create(options);
    const add = (as: string, given: JsonObject) =>
      ask(as, 'POST', '/v1/me/passkeys', { name: 'One', credential: given });
    expect((await add(other, credential)).body.code).toBe('passkey_refused');
    expect((await add(cookie, credential)).status).toBe(201);
    expect((await add(cookie, credential)).body.code).toBe('passkey_refused');
    const late = new SoftwareAuthenticator(ORIGIN).create(await optionsFor(cookie));
    clock.advance(5 * 60_000);
    expect((await add(cookie, late)).body.code).toBe('passkey_refused');
    const foreign = { ...(await optionsToSignIn()), rp: options.rp, user: options.user };
    expect((await add(cookie, new SoftwareAuthenticator(ORIGIN).create(foreign))).body.code).toBe('passkey_refused');
  });

  test('refuses a passkey that is registered, also to somebody else', async () => {
    const cookie = await signIn();
    const { authenticator } = await register(cookie);
    for (const as of [cookie, await stranger()]) {
      const credential = authenticator.create(await optionsFor(as));
      const answer = await ask(as, 'POST', '/v1/me/passkeys', { name: 'Again', credential });
      expect([answer.body.code, answer.body.error]).toEqual(['passkey_refused', 'This passkey is already registered.']);
    }
  });

  test('asks for a recent sign-in, as renaming and removing do', async () => {
    const cookie = await signIn();
    const { passkey } = await register(cookie);
    clock.advance(RECENT_MS + 1);
    const path = `/v1/me/passkeys/${passkey.id}`;
    for (const [method, target, body] of [
      ['POST', '/v1/me/passkeys/challenge', {}],
      ['POST', '/v1/me/passkeys', { name: 'x', credential: {} }],
      ['PATCH', path, { name: 'x' }],
      ['DELETE', path, undefined],
    ] as const) {
      expect((await ask(cookie, method, target, body)).body.code).toBe('sign_in_again');
    }
    expect((await ask(cookie, 'GET', '/v1/me/passkeys')).status).toBe(200);
  });
});

describe('signing in with a passkey', () => {
  test.each([
    ['of another page', { origin: 'https://evil.example' }],
    ['of another domain', { rpId: 'evil.example' }],
    ['that verified nobody', { flags: UNVERIFIED }],
    ['that was made to add a passkey', { type: 'webauthn.create' }],
    ['for another person', { userHandle: Buffer.from('somebody else').toString('base64url') }],
    ['without a person', { userHandle: '' }],
    ['with a signature of another key', { signature: 'MEUCIQDx' }],
  ])('is refused to an answer %s, in the same words', async (_case, odd) => {
    const { authenticator } = await register(await stranger());
    const refused = await signInWith(authenticator.get(await optionsToSignIn(), odd));
    const unknown = await signInWith(new SoftwareAuthenticator(ORIGIN).get(await optionsToSignIn()));
    expect([refused.status, refused.headers.get('set-cookie')]).toEqual([401, null]);
    expect(refused.text).toBe(unknown.text);
  });

  test('takes a challenge once, for five minutes, and none that was made to add a passkey', async () => {
    const cookie = await stranger();
    const { authenticator } = await register(cookie);
    const options = await optionsToSignIn();
    const both = await Promise.all([signInWith(authenticator.get(options)), signInWith(authenticator.get(options))]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 401]);
    const other = authenticator.get({ ...(await optionsFor(cookie)), rpId: 'chat.example.com' });
    expect((await signInWith(other)).status).toBe(401);
    const late = authenticator.get(await optionsToSignIn());
    clock.advance(5 * 60_000);
    expect((await signInWith(late)).status).toBe(401);
  });

  test('is refused to a copy, whose counter has not grown', async () => {
    const { authenticator } = await register(await stranger());
    expect((await signInWith(authenticator.get(await optionsToSignIn(), { counter: 7 }))).status).toBe(201);
    for (const counter of [7, 3, 0])
      expect((await signInWith(authenticator.get(await optionsToSignIn(), { counter }))).status).toBe(401);
    expect((await signInWith(authenticator.get(await optionsToSignIn(), { counter: 8 }))).status).toBe(201);
  });

  test('works with an authenticator that does not count', async () => {
    const { authenticator } = await register(await stranger());
    for (let count = 0; count < 2; count += 1)
      expect((await signInWith(authenticator.get(await optionsToSignIn(), { counter: 0 }))).status).toBe(201);
  });

  test('is refused to a person who works in no tenant', async () => {
    const { body: agent } = await tenant.call('POST', '/v1/agents', { name: 'Bo', role: 'agent' });
    const invited = await tenant.call('POST', `/v1/agents/${agent.id}/invitation`);
    clock.advance(A_WHILE_MS);
    const token = invited.body.url.split('#token=')[1];
    const { authenticator } = await register(
      cookieOf(await ask(null, 'POST', '/v1/sessions', { method: 'link', token })),
    );
    await tenant.call('DELETE', `/v1/agents/${agent.id}`);
    const answer = await signInWith(authenticator.get(await optionsToSignIn()));
    expect([answer.status, answer.body.code]).toEqual([401, 'sign_in_failed']);
  });
});

describe('passkeys', () => {
  test.each([
    ['http://192.0.2.7:8080', /IP address, 192\.0\.2\.7/],
    ['https://[2001:db8::1]', /IP address/],
    ['http://chat.example.com', /need HTTPS/],
  ])('are not to be had at %s, and the sentence says why', async (address, why) => {
    expect(relyingPartyOf(address)).toMatch(why);
  });

  test.each([
    ['http://localhost:8080', { id: 'localhost', origin: 'http://localhost:8080' }],
    ['https://chat.example.com', { id: 'chat.example.com', origin: 'https://chat.example.com' }],
  ])('are to be had at %s', (address, party) => {
    expect(relyingPartyOf(address)).toEqual(party);
  });

  test('are refused clearly where browsers would make none', async () => {
    const other = await startTestService({ clock, config: { publicUrl: 'http://192.0.2.7:8080' } });
    try {
      const cookie = await signIn(other, await makeTestTenant(other));
      for (const [as, path, body] of [
        [null, '/v1/passkeys/challenge', {}],
        [null, '/v1/passkeys/sessions', { credential: {} }],
        [cookie, '/v1/me/passkeys/challenge', {}],
        [cookie, '/v1/me/passkeys', { name: 'x', credential: {} }],
      ] as const) {
        const answer = await ask(as, 'POST', path, body, other);
        expect([answer.status, answer.body.code]).toEqual([409, 'passkeys_unavailable']);
      }
    } finally {
      await other.close();
    }
  });

  test('are answered as the document says', async () => {
    const cookie = await stranger();
    const { authenticator, passkey } = await register(cookie);
    const begun = await ask(null, 'POST', '/v1/passkeys/challenge', {});
    const path = `/v1/me/passkeys/${passkey.id}`;
    const answers: Readonly<Record<string, Answer['body']>> = {
      createPasskeyChallenge: begun.body,
      createPasskeySession: (await signInWith(authenticator.get(begun.body.options))).body,
      listPasskeys: (await ask(cookie, 'GET', '/v1/me/passkeys')).body,
      createOwnPasskeyChallenge: (await ask(cookie, 'POST', '/v1/me/passkeys/challenge', {})).body,
      addPasskey: passkey,
      updatePasskey: (await ask(cookie, 'PATCH', path, { name: 'Desk' })).body,
      deletePasskey: (await ask(cookie, 'DELETE', path)).body,
    };
    for (const { id, successes } of describedForPeople.filter((one) => one.id in answers)) {
      const [success] = successes();
      expect([id, success?.validate(answers[id]), success?.validate.errors]).toEqual([id, true, null]);
    }
  });
});
