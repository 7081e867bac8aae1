import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { countOutbound } from '#billing/store/usage';
import { readWallet } from '#billing/store/wallet-reads';
import { monthAt } from '#core/calendar';
import type { MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { openPostgres } from '#database/postgres';
import { makeStoreBatch } from '#messages/actions/store-accepted';
import type { AcceptRow } from '#messages/store/accept-batch';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { setPrice, topUpWallet } from './manage-wallet.ts';
import { settleHolds } from './settle-wallet.ts';

/* Two processes on one database: what only PostgreSQL can show. */

const rt = testRuntime({ walletEnabled: 'true' });
let database: TestDatabase;
let second: Database;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  second = openPostgres({ url: database.url ?? '', poolSize: 6, log: rt.log });
  await setPrice(rt, database.db, { category: 'service', region: '', effectiveFromMs: 1, unitPriceMicros: 10_000 });
});
afterAll(async () => {
  await second.close();
  await database.drop();
});

/** @param amount cents; a message costs one */
async function funded(amount: number): Promise<TenantId> {
  const tenantId = await createTenant(rt, database.db, { name: 'Test', unknownResends: 1 });
  await topUpWallet(rt, database.db, { tenantId, amount, description: 'Paid.' });
  return tenantId;
}

function rowOf(tenantId: TenantId): AcceptRow {
  const message = {
    tenantId,
    messageId: rt.newId<MessageId>(),
    content: { type: 'text', body: 'Hi', previewUrl: false },
    to: '447400123456',
    phoneNumberId: '700' as PhoneNumberId,
    campaignName: null,
    clientRef: null,
    replyTo: null,
    priority: 'normal',
    resendOf: null,
    author: null,
    sendAtMs: null,
    expiresMs: rt.clock.now() + 60_000,
    createdMs: rt.clock.now(),
  } as const;
  return { message, idempotency: null };
}

test('200 messages of two tenants through two processes spend what is there, and not a cent more', async () => {
  const tenants = [await funded(17), await funded(60)];
  const stores = [makeStoreBatch(rt, database.db), makeStoreBatch(rt, second)];
  const batches = Array.from({ length: 20 }, (_, index) => {
    // Alternating order: two batches that meet ask for the same wallets the other way round.
    const order = index % 2 === 0 ? tenants : tenants.toReversed();
    return order.flatMap((tenantId) => Array.from({ length: 5 }, () => rowOf(tenantId)));
  });
  const outcomes = await Promise.all(batches.map((rows, index) => stores[index % 2]?.(rows)));
  expect(outcomes.flat().filter((outcome) => outcome === 'stored').length).toBe(77);
  const month = monthAt(rt.clock.now());
  for (const [index, tenantId] of tenants.entries()) {
    const cents = [17, 60][index] ?? 0;
    expect(await readWallet(second, tenantId)).toMatchObject({ availableMicros: 0, heldMicros: cents * 10_000 });
    expect(await countOutbound(second, tenantId, month)).toBe(cents);
  }
});

test('two processes that settle concurrently release a hold once', async () => {
  const tenantId = await funded(3);
  await makeStoreBatch(rt, database.db)([1, 2, 3].map(() => rowOf(tenantId)));
  const failed = {
    name: 'test_fail',
    text: `update outbound_messages set status = 'failed', error = '{}' where tenant_id = $1`,
  };
  await database.db.run(failed, [tenantId]);
  const settled = await Promise.all([settleHolds(rt, database.db), settleHolds(rt, second)]);
  expect(settled.reduce((sum, count) => sum + count, 0)).toBe(3);
  expect(await readWallet(second, tenantId)).toMatchObject({ availableMicros: 30_000, heldMicros: 0 });
});
