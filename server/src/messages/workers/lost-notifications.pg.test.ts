import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from '#bin/service';
import { testRuntime } from '#testing/test-runtime';
import { callApi, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

const MESSAGES = 20;

let kit: TestService;
let api: Service;
let tenant: TestTenant;

// One process sends, another takes the requests; between them are notifications only, and none of them arrives.
beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
  await loseNotifications();
  api = await startService(testRuntime({ ...kit.rt.config, port: 0, roles: 'api' }));
});
afterAll(async () => {
  await api.close();
  await kit.close();
});

/** From now on each new connection to this database finds a function that does nothing in the place of pg_notify. */
async function loseNotifications(): Promise<void> {
  const [database = ''] = await column('select current_database() as value');
  const statements = [
    'create schema lost',
    'create table lost.notices (channel text not null)',
    `create function lost.pg_notify(channel text, payload text) returns void language sql as
      'insert into lost.notices values (channel)'`,
    `alter database ${database} set search_path = lost, pg_catalog, public`,
  ];
  for (const [index, text] of statements.entries()) await kit.service.db.run({ name: `test_lost_${index}`, text }, []);
}

let questions = 0;
async function column(text: string): Promise<readonly string[]> {
  questions += 1;
  const { rows } = await kit.service.db.run<{ value: string }>({ name: `test_lost_ask_${questions}`, text }, []);
  return rows.map(({ value }) => value);
}

test('messages leave within the poll though every notification of the process that took them is lost', async () => {
  const headers = { authorization: `Bearer ${tenant.key}` };
  for (let index = 0; index < MESSAGES; index += 1) {
    const answer = await callApi(api.url, 'POST', '/v1/messages', { to: freshPhone(), body: 'Hi' }, headers);
    expect(answer.status).toBe(202);
  }
  await kit.until(
    () => tenant.ledger(),
    (list) => list.length === MESSAGES,
    'all messages are sent',
  );
  // The notifications were sent, and lost: nothing but the poll finds messages without them.
  expect(await column('select distinct channel as value from lost.notices')).toContain('postrider_lanes');
});
