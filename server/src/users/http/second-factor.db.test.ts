import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OPERATOR } from '#access/domain/audit';
import { rotateTokens } from '#maintenance/actions/rotate-tokens';
import { openKeyring } from '#runtime/keyring';
import { appCode, GOOD_PASSWORD, makePersonWithPassword, type TestPerson } from '#testing/test-people';
import { TestClock } from '#testing/test-runtime';
import { startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { resetPerson } from '#users/actions/reset-person';

const clock = new TestClock();
let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService({ clock });
  tenant = await makeTestTenant(kit);
});
afterAll(() => kit.close());
beforeEach(() => clock.advance(16 * 60_000));

const STEP_MS = 30_000;

interface Protected {
  readonly person: TestPerson;
  readonly secret: string;
  readonly codes: readonly string[];
}

/** A person with a password and an app, signed in, in the step after the one whose code was used. */
async function makeProtected(): Promise<Protected> {
  const person = await makePersonWithPassword(kit, tenant);
  const { secret } = (await person.ask('POST', '/v1/me/totp')).body;
  const { status, body } = await person.ask('POST', '/v1/me/totp/confirm', { code: codeNow(secret) });
  expect([status, body.codes.length, new Set(body.codes).size]).toEqual([200, 10, 10]);
  clock.advance(STEP_MS);
  return { person, secret, codes: body.codes };
}

const codeNow = (secret: string, stepsLater = 0) => appCode(secret, kit.rt.clock.now(), stepsLater);
const enter = ({ person }: Protected, code?: string) => person.enter(GOOD_PASSWORD, code === undefined ? {} : { code });

describe('an authenticator app', () => {
  test('is asked for after the right password alone', async () => {
    const one = await makeProtected();
    const without = await enter(one);
    expect([without.status, without.body.code, without.headers.get('set-cookie')]).toEqual([
      401,
      'second_factor_required',
      null,
    ]);
    const wrong = await one.person.enter('a wrong password here', { code: codeNow(one.secret) });
    expect(wrong.body.code).toBe('sign_in_failed');
    const answer = await enter(one, codeNow(one.secret));
    expect([answer.status, answer.body.sign_in]).toEqual([
      201,
      { password: true, totp: true, recovery_codes: 10, passkeys: 0, single_sign_on: null },
    ]);
  });

  test('has codes that work once, and a step early or late', async () => {
    const one = await makeProtected();
    expect((await enter(one, codeNow(one.secret, 1))).status).toBe(201);
    expect((await enter(one, codeNow(one.secret, 1))).body.code).toBe('second_factor_failed');
    expect((await enter(one, codeNow(one.secret))).body.code).toBe('second_factor_failed');
    clock.advance(3 * STEP_MS);
    expect((await enter(one, codeNow(one.secret, -1))).status).toBe(201);
    clock.advance(3 * STEP_MS);
    expect((await enter(one, codeNow(one.secret, 2))).body.code).toBe('second_factor_failed');
  });

  test('lets one of several in who use a code at the same moment', async () => {
    const one = await makeProtected();
    const code = codeNow(one.secret);
    const answers = await Promise.all(Array.from({ length: 4 }, () => enter(one, code)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 401, 401, 401]);
  });

  test('is asked for with a link too, which a wrong code does not use up', async () => {
    const { person, secret } = await makeProtected();
    const token = (await resetPerson(kit.rt, kit.service.db, { ...person, removeTotp: false, origin: OPERATOR })).url
      .split('#token=')
      .at(-1);
    const by = (code?: string) =>
      person.ask('POST', '/v1/sessions', { method: 'link', token, ...(code ? { code } : {}) });
    expect((await by()).body.code).toBe('second_factor_required');
    expect((await by('000000')).body.code).toBe('second_factor_failed');
    expect((await by(codeNow(secret))).status).toBe(201);
    expect((await by(codeNow(secret, 1))).body.code).toBe('sign_in_failed');
  });

  test('cannot be guessed: ten wrong codes, and the right one is refused', async () => {
    const one = await makeProtected();
    for (let count = 0; count < 10; count += 1) {
      // Asking without a code neither counts nor forgets what was counted.
      expect((await enter(one)).body.code).toBe('second_factor_required');
      clock.advance(STEP_MS);
      expect((await enter(one, '12345')).body.code).toBe('second_factor_failed');
    }
    expect((await enter(one, codeNow(one.secret))).status).toBe(429);
  });

  test('that was begun and not confirmed asks nobody for anything', async () => {
    const person = await makePersonWithPassword(kit, tenant);
    await person.ask('POST', '/v1/me/totp');
    const wrong = await person.ask('POST', '/v1/me/totp/confirm', { code: '000000' });
    expect([wrong.status, wrong.body.code]).toEqual([401, 'second_factor_failed']);
    expect((await person.enter(GOOD_PASSWORD)).status).toBe(201);
  });

  test('is set up once, and confirmed only after it was begun', async () => {
    const { person, secret } = await makeProtected();
    expect((await person.ask('POST', '/v1/me/totp')).status).toBe(409);
    expect((await person.ask('POST', '/v1/me/totp/confirm', { code: codeNow(secret) })).status).toBe(409);
    const other = await makePersonWithPassword(kit, tenant);
    expect((await other.ask('POST', '/v1/me/totp/confirm', { code: '123456' })).status).toBe(409);
  });

  test('is removed by its person, who then signs in without', async () => {
    const { person } = await makeProtected();
    expect((await person.ask('DELETE', '/v1/me/totp')).status).toBe(200);
    expect((await person.enter(GOOD_PASSWORD)).body.sign_in).toEqual({
      password: true,
      totp: false,
      recovery_codes: 0,
      passkeys: 0,
      single_sign_on: null,
    });
    expect((await person.ask('DELETE', '/v1/me/totp')).status).toBe(404);
  });

  test('is changed only after a recent sign-in', async () => {
    const { person } = await makeProtected();
    clock.advance(10 * 60_000 + 1);
    const asked = [
      ['POST', '/v1/me/totp'],
      ['POST', '/v1/me/totp/confirm', { code: '123456' }],
      ['DELETE', '/v1/me/totp'],
      ['POST', '/v1/me/recovery-codes'],
      ['DELETE', '/v1/me/password'],
    ] as const;
    for (const [method, path, body] of asked)
      expect([path, (await person.ask(method, path, body)).body.code]).toEqual([path, 'sign_in_again']);
  });

  test('has its secret encrypted, also after the key was changed', async () => {
    const one = await makeProtected();
    const keyring = openKeyring(kit.rt.config);
    const rotation = await rotateTokens(kit.rt, kit.service.db, keyring);
    expect(rotation.rotated).toBeGreaterThanOrEqual(1);
    const { rows } = await kit.service.db.run({ name: 'test_users', text: 'select * from users' }, []);
    expect(JSON.stringify(rows)).not.toContain(one.secret);
    expect((await enter(one, codeNow(one.secret))).status).toBe(201);
  });
});

