import { afterAll, beforeAll, expect, test } from 'vitest';
import { addUsage } from '#billing/store/usage';
import { addMonths } from '#core/calendar';
import type { Runtime } from '#runtime/runtime';
import { startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { emitAlerts } from './emit-alerts.ts';
import { addPlan, changePlan, moveSubscription } from './manage-plans.ts';
import { adjustWallet } from './manage-wallet.ts';

/** Concurrent polls of several processes. */
const POLLS = 4;

let kit: TestService;
beforeAll(async () => {
  kit = await startTestService({ config: { walletEnabled: 'true', roles: 'api' } });
});
afterAll(() => kit.close());

async function tenantOn(planId: string): Promise<TestTenant> {
  const tenant = await makeTestTenant(kit);
  await moveSubscription(kit.rt, kit.service.db, tenant.tenantId, { planId });
  return tenant;
}

function use(tenant: TestTenant, messages: number, atMs = kit.rt.clock.now()): Promise<void> {
  const { tenantId, phoneNumberId } = tenant;
  const row = { tenantId, phoneNumberId, fact: 'outbound' as const, name: 'text', amount: messages };
  return addUsage(kit.service.db, { rows: [row], atMs, slot: 0 });
}

async function pollOnce(rt: Runtime = kit.rt): Promise<number> {
  const emitted = await Promise.all(Array.from({ length: POLLS }, () => emitAlerts(rt, kit.service.db)));
  return emitted.reduce((sum, count) => sum + count, 0);
}

const emitted = async (tenant: TestTenant, type: string) =>
  (await tenant.call('GET', `/v1/events?types=${type}`)).body.data.map(({ data }: { data: object }) => data);

test('a tenant is alerted at the share of its plan and at the whole fair use, once per month, however many processes poll', async () => {
  await addPlan(kit.rt, kit.service.db, 'small', { fairUseMessages: 10, fairUseEnforcement: 'hard' });
  const [tenant, other] = [await tenantOn('small'), await tenantOn('small')];
  await use(tenant, 7);
  expect(await pollOnce()).toBe(0);
  await use(tenant, 1);
  expect(await pollOnce()).toBe(1);
  await use(tenant, 5);
  expect([await pollOnce(), await pollOnce()]).toEqual([1, 0]);
  const common = { limit: 10, enforcement: 'hard' };
  expect(await emitted(tenant, 'usage.threshold')).toMatchObject([
    { ...common, threshold: 'warning', percent: 80, used: 8 },
    { ...common, threshold: 'exceeded', percent: 100, used: 13 },
  ]);
  expect(await emitted(other, 'usage.threshold')).toEqual([]);
  const nextMs = addMonths(kit.rt.clock.now(), 1);
  const later = { ...kit.rt, clock: { ...kit.rt.clock, now: () => nextMs } };
  expect(await pollOnce(later)).toBe(0);
  await use(tenant, 10, nextMs);
  expect(await pollOnce(later)).toBe(2);
});

test('a wallet that runs low is reported once, until it has enough again', async () => {
  const { rt, service } = kit;
  await addPlan(rt, service.db, 'paying', { lowBalanceMicros: 5_000_000 });
  const tenant = await tenantOn('paying');
  const pay = (amount: number) =>
    adjustWallet(rt, service.db, { tenantId: tenant.tenantId, amount, description: 'A test.' });
  await pay(600);
  expect(await pollOnce()).toBe(0);
  await pay(-101);
  expect([await pollOnce(), await pollOnce()]).toEqual([1, 0]);
  await pay(100);
  expect(await pollOnce()).toBe(0);
  await pay(-300);
  expect(await pollOnce()).toBe(1);
  expect(await emitted(tenant, 'wallet.low_balance')).toEqual([
    { currency: 'EUR', available: 499, threshold: 500 },
    { currency: 'EUR', available: 299, threshold: 500 },
  ]);
  await changePlan(rt, service.db, 'paying', { lowBalanceMicros: null });
  await pay(-299);
  expect(await pollOnce()).toBe(0);
});
