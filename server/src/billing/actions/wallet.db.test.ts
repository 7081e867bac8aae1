import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findHolds, takeHolds } from '#billing/store/wallet';
import { listTransfers } from '#billing/store/wallet-reads';
import type { MessageId } from '#core/ids';
import type { Database } from '#database/database';
import { requeueDeadLetters } from '#messages/actions/requeue-dead-letters';
import { makeStoreBatch } from '#messages/actions/store-accepted';
import type { AcceptRow } from '#messages/store/accept-batch';
import { callbackBody, correlationTokenOf, countRows, ingest, statusItem } from '#testing/test-callbacks';
import { expectLedgerFits } from '#testing/test-ledger';
import { type Answer, callApi, startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { adjustWallet, setPrice, topUpWallet } from './manage-wallet.ts';
import { settleHolds } from './settle-wallet.ts';

let kit: TestService;
const EUR_MICROS = 1_000_000;
const TEXT_MICROS = 10_000;
const MARKETING_MICROS = 113_000;

beforeAll(async () => {
  kit = await startTestService({ config: { roles: 'api,receiver,ingester', walletEnabled: 'true' } });
  const { db } = kit.service;
  await setPrice(kit.rt, db, { category: 'service', region: '44', effectiveFromMs: 1, unitPriceMicros: TEXT_MICROS });
  await setPrice(kit.rt, db, {
    category: 'marketing',
    region: '44',
    effectiveFromMs: 1,
    unitPriceMicros: MARKETING_MICROS,
  });
  await setPrice(kit.rt, db, { category: 'utility', region: '44', effectiveFromMs: 1, unitPriceMicros: 50_000 });
});
afterAll(() => kit.close());

/** @param amount cents */
async function funded(amount: number): Promise<TestTenant> {
  const tenant = await makeTestTenant(kit);
  if (amount > 0)
    await topUpWallet(kit.rt, kit.service.db, { tenantId: tenant.tenantId, amount, description: 'Paid.' });
  return tenant;
}

const text = { to: '447400123456', body: 'Hi' };
const template = { to: '447400123456', type: 'template', template: { name: 'offer', language: 'en' } };
const send = (tenant: TestTenant, body: object, headers: Record<string, string> = {}) =>
  tenant.call('POST', '/v1/messages', body, headers);

/** A database that is busy asks for patience, and nothing was done. */
async function sendPatiently(tenant: TestTenant): Promise<Answer> {
  for (;;) {
    const answer = await send(tenant, text);
    if (answer.status !== 503) return answer;
  }
}

async function walletOf(tenant: TestTenant): Promise<readonly number[]> {
  const { body } = await tenant.call('GET', '/v1/wallet');
  return [body.available, body.held, body.balance];
}

async function status(tenant: TestTenant, messageId: string, name: string, fields: object, attempt = 1): Promise<void> {
  const { tenantId, phoneNumberId } = tenant;
  const token = await correlationTokenOf(kit.service.db, { tenantId, phoneNumberId, messageId, attempt });
  const statuses = [statusItem(`wamid.${messageId}`, name, token, fields)];
  await ingest(kit, callbackBody({ phoneNumberId, statuses }));
  await settleHolds(kit.rt, kit.service.db);
}

/** A text that waits to be stored. */
function row({ tenantId, phoneNumberId }: TestTenant): AcceptRow {
  const { to } = text;
  const createdMs = kit.rt.clock.now();
  const content = { type: 'text', body: 'Hi', previewUrl: false } as const;
  const nothing = { campaignName: null, clientRef: null, replyTo: null, resendOf: null, author: null, sendAtMs: null };
  const times = { createdMs, expiresMs: createdMs + 60_000, priority: 'normal' } as const;
  const messageId = kit.rt.newId<MessageId>();
  return { message: { tenantId, phoneNumberId, messageId, to, content, ...nothing, ...times }, idempotency: null };
}

/** A database that takes single statements only: messages cannot be weighed in it. */
function withoutTransactions(): Database {
  return { ...kit.service.db, transaction: () => Promise.reject(new Error('The database went away.')) };
}

const priced = (category: string, billable: boolean) => ({ pricing: { category, billable, pricing_model: 'PMP' } });

describe('a wallet', () => {
  test('never pays more messages than it has money for, of 200 concurrent ones', async () => {
    const tenant = await funded(7);
    const answers = await Promise.all(Array.from({ length: 200 }, () => sendPatiently(tenant)));
    expect(answers.filter((answer) => answer.status === 202).length).toBe(7);
    expect(answers.filter((answer) => answer.body.code === 'insufficient_balance').length).toBe(193);
    expect(await countRows(kit.service.db, 'outbound_messages', tenant.tenantId)).toBe(7);
    expect(await walletOf(tenant)).toEqual([0, 7, 7]);
    await expectLedgerFits(kit.service.db, tenant.tenantId);
  });

  test('that was corrupted by hand delays the holds of no other', async () => {
    const [spoilt, healthy] = [await funded(100), await funded(100)];
    const ids = [];
    for (const tenant of [spoilt, healthy]) ids.push((await send(tenant, text)).body.id);
    const sql = 'update wallets set held_micros = 0 where tenant_id = $1';
    await kit.service.db.run({ name: 'test_spoil', text: sql }, [spoilt.tenantId]);
    await status(spoilt, ids[0], 'sent', priced('service', true));
    await status(healthy, ids[1], 'sent', priced('service', true));
    expect(await walletOf(healthy)).toEqual([99, 0, 99]);
    expect(await countRows(kit.service.db, 'wallet_holds', spoilt.tenantId)).toBe(1);
  });

  test('that is short blocks no message of another tenant, whatever happens to its own', async () => {
    const [poor, rich] = [await funded(1), await funded(5)];
    const { db } = kit.service;
    const away = withoutTransactions();
    const batch = [row(poor), row(rich), row(poor)];
    expect(await makeStoreBatch(kit.rt, away)(batch)).toEqual(['unknown', 'stored', 'unknown']);
    const again = [row(poor), row(rich), row(poor)];
    expect(await makeStoreBatch(kit.rt, db)(again)).toEqual(['stored', 'stored', 'unaffordable']);
    expect([await walletOf(poor), await walletOf(rich)]).toEqual([
      [0, 1, 1],
      [3, 2, 5],
    ]);
    for (const { tenantId } of [poor, rich]) await expectLedgerFits(db, tenantId);
  });

  test('writes holds behind a line that is newer than their messages, in the one statement of their batch', async () => {
    const tenant = await funded(2);
    const [first, second, third, fourth] = [row(tenant), row(tenant), row(tenant), row(tenant)];
    const { db } = kit.service;
    await topUpWallet(kit.rt, db, { tenantId: tenant.tenantId, amount: 3, description: 'Paid again.' });
    const store = makeStoreBatch(kit.rt, withoutTransactions());
    expect(await store([second, first])).toEqual(['stored', 'stored']);
    expect(await store([fourth, third])).toEqual(['stored', 'stored']);
    expect(await store([row(tenant)])).toEqual(['stored']);
    const { items } = await listTransfers(db, tenant.tenantId, { limit: 10, offset: 0, beforeId: null });
    const ids = [first, second, third, fourth].map(({ message }) => message.messageId);
    expect(items.map(({ messageId }) => messageId).toReversed()).toEqual([null, null, ...ids, items[0]?.messageId]);
    expect(new Set(items.map(({ transferId }) => transferId)).size).toBe(7);
    await expectLedgerFits(db, tenant.tenantId);
  });

  test('pays for a message that is sent after a requeue, also when its hold was written behind a newer line', async () => {
    const tenant = await funded(2);
    const { tenantId } = tenant;
    const { db } = kit.service;
    const queued = row(tenant);
    const { messageId } = queued.message;
    await topUpWallet(kit.rt, db, { tenantId, amount: 3, description: 'Paid again.' });
    expect(await makeStoreBatch(kit.rt, db)([queued])).toEqual(['stored']);
    await status(tenant, messageId, 'failed', { errors: [{ code: 131026, title: 'Undeliverable' }] });
    expect(await walletOf(tenant)).toEqual([5, 0, 5]);
    expect(await requeueDeadLetters(kit.rt, db, { tenantId, messageIds: [messageId] })).toEqual([messageId]);
    await status(tenant, messageId, 'sent', priced('service', true), 2);
    expect(await walletOf(tenant)).toEqual([4, 0, 4]);
    await expectLedgerFits(db, tenantId);
  });

  test('keeps a hold whose message was requeued after somebody saw it fail', async () => {
    const tenant = await funded(2);
    const { tenantId } = tenant;
    const { db } = kit.service;
    const { body } = await send(tenant, text);
    const fail = `update outbound_messages set status = 'failed', error = '{}' where message_id = $1`;
    await db.run({ name: '', text: fail }, [body.id]);
    await db.run({ name: '', text: 'delete from send_queue where message_id = $1' }, [body.id]);
    const letter = `insert into dead_letters (tenant_id, message_id, code, reason, dead_ms) values ($1, $2, 'x', 'x', 1)`;
    await db.run({ name: '', text: letter }, [tenantId, body.id]);
    const seen = await findHolds(db, { tenantId, messageId: '00000000-0000-0000-0000-000000000000' }, 1);
    expect(seen).toMatchObject([{ messageId: body.id, status: 'failed', revivedMs: null }]);
    expect(await requeueDeadLetters(kit.rt, db, { tenantId, messageIds: [body.id] })).toEqual([body.id]);
    expect(await db.transaction((tx) => takeHolds(tx, seen))).toEqual(new Set());
    expect(await walletOf(tenant)).toEqual([1, 1, 2]);
  });

  test('pays what the network says, gives the rest back, and does it once', async () => {
    const tenant = await funded(100);
    const { body } = await send(tenant, template);
    expect(await walletOf(tenant)).toEqual([88, 11, 100]);
    await status(tenant, body.id, 'sent', priced('utility', true));
    expect(await walletOf(tenant)).toEqual([95, 0, 95]);
    await status(tenant, body.id, 'delivered', priced('utility', true));
    await Promise.all([settleHolds(kit.rt, kit.service.db), settleHolds(kit.rt, kit.service.db)]);
    const { data } = (await tenant.call('GET', '/v1/wallet/transactions')).body;
    const lines = data.map((line: { kind: string; amount_micros: number }) => [line.kind, line.amount_micros]);
    expect(lines).toEqual([
      ['release', MARKETING_MICROS - 50_000],
      ['capture', 50_000],
      ['hold', MARKETING_MICROS],
      ['topup', EUR_MICROS],
    ]);
    await expectLedgerFits(kit.service.db, tenant.tenantId);
  });

  test('gets everything back for a message that failed, or that is not billed', async () => {
    const tenant = await funded(100);
    const failed = (await send(tenant, text)).body.id;
    const free = (await send(tenant, text)).body.id;
    const canceled = (await send(tenant, { ...text, send_at: new Date(kit.rt.clock.now() + 60_000).toISOString() }))
      .body.id;
    expect(await walletOf(tenant)).toEqual([97, 3, 100]);
    await status(tenant, failed, 'failed', { errors: [{ code: 131026, title: 'Undeliverable' }] });
    await status(tenant, free, 'sent', priced('service', false));
    expect((await tenant.call('POST', `/v1/messages/${canceled}/cancel`)).status).toBe(200);
    await settleHolds(kit.rt, kit.service.db);
    expect(await walletOf(tenant)).toEqual([100, 0, 100]);
    await expectLedgerFits(kit.service.db, tenant.tenantId);
  });

  test('holds nothing for a repetition of a request', async () => {
    const tenant = await funded(1);
    const first = await send(tenant, text, { 'idempotency-key': 'once' });
    const again = await send(tenant, text, { 'idempotency-key': 'once' });
    expect([first.status, again.status, again.body]).toEqual([202, 202, first.body]);
    expect(await walletOf(tenant)).toEqual([0, 1, 1]);
  });

  test('takes no message without money, and free ones without any', async () => {
    const tenant = await funded(0);
    expect((await send(tenant, text)).body).toMatchObject({ code: 'insufficient_balance' });
    expect((await send(tenant, { ...text, to: '33612345678' })).status).toBe(202);
  });

  test('can be adjusted both ways, but not below what is available', async () => {
    const { tenantId } = await funded(10);
    const adjust = (amount: number) =>
      adjustWallet(kit.rt, kit.service.db, { tenantId, amount, description: 'A new price.' });
    expect(await adjust(-4)).toMatchObject({ availableMicros: 60_000 });
    await expect(adjust(-7)).rejects.toThrow('does not have enough available balance');
    expect(await adjust(2)).toMatchObject({ availableMicros: 80_000 });
    await expectLedgerFits(kit.service.db, tenantId);
  });
});

describe('the wallet endpoints', () => {
  test('show pages of one tenant alone', async () => {
    const [one, other] = [await funded(5), await funded(9)];
    for (const _ of [1, 2]) await send(one, text);
    const page = (await one.call('GET', '/v1/wallet/transactions?limit=2')).body;
    const rest = (await one.call('GET', `/v1/wallet/transactions?cursor=${page.page.next_cursor}`)).body;
    expect([...page.data, ...rest.data].map(({ kind }: { kind: string }) => kind)).toEqual(['hold', 'hold', 'topup']);
    expect((await other.call('GET', '/v1/wallet/transactions')).body.data.length).toBe(1);
    expect((await other.call('GET', `/v1/wallet/transactions?cursor=${page.page.next_cursor}`)).status).toBe(400);
  });

  test('show the prices in force, with the four categories', async () => {
    const { body } = await (await funded(0)).call('GET', '/v1/wallet/pricing');
    expect(body.currency).toBe('EUR');
    expect(body.categories).toContainEqual({
      category: 'marketing',
      region: '44',
      unit_price_micros: MARKETING_MICROS,
    });
    const names = new Set(body.categories.map(({ category }: { category: string }) => category));
    expect([...names].toSorted()).toEqual(['authentication', 'marketing', 'service', 'utility']);
  });

  test('take no payment while no gateway is connected, and say so after the body is checked', async () => {
    const tenant = await funded(0);
    const answer = await tenant.call('POST', '/v1/wallet/topups', { amount: 5000, currency: 'EUR' });
    expect([answer.status, answer.body.code]).toEqual([400, 'wallet_disabled']);
    expect((await tenant.call('POST', '/v1/wallet/topups', { amount: 0.5, currency: 'EUR' })).body.code).toBe(
      'validation_failed',
    );
  });

  test('are refused without a key', async () => {
    for (const path of ['', '/pricing', '/transactions']) {
      expect((await callApi(kit.service.url, 'GET', `/v1/wallet${path}`)).status).toBe(401);
    }
  });

  test('of a service without wallets answer as well, and nothing gates a message', async () => {
    const plain = await startTestService({ config: { roles: 'api' } });
    try {
      await setPrice(plain.rt, plain.service.db, {
        category: 'service',
        region: '',
        effectiveFromMs: 1,
        unitPriceMicros: EUR_MICROS,
      });
      const tenant = await makeTestTenant(plain);
      expect((await send(tenant, text)).status).toBe(202);
      expect((await tenant.call('GET', '/v1/wallet')).body).toEqual({
        enabled: false,
        currency: 'EUR',
        balance: 0,
        held: 0,
        available: 0,
        updated_at: null,
      });
      expect((await tenant.call('GET', '/v1/wallet/transactions')).body.data).toEqual([]);
    } finally {
      await plain.close();
    }
  });
});
