import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '#bin/service';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { callApi, startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant } from '#testing/test-tenant';
import { createApiKey } from './manage-tenants.ts';
import { makeRateShare } from './rate-share.ts';

describe('the share of a process', () => {
  const clock = new TestClock();
  const rt = testRuntime({}, clock);
  let database: TestDatabase;

  beforeAll(async () => {
    database = await openTestDatabase(rt);
  });
  afterAll(() => database.drop());

  test('shrinks when another comes, and grows again when it leaves or falls silent', async () => {
    const [first, second, third] = [1, 2, 3].map(() => makeRateShare(rt, database.db));
    if (!first || !second || !third) throw new Error('three shares');
    await first.runOnce();
    expect(first.current()).toEqual({ processes: 1, isNew: false });
    await second.runOnce();
    expect(second.current()).toEqual({ processes: 2, isNew: true });
    await third.runOnce();
    await first.runOnce();
    expect(first.current()).toEqual({ processes: 3, isNew: false });
    await third.leave();
    await first.runOnce();
    expect(first.current().processes).toBe(2);
    for (let count = 0; count < 6; count += 1) {
      clock.advance(1000);
      await first.runOnce();
    }
    expect(first.current().processes).toBe(1);
    expect(second.current().isNew).toBe(false);
    await second.runOnce();
    await first.runOnce();
    expect(first.current().processes).toBe(2);
  });

  test('the row of a process that is long gone is deleted', async () => {
    const [left, alive] = [makeRateShare(rt, database.db), makeRateShare(rt, database.db)];
    await left.runOnce();
    await alive.runOnce();
    clock.advance(60_000);
    await alive.runOnce();
    const count = { name: 'test_count_processes', text: 'select process_id from api_processes' };
    expect((await database.db.run(count, [])).rowCount).toBe(1);
  });
});

describe('three processes on one PostgreSQL', () => {
  const RATE = 30;
  const LASTS_MS = 3_000;
  let kit: TestService;
  const more: Service[] = [];
  const urls = () => [kit.service.url, ...more.map((service) => service.url)];

  beforeAll(async () => {
    kit = await startTestService({ config: { roles: 'api' } });
    for (let count = 0; count < 2; count += 1) {
      more.push(await startService(testRuntime({ ...kit.rt.config, port: 0 })));
    }
  });
  afterAll(async () => {
    for (const service of more) await service.close();
    await kit.close();
  });

  test('together let through no more than limit × time + burst, and each its share', async () => {
    const tenant = await makeTestTenant(kit);
    const fields = { tenantId: tenant.tenantId, name: 'x', mode: 'test', scopes: [], expiresMs: null } as const;
    const { key } = await createApiKey(kit.rt, kit.service.db, { ...fields, ratePerSecond: RATE });
    const ask = (url: string, token: string) =>
      callApi(url, 'GET', '/v1/api-keys', undefined, { authorization: `Bearer ${token}` });
    await everyoneCounted();
    const startMs = performance.now();
    const passed = await Promise.all(
      urls().map(async (url) => {
        const statuses: number[] = [];
        while (performance.now() - startMs < LASTS_MS) statuses.push((await ask(url, key)).status);
        return { asked: statuses.length, through: statuses.filter((status) => status === 200).length };
      }),
    );
    const seconds = (performance.now() - startMs) / 1000;
    const sum = passed.reduce((total, { through }) => total + through, 0);
    expect(sum).toBeLessThanOrEqual(RATE * seconds + RATE);
    const share = (RATE / 3) * (LASTS_MS / 1000);
    // A machine that is slow asks less than its share.
    for (const { asked, through } of passed) expect(through).toBeGreaterThan(Math.min(asked, share) * 0.3);
  });

  /** Every process says that it shares with two others: a third of the rate, and nothing new about it. */
  async function everyoneCounted(): Promise<void> {
    const tenant = await makeTestTenant(kit);
    const fields = { tenantId: tenant.tenantId, name: 'x', mode: 'test', scopes: [], expiresMs: null } as const;
    for (const url of urls()) {
      await kit.until(
        async () => {
          const { key } = await createApiKey(kit.rt, kit.service.db, { ...fields, ratePerSecond: RATE });
          return callApi(url, 'GET', '/v1/api-keys', undefined, { authorization: `Bearer ${key}` });
        },
        ({ headers }) => headers.get('x-ratelimit-remaining') === String(RATE / 3 - 1),
        'a fresh key has a third of its rate here',
      );
    }
  }
});
