import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TenantId } from '#core/ids';
import type { BellOrigin } from '#runtime/event-bell';
import { openTestDatabase, type TestDatabase } from '#testing/test-database';
import { testRuntime } from '#testing/test-runtime';
import { openEventLine } from './event-line.ts';

const tenantId = '0190a6f2-0000-7000-8000-000000000001' as TenantId;
const [here, there] = [testRuntime(), testRuntime()];

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(here);
});
afterAll(() => database.drop());

test('the bell of one process rings in the others, once, and is not sent back', async () => {
  const lines = await Promise.all([here, there].map((rt) => openEventLine(rt, database.db)));
  const rung: BellOrigin[] = [];
  here.eventBell.listen((_tenantIds, origin) => rung.push(origin));
  const heard = new Promise<readonly unknown[]>((resolve) => {
    there.eventBell.listen((tenantIds, origin) => resolve([[...tenantIds], origin]));
  });
  here.eventBell.ring(new Set([tenantId]));
  expect(await heard).toEqual([[tenantId], 'elsewhere']);
  // What another process says after it comes by the same line: an echo would have come before.
  const answered = new Promise<void>((resolve) => {
    here.eventBell.listen((_tenantIds, origin) => origin === 'elsewhere' && resolve());
  });
  there.eventBell.ring(new Set([tenantId]));
  await answered;
  expect(rung).toEqual(['here', 'elsewhere']);
  await Promise.all(lines.map((close) => close()));
});
