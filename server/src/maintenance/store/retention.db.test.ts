import { afterAll, beforeAll, expect, test } from 'vitest';
import { idFloor } from '#core/ids';
import { callbackAt, pageIdOf } from '#messages/store/callback-pages';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { removeOld } from './retention.ts';

const OLD_MS = 1_700_000_000_000;
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase(testRuntime());
});
afterAll(() => database.drop());

const run = (text: string) => database.db.run<Record<string, unknown>>({ name: '', text }, []);
const left = async (text: string) => (await run(text)).rows.map((row) => Object.values(row)[0]);

test('an old callback that waits to be read is kept', async () => {
  const [read, waiting, young] = [OLD_MS - 2, OLD_MS - 1, OLD_MS].map(idFloor);
  await run(
    `insert into callbacks (callback_id, received_ms, body) values ('${read}', 1, ''), ('${waiting}', 1, ''), ('${young}', 1, '')`,
  );
  await run(`insert into callback_queue (callback_id) values ('${waiting}')`);
  expect(await removeOld(database.db, 'callbacks', idFloor(OLD_MS))).toBe(1);
  expect(await left('select callback_id from callbacks order by callback_id')).toEqual([waiting, young]);
});

test('a page of old callbacks is kept as long as one of them waits to be read', async () => {
  const pages = [OLD_MS - 20, OLD_MS - 10].map((ms) => pageIdOf(idFloor(ms)));
  const [read = '', waiting = ''] = pages;
  await run(
    `insert into callbacks (callback_id, received_ms, body, bodies)
     select page, 1, '', array['a', 'b', 'c'] from unnest(array['${pages.join("', '")}']::uuid[]) page`,
  );
  await run(`insert into callback_queue (callback_id) values ('${callbackAt(waiting, 3)}')`);
  expect(await removeOld(database.db, 'callbacks', idFloor(OLD_MS - 5))).toBe(1);
  const remaining = await left('select callback_id from callbacks');
  expect(remaining).toContain(waiting);
  expect(remaining).not.toContain(read);
});

test('an old delivery that is still tried is kept', async () => {
  const insert = (state: string, createdMs: number) =>
    run(`insert into webhook_deliveries (tenant_id, delivery_id, endpoint_id, event_id, type, body, state, due_ms, created_ms, updated_ms)
      select x, gen_random_uuid(), x, gen_random_uuid(), 'message.sent', '{}', '${state}', ${state === 'pending' ? 1 : null}, ${createdMs}, 1
      from gen_random_uuid() x`);
  for (const state of ['pending', 'delivered', 'failed']) await insert(state, OLD_MS - 1);
  await insert('failed', OLD_MS);
  expect(await removeOld(database.db, 'webhookDeliveries', OLD_MS)).toBe(2);
  expect(await left('select state from webhook_deliveries order by state')).toEqual(['failed', 'pending']);
});

test('events and decisions of the first millisecond that is kept are kept', async () => {
  for (const [seq, ms] of [OLD_MS - 1, OLD_MS].entries()) {
    await run(`insert into event_pages (tenant_id, last_seq, first_seq, recorded_ms, types, body)
      values ('${idFloor(1)}', ${seq + 1}, ${seq + 1}, ${ms}, '{}', '[]')`);
    await run(`insert into assignment_log (tenant_id, conversation_id, entry_id, at_ms, outcome, because, skipped)
      values ('${idFloor(1)}', '${idFloor(2)}', '${idFloor(ms)}', ${ms}, 'kept', 'policy', '[]')`);
  }
  expect(await removeOld(database.db, 'eventPages', OLD_MS)).toBe(1);
  expect(await removeOld(database.db, 'assignments', idFloor(OLD_MS))).toBe(1);
  expect(await left('select last_seq from event_pages')).toEqual([2]);
  expect(await left('select entry_id from assignment_log')).toEqual([idFloor(OLD_MS)]);
});
