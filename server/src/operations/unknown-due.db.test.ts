import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DispatcherId } from '#core/ids';
import { openTestDatabase, type TestDatabase } from '#testing/test-database';
import { testRuntime } from '#testing/test-runtime';
import { findUnknownDue } from './dispatch-messages.ts';

const rt = testRuntime();
const owner = rt.newId<DispatcherId>();
const tenantId = rt.newId();
const messageId = rt.newId();
/** The end of the message's wait. */
const OVER_MS = 100_000;
const NOW_MS = 110_000;
let database: TestDatabase;

function run(name: string, text: string, parameters: readonly unknown[] = []) {
  return database.db.run({ name: `test_${name}`, text }, parameters);
}

beforeAll(async () => {
  database = await openTestDatabase(rt);
  await run('tenant', 'insert into tenants (tenant_id, name, created_ms) values ($1, $2, 0)', [tenantId, 'Test']);
  await run('lane', 'insert into lanes (tenant_id, phone_number_id, owner_id, epoch) values ($1, $2, $3, 1)', [
    tenantId,
    '200',
    owner,
  ]);
  await run(
    'queue',
    `insert into send_queue (tenant_id, message_id, phone_number_id, state, priority, due_ms, expires_ms, epoch, to_phone)
     values ($1, $2, '200', 2, 1, $3, 999999999, 1, '447700900123')`,
    [tenantId, messageId, OVER_MS],
  );
});
afterAll(() => database.drop());

/** What is due while exactly these callbacks wait to be interpreted. */
async function dueWith(receivedMs: readonly number[]): Promise<readonly string[]> {
  await run('forget', 'delete from callback_queue');
  for (const atMs of receivedMs) {
    const callbackId = rt.newId();
    await run('callback', "insert into callbacks (callback_id, received_ms, body) values ($1, $2, '{}')", [
      callbackId,
      atMs,
    ]);
    await run('wait', 'insert into callback_queue (callback_id) values ($1)', [callbackId]);
  }
  return (await findUnknownDue(database.db, owner, NOW_MS)).map((row) => row.messageId);
}

test('a send of unknown outcome is due when its wait is over and everything that came within it was interpreted', async () => {
  expect(await dueWith([])).toEqual([messageId]);
  expect(await dueWith([OVER_MS + 5_000])).toEqual([messageId]);
});

test('it is not due while a callback from within its wait is still to be interpreted: that may hold its status', async () => {
  expect(await dueWith([OVER_MS - 1])).toEqual([]);
  expect(await dueWith([OVER_MS - 50_000, OVER_MS + 5_000])).toEqual([]);
});

test('the clocks of two machines may differ by a second', async () => {
  expect(await dueWith([OVER_MS + 999])).toEqual([]);
  expect(await dueWith([OVER_MS + 1_001])).toEqual([messageId]);
});
