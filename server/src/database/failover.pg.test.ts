import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { administer, TERMINATE } from '#testing/database/database-away';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant } from '#testing/test-tenant';

let kit: TestService;
beforeAll(async () => {
  kit = await startTestService();
});
afterAll(() => kit.close());

/** Runs a statement on a connection that the service does not know. */
async function sql(text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: kit.rt.config.databaseUrl });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test('a running process whose connections lead to another history sends nothing that was due before it has noticed', async () => {
  const tenant = await makeTestTenant(kit, { ratePerSecond: 1 });
  const ids = await Promise.all(Array.from({ length: 12 }, () => tenant.send(freshPhone())));
  // What every connection meets after a failover: all of them broke, and the table names another timeline than the server.
  await sql("update database_histories set timeline = 'older'");
  await administer(kit, async (client, name) => void (await client.query(TERMINATE, [name])));
  const held = await kit.until(
    () => sql('select message_id, epoch from send_queue where state = 2 and epoch <= 0'),
    (rows) => rows.length > 0,
    'messages are held',
  );
  expect(
    await sql('select reason, lost_since_ms is not null as since from database_histories where history_id = 2'),
  ).toEqual([{ reason: 'other_timeline', since: true }]);
  const ready = held.filter((row) => Number(row.epoch) === 0).map((row) => row.message_id);
  expect(ready.length).toBeGreaterThan(0);
  const fresh = await (await makeTestTenant(kit, { ratePerSecond: 0 })).send(freshPhone());
  await kit.until(
    () => kit.simulate('GET', '/_sim/messages?limit=100'),
    ({ text }) => text.includes(fresh),
    'what comes after it is sent',
  );
  const sent = (await tenant.ledger()).map((entry) => entry.biz_opaque_callback_data.split('.')[0]);
  expect(ready.filter((id) => sent.includes(String(id)))).toEqual([]);
  expect(new Set([...sent, ...held.map((row) => row.message_id)])).toEqual(new Set(ids));
});
