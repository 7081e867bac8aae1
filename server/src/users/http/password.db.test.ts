import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PasskeyId, UserId } from '#core/ids';
import { GOOD_PASSWORD, makePerson, makePersonWithPassword, OWN_PAGE, type TestPerson } from '#testing/test-people';
import { TestClock } from '#testing/test-runtime';
import { startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';
import type { Passkey } from '#users/domain/passkey';
import { insertPasskey } from '#users/store/passkeys';

const clock = new TestClock();
let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService({ clock });
  tenant = await makeTestTenant(kit);
});
afterAll(() => kit.close());
/** What was counted by address before is forgotten. */
beforeEach(() => clock.advance(16 * 60_000));

const passkeyOf = (userId: UserId): Passkey => ({
  passkeyId: kit.rt.newId<PasskeyId>(),
  userId,
  ...{ credentialId: 'key', publicKey: 'key', counter: 0, transports: [], name: 'Laptop', backedUp: false },
  ...{ createdMs: clock.now(), lastUsedMs: null },
});

const NEXT = 'a river under four bridges';
const RECENT_MS = 10 * 60_000 + 1;

describe('a password', () => {
  test('signs its person in, in whatever form Unicode writes it', async () => {
    const person = await makePerson(kit, tenant);
    await person.signIn();
    await person.ask('PUT', '/v1/me/password', { new_password: 'cafe\u0301 by the frozen lake' });
    const answer = await person.enter('café by the frozen lake');
    expect([answer.status, answer.body.user.email, answer.body.sign_in]).toEqual([
      201,
      person.email,
      { password: true, totp: false, recovery_codes: 0, passkeys: 0, single_sign_on: null },
    ]);
    expect((await person.ask('GET', '/v1/me')).status).toBe(200);
  });

  test('belongs to an address in whatever case it is typed', async () => {
    const person = await makePersonWithPassword(kit, tenant);
    const body = { method: 'password', email: ` ${person.email.toUpperCase()} `, password: GOOD_PASSWORD };
    expect((await person.ask('POST', '/v1/sessions', body)).status).toBe(201);
  });

  test('that is wrong is answered like an address that nobody has, and a person without a password', async () => {
    const [person, without] = [await makePersonWithPassword(kit, tenant), await makePerson(kit, tenant)];
    const wrong = await person.enter('a wrong password here');
    const none = await without.enter(GOOD_PASSWORD);
    const unknown = { method: 'password', email: 'nobody@example.com', password: GOOD_PASSWORD };
    const nobody = await without.ask('POST', '/v1/sessions', unknown);
    expect([wrong.status, wrong.body]).toEqual([
      401,
      { error: 'The email address or the password is wrong.', code: 'sign_in_failed' },
    ]);
    const shown = ({ status, text, headers }: typeof wrong) => [status, text, [...headers.keys()].toSorted()];
    expect([shown(none), shown(nobody)]).toEqual([shown(wrong), shown(wrong)]);
  });

  test('is stored as a hash alone, and never shown', async () => {
    const person = await makePersonWithPassword(kit, tenant);
    const { rows } = await kit.service.db.run<{ passwordHash: string }>(
      { name: 'test_hash', text: 'select * from users where user_id = $1' },
      [person.userId],
    );
    expect(JSON.stringify(rows)).not.toContain(GOOD_PASSWORD);
    expect((await person.ask('GET', '/v1/me')).text).not.toMatch(/argon2|hash/);
  });

  test('opens a new session, and the one that the browser had ends', async () => {
    const person = await makePersonWithPassword(kit, tenant);
    const before = person.cookie;
    await person.enter(GOOD_PASSWORD);
    expect(person.cookie).not.toBe(before);
    clock.advance(2_000);
    const old = await person.ask('GET', '/v1/me', undefined, { ...OWN_PAGE, cookie: before });
    expect([old.status, (await person.ask('GET', '/v1/me')).status]).toEqual([401, 200]);
  });
});

