import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPhoneNumber } from '#accounts/actions/add-number';
import { openBlobStore } from '#blobs/open-store';
import type { Database } from '#database/database';
import { makeFullTenant, rowsOf } from '#http/security/testing/world';
import { EMPTIED_TABLES, findDeletion, KEPT_TABLES, LAST_TABLES } from '#maintenance/store/delete-tenant';
import { removeLooseBlobs } from '#media/actions/clean-up-media';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { beginDeletion, deleteTenants, SETTLE_MS } from './delete-tenant.ts';

let kit: TestService;
let tenant: TestTenant;
let other: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeFullTenant(kit);
  other = await makeTestTenant(kit);
  await other.send(freshPhone(), { send_at: new Date(Date.now() + 3_600_000).toISOString() });
});
afterAll(() => kit.close());

test('every table with a tenant_id is emptied, or kept for a reason', async () => {
  const text = `select table_name as name from information_schema.columns where column_name = 'tenant_id' and table_schema = 'public'`;
  const { rows } = await kit.service.db.run<{ name: string }>({ name: 'test_tables', text }, []);
  const listed = [...EMPTIED_TABLES, ...Object.keys(KEPT_TABLES), ...LAST_TABLES];
  expect(listed.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

/** Fails after so many statements, as a killed process would. */
function dyingAfter(db: Database, statements: number): Database {
  let left = statements;
  const run: Database['run'] = async (...call) => {
    left -= 1;
    if (left < 0) throw new Error('Killed.');
    return db.run(...call);
  };
  return { ...db, kind: db.kind, kysely: db.kysely, run };
}

test('a deletion that is killed again and again leaves nothing of its tenant, and all of the others', async () => {
  const { rt, service } = kit;
  const { tenantId } = tenant;
  const others = await rowsOf(kit, other);
  const had = await rowsOf(kit, tenant);
  await expect(beginDeletion(rt, service.db, { tenantId, confirm: 'Other' })).rejects.toThrow('confirm that name');
  await beginDeletion(rt, service.db, { tenantId, confirm: 'Test' });
  await kit.until(
    () => tenant.call('GET', '/v1/messages/outbound'),
    ({ status }) => status === 403 || status === 401,
    'the tenant is refused',
  );
  for (let statements = 1; statements < 80; statements += 1)
    await deleteTenants(rt, dyingAfter(service.db, statements)).catch(() => undefined);
  while ((await deleteTenants(rt, service.db)) > 0);
  expect(await findDeletion(service.db, tenantId)).toMatchObject({ finishedMs: null });

  const later = { ...rt, clock: { ...rt.clock, now: () => rt.clock.now() + SETTLE_MS } };
  const store = openBlobStore(rt.config);
  await removeLooseBlobs(rt, service.db, (key) => store.remove(key));
  const step = async () => {
    await deleteTenants(later, service.db);
    return findDeletion(service.db, tenantId);
  };
  const deletion = await kit.until(step, (found) => found?.finishedMs !== null, 'the deletion is over');
  const count = (table: string) => had[table]?.split('\n').length;
  expect(deletion?.removed).toMatchObject({ api_keys: count('api_keys'), contacts: count('contacts') });
  const left = Object.keys(await rowsOf(kit, tenant)).filter((table) => !(table in KEPT_TABLES));
  expect(left).toEqual([]);
  expect(await rowsOf(kit, other)).toEqual(others);
  const folder = join(rt.config.dataDir, 'media');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  expect(files.map(({ name }) => name)).toEqual([]);
});

test('the number of a deleted tenant can be added to another one', async () => {
  const { tenantId } = other;
  const { phoneNumberId } = tenant;
  const number = { tenantId, phoneNumberId, displayPhone: freshPhone(), name: null, ratePerSecond: null };
  await expect(addPhoneNumber(kit.rt, kit.service.db, number)).resolves.toBeUndefined();
});
