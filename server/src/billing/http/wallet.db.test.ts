import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATOR } from '#access/domain/audit';
import { beginTopUp as beginTopUpAt } from '#billing/actions/begin-top-up';
import { reconcileTopUps } from '#billing/actions/reconcile-top-ups';
import { makePaymentGateway } from '#network/payment-gateway';
import { whileFailing } from '#testing/peers/failing-network';
import {
  type BegunTopUp,
  beginTopUp,
  clickOnPage,
  PAYMENT_CONFIG,
  paidSession,
  paymentEvent,
  postEvent,
  type Signing,
  setGateway,
} from '#testing/test-payments';
import { TestClock } from '#testing/test-runtime';
import { callApi, startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
beforeAll(async () => {
  kit = await startTestService({ config: { roles: 'api,receiver', ...PAYMENT_CONFIG } });
});
afterAll(() => kit.close());

const COMPLETED = 'checkout.session.completed';
const MINUTE_MS = 60_000;
const readTopUp = async (tenant: TestTenant, { id }: BegunTopUp) =>
  (await tenant.call('GET', `/v1/wallet/topups/${id}`)).body;
const balanceOf = async (tenant: TestTenant) => (await tenant.call('GET', '/v1/wallet')).body.balance;
const creditsOf = async (tenant: TestTenant) =>
  (await tenant.call('GET', '/v1/wallet/transactions')).body.data.map(({ amount }: { amount: number }) => amount);

function untilStatus(tenant: TestTenant, topUp: BegunTopUp, status: string) {
  return kit.until(
    () => readTopUp(tenant, topUp),
    (read) => read.status === status,
    `the top-up is ${status}`,
  );
}

describe('a top-up', () => {
  test('is credited when a person has paid on the page of the gateway', async () => {
    const tenant = await makeTestTenant(kit);
    const topUp = await beginTopUp(tenant, 5000);
    expect(await readTopUp(tenant, topUp)).toEqual({
      id: topUp.id,
      status: 'pending',
      amount: 5000,
      currency: 'EUR',
      paid_amount: null,
      refunded_amount: 0,
      checkout_url: topUp.url,
      note: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await clickOnPage(topUp.url, 'fail')).toBe(200);
    expect(await clickOnPage(topUp.url, 'pay')).toBe(303);
    expect(await untilStatus(tenant, topUp, 'paid')).toMatchObject({
      paid_amount: 5000,
      checkout_url: null,
      note: null,
    });
    expect([await balanceOf(tenant), await creditsOf(tenant)]).toEqual([5000, [5000]]);
    const actions = (await tenant.call('GET', '/v1/audit-log')).body.data.map(
      ({ action }: { action: string }) => action,
    );
    expect(actions).toEqual(expect.arrayContaining(['wallet.topped_up', 'wallet.topup_begun']));
  });

  test('is credited once although its events come several times and in the wrong order', async () => {
    const tenant = await makeTestTenant(kit);
    await setGateway(kit, { duplicates: 4, reorder: true });
    const topUps = [await beginTopUp(tenant, 700), await beginTopUp(tenant, 900)];
    for (const topUp of topUps) await clickOnPage(topUp.url, 'pay');
    for (const topUp of topUps) await untilStatus(tenant, topUp, 'paid');
    await setGateway(kit, {});
    const last = await beginTopUp(tenant, 100);
    await clickOnPage(last.url, 'pay');
    // The gateway posts one event after the other: with this one all copies before it have arrived.
    await untilStatus(tenant, last, 'paid');
    expect([await balanceOf(tenant), (await creditsOf(tenant)).toSorted()]).toEqual([1700, [100, 700, 900]]);
  });

  test('is credited once by twenty equal events at once', async () => {
    const tenant = await makeTestTenant(kit);
    const topUp = await beginTopUp(tenant, 5000);
    const event = paymentEvent(COMPLETED, paidSession(tenant, topUp));
    const answers = await Promise.all(Array.from({ length: 20 }, () => postEvent(kit, event)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect([await balanceOf(tenant), await creditsOf(tenant)]).toEqual([5000, [5000]]);
  });

  test('that nobody pays ends with its page, and a payment that failed ends it too', async () => {
    const tenant = await makeTestTenant(kit);
    const expired = await beginTopUp(tenant, 5000);
    await callApi(kit.sim.url, 'POST', `/v1/checkout/sessions/${expired.sessionId}/expire`, undefined, {
      authorization: 'Bearer sk_test_simulator',
    });
    expect(await untilStatus(tenant, expired, 'expired')).toMatchObject({ paid_amount: null, checkout_url: null });
    const slow = await beginTopUp(tenant, 5000);
    const unpaid = paidSession(tenant, slow, { payment_status: 'unpaid' });
    await postEvent(kit, paymentEvent(COMPLETED, unpaid));
    expect((await readTopUp(tenant, slow)).status).toBe('pending');
    await postEvent(kit, paymentEvent('checkout.session.async_payment_failed', unpaid));
    expect((await readTopUp(tenant, slow)).status).toBe('failed');
    expect(await balanceOf(tenant)).toBe(0);
    await postEvent(kit, paymentEvent('checkout.session.async_payment_succeeded', paidSession(tenant, slow)));
    expect([(await readTopUp(tenant, slow)).status, await balanceOf(tenant)]).toEqual(['paid', 5000]);
  });

  test('is credited as it was paid, and never in another currency', async () => {
    const tenant = await makeTestTenant(kit);
    const [less, foreign] = [await beginTopUp(tenant, 5000), await beginTopUp(tenant, 5000)];
    await postEvent(kit, paymentEvent(COMPLETED, paidSession(tenant, less, { amount_total: 4000 })));
    await postEvent(kit, paymentEvent(COMPLETED, paidSession(tenant, foreign, { currency: 'usd' })));
    expect(await readTopUp(tenant, less)).toMatchObject({
      status: 'paid',
      amount: 5000,
      paid_amount: 4000,
      note: 'Less was paid than requested.',
    });
    expect(await readTopUp(tenant, foreign)).toMatchObject({ status: 'failed', note: expect.stringContaining('USD') });
    expect(await balanceOf(tenant)).toBe(4000);
  });

  test('whose events got lost is found out by asking the gateway', async () => {
    const tenant = await makeTestTenant(kit);
    await setGateway(kit, { hold: true });
    const [paid, open] = [await beginTopUp(tenant, 5000), await beginTopUp(tenant, 100)];
    await clickOnPage(paid.url, 'pay');
    const gateway = makePaymentGateway(kit.rt.config);
    if (gateway === null) throw new Error('No gateway is set up.');
    expect(await reconcileTopUps(kit.rt, kit.service.db, gateway)).toEqual({ asked: 0, ended: 0 });
    const later = { ...kit.rt, clock: new TestClock(kit.rt.clock.now() + 2 * MINUTE_MS) };
    const first = await reconcileTopUps(later, kit.service.db, gateway);
    expect(first.ended).toBeGreaterThanOrEqual(1);
    expect((await readTopUp(tenant, paid)).status).toBe('paid');
    expect((await readTopUp(tenant, open)).status).toBe('pending');
    await setGateway(kit, {});
    await clickOnPage(open.url, 'pay');
    await untilStatus(tenant, open, 'paid');
    expect((await creditsOf(tenant)).toSorted()).toEqual([100, 5000]);
  });
});

describe('an event', () => {
  const old = 301;
  test.each([
    ['with a signature of another secret', { secret: 'whsec_other' }],
    ['without a signature', { header: '' }],
    ['with a signature that is none', { header: 't=1,v1=zz' }],
    ['that is a recording of more than five minutes ago', { timestamp: Math.floor(Date.now() / 1000) - old }],
  ] as readonly (readonly [string, Signing])[])('%s is refused and changes nothing', async (_label, signing) => {
    const tenant = await makeTestTenant(kit);
    const topUp = await beginTopUp(tenant, 5000);
    const answer = await postEvent(kit, paymentEvent(COMPLETED, paidSession(tenant, topUp)), signing);
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthorized']);
    expect([(await readTopUp(tenant, topUp)).status, await balanceOf(tenant)]).toEqual(['pending', 0]);
  });

  test('of a session, top-up or tenant that is not the one it names changes nothing', async () => {
    const [tenant, other] = [await makeTestTenant(kit), await makeTestTenant(kit)];
    const topUp = await beginTopUp(tenant, 5000);
    const foreign = [
      { id: 'cs_test_elsewhere' },
      { metadata: { tenant_id: other.tenantId, topup_id: topUp.id } },
      { metadata: { tenant_id: tenant.tenantId, topup_id: kit.rt.newId() } },
      { metadata: { tenant_id: 'x', topup_id: 'y' } },
      { metadata: {} },
      { mode: 'subscription' },
    ];
    for (const fields of foreign) {
      const answer = await postEvent(kit, paymentEvent(COMPLETED, paidSession(tenant, topUp, fields)));
      expect(answer.status).toBe(200);
    }
    expect((await postEvent(kit, paymentEvent('charge.refunded', {}))).status).toBe(200);
    expect((await readTopUp(tenant, topUp)).status).toBe('pending');
    expect([await balanceOf(tenant), await balanceOf(other)]).toEqual([0, 0]);
  });

  test('is not taken by a server without a gateway', async () => {
    const plain = await startTestService({ config: { roles: 'api,receiver', walletEnabled: 'true' } });
    try {
      const tenant = await makeTestTenant(plain);
      expect((await postEvent(plain, paymentEvent(COMPLETED, {}), { secret: 'x' })).status).toBe(404);
      const answer = await tenant.call('POST', '/v1/wallet/topups', { amount: 5000, currency: 'EUR' });
      expect([answer.status, answer.body.code]).toEqual([400, 'wallet_disabled']);
    } finally {
      await plain.close();
    }
  });
});

describe('POST /v1/wallet/topups', () => {
  test('begins one payment however often it is repeated with the same key', async () => {
    const tenant = await makeTestTenant(kit);
    const body = { amount: 5000, currency: 'EUR' };
    const call = () => tenant.call('POST', '/v1/wallet/topups', body, { 'idempotency-key': 'once' });
    const [first, again] = [await call(), await call()];
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
    expect(Object.keys(first.body).toSorted()).toEqual(['checkout_url', 'id', 'status']);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  test('names every fault of amount and currency', async () => {
    const tenant = await makeTestTenant(kit);
    const refused = async (body: object) => (await tenant.call('POST', '/v1/wallet/topups', body)).body;
    const both = await refused({ amount: 99, currency: 'USD' });
    expect(both.details.map(({ path }: { path: string }) => path)).toEqual(['body.currency', 'body.amount']);
    expect((await refused({ amount: 1_000_001, currency: 'EUR' })).details[0].path).toBe('body.amount');
    expect((await refused({ amount: -5, currency: 'EUR' })).code).toBe('validation_failed');
  });

  test('says that the gateway is away, and works with the same key when it is back', async () => {
    const tenant = await makeTestTenant(kit);
    const call = () =>
      tenant.call('POST', '/v1/wallet/topups', { amount: 5000, currency: 'EUR' }, { 'idempotency-key': 'again' });
    const away = await whileFailing(kit, { gateway: { status: 500 } }, call);
    expect([away.status, away.body.code, away.headers.has('retry-after')]).toEqual([503, 'payment_unavailable', true]);
    expect((await call()).status).toBe(201);
  });

  test('that the gateway refuses ends at once, and the caller is told', async () => {
    const { tenantId } = await makeTestTenant(kit);
    const payments = {
      openCheckout: async () => ({ kind: 'refused', reason: 'The amount is too small.' }) as const,
      findCheckout: async () => ({ kind: 'unknown' }) as const,
      findSubscription: async () => ({ kind: 'unknown' }) as const,
    };
    const wish = { tenantId, amount: 100, currency: 'EUR', origin: OPERATOR };
    const begun = beginTopUpAt({ rt: kit.rt, db: kit.service.db, payments }, wish);
    await expect(begun).rejects.toMatchObject({ code: 'payment_refused', status: 400 });
    const statement = { name: 'test_topups', text: 'select status, ask_ms from wallet_topups where tenant_id = $1' };
    expect((await kit.service.db.run(statement, [tenantId])).rows).toEqual([{ status: 'failed', ask_ms: null }]);
  });

  test('is refused while too many payments are open', async () => {
    const tenant = await makeTestTenant(kit);
    for (let open = 0; open < 50; open += 1) await beginTopUp(tenant, 100);
    const answer = await tenant.call('POST', '/v1/wallet/topups', { amount: 100, currency: 'EUR' });
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
  });

  test('and reading need a key with the scope, and show nothing of another tenant', async () => {
    const [tenant, other] = [await makeTestTenant(kit), await makeTestTenant(kit)];
    const topUp = await beginTopUp(tenant, 5000);
    const path = `/v1/wallet/topups/${topUp.id}`;
    const missing = await other.call('GET', `/v1/wallet/topups/${kit.rt.newId()}`);
    const foreign = await other.call('GET', path);
    expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
    expect((await tenant.call('GET', '/v1/wallet/topups/7')).text).toBe(missing.text);
    expect((await callApi(kit.service.url, 'GET', path)).status).toBe(401);
    expect((await callApi(kit.service.url, 'POST', '/v1/wallet/topups', {})).status).toBe(401);
    const reader = await makeTestTenant(kit, { scopes: ['billing:read'] });
    const body = { amount: 5000, currency: 'EUR' };
    expect((await reader.call('POST', '/v1/wallet/topups', body)).status).toBe(403);
  });
});
