import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATOR } from '#access/domain/audit';
import type { TenantId } from '#core/ids';
import { callbackBody, correlationTokenOf, ingest, statusItem } from '#testing/test-callbacks';
import { expectLedgerFits, paidFor } from '#testing/test-ledger';
import { TestClock } from '#testing/test-runtime';
import { startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { setPrice, topUpWallet } from './manage-wallet.ts';
import { reratePastPrices, rerateWallets } from './rerate-wallets.ts';
import { settleHolds } from './settle-wallet.ts';

let kit: TestService;
let shops = 0;
/** A region per shop. Priced before the first message, because holds use cached prices. */
const REGIONS = ['931', '932', '933', '934', '935', '936', '937'];
beforeAll(async () => {
  kit = await startTestService({ config: { roles: 'api,receiver,ingester', walletEnabled: 'true' } });
  for (const region of REGIONS) await price(region, OLD, 1);
  await reratePastPrices(kit.rt, kit.service.db);
});
afterAll(() => kit.close());

const NOTHING = { messages: 0, givenMicros: 0, takenMicros: 0, missingMicros: 0 };
const OLD = 10_000;

interface Shop extends TestTenant {
  /** Leading digits that only this shop writes to: its prices are its own. */
  readonly region: string;
}

/** @param cents what it has paid in */
async function shop(cents: number): Promise<Shop> {
  const tenant = await makeTestTenant(kit);
  await topUp(tenant.tenantId, cents);
  const region = REGIONS[shops] ?? '';
  shops += 1;
  return { ...tenant, region };
}

function topUp(tenantId: TenantId, amount: number) {
  return topUpWallet(kit.rt, kit.service.db, { tenantId, amount, description: 'Paid.' });
}

function price(region: string, unitPriceMicros: number, effectiveFromMs: number, category = 'service') {
  return setPrice(kit.rt, kit.service.db, { category, region, effectiveFromMs, unitPriceMicros });
}

/** A message that the network has priced and the wallet has paid; `fields` replace what the status says. */
async function paidMessage({ tenantId, phoneNumberId, send, region }: Shop, fields: object = {}): Promise<string> {
  const messageId = await send(`${region}6000000`);
  const token = await correlationTokenOf(kit.service.db, { tenantId, phoneNumberId, messageId, attempt: 1 });
  const pricing = { category: 'service', billable: true, pricing_model: 'PMP' };
  const statuses = [statusItem(`wamid.${messageId}`, 'sent', token, { pricing, ...fields })];
  await ingest(kit, callbackBody({ phoneNumberId, statuses }));
  await settleHolds(kit.rt, kit.service.db);
  return messageId;
}

const rerate = (tenantId: TenantId, dryRun = false) =>
  rerateWallets(kit.rt, kit.service.db, { fromMs: 0, tenantId, dryRun, origin: OPERATOR });
const paid = (tenant: Shop, messageId: string) => paidFor(kit.service.db, tenant.tenantId, messageId);

test('a cheaper price of the past refunds automatically, once', async () => {
  const tenant = await shop(100);
  const ids = [await paidMessage(tenant), await paidMessage(tenant)];
  await price(tenant.region, 4_000, 2);
  expect(await reratePastPrices(kit.rt, kit.service.db)).toEqual({ ...NOTHING, messages: 2, givenMicros: 12_000 });
  for (const id of ids) expect(await paid(tenant, id)).toBe(4_000);
  expect(await reratePastPrices(kit.rt, kit.service.db)).toBeNull();
  expect(await rerate(tenant.tenantId)).toEqual(NOTHING);
  await expectLedgerFits(kit.service.db, tenant.tenantId);
  const [line] = (await tenant.call('GET', '/v1/wallet/transactions')).body.data;
  expect(line).toMatchObject({ kind: 'adjustment', amount_micros: 6_000, message_id: ids[1] });
  const [entry] = (await tenant.call('GET', '/v1/audit-log?action=wallet.rerated')).body.data;
  expect(entry).toMatchObject({ details: { messages: 2, given_micros: 12_000, taken_micros: 0 } });
});

test('a price that begins in the past charges the messages from then on, and no earlier ones', async () => {
  const tenant = await shop(100);
  const before = await paidMessage(tenant);
  const after = await paidMessage(tenant);
  const fromMs = Date.parse((await tenant.message(after)).created_at);
  await price(tenant.region, 30_000, fromMs);
  await reratePastPrices(kit.rt, kit.service.db);
  expect([await paid(tenant, before), await paid(tenant, after)]).toEqual([OLD, 30_000]);
  await expectLedgerFits(kit.service.db, tenant.tenantId);
});

test('a dearer price takes what is there and no more; a later run takes the rest', async () => {
  const tenant = await shop(3);
  const ids = [await paidMessage(tenant), await paidMessage(tenant)];
  await price(tenant.region, 20_000, 2);
  const planned = { messages: 1, givenMicros: 0, takenMicros: 10_000, missingMicros: 10_000 };
  expect(await rerate(tenant.tenantId, true)).toEqual(planned);
  for (const id of ids) expect(await paid(tenant, id)).toBe(OLD);
  expect(await rerate(tenant.tenantId)).toEqual(planned);
  await topUp(tenant.tenantId, 5);
  const rest = { ...NOTHING, messages: 1, takenMicros: 10_000 };
  const runs = await Promise.all([rerate(tenant.tenantId), rerate(tenant.tenantId)]);
  expect(runs).toEqual(expect.arrayContaining([rest, NOTHING]));
  for (const id of ids) expect(await paid(tenant, id)).toBe(20_000);
  await expectLedgerFits(kit.service.db, tenant.tenantId);
  await reratePastPrices(kit.rt, kit.service.db);
});

test('what a wallet could not pay is taken automatically an hour later', async () => {
  const tenant = await shop(1);
  const id = await paidMessage(tenant);
  await price(tenant.region, 20_000, 2);
  expect(await reratePastPrices(kit.rt, kit.service.db)).toEqual({ ...NOTHING, missingMicros: OLD });
  await topUp(tenant.tenantId, 5);
  expect(await reratePastPrices(kit.rt, kit.service.db)).toBeNull();
  const later = { ...kit.rt, clock: new TestClock(kit.rt.clock.now() + 3_600_000) };
  expect(await reratePastPrices(later, kit.service.db)).toMatchObject({ takenMicros: OLD, missingMicros: 0 });
  expect(await paid(tenant, id)).toBe(20_000);
  expect(await reratePastPrices(later, kit.service.db)).toBeNull();
});

test('messages that failed, are not billed or not priced yet stay as they are', async () => {
  const tenant = await shop(100);
  const failed = await paidMessage(tenant, { status: 'failed', errors: [{ code: 131026, title: 'Undeliverable' }] });
  const free = await paidMessage(tenant, { pricing: { category: 'service', billable: false, pricing_model: 'PMP' } });
  const waiting = await tenant.send(`${tenant.region}6000001`);
  await price(tenant.region, 20_000, 2);
  expect(await rerate(tenant.tenantId)).toEqual(NOTHING);
  for (const id of [failed, free, waiting]) expect(await paid(tenant, id)).toBe(0);
  await reratePastPrices(kit.rt, kit.service.db);
});

test('re-rating one tenant leaves the others alone', async () => {
  const [one, other] = [await shop(100), await shop(100)];
  const shared = { ...other, region: one.region };
  const ids = [await paidMessage(one), await paidMessage(shared)] as const;
  await price(one.region, 0, 2);
  expect(await rerate(one.tenantId)).toMatchObject({ messages: 1, givenMicros: OLD });
  expect([await paid(one, ids[0]), await paid(other, ids[1])]).toEqual([0, OLD]);
  expect(await reratePastPrices(kit.rt, kit.service.db)).toMatchObject({ messages: 1 });
  expect(await paid(other, ids[1])).toBe(0);
});
