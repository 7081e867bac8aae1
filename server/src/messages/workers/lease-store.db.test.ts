import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { resumeTenant, suspendTenant } from '#access/actions/suspend-tenant';
import { addPhoneNumber } from '#accounts/actions/add-number';
import { acquireLanes, releaseLanes } from '#accounts/store/lane-owners';
import { setNumberPaused } from '#accounts/store/phone-numbers';
import type { DispatcherId, PhoneNumberId, TenantId } from '#core/ids';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { lanesWhenChanged } from './lease-store.ts';

const rt = testRuntime();
const owner = rt.newId<DispatcherId>();
const [first, second] = ['7100', '7200'] as [PhoneNumberId, PhoneNumberId];
let database: TestDatabase;
let tenantId: TenantId;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  tenantId = await createTenant(rt, database.db, { name: 'Test', unknownResends: 1, windowPolicy: 'network' });
  await addNumber(first);
});
afterAll(() => database.drop());

async function addNumber(phoneNumberId: PhoneNumberId): Promise<void> {
  const displayPhone = `1555000${phoneNumberId}`;
  await addPhoneNumber(rt, database.db, { tenantId, phoneNumberId, displayPhone, name: null, ratePerSecond: null });
}

test('the lanes are read again when one is added, taken, given back, paused or resumed, alone or with its tenant, and not before', async () => {
  const list = lanesWhenChanged(database.db);
  const lane = async () => (await list()).find(({ lane: { phoneNumberId } }) => phoneNumberId === first);
  const { db } = database;
  const changes: readonly (readonly [() => Promise<unknown>, object])[] = [
    [() => acquireLanes(db, owner, [{ tenantId, laneId: first, epoch: 0 }]), { ownerId: owner, epoch: 1 }],
    [() => releaseLanes(db, owner, [{ tenantId, laneId: first, epoch: 1 }]), { ownerId: null, epoch: 1 }],
    [() => pause('For a test.'), { lane: { paused: true } }],
    [() => pause(null), { lane: { paused: false } }],
    [() => suspendTenant(rt, db, { tenantId, reason: null }), { lane: { paused: true } }],
    [() => resumeTenant(rt, db, tenantId), { lane: { paused: false } }],
    [() => addNumber(second), { key: `${tenantId}/${first}` }],
  ];
  for (const [change, expected] of changes) {
    const before = await list();
    expect(await list()).toBe(before);
    await change();
    expect(await list()).not.toBe(before);
    expect(await lane()).toMatchObject(expected);
  }
  expect((await list()).length).toBe(2);
});

function pause(pauseReason: string | null) {
  return setNumberPaused(database.db, { tenantId, phoneNumberId: first, pauseReason });
}
