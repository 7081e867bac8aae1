import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { OPERATOR } from '#access/domain/audit';
import { beginBulkChange } from '#conversations/actions/manage-bulk-changes';
import { BULK_LEASE_MS, TURN } from '#conversations/actions/run-bulk-change';
import { BULK_CHANGE_MOVES, type BulkChange } from '#conversations/domain/bulk-change';
import { findBulkChange } from '#conversations/store/bulk-changes';
import type { ConversationId, PhoneNumberId, TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { DueWorkMonitor } from '#maintenance/actions/due-work';
import { conversationKit } from '#testing/conversation-kit';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { watchMoves } from '#testing/database/watch-moves';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { makeBulkChanger } from './bulk-changer.ts';

/** More than one turn, so that a process dies in the middle of each. */
const CONVERSATIONS = 250;
const actor = { kind: 'key', id: 'k' } as const;
const clock = new TestClock();
const rt = testRuntime({}, clock);
let database: TestDatabase;
let tenantId: TenantId;
let ids: readonly ConversationId[];
let moves: () => Promise<readonly string[]>;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  moves = await watchMoves(database.db, 'bulk_changes');
});
beforeEach(async () => {
  const { db } = database;
  tenantId = await createTenant(rt, db, { name: 'T', unknownResends: 0, windowPolicy: 'network' });
  const kit = conversationKit({ rt, db, tenantId, phoneNumberId: '106540352242922' as PhoneNumberId });
  ids = (await kit.customersWrite(await kit.contacts(CONVERSATIONS))).map(({ conversationId }) => conversationId);
});
afterAll(() => database.drop());

const processWith = (db: Database) => makeBulkChanger({ rt, db, due: new DueWorkMonitor(rt, db) });

type Death = 'before a change' | 'within a change' | 'right after its commit';

/** The database of a process that is killed at its n-th transaction: nothing of it comes through afterwards. */
function dyingDatabase(db: Database, at: number, death: Death): Database {
  let begun = 0;
  const dead = () => new Error('The process was killed.');
  return {
    kind: db.kind,
    kysely: db.kysely,
    run: (statement, parameters) => (begun >= at ? Promise.reject(dead()) : db.run(statement, parameters)),
    transaction: async (work) => {
      begun += 1;
      if (begun > at || (begun === at && death === 'before a change')) throw dead();
      const result = await db.transaction(async (tx) => {
        const done = await work(tx);
        if (begun === at && death === 'within a change') throw dead();
        return done;
      });
      if (begun === at) throw dead();
      return result;
    },
    guard: (check) => db.guard(check),
    listen: (channel, heard) => db.listen(channel, heard),
    aside: (work) => db.aside(work),
    notify: (channel, payload) => db.notify(channel, payload),
    close: () => Promise.resolve(),
  };
}

function begin(): Promise<BulkChange> {
  const asked = { tenantId, origin: OPERATOR, actor, agentId: null, selection: { ids } };
  return beginBulkChange(rt, database.db, { ...asked, change: { priority: 'urgent' } });
}

const read = ({ bulkChangeId }: BulkChange) => findBulkChange(database.db, tenantId, bulkChangeId);

/** How often each conversation was changed, as its history says. */
async function changesOf(): Promise<readonly number[]> {
  const text = `select count(*)::integer as n from conversation_events where tenant_id = $1 and cause = 'bulk' group by conversation_id`;
  const { rows } = await database.db.run<{ n: number }>({ name: 'test_changes', text }, [tenantId]);
  return rows.map(({ n }) => n);
}

async function runAll(): Promise<void> {
  while (await processWith(database.db).runOnce());
}

const cases = (['before a change', 'within a change', 'right after its commit'] as const).flatMap((death) =>
  [1, 120].map((at) => ({ death, at })),
);

test.each(
  cases,
)('a process killed $death ($at) leaves each conversation changed once, and another one ends it', async ({
  death,
  at,
}) => {
  const begun = await begin();
  await expect(processWith(dyingDatabase(database.db, at, death)).runOnce()).rejects.toThrow('killed');
  const done = death === 'right after its commit' ? at : at - 1;
  expect(await read(begun)).toMatchObject({ status: 'running', changed: done, finishedMs: null });
  expect(await processWith(database.db).runOnce()).toBe(false);
  clock.advance(BULK_LEASE_MS + 1);
  await runAll();
  expect(await read(begun)).toMatchObject({ status: 'completed', changed: CONVERSATIONS, unchanged: 0, refused: 0 });
  expect(await changesOf()).toEqual(ids.map(() => 1));
  const allowed = Object.entries(BULK_CHANGE_MOVES).flatMap(([from, to]) => to.map((one) => `${from} > ${one}`));
  expect(allowed).toEqual(expect.arrayContaining([...(await moves())]));
});

test('a process whose lease was lost stops, and changes nothing twice', async () => {
  const begun = await begin();
  const { db } = database;
  let isOvertaken = false;
  // Stands still in the middle of its turn for longer than its lease, while another one has a turn.
  const slow: Database = {
    ...db,
    transaction: async (work) => {
      const isFirst = !isOvertaken;
      isOvertaken = true;
      if (isFirst) {
        clock.advance(BULK_LEASE_MS + 1);
        await processWith(db).runOnce();
      }
      return db.transaction(work);
    },
  };
  expect(await processWith(slow).runOnce()).toBe(true);
  expect(await read(begun)).toMatchObject({ status: 'running', changed: TURN, unchanged: 0 });
  await runAll();
  expect(await read(begun)).toMatchObject({ status: 'completed', changed: CONVERSATIONS, unchanged: 0 });
  expect(await changesOf()).toEqual(ids.map(() => 1));
});

test('a process that stops lets the conversation under way come to its end, and the next one goes on at once', async () => {
  const begun = await begin();
  const { db } = database;
  let changed = 0;
  const first = processWith({
    ...db,
    transaction: async (work) => {
      const result = await db.transaction(work);
      changed += 1;
      if (changed === 7) void first.stop();
      return result;
    },
  });
  await first.runOnce();
  expect(await read(begun)).toMatchObject({ status: 'running', changed: 7 });
  await runAll();
  expect(await read(begun)).toMatchObject({ status: 'completed', changed: CONVERSATIONS });
});
