import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bootstrapTenant } from '#accounts/actions/bootstrap-tenant';
import { makeApiKey } from '#core/caller/api-key';
import type { TenantId } from '#core/ids';
import type { Database, Statement } from '#database/database';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { makeAuthenticator } from './authenticate.ts';
import { createApiKey, createTenant, revokeApiKey, rotateApiKey } from './manage-tenants.ts';

const clock = new TestClock();
const rt = testRuntime({}, clock);
let database: TestDatabase;
let tenantId: TenantId;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  tenantId = await createTenant(rt, database.db, { name: 'Test', unknownResends: 1, windowPolicy: 'network' });
});
afterAll(() => database.drop());

/** A key becomes useless everywhere within this time of its revocation. */
const REVOKED_WITHIN_MS = 2_000;

function newKey(parts: { readonly expiresMs?: number; readonly scopes?: readonly string[] } = {}) {
  const { expiresMs = null, scopes = [] } = parts;
  return createApiKey(rt, database.db, { tenantId, name: 'test', mode: 'live', scopes, expiresMs });
}

/** The database, and the names of the statements that ran on it. */
function watched() {
  const statements: string[] = [];
  const db: Database = Object.assign(Object.create(database.db), {
    run: (statement: Statement, values: readonly unknown[]) => {
      statements.push(statement.name);
      return database.db.run(statement, values);
    },
  });
  return { db, statements };
}

function processes(count: number) {
  return Array.from({ length: count }, () => makeAuthenticator(rt, database.db));
}

describe('a key', () => {
  test('is known with its tenant, mode and scopes, and costs no promise once it is remembered', async () => {
    const { key, keyId } = await newKey({ scopes: ['messages:read'] });
    const [authenticator] = processes(1);
    const principal = { tenantId, keyId, mode: 'live', scopes: ['messages:read'], ratePerSecond: null, agentId: null };
    const limits = { session: null, allowedIps: [], networks: [], phoneNumberIds: [], refusal: null };
    expect(await authenticator?.authenticate(key)).toEqual({ ...principal, ...limits });
    expect(authenticator?.authenticate(key)).toEqual({ ...principal, ...limits });
  });

  test('that was revoked is refused in every process within 2 s, however busy it is', async () => {
    const { key, keyId } = await newKey();
    const all = processes(3);
    for (const one of all) expect(await one.authenticate(key)).not.toBeNull();
    await revokeApiKey(rt, database.db, { tenantId, keyId });
    for (let passedMs = 0; passedMs < REVOKED_WITHIN_MS; passedMs += 100) {
      for (const one of all) await one.authenticate(key);
      clock.advance(100);
    }
    for (const one of all) expect(await one.authenticate(key)).toBeNull();
  });

  test('that has expired is refused', async () => {
    const { key } = await newKey({ expiresMs: rt.clock.now() + 10_000 });
    const [authenticator] = processes(1);
    expect(await authenticator?.authenticate(key)).not.toBeNull();
    clock.advance(10_000 + REVOKED_WITHIN_MS);
    expect(await authenticator?.authenticate(key)).toBeNull();
  });

  test('that was rotated works beside its successor until the overlap is over', async () => {
    const { key, keyId } = await newKey({ scopes: ['messages:write'] });
    const fresh = await rotateApiKey(rt, database.db, { tenantId, keyId, overlapMs: 60_000 });
    const [authenticator] = processes(1);
    expect(await authenticator?.authenticate(key)).not.toBeNull();
    expect(await authenticator?.authenticate(fresh.key)).toMatchObject({ tenantId, scopes: ['messages:write'] });
    clock.advance(60_000 + REVOKED_WITHIN_MS);
    expect(await authenticator?.authenticate(key)).toBeNull();
    expect(await authenticator?.authenticate(fresh.key)).not.toBeNull();
  });

  test('is stored nowhere: no row contains it or its secret part', async () => {
    const { key } = await newKey();
    const { rows } = await database.db.run({ name: 'test_keys', text: 'select * from api_keys' }, []);
    const stored = JSON.stringify(rows);
    expect(stored).not.toContain(key);
    expect(stored).not.toContain(key.slice(12));
  });

  test('with a wrong checksum, or far too long, is refused without a query', () => {
    const [authenticator] = processes(1);
    expect(authenticator?.authenticate(`pr_live_${'a'.repeat(38)}`)).toBeNull();
    expect(authenticator?.authenticate('x'.repeat(257))).toBeNull();
  });

  test('of another form costs no query for it while the installation has no such key', async () => {
    const { db, statements } = watched();
    const authenticator = makeAuthenticator(rt, db);
    for (let count = 0; count < 50; count += 1) expect(await authenticator.authenticate(`guess ${count}`)).toBeNull();
    expect(statements).toEqual(['key_any_foreign']);
  });

  test('of another form works when the operator made one', async () => {
    const authenticator = makeAuthenticator(rt, database.db);
    const foreign = 'a bootstrap key of the operator';
    expect(await authenticator.authenticate(foreign)).toBeNull();
    const { tenantId: first } = await bootstrapTenant(rt, database.db, foreign);
    clock.advance(5_000);
    expect(await authenticator.authenticate(foreign)).toMatchObject({ tenantId: first });
  });

  test('is looked up together with others that arrive during a statement, and guesses push no valid key out of memory', async () => {
    const { key } = await newKey();
    const { db, statements } = watched();
    const authenticator = makeAuthenticator(rt, db);
    const guesses = Array.from({ length: 5_000 }, () => authenticator.authenticate(makeApiKey('live', randomBytes)));
    expect(await authenticator.authenticate(key)).not.toBeNull();
    expect(new Set(await Promise.all(guesses))).toEqual(new Set([null]));
    expect(statements.filter((name) => name === 'key_find_by_hash').length).toBeLessThanOrEqual(20);
    for (let round = 0; round < 5; round += 1)
      await Promise.all(
        Array.from({ length: 5_000 }, () => authenticator.authenticate(makeApiKey('live', randomBytes))),
      );
    expect(authenticator.authenticate(key)).not.toBeInstanceOf(Promise);
  });

  test('that does not exist is refused, also the second time, when it is remembered', async () => {
    const [authenticator] = processes(1);
    expect(await authenticator?.authenticate('no such key at all')).toBeNull();
    expect(authenticator?.authenticate('no such key at all')).toBeNull();
  });
});
