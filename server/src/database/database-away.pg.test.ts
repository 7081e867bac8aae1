import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { administer, expectAway, restore, TERMINATE, takeAway } from '#testing/database/database-away';
import { openDoor } from '#testing/database/database-door';
import { countRows } from '#testing/test-callbacks';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { openPostgres } from './postgres.ts';

// The embedded database has no connections that could be ended.
describe('PostgreSQL, away and back again', () => {
  let kit: TestService;
  let tenant: TestTenant;

  beforeAll(async () => {
    kit = await startTestService({ config: { unknownWaitS: 1 } });
    tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
  });
  afterAll(() => kit.close());

  test('away and back again: everything works without a restart, and nothing of the 503s is stored', async () => {
    const before = await countRows(kit.service.db, 'outbound_messages');
    await takeAway(kit);
    const refused = () => tenant.call('POST', '/v1/messages', { to: freshPhone(), body: 'Hi' });
    for (const answer of await Promise.all([refused(), refused(), refused()])) expectAway(answer);
    await restore(kit);
    await kit.until(
      () => kit.call('GET', '/readyz'),
      (answer) => answer.status === 200,
      'it is ready',
    );
    expect(await countRows(kit.service.db, 'outbound_messages')).toBe(before);
    const id = await tenant.send(freshPhone());
    await tenant.untilMessage(id, (m) => m.delivery.state === 'read', 'it is sent and reported');
  });

  test('ending all connections again and again: every answer is a 202 or a 503, every 202 is there and is sent once', async () => {
    const answers: Answer[] = [];
    await administer(kit, async (client, name) => {
      for (let round = 0; round < 12; round += 1) {
        const posts = Array.from({ length: 25 }, () =>
          tenant.call('POST', '/v1/messages', { to: freshPhone(), body: 'Hi' }),
        );
        await client.query(TERMINATE, [name]);
        answers.push(...(await Promise.all(posts)));
      }
    });
    expect(answers.filter((answer) => answer.status !== 202 && answer.status !== 503)).toEqual([]);
    const accepted = answers.filter((answer) => answer.status === 202).map((answer) => answer.body.id);
    expect(accepted.length).toBeGreaterThan(0);
    for (const id of accepted) await tenant.untilMessage(id, (m) => m.status === 'sent', 'a 202 is sent');
    const ids = (await tenant.ledger()).map((entry) => entry.biz_opaque_callback_data.split('.')[0]);
    expect(accepted.filter((id) => ids.filter((one) => one === id).length !== 1)).toEqual([]);
  });

  test('refusing the line for notifications is asked once a second, however often it refuses', async () => {
    const door = await openDoor(kit.rt.config.databaseUrl);
    const db = openPostgres({ url: door.url, poolSize: 1, log: kit.rt.log });
    const unlisten = await db.listen('test', () => undefined);
    door.slam();
    await kit.until(
      async () => door.knocks.length,
      (count) => count >= 5,
      'it knocked five times',
    );
    await unlisten?.();
    await db.close();
    await door.close();
    const [first = 0, , , , fifth = 0] = door.knocks;
    expect(fifth - first).toBeGreaterThan(3_000);
  });
});
