import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/json';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { CLIENT } from '#users/testing/identity-provider';
import { problemIn, type SsoKit, startOf, startSsoKit } from '#users/testing/sso-kit';

let sso: SsoKit;

beforeAll(async () => {
  sso = await startSsoKit();
});
afterAll(() => sso.close());

describe('single sign-on as the only way in', () => {
  test('shuts out links and passkeys, but for the owner who may always get in', async () => {
    const tenant = await sso.connect();
    const owner = await sso.signInByLink(tenant);
    const { body: agent } = await tenant.call('POST', '/v1/agents', { name: 'Bo', role: 'agent' });
    const { body: invited } = await tenant.call('POST', `/v1/agents/${agent.id}/invitation`);
    const only = sso.connectionTo({ only: true, break_glass_agent_id: owner.body.agent.id });
    expect((await tenant.call('PUT', '/v1/sso-connection', only)).status).toBe(200);
    const body = { method: 'link', token: invited.url.split('#token=')[1] };
    const refused = await sso.ask(null, 'POST', '/v1/sessions', body);
    expect([refused.status, refused.body.code]).toEqual([403, 'sso_required']);
    expect((await sso.signInByLink(tenant)).status).toBe(201);
    await tenant.call('PUT', '/v1/sso-connection', sso.connectionTo());
    expect((await sso.ask(null, 'POST', '/v1/sessions', body)).status).toBe(201);
  });

  test('needs an owner in person who can get in when the provider fails', async () => {
    const tenant = await sso.connect();
    const { body: agent } = await tenant.call('POST', '/v1/agents', { name: 'Bo', role: 'owner' });
    for (const id of [undefined, null, agent.id]) {
      const answer = await tenant.call(
        'PUT',
        '/v1/sso-connection',
        sso.connectionTo({ only: true, break_glass_agent_id: id }),
      );
      expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
    }
  });

  test('gives a session of it no say in how the person signs in elsewhere', async () => {
    const tenant = await sso.connect({ allow_new: true });
    sso.somebody();
    const { browser } = await sso.enter(tenant);
    const answer = await sso.ask(browser.cookie, 'POST', '/v1/me/passkeys/challenge', {});
    expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
  });
});

describe('a provider that does not answer', () => {
  test('is said on the page of sign-in, within seconds, and slows down no other tenant', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const dead = await sso.connect({ issuer: `http://127.0.0.1:${port}` });
    const alive = await sso.connect({ allow_new: true });
    sso.somebody();
    const waiting = Array.from({ length: 12 }, () => sso.browse().open(startOf(dead)));
    expect((await sso.enter(alive)).me.tenant.id).toBe(alive.tenantId);
    for (const arrival of await Promise.all(waiting)) expect(problemIn(arrival)).toEqual(['/sign-in', 'unreachable']);
    silent.closeAllConnections();
    silent.close();
  });

  test.each([
    'http://127.0.0.2:9',
    'https://10.0.0.1',
    'http://login.example.com',
    'nonsense',
  ])('is not asked at %s, which is no public address over HTTPS', async (issuer) => {
    const tenant = await makeTestTenant(sso.kit);
    const answer = await tenant.call('PUT', '/v1/sso-connection', sso.connectionTo({ issuer }));
    expect([answer.status, answer.body.details[0].path]).toEqual([400, 'body.issuer']);
  });
});

