import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant } from '#testing/test-tenant';
import { exportTenant } from './export-tenant.ts';

let kit: TestService;

beforeAll(async () => {
  kit = await startTestService();
});
afterAll(() => kit.close());

test('an export shows one moment, whatever is written while it runs, and blocks no writer', async () => {
  const tenant = await makeTestTenant(kit);
  const add = () => tenant.call('POST', '/v1/contacts', { phone: freshPhone() });
  expect((await add()).status).toBe(201);
  const rows: Record<string, number> = {};
  await exportTenant(kit.rt, kit.service.db, tenant.tenantId, async (table, portions) => {
    let count = 0;
    for await (const portion of portions) count += portion.length;
    rows[table] = count;
    expect((await add()).status).toBe(201);
  });
  expect(rows).toMatchObject({ contacts: 1, contact_identities: 1, tenants: 1 });
});
