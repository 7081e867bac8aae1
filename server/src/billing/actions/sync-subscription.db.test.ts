import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePaymentGateway } from '#network/payment-gateway';
import { PAYMENT_CONFIG, paymentEvent, postEvent, setGateway } from '#testing/test-payments';
import { startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { moveSubscription } from './manage-plans.ts';
import { reconcileSubscriptions } from './reconcile-subscriptions.ts';

let kit: TestService;
let linked = 0;
beforeAll(async () => {
  kit = await startTestService({ config: { roles: 'api,receiver', ...PAYMENT_CONFIG } });
});
afterAll(() => kit.close());

const SECOND = 1_790_000_000;

interface Paying {
  readonly tenant: TestTenant;
  readonly gatewayId: string;
  /** Posts an event of its subscription; `atS` is when the gateway made it. */
  report(status: string, atS: number): Promise<void>;
  status(): Promise<string>;
}

async function paying(): Promise<Paying> {
  const tenant = await makeTestTenant(kit);
  linked += 1;
  const gatewayId = `sub_${linked}`;
  await moveSubscription(kit.rt, kit.service.db, tenant.tenantId, { gatewayId });
  const report = async (status: string, atS: number) => {
    const kind = status === 'canceled' ? 'deleted' : 'updated';
    const event = paymentEvent(`customer.subscription.${kind}`, { id: gatewayId, object: 'subscription', status }, atS);
    expect((await postEvent(kit, event)).status).toBe(200);
  };
  return { tenant, gatewayId, report, status: async () => (await tenant.call('GET', '/v1/subscription')).body.status };
}

test('a subscription that is paid at the gateway follows its state', async () => {
  const { tenant, report, status } = await paying();
  const seen: string[] = [];
  for (const [index, state] of ['active', 'past_due', 'active', 'unpaid', 'canceled'].entries()) {
    await report(state, SECOND + index);
    seen.push(await status());
  }
  expect(seen).toEqual(['active', 'past_due', 'active', 'past_due', 'canceled']);
  expect((await tenant.call('GET', '/v1/subscription')).body.gate.open).toBe(false);
  const log = (await tenant.call('GET', '/v1/audit-log?action=subscription.moved')).body.data;
  expect(log[0]).toMatchObject({ actor: { kind: 'service' }, details: { from: 'past_due', status: 'canceled' } });
});

test.each([
  ['in order', [0, 1, 2, 3]],
  ['in reverse', [3, 2, 1, 0]],
  ['mixed and twice', [2, 0, 3, 0, 1, 2, 3]],
])('events that arrive %s lead to the state of the last one', async (_label, order) => {
  const { report, status } = await paying();
  const events = [
    ['active', SECOND],
    ['past_due', SECOND + 10],
    ['active', SECOND + 20],
    ['past_due', SECOND + 30],
  ] as const;
  for (const index of order) {
    const [state, atS] = events[index] ?? events[0];
    await report(state, atS);
  }
  expect(await status()).toBe('past_due');
});

test('of events of one second the cancellation counts, in any order', async () => {
  const [one, other] = [await paying(), await paying()];
  for (const state of ['active', 'canceled']) await one.report(state, SECOND);
  for (const state of ['canceled', 'active']) await other.report(state, SECOND);
  expect([await one.status(), await other.status()]).toEqual(['canceled', 'canceled']);
});

test('the creation of a subscription precedes what else happened in its second, also when it is reported last', async () => {
  const { gatewayId, report, status } = await paying();
  await report('past_due', SECOND);
  const created = { id: gatewayId, object: 'subscription', status: 'active' };
  await postEvent(kit, paymentEvent('customer.subscription.created', created, SECOND));
  expect(await status()).toBe('past_due');

  const other = await paying();
  await postEvent(kit, paymentEvent('customer.subscription.created', { ...created, id: other.gatewayId }, SECOND));
  await other.report('past_due', SECOND);
  expect(await other.status()).toBe('past_due');
});

test('an event that says nothing new does not undo what the operator did', async () => {
  const { tenant, report, status } = await paying();
  await report('active', SECOND);
  await moveSubscription(kit.rt, kit.service.db, tenant.tenantId, { status: 'paused' });
  await report('active', SECOND + 1);
  expect(await status()).toBe('paused');
  await moveSubscription(kit.rt, kit.service.db, tenant.tenantId, { status: 'canceled' });
  await report('past_due', SECOND + 2);
  await report('active', SECOND + 3);
  expect(await status()).toBe('canceled');
});

test('events of an unknown subscription, or of a state without a meaning here, change nothing', async () => {
  const { tenant, gatewayId, report, status } = await paying();
  const foreign = paymentEvent('customer.subscription.deleted', { id: 'sub_foreign', status: 'canceled' }, SECOND);
  expect((await postEvent(kit, foreign)).status).toBe(200);
  await report('incomplete', SECOND);
  expect(await status()).toBe('active');
  await moveSubscription(kit.rt, kit.service.db, tenant.tenantId, { gatewayId: null });
  await report('canceled', SECOND + 1);
  expect(await status()).toBe('active');
  expect(gatewayId).toMatch(/^sub_/);
});

test('a subscription of the gateway pays for one tenant', async () => {
  const { gatewayId } = await paying();
  const { tenantId } = await makeTestTenant(kit);
  await expect(moveSubscription(kit.rt, kit.service.db, tenantId, { gatewayId })).rejects.toThrow('another tenant');
});

describe("a subscription of the simulator's gateway", () => {
  async function subscribed() {
    const { hostname, port } = new URL(kit.sim.url);
    const stripe = new Stripe(PAYMENT_CONFIG.stripeKey, { host: hostname, port, protocol: 'http' });
    const tenant = await makeTestTenant(kit);
    const customer = await stripe.customers.create({ name: 'Flower shop' });
    const price = await stripe.prices.create({
      currency: 'eur',
      unit_amount: 4900,
      recurring: { interval: 'month' },
      product_data: { name: 'Pro' },
    });
    const { id } = await stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }] });
    await moveSubscription(kit.rt, kit.service.db, tenant.tenantId, { gatewayId: id });
    const status = async (): Promise<string> => (await tenant.call('GET', '/v1/subscription')).body.status;
    const until = (wanted: string) => kit.until(status, (now) => now === wanted, `the subscription is ${wanted}`);
    return { tenant, stripe, id, status, until };
  }

  test('moves ours when a renewal fails, and when it is ended', async () => {
    const { stripe, id, until } = await subscribed();
    await kit.simulate('POST', '/_sim/gateway', { fail_renewal: id });
    await until('past_due');
    await stripe.subscriptions.cancel(id);
    await until('canceled');
  });

  test('whose events got lost is found out by asking, and asking again changes nothing', async () => {
    const { tenant, stripe, id, status } = await subscribed();
    const gateway = makePaymentGateway(kit.rt.config);
    if (gateway === null) throw new Error('No gateway is set up.');
    const ask = () => reconcileSubscriptions(kit.rt, kit.service.db, gateway.findSubscription);
    await ask();
    await setGateway(kit, { hold: true });
    await stripe.subscriptions.cancel(id);
    expect(await status()).toBe('active');
    expect((await ask()).moved).toBe(1);
    expect(await status()).toBe('canceled');
    await moveSubscription(kit.rt, kit.service.db, tenant.tenantId, { status: 'active' });
    expect((await ask()).moved).toBe(0);
    await setGateway(kit, {});
    // The lost event, at last.
    const canceled = { id, object: 'subscription', status: 'canceled' };
    const createdS = Math.floor(kit.rt.clock.now() / 1000) - 1;
    await postEvent(kit, paymentEvent('customer.subscription.deleted', canceled, createdS));
    expect(await status()).toBe('active');
  });
});
