import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { suspendTenant } from '#access/actions/suspend-tenant';
import { OPERATOR } from '#access/domain/audit';
import { type AgentRole, agentRoles, may } from '#core/caller/permissions';
import type { SessionId, UserId } from '#core/ids';
import { described, describedForPeople } from '#http/testing/described';
import { TestClock } from '#testing/test-runtime';
import { type Answer, callApi, startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { ensureOwner } from '#users/actions/first-owner';
import { makeSignInLink } from '#users/actions/sign-in';

const clock = new TestClock();
let kit: TestService;
let tenant: TestTenant;
let ownerId: UserId;

beforeAll(async () => {
  kit = await startTestService({ clock });
  tenant = await makeTestTenant(kit);
  ownerId = await ensureOwner(kit.rt, kit.service.db, tenant.tenantId);
});
afterAll(() => kit.close());

/** As long as an ended session may be remembered. */
const FORGOTTEN_MS = 2_000;

/** As a page of the service asks. */
const OWN_PAGE = { 'postrider-client': 'test', 'sec-fetch-site': 'same-origin' };

function ask(cookie: string | null, method: string, path: string, body?: unknown, headers: object = OWN_PAGE) {
  const all = { ...(cookie === null ? {} : { cookie }), ...headers } as Record<string, string>;
  return callApi(kit.service.url, method, path, body, all);
}

const tokenIn = (url: string) => url.split('#token=')[1] ?? '';
const tokenFor = async (userId: UserId) => tokenIn(await makeSignInLink(kit.rt, kit.service.db, userId));

interface SignedIn {
  readonly cookie: string;
  readonly me: Answer['body'];
}

async function signIn(userId = ownerId, fields: object = {}): Promise<SignedIn> {
  return signInBy(await tokenFor(userId), fields);
}

async function signInBy(token: string, fields: object = {}): Promise<SignedIn> {
  const answer = await ask(null, 'POST', '/v1/sessions', { method: 'link', token, ...fields });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return { cookie: (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '', me: answer.body };
}

async function invite(role: AgentRole): Promise<{ readonly agentId: string; readonly token: string }> {
  const { body } = await tenant.call('POST', '/v1/agents', { name: `A person with the role ${role}`, role });
  const invited = await tenant.call('POST', `/v1/agents/${body.id}/invitation`);
  expect([invited.status, invited.text]).toEqual([201, expect.any(String)]);
  return { agentId: body.id, token: tokenIn(invited.body.url) };
}

/** Signs in a person who was invited to be an agent of the tenant. */
async function signInAs(role: AgentRole): Promise<SignedIn> {
  return signInBy((await invite(role)).token);
}

describe('a sign-in link', () => {
  test('signs its person in once', async () => {
    const token = await tokenFor(ownerId);
    const first = await ask(null, 'POST', '/v1/sessions', { method: 'link', token });
    expect([first.status, first.body.agent.role, first.body.tenant.id]).toEqual([201, 'owner', tenant.tenantId]);
    const second = await ask(null, 'POST', '/v1/sessions', { method: 'link', token });
    expect([second.status, second.body.code, second.headers.get('set-cookie')]).toEqual([401, 'sign_in_failed', null]);
  });

  test('signs one person in, however many use it at the same time', async () => {
    const token = await tokenFor(ownerId);
    const all = await Promise.all(
      Array.from({ length: 5 }, () => ask(null, 'POST', '/v1/sessions', { method: 'link', token })),
    );
    expect(all.filter(({ status }) => status === 201).length).toBe(1);
  });

  test('is good for ten minutes, and one that nobody made is answered like one whose time is over', async () => {
    const token = await tokenFor(ownerId);
    clock.advance(10 * 60_000);
    const late = await ask(null, 'POST', '/v1/sessions', { method: 'link', token });
    const wrong = await ask(null, 'POST', '/v1/sessions', { method: 'link', token: 'made-up' });
    expect([late.status, late.text]).toEqual([401, wrong.text]);
  });

  test('can be tried so often, and then the address has to wait', async () => {
    const statuses = new Set<number>();
    for (let count = 0; count < 40; count += 1) {
      const answer = await ask(null, 'POST', '/v1/sessions', { method: 'link', token: 'a guess' });
      statuses.add(answer.status);
      if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect([...statuses]).toEqual([401, 429]);
    clock.advance(60_000);
  });
});

describe('an invitation', () => {
  test('signs a person in as the agent once, within seven days, and again when they are invited again', async () => {
    const { agentId, token } = await invite('agent');
    clock.advance(7 * 24 * 60 * 60_000 - 1_000);
    const first = await signInBy(token);
    expect([first.me.agent.id, first.me.agent.role]).toEqual([agentId, 'agent']);
    expect((await ask(null, 'POST', '/v1/sessions', { method: 'link', token })).status).toBe(401);
    const again = (await tenant.call('POST', `/v1/agents/${agentId}/invitation`)).body.url;
    expect((await signInBy(tokenIn(again))).me.user.id).toBe(first.me.user.id);
  });

  test('takes the place of an earlier one that was not used', async () => {
    const { agentId, token } = await invite('agent');
    await tenant.call('POST', `/v1/agents/${agentId}/invitation`);
    expect((await ask(null, 'POST', '/v1/sessions', { method: 'link', token })).status).toBe(401);
  });

  test('gives nobody more than whoever makes it has', async () => {
    const { body: owner } = await tenant.call('POST', '/v1/agents', { name: 'Bo', role: 'owner' });
    const { cookie } = await signInAs('admin');
    const byAdmin = await ask(cookie, 'POST', `/v1/agents/${owner.id}/invitation`, {});
    expect([byAdmin.status, byAdmin.body.code]).toEqual([403, 'forbidden']);
    const { body: narrow } = await tenant.call('POST', '/v1/api-keys', { name: 'narrow', scopes: ['agents:write'] });
    const byKey = await tenant.call('POST', `/v1/agents/${owner.id}/invitation`, undefined, {
      authorization: `Bearer ${narrow.key}`,
    });
    expect([byKey.status, byKey.body.code]).toEqual([403, 'forbidden']);
  });
});

describe('the cookie of a session', () => {
  test('cannot be read by the page, and goes to no other site', async () => {
    const over = async (headers: object) => {
      const token = await tokenFor(ownerId);
      const answer = await ask(null, 'POST', '/v1/sessions', { method: 'link', token, remember: true }, headers);
      return answer.headers.get('set-cookie') ?? '';
    };
    expect(await over({})).toMatch(/^postrider=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/);
  });

  test('is stored as a hash alone', async () => {
    const { cookie } = await signIn();
    const { rows } = await kit.service.db.run({ name: 'test_sessions', text: 'select * from sessions' }, []);
    expect(JSON.stringify(rows)).not.toContain(cookie.split('=')[1]);
  });

  test.each([
    ['without the header Postrider-Client', { 'sec-fetch-site': 'same-origin' }],
    ['from a page of another site', { 'postrider-client': 'x', 'sec-fetch-site': 'cross-site' }],
    ['from a page of a sibling domain', { 'postrider-client': 'x', 'sec-fetch-site': 'same-site' }],
    [
      'from another origin, in a browser that says nothing of the site',
      { 'postrider-client': 'x', origin: 'https://evil.example' },
    ],
    ['from no page at all', { 'postrider-client': 'x' }],
  ])('changes nothing %s', async (_case, headers) => {
    const { cookie } = await signIn();
    const answer = await ask(cookie, 'POST', '/v1/contacts', { phone: '447700900555' }, headers);
    expect([answer.status, answer.body.code]).toEqual([403, 'cross_site']);
    const { body } = await tenant.call('GET', '/v1/contacts?phone=447700900555');
    expect(body.data).toEqual([]);
  });

  test('does from a page of the service what an agent of its role may', async () => {
    const { cookie } = await signIn();
    const answer = await ask(cookie, 'POST', '/v1/contacts', { phone: '447700900556' });
    expect(answer.status).toBe(201);
    const origin = { 'postrider-client': 'x', origin: kit.service.url };
    expect((await ask(cookie, 'PATCH', `/v1/contacts/${answer.body.id}`, { name: 'Ada' }, origin)).status).toBe(200);
  });
});

describe('a session', () => {
  test.each(agentRoles)('of a person with the role %s may what the role may, and no more', async (role) => {
    const { cookie, me } = await signInAs(role);
    expect(me.permissions.includes('keys:manage')).toBe(may({ role }, 'keys:manage'));
    expect((await ask(cookie, 'GET', '/v1/conversations')).status).toBe(200);
    expect((await ask(cookie, 'GET', '/v1/api-keys')).status).toBe(may({ role }, 'settings:manage') ? 200 : 403);
    const made = await ask(cookie, 'POST', '/v1/api-keys', { name: 'of a program' });
    expect([made.status, made.body.agent_id]).toEqual(may({ role }, 'keys:manage') ? [201, null] : [403, undefined]);
  });

  test('shows nothing of another tenant', async () => {
    const other = await makeTestTenant(kit);
    const { body } = await other.call('POST', '/v1/contacts', { phone: '447700900557' });
    const { cookie } = await signIn();
    expect((await ask(cookie, 'GET', `/v1/contacts/${body.id}`)).status).toBe(404);
  });

  test('acts as its own agent alone', async () => {
    const { cookie } = await signIn();
    const { body } = await tenant.call('GET', '/v1/agents?limit=100');
    const other = body.data.find((agent: { readonly role: string }) => agent.role !== 'owner');
    const answer = await ask(cookie, 'GET', '/v1/contacts', undefined, { ...OWN_PAGE, 'x-agent-id': other.id });
    expect([answer.status, answer.body.error]).toEqual([
      403,
      'You are signed in as an agent other than the one in X-Agent-Id.',
    ]);
  });

  test('ends without use for 12 hours, and later when it is to be remembered', async () => {
    const { cookie } = await signIn();
    const remembered = await signIn(ownerId, { remember: true });
    clock.advance(12 * 60 * 60_000 + FORGOTTEN_MS);
    expect((await ask(cookie, 'GET', '/v1/me')).body.code).toBe('not_signed_in');
    expect((await ask(remembered.cookie, 'GET', '/v1/me')).status).toBe(200);
    clock.advance(30 * 24 * 60 * 60_000);
    expect((await ask(remembered.cookie, 'GET', '/v1/me')).status).toBe(401);
  });

  test('is listed, ended by its person, and then ends everywhere within 2 s', async () => {
    const [here, there] = [await signIn(), await signIn()];
    const { body } = await ask(here.cookie, 'GET', '/v1/sessions');
    expect(
      body.data
        .filter(({ current }: { readonly current: boolean }) => current)
        .map(({ id }: { readonly id: string }) => id),
    ).toEqual([here.me.session.id]);
    expect((await ask(there.cookie, 'GET', '/v1/me')).status).toBe(200);
    expect((await ask(here.cookie, 'DELETE', `/v1/sessions/${there.me.session.id}`)).status).toBe(200);
    clock.advance(FORGOTTEN_MS);
    expect((await ask(there.cookie, 'GET', '/v1/me')).status).toBe(401);
    expect((await ask(here.cookie, 'GET', '/v1/me')).status).toBe(200);
  });

  test('that signs out takes its cookie away', async () => {
    const { cookie } = await signIn();
    const answer = await ask(cookie, 'DELETE', '/v1/sessions/current');
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([
      200,
      expect.stringMatching(/^postrider=;.*Max-Age=0/),
    ]);
    clock.advance(FORGOTTEN_MS);
    expect((await ask(cookie, 'GET', '/v1/me')).status).toBe(401);
  });

  test('of another person is not there', async () => {
    const other = await signInAs('agent');
    const { cookie } = await signIn();
    for (const id of [other.me.session.id, kit.rt.newId<SessionId>(), 'abc'])
      expect((await ask(cookie, 'DELETE', `/v1/sessions/${id}`)).body.code).toBe('not_found');
  });

  test('ends with its agent, and is refused while its tenant is suspended', async () => {
    const { cookie, me } = await signInAs('agent');
    expect((await tenant.call('DELETE', `/v1/agents/${me.agent.id}`)).status).toBe(200);
    clock.advance(FORGOTTEN_MS);
    expect((await ask(cookie, 'GET', '/v1/conversations')).status).toBe(401);
    const tenantId = await createTenant(kit.rt, kit.service.db, {
      name: 'Gone',
      unknownResends: 1,
      windowPolicy: 'network',
    });
    const person = await signIn(await ensureOwner(kit.rt, kit.service.db, tenantId));
    await suspendTenant(kit.rt, kit.service.db, { tenantId, reason: 'unpaid', origin: OPERATOR } as never);
    clock.advance(FORGOTTEN_MS);
    expect((await ask(person.cookie, 'GET', '/v1/me')).body.code).toBe('tenant_suspended');
  });

  test('leaves entries in the audit log that say who signed in, and who did what', async () => {
    const { cookie, me } = await signIn();
    await ask(cookie, 'POST', '/v1/segments', { name: 'All', when: { field: 'contact.status', value: 'active' } });
    const { body } = await tenant.call('GET', '/v1/audit-log?limit=2');
    const actor = { kind: 'agent', key_id: null, agent_id: me.agent.id };
    expect(body.data.map((entry: Answer['body']) => [entry.action, entry.actor])).toEqual([
      ['segment.created', actor],
      ['session.started', actor],
    ]);
  });
});

const DANGEROUS = described.filter(({ failures }) => failures.some(({ body }) => body.code === 'sign_in_again'));

describe('a sign-in of more than ten minutes ago', () => {
  test.each(
    DANGEROUS.map(({ id, method, path }) => [id, method, path] as const),
  )('is not enough for %s, where a fresh one is, and a key is never asked', async (_id, method, path) => {
    const target = path.replace('{id}', kit.rt.newId<SessionId>());
    const { cookie } = await signIn();
    expect((await ask(cookie, method, target, method === 'GET' ? undefined : {})).body?.code).not.toBe('sign_in_again');
    clock.advance(10 * 60_000 + 1);
    const late = await ask(cookie, method, target, method === 'GET' ? undefined : {});
    expect([late.status, late.body.code]).toEqual([403, 'sign_in_again']);
  });

  test('matters where data leaves, money is spent or others get rights', () => {
    expect(DANGEROUS.map(({ id }) => id).toSorted()).toEqual([
      ...['createApiKey', 'deleteContact', 'deleteSsoConnection', 'exportAuditLog', 'exportContacts', 'inviteAgent'],
      ...['revokeApiKey', 'rotateApiKey', 'setNumberPin', 'setSsoConnection', 'topUpWallet', 'updateRetention'],
    ]);
  });
});

/** Whoever signs in has no session yet. */
const SIGN_INS = ['createSession', 'createRecovery', 'createPasskeyChallenge', 'createPasskeySession'];
/** What these answer is in the tests of passwords and second factors. */
const CREDENTIALS: readonly string[] = [
  ...['setPassword', 'deletePassword', 'beginTotp', 'confirmTotp', 'deleteTotp', 'createRecoveryCodes'],
];

/** Whose answers are compared beside their tests. */
const ELSEWHERE = /passkeys|push|notifications|confirmation|recoveries/;

describe('what is for people alone', () => {
  test.each(
    describedForPeople
      .filter(({ id }) => !SIGN_INS.includes(id))
      .map(({ id, method, path }) => [id, method, path.replace('{id}', 'current')]),
  )('%s asks for a session: an API key is not enough', async (_id, method, path) => {
    const withKey = await tenant.call(method, path, method === 'PATCH' ? { name: 'Ada' } : undefined);
    const without = await ask(null, method, path, method === 'PATCH' ? { name: 'Ada' } : undefined);
    expect([withKey.status, withKey.body.code]).toEqual([401, 'not_signed_in']);
    expect([without.status, without.body.code]).toEqual([401, 'not_signed_in']);
  });

  test('is answered as the document says', async () => {
    const { cookie, me } = await signIn();
    const answers: Readonly<Record<string, Answer['body']>> = {
      createSession: me,
      getMe: (await ask(cookie, 'GET', '/v1/me')).body,
      updateMe: (await ask(cookie, 'PATCH', '/v1/me', { name: 'Ada' })).body,
      listSessions: (await ask(cookie, 'GET', '/v1/sessions')).body,
      deleteSession: (await ask(cookie, 'DELETE', '/v1/sessions/current')).body,
    };
    const others = describedForPeople.filter(({ id, path }) => !CREDENTIALS.includes(id) && !ELSEWHERE.test(path));
    for (const { id, successes } of others) {
      const [success] = successes();
      expect([id, success?.validate(answers[id]), success?.validate.errors]).toEqual([id, true, null]);
    }
  });

  test('a person changes their name and what their client keeps, within limits', async () => {
    const { cookie } = await signIn();
    const { status, body } = await ask(cookie, 'PATCH', '/v1/me', { name: 'Ada', preferences: { theme: 'dark' } });
    expect([status, body.user.name, body.preferences]).toEqual([200, 'Ada', { theme: 'dark' }]);
    expect((await ask(cookie, 'PATCH', '/v1/me', { name: 'Ida' })).body.preferences).toEqual({ theme: 'dark' });
    const large = await ask(cookie, 'PATCH', '/v1/me', { preferences: { note: 'x'.repeat(20_000) } });
    expect([large.status, large.body.details[0].path]).toEqual([400, 'body.preferences']);
    expect((await ask(cookie, 'GET', '/v1/me')).body.preferences).toEqual({ theme: 'dark' });
  });
});
