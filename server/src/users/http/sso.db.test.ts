import type { JWTPayload } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GOOD_PASSWORD, makePersonWithPassword } from '#testing/test-people';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { invitePerson } from '#users/actions/invite-person';
import { PUBLIC_URL } from '#users/testing/sso-browser';
import { agentsOf, cookieOf, problemIn, type SsoKit, startOf, startSsoKit } from '#users/testing/sso-kit';

let sso: SsoKit;

beforeAll(async () => {
  sso = await startSsoKit();
});
afterAll(() => sso.close());

describe('signing in at the provider', () => {
  test('opens a session in the tenant, and leads back to where the person wanted to go', async () => {
    const tenant = await sso.connect({ allow_new: true });
    sso.somebody();
    const { arrival, browser, me } = await sso.enter(tenant, '?return_to=/inbox?view=mine');
    expect(arrival.url.href).toBe(`${PUBLIC_URL}/inbox?view=mine`);
    expect([me.tenant.id, me.agent.role, me.agent.name, me.user.email]).toEqual([
      tenant.tenantId,
      'agent',
      sso.provider.account.name,
      null,
    ]);
    expect(browser.cookie).toMatch(/^__Host-postrider=[\w-]{43}$/);
    const again = await sso.enter(tenant);
    expect([again.me.user.id, again.me.session.id === me.session.id]).toEqual([me.user.id, false]);
    const { body } = await tenant.call('GET', '/v1/audit-log?limit=1');
    expect([body.data[0].action, body.data[0].details]).toEqual(['session.started', { method: 'sso' }]);
  });

  test('makes one person of somebody who comes twice at the same time', async () => {
    const tenant = await sso.connect({ allow_new: true });
    sso.somebody();
    const both = await Promise.all([sso.enter(tenant), sso.enter(tenant)]);
    expect(both.map(({ me }) => me.user.id)).toEqual([both[0].me.user.id, both[0].me.user.id]);
    expect((await agentsOf(tenant)).length).toBe(1);
  });

  test('lets nobody in whom nobody invited, unless the tenant says so', async () => {
    const tenant = await sso.connect();
    sso.somebody();
    const { arrival, me } = await sso.enter(tenant);
    expect([problemIn(arrival), me.code]).toEqual([['/sign-in', 'unknown'], 'not_signed_in']);
    expect(await agentsOf(tenant)).toEqual([]);
  });

  test('knows a person of one tenant in no other', async () => {
    const [first, second] = [await sso.connect({ allow_new: true }), await sso.connect()];
    sso.somebody();
    expect((await sso.enter(first)).me.tenant.id).toBe(first.tenantId);
    expect(problemIn((await sso.enter(second)).arrival)).toEqual(['/sign-in', 'unknown']);
  });

  test('lets in whoever has connected the identity to themselves, and takes nobody else for them', async () => {
    const tenant = await sso.connect();
    sso.somebody();
    const owner = await sso.signInByLink(tenant);
    const browser = sso.browse();
    browser.keep(cookieOf(owner));
    expect((await browser.open(startOf(tenant, '?link=true'))).url.pathname).toBe('/inbox');
    expect((await sso.enter(tenant)).me.user.id).toBe(owner.body.user.id);
    const stranger = sso.browse();
    expect((await stranger.open(startOf(tenant, '?link=true'))).status).toBe(401);
    const other = sso.browse();
    other.keep(cookieOf(await sso.signInByLink(await makeTestTenant(sso.kit))));
    expect((await other.open(startOf(tenant, '?link=true'))).status).toBe(401);
  });

  test('lets nobody in whose agent was deleted, also where new people may come', async () => {
    const tenant = await sso.connect({ allow_new: true });
    sso.somebody();
    const { me, browser } = await sso.enter(tenant);
    await tenant.call('DELETE', `/v1/agents/${me.agent.id}`);
    expect(problemIn((await sso.enter(tenant)).arrival)).toEqual(['/sign-in', 'unknown']);
    await sso.kit.until(
      () => sso.ask(browser.cookie, 'GET', '/v1/me'),
      ({ status }) => status === 401,
      'the session to end',
    );
  });
});