describe('setting a password', () => {
  test('needs the present one, or a sign-in of the last ten minutes', async () => {
    const person = await makePersonWithPassword(kit, tenant);
    clock.advance(RECENT_MS);
    const set = (fields: object) => person.ask('PUT', '/v1/me/password', { new_password: NEXT, ...fields });
    expect((await set({})).body.code).toBe('sign_in_again');
    const wrong = await set({ current_password: 'not the present one' });
    expect([wrong.status, wrong.body.code]).toEqual([403, 'wrong_password']);
    expect((await set({ current_password: GOOD_PASSWORD })).status).toBe(200);
    expect((await person.enter(GOOD_PASSWORD)).status).toBe(401);
    expect((await person.enter(NEXT)).status).toBe(201);
  });

  test('ends every other session, takes links back, and is in the audit log', async () => {
    const person = await makePersonWithPassword(kit, tenant);
    const other = { ...OWN_PAGE, cookie: person.cookie };
    person.cookie = null;
    await person.enter(GOOD_PASSWORD);
    await person.ask('PUT', '/v1/me/password', { new_password: NEXT });
    clock.advance(2_000);
    expect((await person.ask('GET', '/v1/me', undefined, other)).status).toBe(401);
    expect((await person.ask('GET', '/v1/me')).status).toBe(200);
    const { body } = await tenant.call('GET', '/v1/audit-log?limit=1');
    expect([body.data[0].action, body.data[0].actor.kind]).toEqual(['user.password_set', 'agent']);
  });

  test.each([
    ['short', 'too short', 'The password must have at least 12 characters.'],
    ['easy', 'Password1234', 'This password is too easy to guess.'],
  ])('to one that is %s changes nothing', async (_case, password, sentence) => {
    const person = await makePersonWithPassword(kit, tenant);
    const answer = await person.ask('PUT', '/v1/me/password', { new_password: password });
    expect([answer.status, answer.body.details[0].path]).toEqual([400, 'body.new_password']);
    expect(answer.body.error).toContain(sentence);
    expect((await person.enter(GOOD_PASSWORD)).status).toBe(201);
  });

  test('cannot be tried more than ten times with a wrong present one', async () => {
    const person = await makePersonWithPassword(kit, tenant);
    const set = (current: string) =>
      person.ask('PUT', '/v1/me/password', { new_password: NEXT, current_password: current });
    const answers = await Promise.all(Array.from({ length: 15 }, (_, n) => set(`a wrong guess ${n}`)));
    expect(answers.filter(({ status }) => status === 403).length).toBe(10);
    expect((await set(GOOD_PASSWORD)).status).toBe(429);
  });

  test('of two people who do it at the same moment with the same proof, one wins', async () => {
    const person = await makePersonWithPassword(kit, tenant);
    const wanted = ['first of two rivers here', 'second of two rivers here'];
    const answers = await Promise.all(
      wanted.map((password) =>
        person.ask('PUT', '/v1/me/password', { new_password: password, current_password: GOOD_PASSWORD }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
    const winner = wanted[answers.findIndex(({ status }) => status === 200)] ?? '';
    expect((await person.enter(winner)).status).toBe(201);
  });

  test('needs an email address to sign in with', async () => {
    const person = await makePerson(kit, tenant);
    await kit.service.db.run({ name: 'test_no_email', text: 'update users set email = null where user_id = $1' }, [
      person.userId,
    ]);
    await person.signIn();
    const answer = await person.ask('PUT', '/v1/me/password', { new_password: NEXT });
    expect([answer.status, answer.body.error]).toEqual([409, 'Set your email address first: you sign in with both.']);
  });
});

describe('the only way in', () => {
  test('cannot be deleted', async () => {
    const person = await makePersonWithPassword(kit, tenant);
    const answer = await person.ask('DELETE', '/v1/me/password');
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
    expect((await person.enter(GOOD_PASSWORD)).status).toBe(201);
  });

  test('is no longer the only one beside a passkey', async () => {
    const person = await makePersonWithPassword(kit, tenant);
    await kit.service.db.transaction((tx) => insertPasskey(tx, passkeyOf(person.userId)));
    expect((await person.ask('GET', '/v1/me')).body.sign_in).toMatchObject({ password: true, passkeys: 1 });
    expect((await person.ask('DELETE', '/v1/me/password')).status).toBe(200);
    expect((await person.enter(GOOD_PASSWORD)).body.code).toBe('sign_in_failed');
  });

  test('that is not there is not found', async () => {
    const person = await makePerson(kit, tenant);
    await person.signIn();
    expect((await person.ask('DELETE', '/v1/me/password')).status).toBe(404);
  });
});

describe('the address that a person signs in with', () => {
  const setEmail = (person: TestPerson, email: string) => person.ask('PATCH', '/v1/me', { email });

  test('is changed by them, after a recent sign-in', async () => {
    const person = await makePersonWithPassword(kit, tenant);
    expect((await setEmail(person, 'new@example.com')).body.user.email).toBe('new@example.com');
    const body = { method: 'password', email: 'new@example.com', password: GOOD_PASSWORD };
    expect((await person.ask('POST', '/v1/sessions', body)).status).toBe(201);
    clock.advance(RECENT_MS);
    expect((await setEmail(person, 'later@example.com')).body.code).toBe('sign_in_again');
  });

  test('must be one, and nobody else’s', async () => {
    const [person, other] = [await makePersonWithPassword(kit, tenant), await makePerson(kit, tenant)];
    expect((await setEmail(person, 'no address')).status).toBe(400);
    const taken = await setEmail(person, other.email.toUpperCase());
    expect([taken.status, taken.body.error]).toEqual([409, 'Another person signs in with this email address.']);
    expect((await person.ask('GET', '/v1/me')).body.user.email).toBe(person.email);
  });

  test('goes to one of two who want it at the same moment', async () => {
    const people = [await makePersonWithPassword(kit, tenant), await makePersonWithPassword(kit, tenant)];
    const answers = await Promise.all(people.map((person) => setEmail(person, 'wanted@example.com')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test('cannot be found out by trying many', async () => {
    const [person, other] = [await makePersonWithPassword(kit, tenant), await makePerson(kit, tenant)];
    for (let count = 0; count < 10; count += 1) expect((await setEmail(person, other.email)).status).toBe(409);
    expect((await setEmail(person, other.email)).status).toBe(429);
  });
});
