import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { acquireLanes } from '#accounts/store/lane-owners';
import type { DeliveryId, NotifierId } from '#core/ids';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { makeEndpoint } from '#testing/test-endpoints';
import { testRuntime } from '#testing/test-runtime';
import type { WebhookEndpoint } from '#webhooks/domain/webhook';
import {
  findDelivery,
  insertDeliveries,
  loadDueDeliveries,
  type SettledDelivery,
  settleDeliveries,
} from './webhook-deliveries.ts';
import { passEvents } from './webhook-lanes.ts';

const rt = testRuntime();
const nowMs = 1_000;
let database: TestDatabase;
let endpoint: WebhookEndpoint;

beforeAll(async () => {
  database = await openTestDatabase(rt);
});
beforeEach(async () => {
  endpoint = await makeEndpoint(database.db, await createTenant(rt, database.db, { name: 'Shop', unknownResends: 1 }));
});
afterAll(() => database.drop());

/** Due deliveries of one conversation, with these numbers of their events. */
async function deliver(...sequences: readonly number[]): Promise<readonly DeliveryId[]> {
  const rows = sequences.map((sequence) => {
    const [deliveryId, eventId] = [rt.newId<DeliveryId>(), rt.newId<DeliveryId>()];
    return { deliveryId, eventId, sequence, type: 'message.received' as const, body: null, orderKey: 'one' };
  });
  await insertDeliveries(database.db, endpoint, rows, 1);
  return rows.map(({ deliveryId }) => deliveryId);
}

async function due(): Promise<readonly (number | null)[]> {
  const found = await loadDueDeliveries(database.db, endpoint, { except: [], limit: 10, nowMs });
  return found.map(({ sequence }) => sequence);
}

function settle(deliveryId: DeliveryId, fields: Partial<SettledDelivery> = {}, status = 500): Promise<void> {
  const { tenantId } = endpoint;
  const attempt = { atMs: status, durationMs: 1, status, error: 'status', detail: 'x', response: 'y' } as const;
  const failed = { state: 'pending', attempts: 1, dueMs: nowMs + 1, blocksUntilMs: null, overtaken: false } as const;
  return settleDeliveries(database.db, [{ tenantId, deliveryId, ...failed, attempt, ...fields }], nowMs);
}

test('a delivery waits for an earlier one of its key that is tried again, but not for longer than that blocks', async () => {
  const [first] = (await deliver(1, 2)) as [DeliveryId];
  expect(await due()).toEqual([1]);
  await settle(first, { blocksUntilMs: nowMs + 1 });
  expect(await due()).toEqual([]);
  await settle(first, { blocksUntilMs: nowMs });
  expect(await due()).toEqual([2]);
});

test('deliveries that are due at the same time leave in the order of their events', async () => {
  await deliver(3, 1, 2);
  const text = 'update webhook_deliveries set order_key = null where tenant_id = $1';
  await database.db.run({ name: '', text }, [endpoint.tenantId]);
  expect(await due()).toEqual([1, 2, 3]);
});

test('what was delivered stays so, whatever is written late', async () => {
  const [id] = (await deliver(1)) as [DeliveryId];
  await settle(id, { state: 'delivered', dueMs: null });
  await settle(id, { state: 'failed', dueMs: null });
  expect(await findDelivery(database.db, endpoint, id)).toMatchObject({ state: 'delivered', log: [{ status: 500 }] });
});

test('the log of a delivery keeps its newest twenty attempts', async () => {
  const [id] = (await deliver(1)) as [DeliveryId];
  for (let status = 500; status < 522; status += 1) await settle(id, {}, status);
  const log = (await findDelivery(database.db, endpoint, id))?.log.map(({ status }) => status);
  expect(log).toEqual(Array.from({ length: 20 }, (_, n) => 502 + n));
});

test('a lane that has taken more meanwhile is not moved back', async () => {
  const { tenantId, endpointId } = endpoint;
  const owner = rt.newId<NotifierId>();
  await acquireLanes(database.db, owner, [{ tenantId, laneId: endpointId, epoch: 0 }]);
  for (const passedSeq of [9, 5]) await passEvents(database.db, owner, [{ tenantId, endpointId, passedSeq }]);
  const text = 'select taken_seq from webhook_lanes where tenant_id = $1';
  expect((await database.db.run({ name: '', text }, [tenantId])).rows).toEqual([{ taken_seq: 9 }]);
});