describe('what comes back from the provider', () => {
  const isCallback = (url: URL) => url.pathname === '/v1/sso/callback';

  test('counts once, and only in the browser that left', async () => {
    const tenant = await sso.connect({ allow_new: true });
    sso.somebody();
    const browser = sso.browse();
    const stopped = await browser.open(startOf(tenant), (url) => (isCallback(url) ? null : url));
    const stranger = sso.browse();
    expect(problemIn(await stranger.open(stopped.url.href))).toEqual(['/sign-in', 'expired']);
    const [secret = ''] = browser.cookie.split('; ');
    expect((await browser.open(stopped.url.href)).url.pathname).toBe('/inbox');
    browser.keep(secret);
    expect(problemIn(await browser.open(stopped.url.href))).toEqual(['/sign-in', 'expired']);
  });

  test.each([
    ['another state', 'state', (value: string) => `${value.slice(0, -1)}_`],
    ['the state of no tenant', 'state', () => 'made-up'],
    ['no state', 'state', () => ''],
  ])('is refused with %s', async (_case, name, change) => {
    const tenant = await sso.connect({ allow_new: true });
    sso.somebody();
    const browser = sso.browse();
    const arrival = await browser.open(startOf(tenant), (url) => {
      if (isCallback(url)) url.searchParams.set(name, change(url.searchParams.get(name) ?? ''));
      return url;
    });
    expect(problemIn(arrival)).toEqual(['/sign-in', 'expired']);
    expect(await agentsOf(tenant)).toEqual([]);
  });

  test('is refused with the nonce, the challenge or the code of another sign-in', async () => {
    const tenant = await sso.connect({ allow_new: true });
    sso.somebody();
    for (const name of ['nonce', 'code_challenge']) {
      const browser = sso.browse();
      const arrival = await browser.open(startOf(tenant), (url) => {
        if (url.searchParams.has(name)) url.searchParams.set(name, 'a'.repeat(43));
        return url;
      });
      expect([name, ...problemIn(arrival)]).toEqual([name, '/sign-in', 'refused']);
    }
    const first = sso.browse();
    await first.open(startOf(tenant));
    const code = first.visited.find(isCallback)?.searchParams.get('code') ?? '';
    const second = sso.browse();
    const arrival = await second.open(startOf(tenant), (url) => {
      if (isCallback(url)) url.searchParams.set('code', code);
      return url;
    });
    expect(problemIn(arrival)).toEqual(['/sign-in', 'refused']);
  });

  test('is refused when it names another issuer, or an error', async () => {
    const tenant = await sso.connect({ allow_new: true });
    sso.somebody();
    for (const [name, value] of [
      ['iss', 'https://evil.example'],
      ['error', 'access_denied'],
    ] as const) {
      const browser = sso.browse();
      const arrival = await browser.open(startOf(tenant), (url) => {
        if (isCallback(url)) url.searchParams.set(name, value);
        return url;
      });
      expect(problemIn(arrival)).toEqual(['/sign-in', 'refused']);
    }
  });

  test.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'inbox',
  ])('leads to no other site: %s', async (place) => {
    const tenant = await sso.connect();
    const browser = sso.browse();
    const { status } = await browser.open(startOf(tenant, `?return_to=${encodeURIComponent(place)}`));
    expect([status, browser.visited.length]).toEqual([400, 1]);
  });
});

describe('groups', () => {
  const roles = [
    { group: 'leads', role: 'admin' },
    { group: 'support', role: 'agent' },
  ];

  test('decide about the role at each sign-in', async () => {
    const tenant = await sso.connect({ allow_new: true, roles });
    const sub = sso.somebody({ groups: ['support'] });
    expect((await sso.enter(tenant)).me.agent.role).toBe('agent');
    sso.provider.account = { sub, groups: ['support', 'leads'] };
    expect((await sso.enter(tenant)).me.agent.role).toBe('admin');
    sso.provider.account = { sub, groups: ['support'] };
    expect((await sso.enter(tenant)).me.agent.role).toBe('agent');
    sso.provider.account = { sub, groups: ['gardeners'] };
    expect(problemIn((await sso.enter(tenant)).arrival)).toEqual(['/sign-in', 'no_role']);
  });

  test('make nobody who is in none an agent, unless there is a default', async () => {
    const [strict, open] = [
      await sso.connect({ allow_new: true, roles }),
      await sso.connect({ allow_new: true, roles, default_role: 'agent' }),
    ];
    sso.somebody();
    expect(problemIn((await sso.enter(strict)).arrival)).toEqual(['/sign-in', 'no_role']);
    expect((await sso.enter(open)).me.agent.role).toBe('agent');
  });

  test('leave the last owner an owner', async () => {
    const tenant = await sso.connect({ allow_new: true, roles: [{ group: 'all', role: 'owner' }] });
    const sub = sso.somebody({ groups: ['all'] });
    expect((await sso.enter(tenant)).me.agent.role).toBe('owner');
    await tenant.call('PUT', '/v1/sso-connection', sso.connectionTo({ roles: [{ group: 'all', role: 'agent' }] }));
    sso.provider.account = { sub, groups: ['all'] };
    expect((await sso.enter(tenant)).me.agent.role).toBe('owner');
  });
});

