import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '#bin/service';
import { type Clock, systemClock } from '#runtime/clock';
import { makeClusterClock } from '#runtime/cluster-clock';
import { testRuntime } from '#testing/test-runtime';
import { callApi, startTestService, TEST_KEY, type TestService } from '#testing/test-service';
import { freshPhone } from '#testing/test-tenant';

/** The clock of a machine that a test sets wrong. */
class WrongClock implements Clock {
  aheadMs: number;
  monotonic = systemClock.monotonic;
  after = systemClock.after;

  constructor(aheadMs: number) {
    this.aheadMs = aheadMs;
  }

  now(): number {
    return systemClock.now() + this.aheadMs;
  }
}

const BOUND_MS = 2_000;

describe('messages that one process accepts and another one sends', () => {
  const [ahead, behind] = [new WrongClock(60_000), new WrongClock(-60_000)];
  let kit: TestService;
  let acceptor: Service;

  beforeAll(async () => {
    kit = await startTestService({ clock: makeClusterClock(behind), config: { numberRate: 0, pairLimit: 'off' } });
    const rt = testRuntime({ ...kit.rt.config, port: 0, roles: 'api' }, makeClusterClock(ahead));
    acceptor = await startService(rt);
  });
  afterAll(async () => {
    await acceptor.close();
    await kit.close();
  });

  /** Accepts a message there and waits until it has left here. @returns how much later than by the database's clock it was due */
  async function dueLaterMs(): Promise<number> {
    const before = await databaseMs();
    const made = await callApi(
      acceptor.url,
      'POST',
      '/v1/messages',
      { to: `+${freshPhone()}`, body: 'On time' },
      { authorization: `Bearer ${TEST_KEY}` },
    );
    expect(made.status).toBe(202);
    const read = () => kit.call('GET', `/v1/messages/${made.body.id}`);
    const sent = await kit.until(read, ({ body }) => body.status !== 'queued', 'it leaves');
    const after = await databaseMs();
    const acceptedMs = Date.parse(sent.body.created_at);
    return acceptedMs > after ? acceptedMs - after : Math.min(0, acceptedMs - before);
  }

  async function databaseMs(): Promise<number> {
    const text = 'select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms';
    return (await kit.service.db.run<{ ms: number }>({ name: 'test_clock', text }, [])).rows[0]?.ms ?? 0;
  }

  test('are due immediately though the clocks of the two differ by two minutes', async () => {
    expect(Math.abs(await dueLaterMs())).toBeLessThan(BOUND_MS);
  });

  test('are due immediately while the clock of the machine that accepts them is an hour ahead, and after it came back', async () => {
    for (const aheadMs of [3_660_000, 60_000]) {
      ahead.aheadMs = aheadMs;
      expect(Math.abs(await dueLaterMs())).toBeLessThan(BOUND_MS);
    }
  });

  test('are due immediately while the clock of the machine that sends them is an hour behind', async () => {
    behind.aheadMs = -3_660_000;
    expect(Math.abs(await dueLaterMs())).toBeLessThan(BOUND_MS);
  });

  test('a clock that differs is a metric', async () => {
    const { text } = await callApi(acceptor.url, 'GET', '/metrics');
    const shown = Number(/^postrider_clock_difference_seconds (\S+)/m.exec(text)?.[1]);
    expect(Math.abs(shown)).toBeGreaterThan(50);
  });
});
