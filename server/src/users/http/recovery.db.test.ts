import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '#testing/peers/mail-server';
import { GOOD_PASSWORD, makePerson, makePersonWithPassword, OWN_PAGE, type TestPerson } from '#testing/test-people';
import { TestClock } from '#testing/test-runtime';
import { type Answer, callApi, startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';

const FROM = 'Flower shop <inbox@shop.example>';
const DAY_MS = 24 * 60 * 60_000;
const HALF_AN_HOUR_MS = 30 * 60_000;
/** As the limits say. */
const MAILS_PER_ADDRESS = 5;
const PER_ACCOUNT = 10;

const clock = new TestClock();
let mail: MailServer;
let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  mail = await startMailServer();
  kit = await startTestService({ clock, config: { smtpUrl: mail.url, smtpFrom: FROM } });
  tenant = await makeTestTenant(kit);
});
afterAll(async () => {
  await kit.close();
  await mail.close();
});

/** Longer than requests are counted. */
beforeEach(() => clock.advance(16 * 60_000));

const mailsTo = (address: string) => mail.mails.filter(({ to }) => to.includes(address));
const tokenIn = (raw: string | undefined, name: 'token' | 'confirm') =>
  new RegExp(`#${name}=([\\w-]+)`).exec(raw ?? '')?.[1] ?? '';

/** Slowly enough for the limit of the process. */
function recover(email: string, at = kit): Promise<Answer> {
  clock.advance(2_000);
  return callApi(at.service.url, 'POST', '/v1/recoveries', { email }, OWN_PAGE);
}

/** What the answers do not say: asks for a person who is known, and waits for that mail, which comes after all that were asked for before. */
async function untilHandled(): Promise<void> {
  const marker = await confirmedPerson();
  await recover(marker.email);
  await kit.until(
    async () => mailsTo(marker.email).length,
    (count) => count === 2,
    'the mail has arrived',
  );
}

async function askForConfirmation(person: TestPerson): Promise<string> {
  const { status, body } = await person.ask('POST', '/v1/me/email/confirmation', {});
  expect([status, body]).toEqual([200, { sent: true, address: person.email, reason: null }]);
  return tokenIn(mailsTo(person.email).at(-1)?.raw, 'confirm');
}

/** Signed in, with a password and an address that is known to be theirs. */
async function confirmedPerson(): Promise<TestPerson> {
  const person = await makePersonWithPassword(kit, tenant);
  const token = await askForConfirmation(person);
  const { status, body } = await person.ask('PUT', '/v1/me/email/confirmation', { token });
  expect([status, body.user.email_confirmed_at]).toEqual([200, expect.any(String)]);
  return person;
}

/** Asks for a link, and returns the token of the mail. */
async function recoveryToken(person: TestPerson): Promise<string> {
  const before = mailsTo(person.email).length;
  expect((await recover(person.email)).status).toBe(202);
  await kit.until(
    async () => mailsTo(person.email).length,
    (count) => count > before,
    'the mail has arrived',
  );
  return tokenIn(mailsTo(person.email).at(-1)?.raw, 'token');
}

function enterWith(token: string): Promise<Answer> {
  clock.advance(2_000);
  return callApi(kit.service.url, 'POST', '/v1/sessions', { method: 'link', token }, OWN_PAGE);
}

const auditedOf = async (action: string) =>
  (await tenant.call('GET', `/v1/audit-log?action=${action}&limit=1`)).body.data[0];