describe('a logout of the provider', () => {
  function post({ tenantId }: TestTenant, token: string) {
    const body = new URLSearchParams({ logout_token: token });
    return fetch(`${sso.kit.service.url}/v1/sso/${tenantId}/logout`, { method: 'POST', body });
  }

  test('ends the sessions of the person in this tenant, everywhere within 2 s', async () => {
    const [tenant, other] = [await sso.connect({ allow_new: true }), await sso.connect({ allow_new: true })];
    const sub = sso.somebody();
    const [first, second, elsewhere] = [await sso.enter(tenant), await sso.enter(tenant), await sso.enter(other)];
    expect((await post(tenant, await sso.provider.logoutToken({ sub }))).status).toBe(200);
    for (const { browser } of [first, second])
      await sso.kit.until(
        () => sso.ask(browser.cookie, 'GET', '/v1/me'),
        ({ status }) => status === 401,
        'the session to end',
      );
    expect((await sso.ask(elsewhere.browser.cookie, 'GET', '/v1/me')).status).toBe(200);
    const { body } = await tenant.call('GET', '/v1/audit-log?limit=1');
    expect([body.data[0].action, body.data[0].actor.kind]).toEqual(['session.ended', 'service']);
  });

  test.each<[string, JWTPayload, readonly string[]]>([
    ['for another client', { aud: 'another' }, []],
    ['of another issuer', { iss: 'https://evil.example' }, []],
    ['with a nonce: an ID token', { nonce: 'x' }, []],
    ['without the event', {}, ['events']],
    ['that names nobody', {}, ['sub']],
  ])('is refused %s', async (_case, claims, without) => {
    const tenant = await sso.connect({ allow_new: true });
    const sub = sso.somebody();
    const { me } = await sso.enter(tenant);
    const answer = await post(tenant, await sso.provider.logoutToken({ sub, ...claims }, without));
    expect([answer.status, await answer.json()]).toEqual([400, { error: 'invalid_request' }]);
    const open = 'select 1 from sessions where session_id = $1 and ended_ms is null';
    expect((await sso.kit.service.db.run({ name: 'test_open', text: open }, [me.session.id])).rows.length).toBe(1);
  });

  test('is refused when nobody signed it', async () => {
    const tenant = await sso.connect();
    const [, claims = ''] = (await sso.provider.logoutToken({ sub: 'x' })).split('.');
    const header = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    for (const token of [`${header}.${claims}.`, 'nonsense', '']) expect((await post(tenant, token)).status).toBe(400);
  });
});

describe('a session that the provider began', () => {
  const OTHER = '0190a6f2-9a00-7b00-8c00-0a1b2c3d4e5f';
  test.each([
    ['PUT', '/v1/me/password', { new_password: GOOD_PASSWORD }],
    ['DELETE', '/v1/me/password', undefined],
    ['POST', '/v1/me/totp', {}],
    ['POST', '/v1/me/totp/confirm', { code: '123456' }],
    ['DELETE', '/v1/me/totp', undefined],
    ['POST', '/v1/me/recovery-codes', {}],
    ['PATCH', '/v1/me', { email: 'somebody@example.com' }],
    ['POST', '/v1/me/passkeys/challenge', {}],
    ['POST', '/v1/sessions', { method: 'switch', tenant_id: OTHER }],
  ])('is good for its tenant alone: %s %s is refused', async (method, path, body) => {
    const tenant = await sso.connect({ allow_new: true });
    sso.somebody();
    const { browser } = await sso.enter(tenant);
    const answer = await sso.ask(browser.cookie, method, path, body);
    expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
    expect((await sso.ask(browser.cookie, 'GET', '/v1/me')).status).toBe(200);
  });
});

test('a tenant that people enter by single sign-on alone is entered neither by a password nor from another tenant', async () => {
  const [closed, open] = [await sso.connect(), await makeTestTenant(sso.kit)];
  const { rt, service } = sso.kit;
  const [person, alone] = [
    await makePersonWithPassword(sso.kit, closed),
    await makePersonWithPassword(sso.kit, closed),
  ];
  await invitePerson(rt, service.db, { tenantId: open.tenantId, email: person.email, name: 'Ada', role: 'agent' });
  const text = 'update sso_connections set only_sso = true where tenant_id = $1';
  await service.db.run({ name: 'test_only_sso', text }, [closed.tenantId]);
  const entered = await person.enter(GOOD_PASSWORD);
  expect([entered.status, entered.body.tenant.id]).toEqual([201, open.tenantId]);
  const switched = await person.ask('POST', '/v1/sessions', { method: 'switch', tenant_id: closed.tenantId });
  expect([switched.status, switched.body.code]).toEqual([403, 'sso_required']);
  const refused = await alone.enter(GOOD_PASSWORD);
  expect([refused.status, refused.body.code]).toEqual([403, 'sso_required']);
});
