import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { acquireLanes } from '#accounts/store/lane-owners';
import type { NotifierId } from '#core/ids';
import type { Transaction } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { makeEndpoint } from '#testing/test-endpoints';
import { testRuntime } from '#testing/test-runtime';
import { updateEndpoint } from '#webhooks/store/webhook-endpoints';
import { listEndpointLanes, lockTaken, passToWanted } from '#webhooks/store/webhook-lanes';
import { takeEvents } from './notify-events.ts';

/* Two connections that meet at a lane. */

const rt = testRuntime();
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase(rt);
});
afterAll(() => database.drop());

const WAITING = {
  name: 'test_waiting',
  text: `
select 1 from pg_stat_activity
where datname = current_database() and wait_event_type = 'Lock' and cardinality(pg_blocking_pids(pid)) > 0`,
};

async function untilOneWaits(): Promise<void> {
  while ((await database.db.run(WAITING, [])).rowCount === 0) {
    // The look itself takes its time.
  }
}

test('an endpoint that takes while other types are being chosen takes their events immediately', async () => {
  const { db } = database;
  const tenantId = await createTenant(rt, db, { name: 'Shop', unknownResends: 0, windowPolicy: 'network' });
  const endpoint = await makeEndpoint(db, tenantId, { types: ['message.sent'] });
  const [lane] = await listEndpointLanes(db);
  if (lane === undefined) throw new Error('The endpoint has no lane.');
  const choose = async (tx: Transaction) => {
    await passToWanted(tx, endpoint, ['message.sent']);
    await updateEndpoint(tx, { ...endpoint, types: ['message.read'] }, rt.clock.now());
    const taking = takeEvents(rt, db, lane);
    await untilOneWaits();
    return { taking };
  };
  const { taking } = await withEvents(rt, db, (tx, events) => {
    events.add({ tenantId, type: 'message.read', data: {} });
    return choose(tx);
  });
  expect((await taking).events.map(({ type }) => type)).toEqual(['message.read']);
});

test('who takes a lane over waits until what its owner is taking is committed, and the owner takes nothing more', async () => {
  const { db } = database;
  const tenantId = await createTenant(rt, db, { name: 'Cafe', unknownResends: 0, windowPolicy: 'network' });
  const { endpointId } = await makeEndpoint(db, tenantId);
  const key = { tenantId, endpointId, epoch: 0 };
  const order: string[] = [];
  const takeOver = async () => {
    const taken = await acquireLanes(db, rt.newId<NotifierId>(), [{ tenantId, laneId: endpointId, epoch: 0 }]);
    order.push('taken over');
    return taken;
  };
  const { over } = await db.transaction(async (tx) => {
    expect(await lockTaken(tx, key)).not.toBeNull();
    const over = takeOver();
    await untilOneWaits();
    order.push('taken');
    return { over };
  });
  expect(await over).toMatchObject([{ epoch: 1 }]);
  expect(order).toEqual(['taken', 'taken over']);
  expect(await db.transaction((tx) => lockTaken(tx, key))).toBeNull();
});
