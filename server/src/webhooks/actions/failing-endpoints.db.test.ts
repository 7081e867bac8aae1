import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import type { EndpointId, TenantId } from '#core/ids';
import { readEvents } from '#events/store/events';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { insertEndpoint } from '#webhooks/store/webhook-endpoints';
import { markFailing } from '#webhooks/store/webhook-lanes';
import { emitFailing } from './notify-events.ts';

const clock = new TestClock();
const rt = testRuntime({}, clock);
const url = 'https://shop.example/hook';
let database: TestDatabase;
let tenantId: TenantId;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  tenantId = await createTenant(rt, database.db, { name: 'Test', unknownResends: 1 });
});
afterAll(() => database.drop());

async function notedAt(): Promise<readonly unknown[]> {
  const events = await readEvents(database.db, { tenantId, after: 0, types: ['endpoint.failing'], limit: 10 });
  return events.map(({ data }) => data);
}

test('an endpoint that fails is reported once, by whichever process sees it, and again after it had answered', async () => {
  const endpointId = rt.newId<EndpointId>();
  const lane = { tenantId, endpointId };
  const secret = { sealed: 'x', keyId: 'k' };
  const rest = {
    url,
    description: null,
    format: 'postrider',
    types: null,
    ordering: 'none',
    disabledReason: null,
    disabledMs: null,
  } as const;
  await database.db.transaction((tx) => insertEndpoint(tx, { ...lane, ...rest, secret, createdMs: clock.now() }));
  await emitFailing(rt, database.db, { ...lane, url });
  expect(await notedAt()).toEqual([]);
  const sinceMs = clock.now();
  await markFailing(database.db, [{ ...lane, failing: true }], sinceMs);
  clock.advance(1_800_000);
  await Promise.all([1, 2, 3].map(() => emitFailing(rt, database.db, { ...lane, url })));
  const [first, ...others] = await notedAt();
  expect(others).toEqual([]);
  expect(first).toEqual({
    id: endpointId,
    url,
    failing_since: new Date(sinceMs).toISOString(),
    disabled_from: new Date(sinceMs + 5 * 86_400_000).toISOString(),
  });
  await markFailing(database.db, [{ ...lane, failing: false }], clock.now());
  await markFailing(database.db, [{ ...lane, failing: true }], clock.now());
  await emitFailing(rt, database.db, { ...lane, url });
  expect(await notedAt()).toHaveLength(2);
});
