import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant } from '#testing/test-tenant';
import { exportTenant } from './export-tenant.ts';

let kit: TestService;

beforeAll(async () => {
  kit = await startTestService();
});
afterAll(() => kit.close());

/** More than one portion. */
const CONTACTS = 60;

test('an export reads every row once while others write, and blocks no writer', async () => {
  const tenant = await makeTestTenant(kit);
  const add = () => tenant.call('POST', '/v1/contacts', { phone: freshPhone() });
  for (let count = 0; count < CONTACTS; count += 1) expect((await add()).status).toBe(201);
  const before = await tenant.call('GET', '/v1/contacts?limit=100');
  const [first] = (before.body as unknown as { readonly data: readonly { readonly id: string }[] }).data;
  const ids: string[] = [];
  await exportTenant(kit.rt, kit.service.db, tenant.tenantId, async (table, portions) => {
    for await (const portion of portions) {
      if (table !== 'contacts') continue;
      ids.push(...portion.map((line) => (JSON.parse(line) as { readonly contact_id: string }).contact_id));
      expect((await add()).status).toBe(201);
      expect((await tenant.call('PATCH', `/v1/contacts/${first?.id}`, { name: `Name ${ids.length}` })).status).toBe(
        200,
      );
    }
  });
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThanOrEqual(CONTACTS);
  expect(ids).toContain(first?.id);
});
