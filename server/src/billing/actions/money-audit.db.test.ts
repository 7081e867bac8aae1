import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { addPlan, changePlan, moveSubscription } from './manage-plans.ts';
import { adjustWallet, setPrice, topUpWallet } from './manage-wallet.ts';

let kit: TestService;
beforeAll(async () => {
  kit = await startTestService({ config: { roles: 'api' } });
});
afterAll(() => kit.close());

interface Entry {
  readonly action: string;
  readonly target_id: string;
  readonly details: object;
  readonly actor: { readonly kind: string };
}

async function logOf(tenant: TestTenant): Promise<readonly Entry[]> {
  const { data } = (await tenant.call('GET', '/v1/audit-log')).body;
  return data.filter(({ action }: Entry) => /^(plan|subscription|wallet)\./.test(action)).toReversed();
}

test('what the operator does to a wallet is in the audit log, with the line of the ledger', async () => {
  const tenant = await makeTestTenant(kit);
  const { tenantId } = tenant;
  await topUpWallet(kit.rt, kit.service.db, { tenantId, amount: 500, description: 'Invoice 12' });
  await adjustWallet(kit.rt, kit.service.db, { tenantId, amount: -20, description: 'Fee' });
  await expect(
    adjustWallet(kit.rt, kit.service.db, { tenantId, amount: -9_999, description: 'Too much' }),
  ).rejects.toThrow('enough available balance');
  const lines = (await tenant.call('GET', '/v1/wallet/transactions')).body.data.toReversed();
  const log = await logOf(tenant);
  expect(log.map(({ action, target_id: target }) => [action, target])).toEqual([
    ['wallet.topped_up', lines[0].id],
    ['wallet.adjusted', lines[1].id],
  ]);
  expect(log[1]).toMatchObject({
    actor: { kind: 'operator' },
    details: { amount: -20, currency: 'EUR', reason: 'Fee' },
  });
});

test('a price that the operator sets is in the log of every tenant, and one that is refused in none', async () => {
  const tenants = [await makeTestTenant(kit), await makeTestTenant(kit)];
  const price = { category: 'utility', region: '49', effectiveFromMs: 1, unitPriceMicros: 70 } as const;
  await setPrice(kit.rt, kit.service.db, price);
  await expect(setPrice(kit.rt, kit.service.db, price)).rejects.toThrow('prices cannot be changed');
  for (const tenant of tenants) {
    expect(await logOf(tenant)).toMatchObject([
      { action: 'wallet.price_set', target_id: 'utility', details: { region: '49', unit_price_micros: 70 } },
    ]);
  }
});

test('a move of the subscription records the old and the new status', async () => {
  const tenant = await makeTestTenant(kit);
  await moveSubscription(kit.rt, kit.service.db, tenant.tenantId, { status: 'past_due' });
  expect(await logOf(tenant)).toMatchObject([
    { action: 'subscription.moved', details: { plan: 'standard', from: 'active', status: 'past_due' } },
  ]);
});

test('a change of a plan is in the log of the tenants that have it, and of no other', async () => {
  const [mover, other] = [await makeTestTenant(kit), await makeTestTenant(kit)];
  const { rt } = kit;
  const { db } = kit.service;
  await addPlan(rt, db, 'pro', { priceMinorUnits: 4900 });
  await moveSubscription(rt, db, mover.tenantId, { planId: 'pro' });
  await changePlan(rt, db, 'pro', { priceMinorUnits: 5900, fairUseMessages: 10 });
  expect((await logOf(mover)).at(-1)).toMatchObject({
    action: 'plan.changed',
    target_id: 'pro',
    details: { price: 5900, messages_per_month: 10 },
  });
  expect(await logOf(other)).toEqual([]);
  await changePlan(rt, db, 'standard', { graceDays: 3 });
  expect((await logOf(other)).map(({ target_id: target }) => target)).toEqual(['standard']);
});
