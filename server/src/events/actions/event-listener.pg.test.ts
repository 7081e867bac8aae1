import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TenantId } from '#core/ids';
import type { SignalOrigin } from '#runtime/event-signal';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { openEventListener } from './event-listener.ts';

const tenantId = '0190a6f2-0000-7000-8000-000000000001' as TenantId;
const [here, there] = [testRuntime(), testRuntime()];

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(here);
});
afterAll(() => database.drop());

test('a signal of one process reaches the others, once, and is not sent back', async () => {
  const lines = await Promise.all([here, there].map((rt) => openEventListener(rt, database.db)));
  const signaled: SignalOrigin[] = [];
  here.eventSignal.listen((_tenantIds, origin) => signaled.push(origin));
  const heard = new Promise<readonly unknown[]>((resolve) => {
    there.eventSignal.listen((tenantIds, origin) => resolve([[...tenantIds], origin]));
  });
  here.eventSignal.notify(new Set([tenantId]));
  expect(await heard).toEqual([[tenantId], 'elsewhere']);
  // What another process notifies after it comes by the same line: an own notification would have come before.
  const answered = new Promise<void>((resolve) => {
    here.eventSignal.listen((_tenantIds, origin) => origin === 'elsewhere' && resolve());
  });
  there.eventSignal.notify(new Set([tenantId]));
  await answered;
  expect(signaled).toEqual(['here', 'elsewhere']);
  await Promise.all(lines.map((close) => close()));
});
