import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import type { DeliveryId } from '#core/ids';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { makeEndpoint } from '#testing/test-endpoints';
import { testRuntime } from '#testing/test-runtime';
import type { WebhookAttempt, WebhookEndpoint } from '#webhooks/domain/webhook';
import { findDelivery, insertDeliveries } from '#webhooks/store/webhook-deliveries';
import { AttemptSettler } from './settle.ts';

const rt = testRuntime();
const attempt: WebhookAttempt = { atMs: 1, durationMs: 1, status: 500, error: 'status', detail: 'x', response: 'y' };
let database: TestDatabase;
let endpoint: WebhookEndpoint;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  const tenant = { name: 'Shop', onUnknown: 'fail', windowPolicy: 'network' } as const;
  endpoint = await makeEndpoint(database.db, await createTenant(rt, database.db, tenant));
});
afterAll(() => database.drop());

async function deliveries(count: number): Promise<readonly DeliveryId[]> {
  const rows = Array.from({ length: count }, () => ({
    deliveryId: rt.newId<DeliveryId>(),
    eventId: rt.newId<DeliveryId>(),
    sequence: null,
    type: 'message.received' as const,
    body: '{}',
    orderKey: null,
  }));
  await insertDeliveries(database.db, endpoint, rows, 1);
  return rows.map(({ deliveryId }) => deliveryId);
}

async function settleAll(made: readonly (readonly [DeliveryId, WebhookAttempt])[]): Promise<void> {
  const settler = new AttemptSettler(rt, database.db);
  const { tenantId, endpointId } = endpoint;
  const end = { state: 'failed', attempts: 1, dueMs: null, blocksUntilMs: null, overtaken: false } as const;
  const lane = { tenantId, endpointId, epoch: 0 };
  for (const [deliveryId, one] of made) {
    void settler.settle({ lane, settled: { ...end, tenantId, deliveryId, attempt: one } });
  }
  await settler.drain();
}

const found = (id: DeliveryId) => findDelivery(database.db, endpoint, id);

test('a delivery whose log was corrupted by hand delays no other, and ends', async () => {
  const ids = await deliveries(300);
  const [spoilt] = ids as [DeliveryId];
  const text = `update webhook_deliveries set log = '{"no": "list"}' where delivery_id = $1`;
  await database.db.run({ name: 'test_spoil', text }, [spoilt]);
  await settleAll(ids.map((id) => [id, attempt]));
  for (const id of ids) expect(await found(id)).toMatchObject({ state: 'failed', log: [{ status: 500 }] });
});

test('an answer that cannot be stored delays no other, and its attempt counts', async () => {
  const [unfit, fine] = (await deliveries(2)) as [DeliveryId, DeliveryId];
  await settleAll([
    [unfit, { ...attempt, response: '\ud83d' }],
    [fine, attempt],
  ]);
  expect(await found(fine)).toMatchObject({ state: 'failed', log: [{ response: 'y' }] });
  const stripped = { status: 500, error: 'status', response: null };
  expect(await found(unfit)).toMatchObject({ state: 'failed', log: [stripped] });
});
