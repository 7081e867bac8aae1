import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DispatcherId, PhoneNumberId, TenantId } from '#core/ids';
import { type RepeatHold, repeatHold } from '#messages/domain/repeat-hold';
import { findRepeatFacts, noteRefusal, noteStatuses, readCallbackHealth } from '#messages/store/callback-health';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { findUnknownDue } from './dispatch-messages.ts';

/** The end of the message's wait, which began 60 s before. */
const OVER_MS = 1_000_000;
const SINCE_MS = OVER_MS - 60_000;
const NOW_MS = 1_010_000;
const EXPIRES_MS = 9_999_999;

const rt = testRuntime({ unknownWaitS: 60 }, new TestClock(NOW_MS));
const owner = rt.newId<DispatcherId>();
const tenantId = rt.newId<TenantId>();
const messageId = rt.newId();
let database: TestDatabase;

function run(name: string, text: string, parameters: readonly unknown[] = []) {
  return database.db.run({ name: `test_${name}`, text }, parameters);
}

const OWN = '200' as PhoneNumberId;
/** Another number of the same account at the network. */
const SIBLING = '201' as PhoneNumberId;
const STRANGER = '202' as PhoneNumberId;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  await run('tenant', 'insert into tenants (tenant_id, name, created_ms) values ($1, $2, 0)', [tenantId, 'Test']);
  for (const [index, number] of [OWN, SIBLING, STRANGER].entries()) {
    await run(
      'number',
      `insert into phone_numbers (tenant_id, phone_number_id, display_phone, created_ms, network_account_id)
       values ($1, $2, $2, 0, $3)`,
      [tenantId, number, index === 2 ? null : '77'],
    );
  }
  await run('lane', 'insert into lane_owners (tenant_id, lane_id, owner_id, epoch) values ($1, $2, $3, 1)', [
    tenantId,
    '200',
    owner,
  ]);
  await run(
    'queue',
    `insert into send_queue (tenant_id, message_id, phone_number_id, state, priority, due_ms, expires_ms, epoch, to_phone)
     values ($1, $2, '200', 2, 1, $3, $4, 1, '447700900123')`,
    [tenantId, messageId, OVER_MS, EXPIRES_MS],
  );
});
afterAll(() => database.drop());

interface World {
  /** When the newest status of a number came in; none by default. */
  readonly statusMs?: number;
  /** The number that it was of. */
  readonly statusOf?: PhoneNumberId;
  /** Callbacks that wait to be interpreted, and those that were. */
  readonly unread?: readonly number[];
  readonly read?: readonly number[];
  readonly refusedMs?: number;
  readonly resends?: number;
  readonly expiresMs?: number;
}

/** Whether there is something to decide about the message in this world, and what its trace says otherwise. */
async function dueIn(world: World): Promise<{ readonly due: boolean; readonly hold: RepeatHold | null }> {
  for (const table of ['callback_queue', 'callbacks', 'number_statuses', 'callback_refusals'])
    await run(`forget_${table}`, `delete from ${table}`);
  const { statusMs, statusOf = OWN, unread = [], read = [], refusedMs } = world;
  if (statusMs !== undefined) await noteStatuses(database.db, [{ tenantId, phoneNumberId: statusOf, statusMs }]);
  if (refusedMs !== undefined) await noteRefusal(database.db, refusedMs);
  for (const atMs of [...unread, ...read].toSorted((one, other) => one - other)) {
    const callbackId = rt.newId();
    await run('callback', "insert into callbacks (callback_id, received_ms, body) values ($1, $2, '{}')", [
      callbackId,
      atMs,
    ]);
    if (unread.includes(atMs)) await run('wait', 'insert into callback_queue (callback_id) values ($1)', [callbackId]);
  }
  await run('row', 'update send_queue set resends = $1, expires_ms = $2', [
    world.resends ?? 0,
    world.expiresMs ?? EXPIRES_MS,
  ]);
  const due = (await findUnknownDue(rt, database.db, owner)).map((row) => row.messageId);
  const facts = await findRepeatFacts(database.db, tenantId, messageId);
  const health = await readCallbackHealth(database.db);
  const hold = facts && repeatHold(health, facts, { nowMs: NOW_MS, waitMs: 60_000 });
  return { due: due.includes(messageId as never), hold };
}

const DUE = { due: true, hold: null };

describe('the outcome of a send stays unknown until its wait is over and', () => {
  test('a status of its number, or of its account, came in since: then the missing one says something', async () => {
    expect(await dueIn({ statusMs: SINCE_MS })).toEqual(DUE);
    expect(await dueIn({ statusMs: SINCE_MS, statusOf: SIBLING })).toEqual(DUE);
  });

  test('is not repeated while no status at all came in since', async () => {
    const held = { due: false, hold: 'no_status' };
    expect(await dueIn({})).toEqual(held);
    expect(await dueIn({ statusMs: SINCE_MS - 1 })).toEqual(held);
    expect(await dueIn({ statusMs: NOW_MS, statusOf: STRANGER })).toEqual(held);
  });

  test('is not repeated while callbacks are refused; one that is taken ends that', async () => {
    const refused = { statusMs: SINCE_MS, refusedMs: NOW_MS - 5 };
    expect(await dueIn(refused)).toEqual({ due: false, hold: 'callbacks_refused' });
    expect(await dueIn({ ...refused, read: [NOW_MS - 6] })).toEqual({ due: false, hold: 'callbacks_refused' });
    expect(await dueIn({ ...refused, read: [NOW_MS - 4] })).toEqual(DUE);
  });

  test('is not repeated while a callback from within its wait is to be interpreted: that may hold its status', async () => {
    const held = { due: false, hold: 'callbacks_unread' };
    expect(await dueIn({ statusMs: SINCE_MS, unread: [OVER_MS - 1] })).toEqual(held);
    expect(await dueIn({ statusMs: SINCE_MS, unread: [OVER_MS - 50_000, OVER_MS + 5_000] })).toEqual(held);
    expect(await dueIn({ statusMs: SINCE_MS, unread: [OVER_MS + 5_000] })).toEqual(DUE);
  });

  test('the clocks of two machines may differ by a second', async () => {
    expect((await dueIn({ statusMs: SINCE_MS, unread: [OVER_MS + 999] })).due).toBe(false);
    expect((await dueIn({ statusMs: SINCE_MS, unread: [OVER_MS + 1_001] })).due).toBe(true);
  });

  test('is decided without any status when no copy is allowed any more, or its validity has ended', async () => {
    expect(await dueIn({ resends: 1 })).toEqual(DUE);
    expect((await dueIn({ expiresMs: NOW_MS })).due).toBe(true);
    expect((await dueIn({ expiresMs: NOW_MS, refusedMs: NOW_MS })).due).toBe(true);
  });
});
