import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { UNPARK_WITHIN_MS } from '#messages/store/status-batch';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { DueWorkMonitor } from './due-work.ts';

const clock = new TestClock();
const rt = testRuntime({}, clock);
let database: TestDatabase;
let tenantId: TenantId;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  tenantId = await createTenant(rt, database.db, { name: 'Test', unknownResends: 1, windowPolicy: 'network' });
  await database.db.run({ name: '', text: 'delete from audit_unsealed' }, []);
});
afterAll(() => database.drop());

/** A rule timer, which is due at this time. */
async function addTimer(dueMs: number): Promise<void> {
  const text = `insert into rule_timers (tenant_id, timer_id, rule_id, conversation_id, contact_id, message_id, started_ms, due_ms)
    select $1::uuid, i, i, i, i, i, 0, $2::bigint from (select gen_random_uuid() as i) x`;
  await database.db.run({ name: '', text }, [tenantId, dueMs]);
}

test('loops that ask at about the same time share one look, and what is due is seen by the next', async () => {
  const run = vi.spyOn(database.db, 'run');
  const due = new DueWorkMonitor(rt, database.db);
  const ask = () => Promise.all([due.has('rule_timer'), due.has('rule_message'), due.has('audit_seal')]);
  expect(await ask()).toEqual([false, false, false]);
  await addTimer(clock.now() + 1_000);
  clock.advance(100);
  expect(await ask()).toEqual([false, false, false]);
  expect(run.mock.calls.filter(([{ name }]) => name === 'due_work')).toHaveLength(1);
  clock.advance(1_000);
  expect(await ask()).toEqual([true, false, false]);
  run.mockRestore();
});

test('while there is no work of any kind, the database is polled half as often', async () => {
  const pollsOf = async (answer: boolean): Promise<number> => {
    let polls = 0;
    const run = async () => {
      polls += 1;
      return { rows: [{ campaign: answer }] };
    };
    const due = new DueWorkMonitor(rt, { run } as unknown as Database);
    for (let poll = 0; poll < 8; poll += 1) {
      expect(await due.has('campaign')).toBe(answer);
      clock.advance(250);
    }
    return polls;
  };
  expect([await pollsOf(true), await pollsOf(false)]).toEqual([8, 4]);
});

test('a gated step runs while its work is due, and is left out otherwise', async () => {
  const due = new DueWorkMonitor(rt, database.db);
  const steps: string[] = [];
  const gated = (['rule_timer', 'campaign'] as const).map((kind) => due.gate(kind, async () => steps.push(kind)));
  for (const step of gated) await step();
  expect(steps).toEqual(['rule_timer']);
});

test('when the database cannot say what is due every loop finds out for itself', async () => {
  const away = { run: () => Promise.reject(new Error('away')) } as unknown as Database;
  const due = new DueWorkMonitor(rt, away);
  expect(await due.has('campaign')).toBe(true);
  expect(await due.has('callback')).toBe(true);
});

test('a timer is due in the millisecond that it names', async () => {
  const due = new DueWorkMonitor(rt, database.db);
  await database.db.run({ name: '', text: 'delete from rule_timers' }, []);
  await addTimer(clock.now());
  expect(await due.has('rule_timer')).toBe(true);
});

test('a parked status is looked for as long as its message may still become known', async () => {
  const due = new DueWorkMonitor(rt, database.db);
  const text = `insert into parked_statuses (tenant_id, network_message_id, status, recipient, item, parked_ms)
    values ($1, 'w1', 'sent', '1', '{}', $2)`;
  await database.db.run({ name: '', text }, [tenantId, clock.now()]);
  clock.advance(UNPARK_WITHIN_MS);
  expect(await due.has('parked_status')).toBe(true);
  clock.advance(1_000);
  expect(await due.has('parked_status')).toBe(false);
});
