import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SqlRunner } from '#database/database';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant } from '#testing/test-tenant';

let kit: TestService;
const errors: { readonly msg: string; readonly messageId?: string }[] = [];
const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(JSON.parse(line)) });
/** Ids of messages whose page is damaged. */
const damaged = new Set<unknown>();

/** What PostgreSQL says of a page with a wrong checksum (SQLSTATE XX001). */
class Damage extends Error {
  readonly code = 'XX001';
}

beforeAll(async () => {
  kit = await startTestService({ log });
  const { db } = kit.service;
  const run: SqlRunner['run'] = db.run;
  const damagedRun: SqlRunner['run'] = async (statement, parameters) => {
    const ids = statement.name === 'queue_claim' ? String(parameters[2]) : '';
    if ([...damaged].some((id) => ids.includes(String(id)))) throw new Damage('invalid page in block 7');
    return run(statement, parameters);
  };
  Object.assign(db, { run: damagedRun });
});
afterAll(() => kit.close());

async function setDue(ids: readonly string[], dueMs: number): Promise<void> {
  const text = 'update send_queue set due_ms = $2 where message_id = any ($1::uuid[])';
  await kit.service.db.run({ name: 'test_due', text }, [ids, dueMs]);
}

describe('a message', () => {
  test('that cannot be claimed is set aside, and every other message of its lane and of other tenants is sent', async () => {
    const [tenant, other] = [await makeTestTenant(kit, { ratePerSecond: 0 }), await makeTestTenant(kit)];
    const sendAt = { send_at: new Date(Date.now() + 86_400_000).toISOString() };
    const all: string[] = [];
    for (let time = 0; time < 9; time += 1) all.push(await tenant.send(freshPhone(), sendAt));
    const ofOther = await other.send(freshPhone(), sendAt);
    const hit = [all[2], all[7]].map(String);
    for (const id of hit) damaged.add(id);
    await setDue([...all, ofOther], 1);
    for (const id of all.filter((one) => !hit.includes(one)))
      await tenant.untilMessage(id, ({ status }) => status !== 'queued', 'the others are sent');
    await other.untilMessage(ofOther, ({ status }) => status !== 'queued', 'the other tenant is served');
    const logged = errors.filter(({ msg }) => msg === 'queue.message_unreadable').map(({ messageId }) => messageId);
    expect(logged.toSorted()).toEqual(hit.toSorted());
    expect((await kit.call('GET', '/metrics')).text).toContain('postrider_unreadable_total{by="claim"} 2');
    damaged.clear();
    await setDue(hit, 1);
    for (const id of hit)
      await tenant.untilMessage(id, ({ status }) => status !== 'queued', 'what can be read again is sent');
  });
});