describe('confirming an address', () => {
  test('takes the link of the mail together with a session of the same person', async () => {
    const person = await makePerson(kit, tenant);
    await person.signIn();
    expect((await person.ask('GET', '/v1/me')).body.user.email_confirmed_at).toBeNull();
    const token = await askForConfirmation(person);
    const stranger = await makePerson(kit, tenant);
    await stranger.signIn();
    const stolen = await stranger.ask('PUT', '/v1/me/email/confirmation', { token });
    expect([stolen.status, stolen.body.code]).toEqual([409, 'conflict']);
    const without = await callApi(kit.service.url, 'PUT', '/v1/me/email/confirmation', { token }, OWN_PAGE);
    expect(without.status).toBe(401);
    expect((await person.ask('PUT', '/v1/me/email/confirmation', { token })).status).toBe(200);
    expect((await auditedOf('user.email_confirmed')).actor.type ?? 'agent').toBe('agent');
    const again = await person.ask('POST', '/v1/me/email/confirmation', {});
    expect([again.status, again.body.error]).toEqual([409, 'The email address is confirmed already.']);
  });

  test('is over after a day, after a later mail, and after the address was changed', async () => {
    const person = await makePerson(kit, tenant);
    await person.signIn();
    const first = await askForConfirmation(person);
    const second = await askForConfirmation(person);
    const confirm = async (token: string) => (await person.ask('PUT', '/v1/me/email/confirmation', { token })).status;
    expect(await confirm(first)).toBe(409);
    expect((await person.ask('PATCH', '/v1/me', { email: `new-${person.email}` })).status).toBe(200);
    expect(await confirm(second)).toBe(409);
    const { body } = await person.ask('POST', '/v1/me/email/confirmation', {});
    expect(body.address).toBe(`new-${person.email}`);
    const third = tokenIn(mailsTo(`new-${person.email}`).at(-1)?.raw, 'confirm');
    const overdue = 'update users set email_token_expires_ms = email_token_expires_ms - $2 where user_id = $1';
    await kit.service.db.run({ name: 'test_overdue', text: overdue }, [person.userId, DAY_MS]);
    expect(await confirm(third)).toBe(409);
  });

  test('is lost when the address is changed', async () => {
    const person = await confirmedPerson();
    const changed = await person.ask('PATCH', '/v1/me', { email: `other-${person.email}` });
    expect([changed.status, changed.body.user.email_confirmed_at]).toEqual([200, null]);
    await recover(`other-${person.email}`);
    await untilHandled();
    expect(mailsTo(`other-${person.email}`)).toEqual([]);
  });

  test('needs an address', async () => {
    const person = await makePerson(kit, tenant);
    await person.signIn();
    const none = 'update users set email = null where user_id = $1';
    await kit.service.db.run({ name: 'test_no_email', text: none }, [person.userId]);
    const { status, body } = await person.ask('POST', '/v1/me/email/confirmation', {});
    expect([status, body.error]).toEqual([409, 'Set your email address first.']);
  });
});

