import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAway } from '#testing/database/database-away';
import { type DatabaseDoor, openDoor } from '#testing/database/database-door';
import { copyTemplate, type MadeDatabase } from '#testing/database/test-database';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

/** Promised are 5 s; a busy machine gets some more. Without a watch it is 17 to 20 s. */
const NOTICED_WITHIN_MS = 8_000;
/** Longer than any answer takes that asks nobody. */
const AT_ONCE_MS = 1_000;

describe('a frozen PostgreSQL, which takes connections and answers nothing', () => {
  let made: MadeDatabase;
  let door: DatabaseDoor;
  let folder: string;
  let kit: TestService;
  let tenant: TestTenant;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'postrider-test-'));
    made = await copyTemplate(folder);
    door = await openDoor(made.url ?? '');
    kit = await startTestService({ config: { unknownWaitS: 1, databaseUrl: door.url } });
    tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
  });
  afterAll(async () => {
    door.thaw();
    await kit.close();
    await door.close();
    await made.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function post(key: string): Promise<Answer & { readonly tookMs: number }> {
    const startMs = performance.now();
    const body = { to: freshPhone(), body: 'Hi', client_ref: key };
    const answer = await tenant.call('POST', '/v1/messages', body, { 'idempotency-key': key });
    return { ...answer, tookMs: performance.now() - startMs };
  }

  test('is answered for with 503 within seconds, then at once; afterwards every 202 is sent once', async () => {
    const before = await Promise.all(Array.from({ length: 20 }, (_, index) => post(`before-${index}`)));
    door.freeze();
    const first = await Promise.all(Array.from({ length: 30 }, (_, index) => post(`first-${index}`)));
    const later = await Promise.all(Array.from({ length: 30 }, (_, index) => post(`later-${index}`)));
    const reads = await Promise.all([kit.call('GET', '/readyz'), tenant.call('GET', '/v1/contacts')]);
    for (const answer of [...first, ...later, ...reads]) expectAway(answer);
    expect(Math.max(...first.map(({ tookMs }) => tookMs))).toBeLessThan(NOTICED_WITHIN_MS);
    expect(Math.max(...later.map(({ tookMs }) => tookMs))).toBeLessThan(AT_ONCE_MS);

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