describe('the connection of a tenant', () => {
  test('never shows its secret, keeps it while issuer and client stay, and is gone when it is deleted', async () => {
    const tenant = await sso.connect();
    const without: JsonObject = { issuer: sso.provider.issuer, client_id: CLIENT.id, allow_new: true };
    const kept = await tenant.call('PUT', '/v1/sso-connection', without);
    expect([kept.status, kept.text.includes(CLIENT.secret)]).toEqual([200, false]);
    sso.somebody();
    expect((await sso.enter(tenant)).me.tenant.id).toBe(tenant.tenantId);
    const { rows } = await sso.kit.service.db.run({ name: 'test_sso', text: 'select * from sso_connections' }, []);
    expect(JSON.stringify(rows)).not.toContain(CLIENT.secret);
    const moved = await tenant.call('PUT', '/v1/sso-connection', { ...without, issuer: 'https://evil.example.com' });
    expect([moved.status, moved.body.code]).toEqual([409, 'conflict']);
    expect((await tenant.call('DELETE', '/v1/sso-connection')).status).toBe(200);
    expect((await tenant.call('GET', '/v1/sso-connection')).status).toBe(404);
    expect((await tenant.call('DELETE', '/v1/sso-connection')).status).toBe(404);
    expect(problemIn((await sso.enter(tenant)).arrival)).toEqual(['/sign-in', 'unavailable']);
  });

  test('gives nobody more than whoever sets it has', async () => {
    const tenant = await sso.connect();
    const { body: narrow } = await tenant.call('POST', '/v1/api-keys', { name: 'narrow', scopes: ['agents:write'] });
    const authorization = { authorization: `Bearer ${narrow.key}` };
    expect((await tenant.call('PUT', '/v1/sso-connection', sso.connectionTo(), authorization)).status).toBe(403);
    expect((await tenant.call('DELETE', '/v1/sso-connection', undefined, authorization)).status).toBe(403);
    const { body: admin } = await tenant.call('POST', '/v1/agents', { name: 'Bo', role: 'admin' });
    const as = { 'x-agent-id': admin.id };
    const put = (fields: object) => tenant.call('PUT', '/v1/sso-connection', sso.connectionTo(fields), as);
    expect((await put({})).status).toBe(200);
    expect((await put({ roles: [{ group: 'all', role: 'owner' }] })).status).toBe(403);
    expect((await put({ only: true })).status).toBe(403);
  });
});

describe('testing an issuer', () => {
  const testIssuer = (of: TestTenant, issuer: string) => of.call('POST', '/v1/sso-connection/test', { issuer });

  test('says what the provider says of itself, and stores nothing', async () => {
    const tenant = await makeTestTenant(sso.kit);
    const { status, body } = await testIssuer(tenant, sso.provider.issuer);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ok: true, problem: null, authorization_endpoint: `${sso.provider.issuer}/auth` });
    expect(body.claims_supported).toContain('groups');
    expect((await tenant.call('GET', '/v1/sso-connection')).status).toBe(404);
  });

  test('asks anew each time', async () => {
    const tenant = await makeTestTenant(sso.kit);
    await testIssuer(tenant, sso.provider.issuer);
    const before = sso.provider.asked.length;
    await testIssuer(tenant, sso.provider.issuer);
    const asked = sso.provider.asked.slice(before);
    expect(asked).toEqual(['/.well-known/openid-configuration', '/jwks']);
  });

  test('tells a place where nobody answers from one that answers as somebody else', async () => {
    const tenant = await makeTestTenant(sso.kit);
    const stranger = createServer((request, response) => {
      const isOther = request.url?.startsWith('/other') === true;
      response.setHeader('content-type', isOther ? 'application/json' : 'text/html');
      response.end(isOther ? JSON.stringify({ issuer: 'https://login.example.com' }) : '<p>Welcome</p>');
    });
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    const answers = [await testIssuer(tenant, url), await testIssuer(tenant, `${url}/other`)];
    await new Promise((resolve) => stranger.close(resolve));
    answers.push(await testIssuer(tenant, url));
    expect(answers.map(({ body }) => body.problem)).toEqual(['unreachable', 'refused', 'unreachable']);
    expect(answers.every(({ status, body }) => status === 200 && body.ok === false)).toBe(true);
  });

  test('does not look at addresses that are not public', async () => {
    const { status, body } = await testIssuer(await makeTestTenant(sso.kit), 'http://10.0.0.1');
    expect([status, body.code]).toEqual([400, 'validation_failed']);
  });

  test('is for those who manage settings', async () => {
    const tenant = await sso.connect({ allow_new: true });
    sso.somebody();
    const { browser } = await sso.enter(tenant);
    const asked = await sso.ask(browser.cookie, 'POST', '/v1/sso-connection/test', { issuer: sso.provider.issuer });
    expect(asked.status).toBe(403);
  });
});

test('a person sees whether an identity is connected with them', async () => {
  const tenant = await sso.connect({ allow_new: true });
  const owner = await sso.signInByLink(tenant);
  const start_url = `https://chat.example.com/v1/sso/${tenant.tenantId}/start`;
  expect(owner.body.sign_in.single_sign_on).toEqual({ connected: false, start_url });
  sso.somebody();
  const { me } = await sso.enter(tenant);
  expect(me.sign_in.single_sign_on).toEqual({ connected: true, start_url });
  const without = await sso.signInByLink(await makeTestTenant(sso.kit));
  expect(without.body.sign_in.single_sign_on).toBeNull();
});
