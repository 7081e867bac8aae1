import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiKey } from '#access/actions/manage-tenants';
import { type Answer, callApi, startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;

beforeAll(async () => {
  kit = await startTestService();
});
afterAll(() => kit.close());

const KEYS = '/v1/api-keys';
const NOBODYS = '0190a6f2-0000-7000-8000-00000000dead';

/** Calls with another key than the tenant's own. */
function callWith(key: string, method: string, path: string, body?: unknown, headers = {}): Promise<Answer> {
  return callApi(kit.service.url, method, path, body, { authorization: `Bearer ${key}`, ...headers });
}

async function made(tenant: TestTenant, fields: object = {}): Promise<Answer['body']> {
  const answer = await tenant.call('POST', KEYS, { name: 'made', ...fields });
  expect([answer.status, answer.text]).toEqual([201, expect.stringContaining('pr_test_')]);
  return answer.body;
}

/** A live key of the tenant, as the operator makes it: the tenant's own one is a test key. */
async function liveKey(tenant: TestTenant, scopes: readonly string[] = []): Promise<string> {
  const { tenantId } = tenant;
  const fields = { tenantId, name: 'live', mode: 'live', scopes, expiresMs: null } as const;
  return (await createApiKey(kit.rt, kit.service.db, fields)).key;
}

async function everythingStored(): Promise<string> {
  const rows: unknown[] = [];
  for (const table of ['api_keys', 'idempotency_keys', 'audit_log']) {
    rows.push((await kit.service.db.run({ name: `test_all_${table}`, text: `select * from ${table}` }, [])).rows);
  }
  return JSON.stringify(rows);
}

describe('POST /v1/api-keys', () => {
  test('makes a key that works at once and is stored nowhere in clear', async () => {
    const tenant = await makeTestTenant(kit);
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const key = await made(tenant, { scopes: ['messages:read'], rate_limit: 20, expires_at: expiresAt });
    expect(key).toMatchObject({
      name: 'made',
      mode: 'test',
      status: 'active',
      scopes: ['messages:read'],
      rate_limit: 20,
      expires_at: expiresAt,
      last_used_at: null,
    });
    expect((await callWith(key.key, 'GET', '/v1/messages/outbound')).status).toBe(200);
    expect((await callWith(key.key, 'POST', KEYS, { name: 'x' })).status).toBe(403);
    expect(await everythingStored()).not.toContain(key.key);
  });

  test('a repetition makes no second key and does not show it again, nor is it kept', async () => {
    const tenant = await makeTestTenant(kit);
    const post = () => tenant.call('POST', KEYS, { name: 'once' }, { 'idempotency-key': 'once' });
    const answers = await Promise.all(Array.from({ length: 12 }, post));
    const shown = answers.filter((answer) => answer.body.key !== null);
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 201));
    expect(shown).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    const replayed = await post();
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    expect(replayed.body).toEqual({ ...shown[0]?.body, key: null });
    expect(await everythingStored()).not.toContain(shown[0]?.body.key);
    const other = await tenant.call('POST', KEYS, { name: 'other' }, { 'idempotency-key': 'once' });
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
  });

  test('a key gives away nothing that it lacks itself', async () => {
    const tenant = await makeTestTenant(kit);
    const limited = await made(tenant, { scopes: ['keys:write', 'messages:read'], rate_limit: 1000 });
    const ask = (fields: object) => callWith(limited.key, 'POST', KEYS, { name: 'x', ...fields });
    expect((await ask({ scopes: ['messages:write'] })).body).toEqual({
      error: 'This API key lacks the scope messages:write.',
      code: 'forbidden',
    });
    expect((await ask({ mode: 'live' })).body.error).toBe('A test key cannot create, rotate or revoke live keys.');
    expect((await ask({ rate_limit: 1001 })).status).toBe(403);
    expect((await ask({})).body).toMatchObject({
      scopes: ['keys:write', 'messages:read'],
      rate_limit: 1000,
      mode: 'test',
    });
    const all = (await tenant.call('GET', KEYS)).body.data.find((key: Answer['body']) => key.scopes.length === 0);
    const rotated = await callWith(limited.key, 'POST', `${KEYS}/${all.id}/rotate`, {});
    expect([rotated.status, rotated.body.error]).toEqual([403, 'This API key lacks some scopes.']);
  });

  test('a key that ends makes and rotates no key that outlives it', async () => {
    const tenant = await makeTestTenant(kit);
    const [soon, later] = [3_600_000, 3_601_000].map((ms) => new Date(Date.now() + ms).toISOString());
    const ending = await made(tenant, { expires_at: soon });
    const ask = (path: string, body: object) => callWith(ending.key, 'POST', KEYS + path, body);
    expect((await ask('', { name: 'as long' })).body.expires_at).toBe(soon);
    const forbidden = { error: 'This API key expires sooner.', code: 'forbidden' };
    expect((await ask('', { name: 'longer', expires_at: later })).body).toEqual(forbidden);
    for (const fields of [{}, { expires_at: later }]) {
      const { id } = await made(tenant, fields);
      expect((await ask(`/${id}/rotate`, {})).body).toEqual(forbidden);
    }
    const successor = await ask(`/${ending.id}/rotate`, { overlap_s: 60 });
    expect([successor.status, successor.body.expires_at]).toEqual([201, soon]);
  });

  test.each([
    ['no name', {}, 'name is required'],
    ['an unknown scope', { name: 'x', scopes: ['everything'] }, 'scopes[0] must be one of messages:read'],
    ['an empty list of scopes', { name: 'x', scopes: [] }, 'scopes must not be empty'],
    ['an end that has passed', { name: 'x', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at is in the past'],
    ['a rate of none', { name: 'x', rate_limit: 0 }, 'rate_limit must be a whole number from 1'],
    ['fields of the table', { name: 'x', tenant_id: NOBODYS }, 'tenant_id is not a known field'],
  ])('refuses %s', async (_label, body, sentence) => {
    const answer = await kit.call('POST', KEYS, body);
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(sentence)]);
  });
});

