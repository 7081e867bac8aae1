import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Statement } from '#database/database';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

/** Values by name and labels, as /metrics writes them. */
async function readMetrics(kit: TestService): Promise<ReadonlyMap<string, number>> {
  const { text } = await kit.call('GET', '/metrics');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

const value = async (kit: TestService, series: string) => (await readMetrics(kit)).get(series);
const sql = (text: string): Statement => ({ name: '', text });

describe('what a process does', () => {
  let kit: TestService;
  let tenant: TestTenant;
  beforeAll(async () => {
    kit = await startTestService({ isAlone: true });
    tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
  });
  afterAll(() => kit.close());

  test('requests are counted by the pattern of their path, and never by what it names', async () => {
    const id = await tenant.send(freshPhone());
    await tenant.message(id);
    await tenant.call('GET', '/v1/no-such-thing/4711');
    const found = await readMetrics(kit);
    const count = (labels: string) => found.get(`postrider_http_request_seconds_count{${labels}}`);
    expect(count('method="POST",route="/v1/messages",status="202"')).toBe(1);
    expect(count('method="GET",route="/v1/messages/:id",status="200"')).toBe(1);
    expect(count('method="GET",route="unknown",status="404"')).toBe(1);
    expect([...found.keys()].join('\n')).not.toMatch(new RegExp(`${id}|4711`));
  });

  test('the time from due to accepted by the network is counted once for each message', async () => {
    const before = (await value(kit, 'postrider_send_delay_seconds_count')) ?? 0;
    const id = await tenant.send(freshPhone());
    await tenant.untilMessage(id, ({ delivery }) => delivery.state === 'read', 'it is read');
    const found = await readMetrics(kit);
    expect((found.get('postrider_send_delay_seconds_count') ?? 0) - before).toBeGreaterThanOrEqual(1);
    expect(found.get('postrider_send_delay_seconds_sum')).toBeLessThan(60);
  });

  test('failures are counted by code, those of sends and those that are reported', async () => {
    const reported = await tenant.send('99900000003');
    await tenant.untilMessage(reported, ({ delivery }) => delivery.state === 'failed', 'it has failed');
    const late = await tenant.send(freshPhone(), { send_at: new Date(Date.now() + 3_600_000).toISOString() });
    const expire = 'update send_queue set due_ms = 1, expires_ms = 1 where message_id = $1';
    await kit.service.db.run(sql(expire), [late]);
    await tenant.untilMessage(late, ({ delivery }) => delivery.state === 'failed', 'it has expired');
    const { error } = (await tenant.message(reported)).delivery;
    // They are counted once they are committed, when they can be read already.
    for (const labels of [`by="report",code="${error.code}"`, 'by="send",code="expired"'])
      await kit.until(
        () => value(kit, `postrider_message_failures_total{${labels}}`),
        (count) => count === 1,
        `${labels} is counted once`,
      );
  });

  test('statements are counted by name, with their time', async () => {
    const found = await readMetrics(kit);
    expect(found.get('postrider_database_statements_total{statement="accept_batch",result="ok"}')).toBeGreaterThan(0);
    expect(found.get('postrider_database_time_seconds_total{statement="accept_batch"}')).toBeGreaterThan(0);
    expect(found.get('postrider_database_connections{state="idle"}')).toBeGreaterThanOrEqual(0);
  });

  test('memory, CPU time and the event loop are those of the process', async () => {
    const found = await readMetrics(kit);
    expect(found.get('process_resident_memory_bytes')).toBeGreaterThan(1e7);
    expect(found.get('process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(found.get('nodejs_eventloop_lag_seconds{quantile="0.99"}')).toBeGreaterThanOrEqual(0);
    expect(found.get('nodejs_heap_size_limit_bytes')).toBeGreaterThan(found.get('nodejs_heap_size_used_bytes') ?? 0);
  });
});

describe('what waits in the database', () => {
  let kit: TestService;
  beforeAll(async () => {
    kit = await startTestService({ isAlone: true, config: { roles: 'api,maintenance' } });
  });
  afterAll(() => kit.close());

  test('is counted by priority and by what it waits for', async () => {
    const [tenant, paused] = [await makeTestTenant(kit), await makeTestTenant(kit)];
    await tenant.send(freshPhone(), { priority: 'high' });
    await tenant.send(freshPhone(), { priority: 'bulk', send_at: new Date(Date.now() + 3_600_000).toISOString() });
    await paused.send(freshPhone());
    const pause = `update phone_numbers set status = 'paused', pause_reason = 'A test.', paused_by = 'person' where tenant_id = $1`;
    await kit.service.db.run(sql(pause), [paused.tenantId]);
    const series = (priority: string, state: string) =>
      `postrider_queue_messages{priority="${priority}",state="${state}"}`;
    await kit.until(
      () => value(kit, series('normal', 'paused')),
      (count) => count === 1,
      'the state is read',
    );
    const found = await readMetrics(kit);
    expect([found.get(series('high', 'due')), found.get(series('bulk', 'later'))]).toEqual([1, 1]);
    expect([found.get(series('normal', 'due')), found.get(series('high', 'unknown'))]).toEqual([0, 0]);
    expect(found.get('postrider_queue_oldest_due_seconds{priority="high"}')).toBeGreaterThan(0);
    expect(found.get('postrider_queue_oldest_due_seconds{priority="normal"}')).toBe(0);
    expect(found.get('postrider_phone_numbers{state="paused"}')).toBe(1);
    expect(found.get('postrider_lanes_without_owner')).toBeGreaterThanOrEqual(1);
  });

  test('is read once, however many ask at the same time', async () => {
    const reads = async () =>
      (await value(kit, 'postrider_database_statements_total{statement="state_queue",result="ok"}')) ?? 0;
    const before = await reads();
    await Promise.all(Array.from({ length: 50 }, () => kit.call('GET', '/metrics')));
    expect((await reads()) - before).toBeLessThanOrEqual(2);
  });

  test('is not waited for when the database does not answer', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const held = Array.from({ length: 12 }, () => kit.service.db.transaction(() => released));
    await kit.until(
      () => value(kit, 'postrider_database_up'),
      (up) => up === 0,
      'the metrics say that the database does not answer',
    );
    expect(await value(kit, 'postrider_database_waiting')).toBeGreaterThan(0);
    release();
    await Promise.all(held);
    await kit.until(
      () => value(kit, 'postrider_database_up'),
      (up) => up === 1,
      'it answers again',
    );
  });
});

test('a state that takes long to read is shown when it is there, and the database is not called away meanwhile', async () => {
  const kit = await startTestService({ isAlone: true, config: { roles: 'api,maintenance' } });
  const { db } = kit.service;
  const { run } = db;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow: typeof run = async (statement, parameters) => {
    if (statement.name === 'state_queue') await released;
    return run(statement, parameters);
  };
  Object.assign(db, { run: slow });
  const found = await readMetrics(kit);
  expect(found.get('postrider_database_up')).toBe(1);
  expect(found.has('postrider_state_age_seconds')).toBe(false);
  release();
  await kit.until(
    () => value(kit, 'postrider_state_age_seconds'),
    (age) => age !== undefined,
    'the state is shown',
  );
  await kit.close();
});

test('a process without the role maintenance leaves the state of the installation to others', async () => {
  const kit = await startTestService({ isAlone: true, config: { roles: 'api,dispatcher' } });
  const names = [...(await readMetrics(kit)).keys()].join('\n');
  await kit.close();
  expect(names).not.toMatch(/postrider_(queue|callbacks_waiting|state_age|campaigns)/);
  expect(names).toMatch(/^postrider_database_up$/m);
});