describe('a forgotten password', () => {
  test('is replaced by way of a link that works once, ends all other sessions and is in the audit log', async () => {
    const person = await confirmedPerson();
    const token = await recoveryToken(person);
    expect(mailsTo(person.email).at(-1)?.raw).toContain('/sign-in?after=account#token=');
    expect((await person.ask('GET', '/v1/me')).status).toBe(200);
    const entered = await enterWith(token);
    expect([entered.status, entered.body.user.email]).toEqual([201, person.email]);
    const ended = await kit.until(
      () => person.ask('GET', '/v1/me'),
      ({ status }) => status === 401,
      'the session ended',
    );
    expect(ended.body.code).toBe('not_signed_in');
    expect((await enterWith(token)).status).toBe(401);
    const [cookie] = (entered.headers.get('set-cookie') ?? '').split(';');
    const next = { new_password: 'another nine quiet lanterns' };
    const own = { ...OWN_PAGE, cookie: cookie ?? '' };
    expect((await callApi(kit.service.url, 'PUT', '/v1/me/password', next, own)).status).toBe(200);
    expect((await person.enter(next.new_password)).status).toBe(201);
    expect((await auditedOf('user.recovery_requested')).action).toBe('user.recovery_requested');
    expect((await auditedOf('user.recovered')).action).toBe('user.recovered');
  });

  test('is answered alike for whoever asks, and mailed to confirmed addresses alone', async () => {
    const confirmed = await confirmedPerson();
    const unconfirmed = await makePersonWithPassword(kit, tenant);
    const answers = [
      await recover(confirmed.email.toUpperCase()),
      await recover(unconfirmed.email),
      await recover('nobody@shop.example'),
      await recover('not an address'),
    ];
    expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [202, { status: 'accepted' }]));
    expect(new Set(answers.map(({ headers }) => headers.get('content-length'))).size).toBe(1);
    await kit.until(
      async () => mailsTo(confirmed.email).length,
      (count) => count === 2,
      'the mail has arrived',
    );
    await untilHandled();
    expect([mailsTo(unconfirmed.email), mailsTo('nobody@shop.example')]).toEqual([[], []]);
  });

  test('leaves the password as it is until the link is used, and only the latest link works', async () => {
    const person = await confirmedPerson();
    const first = await recoveryToken(person);
    const second = await recoveryToken(person);
    expect((await enterWith(first)).status).toBe(401);
    expect((await person.enter(GOOD_PASSWORD)).status).toBe(201);
    expect((await enterWith(second)).status).toBe(201);
  });

  test('does not get anybody in after half an hour, nor by an address that the person has left', async () => {
    const person = await confirmedPerson();
    const late = await recoveryToken(person);
    clock.advance(HALF_AN_HOUR_MS);
    expect((await enterWith(late)).status).toBe(401);
    const token = await recoveryToken(person);
    expect((await person.enter(GOOD_PASSWORD)).status).toBe(201);
    expect((await person.ask('PATCH', '/v1/me', { email: `left-${person.email}` })).status).toBe(200);
    expect((await enterWith(token)).status).toBe(401);
  });

  test('does not help somebody who is in no tenant', async () => {
    const person = await confirmedPerson();
    const left = 'update agents set user_id = null where user_id = $1';
    await kit.service.db.run({ name: 'test_left', text: left }, [person.userId]);
    const before = mailsTo(person.email).length;
    await recover(person.email);
    await untilHandled();
    expect(mailsTo(person.email)).toHaveLength(before);
  });
});

describe('who asks too often', () => {
  test('floods nobody: further mails are not sent, with the same answer', async () => {
    const person = await confirmedPerson();
    for (let count = 0; count < MAILS_PER_ADDRESS + 2; count += 1)
      expect((await recover(person.email)).status).toBe(202);
    const arrived = async () => mailsTo(person.email).length;
    await kit.until(arrived, (count) => count === MAILS_PER_ADDRESS, 'as many as may be sent have arrived');
    await untilHandled();
    // The first was the one that confirmed the address.
    expect(mailsTo(person.email)).toHaveLength(MAILS_PER_ADDRESS);
  });

  test('is refused with 429, whether there is such an account or not', async () => {
    const person = await confirmedPerson();
    for (const email of [person.email, `nobody-${person.email}`]) {
      for (let count = 0; count < PER_ACCOUNT; count += 1) await recover(email);
      const { status, body, headers } = await recover(email);
      expect([status, body.code]).toEqual([429, 'rate_limited']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });
});

describe('bad requests', () => {
  test.each([
    [{}],
    [{ email: '' }],
    [{ email: 7 }],
    [{ email: 'a@b.example', more: true }],
  ])('%j is refused', async (body) => {
    expect((await callApi(kit.service.url, 'POST', '/v1/recoveries', body, OWN_PAGE)).status).toBe(400);
  });
});

test('without a mail server, nothing can be recovered or confirmed, and the answer says so', async () => {
  const without = await startTestService();
  const person = await makePerson(without, await makeTestTenant(without));
  await person.signIn();
  const { body } = await person.ask('POST', '/v1/me/email/confirmation', {});
  expect(body).toEqual({ sent: false, address: person.email, reason: 'not_configured' });
  const asked = await recover(person.email, without);
  expect([asked.status, asked.body.code]).toEqual([409, 'conflict']);
  expect((await person.ask('GET', '/v1/me')).body.installation.mail).toBe(false);
  await without.close();
});