describe('reading keys', () => {
  test('a walk by cursor shows each key once, newest first, and never a key itself', async () => {
    const tenant = await makeTestTenant(kit);
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await made(tenant)).id);
    const seen: string[] = [];
    let path: string | null = `${KEYS}?limit=2&mode=test`;
    while (path !== null) {
      const { body, text }: Answer = await tenant.call('GET', path);
      expect(text).not.toMatch(/pr_test_\w{20}/);
      seen.push(...body.data.map((key: Answer['body']) => key.id));
      path = body.page.next_cursor && `${KEYS}?limit=2&mode=test&cursor=${body.page.next_cursor}`;
    }
    expect(seen.slice(0, 5)).toEqual(ids);
    expect(new Set(seen).size).toBe(6);
    expect((await tenant.call('GET', `${KEYS}?mode=live`)).body.data).toEqual([]);
  });

  test('one key is shown by its id, with its last use', async () => {
    const tenant = await makeTestTenant(kit);
    const { key, ...rest } = await made(tenant);
    expect((await tenant.call('GET', `${KEYS}/${rest.id}`)).body).toEqual(rest);
    await callWith(key, 'GET', KEYS);
    await kit.until(
      () => tenant.call('GET', `${KEYS}/${rest.id}`),
      ({ body }) => body.last_used_at !== null,
      'its use is written',
    );
  });
});

describe('another tenant', () => {
  test.each([
    ['GET', ''],
    ['POST', '/rotate'],
    ['DELETE', ''],
  ])('%s of its key%s answers the same bytes as for a key that does not exist', async (method, suffix) => {
    const [tenant, stranger] = [await makeTestTenant(kit), await makeTestTenant(kit)];
    const key = await made(tenant);
    const headers = { 'x-request-id': 'same' };
    const body = method === 'POST' ? {} : undefined;
    const foreign = await stranger.call(method, `${KEYS}/${key.id}${suffix}`, body, headers);
    const missing = await stranger.call(method, `${KEYS}/${NOBODYS}${suffix}`, body, headers);
    expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
    const shape = (answer: Answer) => [...answer.headers].filter(([name]) => name !== 'date');
    expect(shape(foreign)).toEqual(shape(missing));
    expect((await callWith(key.key, 'GET', '/v1/messages/outbound')).status).toBe(200);
  });

  test.each([
    ['GET', KEYS, 'keys:read'],
    ['POST', KEYS, 'keys:write'],
    ['GET', `${KEYS}/${NOBODYS}`, 'keys:read'],
    ['POST', `${KEYS}/${NOBODYS}/rotate`, 'keys:write'],
    ['DELETE', `${KEYS}/${NOBODYS}`, 'keys:write'],
    ['GET', '/v1/audit-log', 'audit:read'],
  ])('%s %s needs a key, and the scope %s', async (method, path, scope) => {
    const tenant = await makeTestTenant(kit, { scopes: ['messages:read'] });
    expect((await callApi(kit.service.url, method, path)).status).toBe(401);
    const answer = await tenant.call(method, path);
    expect([answer.status, answer.body.error]).toEqual([403, `This API key lacks the scope ${scope}.`]);
  });
});

