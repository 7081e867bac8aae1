import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requeueDeadLetters } from '#messages/actions/requeue-dead-letters';
import { callbackBody, correlationTokenOf, ingest, statusItem } from '#testing/test-callbacks';
import { expectLedgerFits, paidFor } from '#testing/test-ledger';
import {
  type BegunTopUp,
  beginTopUp,
  clickOnPage,
  PAYMENT_CONFIG,
  paidSession,
  paymentEvent,
  postEvent,
  setGateway,
} from '#testing/test-payments';
import { startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { adjustWallet, setPrice, topUpWallet } from './manage-wallet.ts';
import { takeOwedRefunds } from './refund-top-up.ts';
import { settleHolds } from './settle-wallet.ts';

let kit: TestService;
const PRICE_MICROS = 10_000;
beforeAll(async () => {
  kit = await startTestService({ config: { roles: 'api,receiver,ingester', ...PAYMENT_CONFIG } });
  await setPrice(kit.rt, kit.service.db, {
    category: 'service',
    region: '44',
    effectiveFromMs: 1,
    unitPriceMicros: PRICE_MICROS,
  });
});
afterAll(() => kit.close());

const balanceOf = async (tenant: TestTenant) => (await tenant.call('GET', '/v1/wallet')).body.balance;
const linesOf = async (tenant: TestTenant) =>
  (await tenant.call('GET', '/v1/wallet/transactions')).body.data.map(
    ({ kind, amount }: { kind: string; amount: number }) => [kind, amount],
  );
const refundedOf = async (tenant: TestTenant, { id }: BegunTopUp) =>
  (await tenant.call('GET', `/v1/wallet/topups/${id}`)).body.refunded_amount;
const paid = (tenant: TestTenant, topUp: BegunTopUp) =>
  postEvent(kit, paymentEvent('checkout.session.completed', paidSession(tenant, topUp)));

/** A charge of which so many cents were refunded in all. */
function refunded(tenant: TestTenant, topUp: BegunTopUp, cents: number, fields: object = {}) {
  const metadata = { tenant_id: tenant.tenantId, topup_id: topUp.id };
  const charge = { id: 'ch_1', object: 'charge', amount: 5000, amount_refunded: cents, currency: 'eur', metadata };
  return postEvent(kit, paymentEvent('charge.refunded', { ...charge, ...fields }));
}

describe('a refund', () => {
  test('made at the gateway leaves the wallet once, however often its events come', async () => {
    const tenant = await makeTestTenant(kit);
    await setGateway(kit, { duplicates: 3, reorder: true });
    const topUp = await beginTopUp(tenant, 5000);
    await clickOnPage(topUp.url, 'pay');
    const refund = (fields: object) => kit.simulate('POST', '/_sim/gateway', { refund: topUp.sessionId, ...fields });
    await refund({ amount: 1500 });
    await refund({});
    await kit.until(
      () => refundedOf(tenant, topUp),
      (cents) => cents === 5000,
      'the refunds are taken',
    );
    await setGateway(kit, {});
    expect(await balanceOf(tenant)).toBe(0);
    expect((await linesOf(tenant)).map(([kind]: [string]) => kind).at(-1)).toBe('topup');
    await expectLedgerFits(kit.service.db, tenant.tenantId);
  });

  test('that is reported before its payment, twice and in the wrong order is taken with the credit', async () => {
    const tenant = await makeTestTenant(kit);
    const topUp = await beginTopUp(tenant, 5000);
    for (const cents of [3000, 1000, 3000]) await refunded(tenant, topUp, cents);
    expect(await linesOf(tenant)).toEqual([]);
    await paid(tenant, topUp);
    await refunded(tenant, topUp, 3000);
    expect(await linesOf(tenant)).toEqual([
      ['adjustment', -3000],
      ['topup', 5000],
    ]);
    await Promise.all(Array.from({ length: 10 }, () => refunded(tenant, topUp, 3500)));
    expect([await balanceOf(tenant), await refundedOf(tenant, topUp)]).toEqual([1500, 3500]);
    await expectLedgerFits(kit.service.db, tenant.tenantId);
  });

  test('of what was paid beyond what was asked for takes nothing: it was never credited', async () => {
    const tenant = await makeTestTenant(kit);
    const topUp = await beginTopUp(tenant, 5000);
    const session = paidSession(tenant, topUp, { amount_total: 99_999_999 });
    await postEvent(kit, paymentEvent('checkout.session.completed', session));
    expect(await balanceOf(tenant)).toBe(5000);
    const shown = (await tenant.call('GET', `/v1/wallet/topups/${topUp.id}`)).body;
    expect(shown).toMatchObject({
      status: 'paid',
      paid_amount: 99_999_999,
      note: expect.stringContaining('999949.99 EUR'),
    });
    await refunded(tenant, topUp, 99_994_999);
    expect(await balanceOf(tenant)).toBe(5000);
    await takeOwedRefunds(kit.rt, kit.service.db);
    expect(await balanceOf(tenant)).toBe(5000);
    await refunded(tenant, topUp, 99_994_999 + 2000);
    expect(await balanceOf(tenant)).toBe(3000);
    expect(await refundedOf(tenant, topUp)).toBe(2000);
  });

  test('of money that is spent takes what is there, and the rest once it is there', async () => {
    const tenant = await makeTestTenant(kit);
    const { tenantId } = tenant;
    const { db } = kit.service;
    const topUp = await beginTopUp(tenant, 5000);
    await paid(tenant, topUp);
    await adjustWallet(kit.rt, db, { tenantId, amount: -4000, description: 'Spent.' });
    await refunded(tenant, topUp, 5000);
    expect([await balanceOf(tenant), await refundedOf(tenant, topUp)]).toEqual([0, 1000]);
    expect(await takeOwedRefunds(kit.rt, db)).toBe(0);
    await topUpWallet(kit.rt, db, { tenantId, amount: 4500, description: 'Paid.' });
    expect([await takeOwedRefunds(kit.rt, db), await takeOwedRefunds(kit.rt, db)]).toEqual([1, 0]);
    expect([await balanceOf(tenant), await refundedOf(tenant, topUp)]).toEqual([500, 5000]);
    await expectLedgerFits(db, tenantId);
  });

  test('of another currency, of more than was paid, or of what is not ours takes nothing more', async () => {
    const [tenant, other] = [await makeTestTenant(kit), await makeTestTenant(kit)];
    const topUp = await beginTopUp(tenant, 5000);
    await paid(tenant, topUp);
    await refunded(tenant, topUp, 1000, { currency: 'usd' });
    await refunded(other, topUp, 1000);
    await refunded(tenant, topUp, 1000, { metadata: {} });
    await refunded(tenant, topUp, 1000, { metadata: { tenant_id: 'x', topup_id: 'y' } });
    expect([await balanceOf(tenant), await balanceOf(other)]).toEqual([5000, 0]);
    await topUpWallet(kit.rt, kit.service.db, { tenantId: tenant.tenantId, amount: 100, description: 'Paid.' });
    await refunded(tenant, topUp, 9000);
    expect(await balanceOf(tenant)).toBe(100);
  });
});

describe('a message that failed, had its hold given back, and was sent after all', () => {
  const status = async (
    { tenantId, phoneNumberId }: TestTenant,
    sent: { id: string; name: string; attempt?: number },
  ) => {
    const { id: messageId, name, attempt = 1 } = sent;
    const token = await correlationTokenOf(kit.service.db, { tenantId, phoneNumberId, messageId, attempt });
    const fields =
      name === 'failed'
        ? { errors: [{ code: 131026, title: 'Undeliverable' }] }
        : { pricing: { category: 'service', billable: true, pricing_model: 'PMP' } };
    await ingest(
      kit,
      callbackBody({ phoneNumberId, statuses: [statusItem(`wamid.${messageId}`, name, token, fields)] }),
    );
    await settleHolds(kit.rt, kit.service.db);
  };
  const funded = async (cents: number): Promise<TestTenant> => {
    const tenant = await makeTestTenant(kit);
    await topUpWallet(kit.rt, kit.service.db, { tenantId: tenant.tenantId, amount: cents, description: 'Paid.' });
    return tenant;
  };
  const canceled = async (tenant: TestTenant): Promise<string> => {
    const id = await tenant.send('447400123456');
    await tenant.call('POST', `/v1/messages/${id}/cancel`);
    return id;
  };
  const paidBy = ({ tenantId }: TestTenant, id: string) => paidFor(kit.service.db, tenantId, id);

  test('is paid once its price comes', async () => {
    const tenant = await funded(10);
    const id = await canceled(tenant);
    await settleHolds(kit.rt, kit.service.db);
    expect((await tenant.call('GET', '/v1/wallet')).body).toMatchObject({ available: 10, held: 0 });
    await status(tenant, { id, name: 'sent' });
    await status(tenant, { id, name: 'delivered' });
    expect([await paidBy(tenant, id), await balanceOf(tenant)]).toEqual([PRICE_MICROS, 9]);
    await expectLedgerFits(kit.service.db, tenant.tenantId);
  });

  test('is paid from its hold when that was not given back yet', async () => {
    const tenant = await funded(10);
    const id = await canceled(tenant);
    await status(tenant, { id, name: 'sent' });
    expect([await paidBy(tenant, id), await linesOf(tenant)]).toEqual([
      PRICE_MICROS,
      [
        ['capture', 1],
        ['hold', 1],
        ['topup', 10],
      ],
    ]);
  });

  test('waits with its payment until the wallet has so much', async () => {
    const tenant = await funded(1);
    const id = await canceled(tenant);
    await settleHolds(kit.rt, kit.service.db);
    const { tenantId } = tenant;
    await adjustWallet(kit.rt, kit.service.db, { tenantId, amount: -1, description: 'Spent.' });
    await status(tenant, { id, name: 'sent' });
    expect(await paidBy(tenant, id)).toBe(0);
    await topUpWallet(kit.rt, kit.service.db, { tenantId, amount: 5, description: 'Paid.' });
    await settleHolds(kit.rt, kit.service.db);
    await settleHolds(kit.rt, kit.service.db);
    expect([await paidBy(tenant, id), await balanceOf(tenant)]).toEqual([PRICE_MICROS, 4]);
  });

  test('is paid too when the operator queued it again, and costs nothing when it fails again', async () => {
    const tenant = await funded(10);
    const { tenantId } = tenant;
    const ids = [await tenant.send('447400123456'), await tenant.send('447400123457')] as const;
    for (const id of ids) await status(tenant, { id, name: 'failed' });
    expect(await requeueDeadLetters(kit.rt, kit.service.db, { tenantId, messageIds: ids })).toEqual(ids);
    await status(tenant, { id: ids[0], name: 'sent', attempt: 2 });
    await status(tenant, { id: ids[1], name: 'failed', attempt: 2 });
    expect([await paidBy(tenant, ids[0]), await paidBy(tenant, ids[1])]).toEqual([PRICE_MICROS, 0]);
    expect((await tenant.call('GET', '/v1/wallet')).body).toMatchObject({ available: 9, held: 0 });
    await expectLedgerFits(kit.service.db, tenantId);
  });
});
