import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiKey, revokeApiKey } from '#access/actions/manage-tenants';
import { suspendTenant } from '#access/actions/suspend-tenant';
import { scopeNames } from '#core/caller/scopes';
import { perform, planOf } from '#http/security/testing/calls';
import { missingLike, rowsOf } from '#http/security/testing/world';
import { type Described, described } from '#http/testing/described';
import { addExampleAgents } from '#testing/test-agents';
import { startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit);
  await addExampleAgents(kit.rt, kit.service.db, tenant.tenantId);
});
afterAll(() => kit.close());

const secured = described.filter(({ scope }) => scope !== null);
const open = described.filter(({ scope }) => scope === null);
const REQUEST_ID = { 'x-request-id': 'the-same' };

/** Ids in the right form: who is not let in learns nothing of whether they exist. */
function someIds({ id }: Described): Readonly<Record<string, string>> {
  const names = Object.entries(planOf(id).names ?? {});
  return Object.fromEntries(names.map(([name, what]) => [name, missingLike(kit, what === 'number' ? '1' : '')]));
}

async function makeKey(fields: { scopes?: readonly string[]; expiresMs?: number | null }) {
  const { scopes = [], expiresMs = null } = fields;
  return createApiKey(kit.rt, kit.service.db, {
    tenantId: tenant.tenantId,
    name: 'x',
    mode: 'test',
    scopes,
    expiresMs,
  });
}

/** What a request can show instead of a key that works: label and header; null: no header. */
async function uselessCredentials(): Promise<readonly (readonly [string, string | null])[]> {
  const expired = await makeKey({ expiresMs: kit.rt.clock.now() - 1_000 });
  const revoked = await makeKey({});
  await revokeApiKey(kit.rt, kit.service.db, { tenantId: tenant.tenantId, keyId: revoked.keyId });
  const { key } = tenant;
  return [
    ['nothing', null],
    ['an empty header', ''],
    ['the scheme alone', 'Bearer'],
    ['another scheme', `Basic ${Buffer.from(`${key}:`).toString('base64')}`],
    ['the key without the scheme', key],
    ['a key with another last character', `Bearer ${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`],
    ['a key in capitals', `Bearer ${key.toUpperCase()}`],
    ['a key cut off', `Bearer ${key.slice(0, -6)}`],
    ['two keys', `Bearer ${key}, Bearer ${key}`],
    ['a text of 2000 characters', `Bearer ${'x'.repeat(2_000)}`],
    ['a token of another kind', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.'],
    ['SQL', "Bearer ' or '1'='1"],
    ['a key that has expired', `Bearer ${expired.key}`],
    ['a key that was revoked', `Bearer ${revoked.key}`],
  ];
}

async function makeSuspended(): Promise<TestTenant> {
  const made = await makeTestTenant(kit);
  await suspendTenant(kit.rt, kit.service.db, { tenantId: made.tenantId, reason: 'Unpaid' });
  return made;
}

describe('an operation that needs a key', () => {
  let suspended: TestTenant | null = null;
  let useless: Awaited<ReturnType<typeof uselessCredentials>> | null = null;

  test.each(secured)('answers every useless credential with the same 401: $id', async (operation) => {
    useless ??= await uselessCredentials();
    const stored = await rowsOf(kit, tenant);
    for (const [label, header] of useless) {
      const headers = header === null ? REQUEST_ID : { ...REQUEST_ID, authorization: header };
      const answer = await perform(kit, null, operation, { ids: someIds(operation), headers });
      expect([label, answer.status, answer.headers.get('www-authenticate')]).toEqual([label, 401, 'Bearer']);
      expect([label, answer.body]).toEqual([
        label,
        {
          error: 'The API key is missing or not valid. Send it as "Authorization: Bearer <API_KEY>".',
          code: 'unauthorized',
        },
      ]);
    }
    expect(await rowsOf(kit, tenant)).toEqual(stored);
  });

  test.each(secured)('takes no key from the query, a cookie or another header: $id', async (operation) => {
    const { key } = tenant;
    const ids = someIds(operation);
    const inQuery = await perform(kit, null, operation, { ids, search: `?api_key=${key}&access_token=${key}` });
    const inHeaders = { 'x-api-key': key, cookie: `key=${key}`, 'proxy-authorization': `Bearer ${key}` };
    const inOthers = await perform(kit, null, operation, { ids, headers: inHeaders });
    expect([inQuery.status, inOthers.status]).toEqual([401, 401]);
  });

  test.each(secured)('answers a key with every scope but its own with 403: $id', async (operation) => {
    const scopes = scopeNames.filter((scope) => scope !== operation.scope);
    const { key } = await makeKey({ scopes });
    const answer = await perform(kit, key, operation, { ids: someIds(operation) });
    expect([answer.status, answer.body]).toEqual([
      403,
      { error: `This API key lacks the scope ${operation.scope}.`, code: 'forbidden' },
    ]);
  });

  test.each(
    secured,
  )('answers every key of a suspended tenant with the same 403, and stores nothing: $id', async (operation) => {
    suspended ??= await makeSuspended();
    const stored = await rowsOf(kit, suspended);
    const { status, body } = await perform(kit, suspended.key, operation, { ids: someIds(operation) });
    expect([status, body]).toEqual([
      403,
      { error: 'This tenant is suspended: Unpaid. Ask the operator of this service.', code: 'tenant_suspended' },
    ]);
    expect(await rowsOf(kit, suspended)).toEqual(stored);
  });
});

test('without a key only these answer, and the same with one', async () => {
  expect(open.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(OPEN_TO_ALL);
  for (const operation of open) {
    const { status } = planOf(operation.id);
    expect([operation.id, (await perform(kit, null, operation)).status]).toEqual([operation.id, status]);
    expect([operation.id, (await perform(kit, 'garbage', operation)).status]).toEqual([operation.id, status]);
  }
});

/** Whoever opens another operation to everybody says so here. */
const OPEN_TO_ALL = [
  'GET /docs',
  'GET /docs/reference.js',
  'GET /healthz',
  'GET /metrics',
  'GET /readyz',
  'GET /v1/openapi.json',
  'GET /v1/{platform}/oauth/callback',
];