describe('POST /v1/api-keys/{id}/rotate', () => {
  test('gives a successor with the same rights; the old key works on for the overlap', async () => {
    const tenant = await makeTestTenant(kit);
    const old = await made(tenant, { scopes: ['messages:read'], rate_limit: 7 });
    const beforeMs = Date.now();
    const fresh = await tenant.call('POST', `${KEYS}/${old.id}/rotate`, { overlap_s: 600 });
    const afterMs = Date.now();
    expect([fresh.status, fresh.body]).toEqual([
      201,
      expect.objectContaining({ scopes: ['messages:read'], rate_limit: 7, expires_at: null }),
    ]);
    for (const { key } of [old, fresh.body])
      expect((await callWith(key, 'GET', '/v1/messages/outbound')).status).toBe(200);
    const ends = Date.parse((await tenant.call('GET', `${KEYS}/${old.id}`)).body.expires_at);
    expect(ends - 600_000).toBeGreaterThanOrEqual(beforeMs);
    expect(ends - 600_000).toBeLessThanOrEqual(afterMs);
  });

  test('without overlap ends the old key, which then cannot be rotated', async () => {
    const tenant = await makeTestTenant(kit);
    const old = await made(tenant);
    expect((await tenant.call('POST', `${KEYS}/${old.id}/rotate`, { overlap_s: 0 })).status).toBe(201);
    expect((await callWith(old.key, 'GET', KEYS)).status).toBe(401);
    const again = await tenant.call('POST', `${KEYS}/${old.id}/rotate`);
    expect([again.status, again.body.code]).toEqual([409, 'conflict']);
  });

  test('of a key that ends by itself gives one that lives as long, and never lengthens the old one', async () => {
    const tenant = await makeTestTenant(kit);
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const old = await made(tenant, { expires_at: expiresAt });
    const fresh = await tenant.call('POST', `${KEYS}/${old.id}/rotate`, { overlap_s: 86_400 });
    expect(Date.parse(fresh.body.expires_at)).toBeGreaterThanOrEqual(Date.parse(expiresAt));
    expect((await tenant.call('GET', `${KEYS}/${old.id}`)).body.expires_at).toBe(expiresAt);
  });
});

describe('DELETE /v1/api-keys/{id}', () => {
  test('ends a key, and may be repeated', async () => {
    const tenant = await makeTestTenant(kit);
    const key = await made(tenant);
    expect((await callWith(key.key, 'GET', KEYS)).status).toBe(200);
    const revoked = await tenant.call('DELETE', `${KEYS}/${key.id}`);
    expect([revoked.status, revoked.body.status]).toEqual([200, 'revoked']);
    expect((await tenant.call('DELETE', `${KEYS}/${key.id}`)).body).toEqual(revoked.body);
    await kit.until(
      () => callWith(key.key, 'GET', KEYS),
      (answer) => answer.status === 401,
      'the key is refused',
    );
  });

  test('a narrow key ends no wider one, and the last key with all scopes is ended by no key', async () => {
    const tenant = await makeTestTenant(kit);
    const narrow = await made(tenant, { scopes: ['keys:write', 'keys:read', 'messages:read'] });
    const [fields, same] = [{ scopes: ['messages:write'] }, { scopes: ['messages:read'] }];
    const end = (key: string, id: string) => callWith(key, 'DELETE', `${KEYS}/${id}`);
    expect((await end(narrow.key, (await made(tenant, fields)).id)).body).toEqual({
      error: 'This API key lacks the scope messages:write.',
      code: 'forbidden',
    });
    expect((await end(narrow.key, (await made(tenant, same)).id)).status).toBe(200);
    const full = (await tenant.call('GET', KEYS)).body.data.find((key: Answer['body']) => key.scopes.length === 0);
    expect((await end(narrow.key, full.id)).status).toBe(403);
    const live = await liveKey(tenant, narrow.scopes);
    const liveId = (await tenant.call('GET', `${KEYS}?mode=live`)).body.data[0].id;
    expect((await tenant.call('DELETE', `${KEYS}/${liveId}`)).status).toBe(403);
    expect((await callWith(live, 'GET', KEYS)).status).toBe(200);
    // Only a key that lives as long stands in for the last one.
    const ending = await made(tenant, { expires_at: new Date(Date.now() + 3_600_000).toISOString() });
    for (const key of [tenant.key, ending.key]) {
      const refused = await end(key, full.id);
      expect([refused.status, refused.body.error]).toEqual([
        409,
        expect.stringContaining('the last working key with all'),
      ]);
    }
    await made(tenant);
    expect((await end(ending.key, full.id)).status).toBe(200);
  });

  test('the last key that can make keys does not revoke itself', async () => {
    const tenant = await makeTestTenant(kit);
    const live = await liveKey(tenant, ['keys:write', 'keys:read']);
    const [own] = (await callWith(live, 'GET', `${KEYS}?mode=live`)).body.data;
    const refused = await callWith(live, 'DELETE', `${KEYS}/${own.id}`);
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('the last working key')]);
    await liveKey(tenant, ['messages:read']);
    expect((await callWith(live, 'DELETE', `${KEYS}/${own.id}`)).status).toBe(409);
    const second = await liveKey(tenant, ['keys:write', 'keys:read']);
    const both = (await callWith(live, 'GET', `${KEYS}?mode=live`)).body.data;
    const secondId = both.find((key: Answer['body']) => key.id !== own.id && key.scopes.includes('keys:write')).id;
    const answers = await Promise.all([
      callWith(live, 'DELETE', `${KEYS}/${own.id}`),
      callWith(second, 'DELETE', `${KEYS}/${secondId}`),
    ]);
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
  });
});