describe('a recovery code', () => {
  test('stands in for the app once, however it is typed', async () => {
    const one = await makeProtected();
    const [code = '', other = ''] = one.codes;
    expect(code).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/);
    expect((await enter(one, ` ${code.toUpperCase().replaceAll('-', ' ')} `)).body.sign_in.recovery_codes).toBe(9);
    expect((await enter(one, code)).body.code).toBe('second_factor_failed');
    expect((await enter(one, other)).status).toBe(201);
  });

  test('lets one of several in who use it at the same moment', async () => {
    const one = await makeProtected();
    const answers = await Promise.all(Array.from({ length: 4 }, () => enter(one, one.codes[0])));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 401, 401, 401]);
  });

  test('stops working when new ones are made, and is one person’s alone', async () => {
    const [one, other] = [await makeProtected(), await makeProtected()];
    expect((await enter(one, other.codes[0])).body.code).toBe('second_factor_failed');
    const { status, body } = await one.person.ask('POST', '/v1/me/recovery-codes');
    expect([status, body.codes.length]).toEqual([201, 10]);
    expect((await enter(one, one.codes[0])).body.code).toBe('second_factor_failed');
    expect((await enter(one, body.codes[0])).status).toBe(201);
  });

  test('is made only beside an app, and stored as a hash', async () => {
    const person = await makePersonWithPassword(kit, tenant);
    expect((await person.ask('POST', '/v1/me/recovery-codes')).status).toBe(409);
    const { codes } = await makeProtected();
    const { rows } = await kit.service.db.run({ name: 'test_users', text: 'select * from users' }, []);
    for (const code of codes) expect(JSON.stringify(rows)).not.toContain(code);
  });
});

test('the audit log says how somebody signed in, and what was changed', async () => {
  const one = await makeProtected();
  await enter(one, one.codes[0]);
  await one.person.ask('POST', '/v1/me/recovery-codes');
  await one.person.ask('DELETE', '/v1/me/totp');
  const { body } = await tenant.call('GET', '/v1/audit-log?limit=5');
  const seen = body.data.map((entry: { action: string; details: object }) => [entry.action, entry.details]);
  expect(seen).toEqual([
    ['user.totp_disabled', {}],
    ['user.recovery_codes_created', {}],
    ['session.started', { method: 'password', second_factor: 'recovery_code' }],
    ['session.ended', {}],
    ['user.totp_enabled', {}],
  ]);
});
