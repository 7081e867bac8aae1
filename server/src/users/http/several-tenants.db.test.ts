import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OPERATOR } from '#access/domain/audit';
import { GOOD_PASSWORD, makePerson, makePersonWithPassword, OWN_PAGE, type TestPerson } from '#testing/test-people';
import { TestClock } from '#testing/test-runtime';
import { startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { invitePerson } from '#users/actions/invite-person';
import { resetPerson } from '#users/actions/reset-person';
import { makeSignInLink } from '#users/actions/sign-in';

const clock = new TestClock();
let kit: TestService;
let first: TestTenant;
let second: TestTenant;

beforeAll(async () => {
  kit = await startTestService({ clock });
  [first, second] = [await makeTestTenant(kit), await makeTestTenant(kit)];
});
afterAll(() => kit.close());
beforeEach(() => clock.advance(16 * 60_000));

const switchTo = (person: TestPerson, tenantId: string, headers: object = OWN_PAGE) =>
  person.ask('POST', '/v1/sessions', { method: 'switch', tenant_id: tenantId }, headers);

/** Somebody who works in both tenants, signed in to the first one. */
async function makeCommuter(): Promise<TestPerson> {
  const person = await makePersonWithPassword(kit, first);
  const invitation = { tenantId: second.tenantId, email: person.email, name: 'ignored', role: 'admin' } as const;
  const { userId, url } = await invitePerson(kit.rt, kit.service.db, invitation);
  expect([userId, url]).toEqual([person.userId, null]);
  return person;
}

describe('a person of two tenants', () => {
  test('sees both, and switches by a new session with the rights of the other agent', async () => {
    const person = await makeCommuter();
    const me = (await person.ask('GET', '/v1/me')).body;
    expect(me.tenants.map(({ id, role }: { id: string; role: string }) => [id, role])).toEqual([
      [first.tenantId, 'agent'],
      [second.tenantId, 'admin'],
    ]);
    const before = person.cookie;
    const answer = await switchTo(person, second.tenantId);
    expect([answer.status, answer.body.tenant.id, answer.body.agent.role]).toEqual([201, second.tenantId, 'admin']);
    expect([answer.body.session.signed_in_at, answer.body.session.id === me.session.id]).toEqual([
      me.session.signed_in_at,
      false,
    ]);
    clock.advance(2_000);
    const old = await person.ask('GET', '/v1/me', undefined, { ...OWN_PAGE, cookie: before });
    expect([old.status, (await person.ask('GET', '/v1/agents')).status]).toEqual([401, 200]);
  });

  test('reads in each tenant what is there, and no more', async () => {
    const person = await makeCommuter();
    const { body } = await first.call('POST', '/v1/contacts', { phone: '447700900811' });
    expect((await person.ask('GET', `/v1/contacts/${body.id}`)).status).toBe(200);
    await switchTo(person, second.tenantId);
    expect((await person.ask('GET', `/v1/contacts/${body.id}`)).status).toBe(404);
  });

  test('gets no link from an administrator of one of them, which would let into the other', async () => {
    const person = await makeCommuter();
    const { agent } = (await person.ask('GET', '/v1/me')).body;
    const answer = await first.call('POST', `/v1/agents/${agent.id}/invitation`);
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
  });

  test('cannot be signed in by a link that one tenant made before the other came', async () => {
    const person = await makePerson(kit, first);
    await person.signIn();
    const { agent } = (await person.ask('GET', '/v1/me')).body;
    const { url } = (await first.call('POST', `/v1/agents/${agent.id}/invitation`)).body;
    const invitation = { tenantId: second.tenantId, email: person.email, name: 'Ada', role: 'agent' } as const;
    const joined = await invitePerson(kit.rt, kit.service.db, invitation);
    const by = (link: string) =>
      person.ask('POST', '/v1/sessions', { method: 'link', token: link.split('#token=')[1] });
    expect((await by(url)).status).toBe(401);
    expect((await by(joined.url ?? '')).status).toBe(201);
  });
});

describe('switching', () => {
  test('to a tenant of others, or one that is none, changes nothing', async () => {
    const person = await makePersonWithPassword(kit, first);
    for (const id of [second.tenantId, '0190a6f2-0000-7000-8000-00000000dead'])
      expect((await switchTo(person, id)).body.code).toBe('not_found');
    expect((await person.ask('GET', '/v1/me')).body.tenant.id).toBe(first.tenantId);
  });

  test('needs a session, and a page of the service', async () => {
    const person = await makeCommuter();
    const cross = await switchTo(person, second.tenantId, { 'postrider-client': 'x', 'sec-fetch-site': 'cross-site' });
    expect([cross.status, cross.body.code]).toEqual([403, 'cross_site']);
    await person.ask('DELETE', '/v1/sessions/current');
    expect((await switchTo(person, second.tenantId)).body.code).toBe('not_signed_in');
  });

  test('does not count as signing in', async () => {
    const person = await makeCommuter();
    clock.advance(10 * 60_000 + 1);
    expect((await switchTo(person, second.tenantId)).status).toBe(201);
    expect((await person.ask('POST', '/v1/me/totp')).body.code).toBe('sign_in_again');
  });

  test('at the same moment twice leaves one session', async () => {
    const person = await makeCommuter();
    const answers = await Promise.all([switchTo(person, second.tenantId), switchTo(person, second.tenantId)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 401]);
  });
});

describe('the operator', () => {
  test('invites nobody twice, and two at the same moment make one person', async () => {
    const invitation = { tenantId: first.tenantId, email: 'twice@example.com', name: 'Bo', role: 'agent' } as const;
    const made = await Promise.allSettled([1, 2].map(() => invitePerson(kit.rt, kit.service.db, invitation)));
    expect(made.filter(({ status }) => status === 'fulfilled').length).toBe(1);
    await expect(invitePerson(kit.rt, kit.service.db, invitation)).rejects.toThrow('works in this tenant already');
  });

  test('resets a person: sessions, password and links end, and one new link lets them in', async () => {
    const person = await makeCommuter();
    const early = await makeSignInLink(kit.rt, kit.service.db, person.userId);
    const reset = { userId: person.userId, removeTotp: true, origin: OPERATOR };
    const { url, ended } = await resetPerson(kit.rt, kit.service.db, reset);
    expect(ended).toBe(1);
    clock.advance(2_000);
    expect((await person.ask('GET', '/v1/me')).status).toBe(401);
    person.cookie = null;
    expect((await person.enter(GOOD_PASSWORD)).status).toBe(401);
    const by = (link: string) =>
      person.ask('POST', '/v1/sessions', { method: 'link', token: link.split('#token=')[1] });
    expect([(await by(early)).status, (await by(url)).status]).toEqual([401, 201]);
    for (const tenant of [first, second]) {
      const { body } = await tenant.call('GET', '/v1/audit-log?limit=5');
      expect(body.data.map(({ action }: { action: string }) => action)).toContain('user.reset');
    }
  });
});
