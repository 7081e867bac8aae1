import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAway } from '#testing/database/database-away';
import { type DatabaseDoor, openDoor } from '#testing/database/database-door';
import { copyTemplate, type MadeDatabase } from '#testing/database/test-database';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

describe('a frozen PostgreSQL, which takes connections and answers nothing', () => {
  let made: MadeDatabase;
  let door: DatabaseDoor;
  let folder: string;
  let kit: TestService;
  let tenant: TestTenant;
  /** Time at which the watch reported the frozen database. */
  let noticedMs = Number.NaN;
  const write = (line: string) => {
    if (line.includes('storage.frozen')) noticedMs = performance.now();
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'postrider-test-'));
    made = await copyTemplate(folder);
    door = await openDoor(made.url ?? '');
    kit = await startTestService({
      config: { unknownWaitS: 1, databaseUrl: door.url },
      log: pino({ level: 'error' }, { write }),
    });
    tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
  });
  afterAll(async () => {
    door.thaw();
    await kit.close();
    await door.close();
    await made.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  function post(key: string): Promise<Answer> {
    const body = { to: freshPhone(), body: 'Hi', client_ref: key };
    return tenant.call('POST', '/v1/messages', body, { 'idempotency-key': key });
  }

  test('is answered for with 503 within seconds, then at once; afterwards every 202 is sent once', async () => {
    const before = await Promise.all(Array.from({ length: 20 }, (_, index) => post(`before-${index}`)));
    door.freeze();
    const frozenMs = performance.now();
    const first = await Promise.all(Array.from({ length: 30 }, (_, index) => post(`first-${index}`)));
    const firstMs = performance.now();
    const later = await Promise.all(Array.from({ length: 30 }, (_, index) => post(`later-${index}`)));
    const laterMs = performance.now();
    const reads = await Promise.all([kit.call('GET', '/readyz'), tenant.call('GET', '/v1/contacts')]);
    for (const answer of [...first, ...later, ...reads]) expectAway(answer);
    // The watch needs seconds. Answers that wait for it, or come after it, need less than that on any machine.
    const takesMs = noticedMs - frozenMs;
    expect(firstMs - noticedMs).toBeLessThan(takesMs);
    expect(laterMs - firstMs).toBeLessThan(takesMs);

    door.thaw();
    const ready = await kit.until(
      () => post('after'),
      (answer) => answer.status !== 503,
      'it accepts again',
    );
    const ids = [...before, ready].map(({ status, body }) => (status === 202 ? body.id : null));
    for (const id of ids) await tenant.untilMessage(id, (message) => message.status === 'sent', 'a 202 is sent');
    const sent = (await tenant.ledger()).map((entry) => entry.biz_opaque_callback_data.split('.')[0]);
    expect(ids.filter((id) => sent.filter((one) => one === id).length !== 1)).toEqual([]);
    expect(new Set(sent).size).toBe(sent.length);
  });
});
