import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrationsFolder } from '#bin/service';
import type { DispatcherId, EndpointId, NotifierId, TenantId } from '#core/ids';
import type { OpenDatabase } from '#database/database';
import { readMigrations } from '#database/migration-file';
import { migrate } from '#database/migrator';
import { listLanes } from '#messages/store/leases';
import { openEmptyDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { listEndpointLanes, lockTaken } from '#webhooks/store/webhook-lanes';
import { acquireLanes } from './lane-owners.ts';

/** The last version in which numbers and endpoints had owners in tables of their own. */
const BEFORE = 43;
const TENANT = '0190a6f2-0000-7000-8000-000000000001' as TenantId;
const ENDPOINT = '0190a6f2-0000-7000-8000-000000000002' as EndpointId;
const DISPATCHER = '0190a6f2-0000-7000-8000-000000000003' as DispatcherId;
const NOTIFIER = '0190a6f2-0000-7000-8000-000000000004' as NotifierId;

const OWNED = `
insert into tenants (tenant_id, name, created_ms) values ('${TENANT}', 'Test', 1);
insert into phone_numbers (tenant_id, phone_number_id, display_phone, created_ms) values ('${TENANT}', '7000', '15550007000', 1);
insert into lanes (tenant_id, phone_number_id, owner_id, epoch) values ('${TENANT}', '7000', '${DISPATCHER}', 7);
insert into webhook_endpoints (tenant_id, endpoint_id, url, ordering, secret_sealed, secret_key_id, created_ms, updated_ms)
  values ('${TENANT}', '${ENDPOINT}', 'https://example.com', 'none', 's', 'k', 1, 1);
insert into webhook_lanes (tenant_id, endpoint_id, owner_id, epoch, taken_seq) values ('${TENANT}', '${ENDPOINT}', '${NOTIFIER}', 9, 5)`;

let db: OpenDatabase;
let drop: () => Promise<void>;

beforeAll(async () => {
  ({ db, drop } = await openEmptyDatabase(testRuntime()));
  const migrations = readMigrations(migrationsFolder());
  const before = migrations.filter(({ version }) => version <= BEFORE);
  await migrate(db, before, { nowMs: 1 });
  for (const text of OWNED.split(';\n')) await db.run({ name: '', text }, []);
  await migrate(db, migrations, { nowMs: 1 });
});
afterAll(() => drop());

const number = { tenantId: TENANT, laneId: '7000' };
const endpoint = { tenantId: TENANT, laneId: ENDPOINT };

test('owners and epochs of numbers and endpoints outlast the upgrade, and how far an endpoint has come', async () => {
  expect(await listLanes(db)).toMatchObject([{ phoneNumberId: '7000', ownerId: DISPATCHER, epoch: 7 }]);
  expect(await listEndpointLanes(db)).toMatchObject([{ endpointId: ENDPOINT, ownerId: NOTIFIER, epoch: 9 }]);
  const taken = (epoch: number) =>
    db.transaction((tx) => lockTaken(tx, { tenantId: TENANT, endpointId: ENDPOINT, epoch }));
  expect([await taken(8), await taken(9)]).toMatchObject([null, { takenSeq: 5 }]);
});

test('of two that take a lane under the epoch that both saw one wins, whatever the lane leads to', async () => {
  for (const lane of [
    { ...number, epoch: 7 },
    { ...endpoint, epoch: 9 },
  ]) {
    expect(await acquireLanes(db, DISPATCHER, [lane])).toEqual([{ ...lane, epoch: lane.epoch + 1 }]);
    expect(await acquireLanes(db, NOTIFIER, [lane])).toEqual([]);
  }
});
