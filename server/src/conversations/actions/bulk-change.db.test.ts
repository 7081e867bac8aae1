import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { OPERATOR } from '#access/domain/audit';
import { createAgent } from '#agents/actions/manage-agents';
import type { BulkChange } from '#conversations/domain/bulk-change';
import type { Conversation, ConversationChange } from '#conversations/domain/conversation';
import { listItems } from '#conversations/store/bulk-change-items';
import { findBulkChange } from '#conversations/store/bulk-changes';
import { findConversation } from '#conversations/store/conversations';
import type { AgentId, ConversationId, PhoneNumberId, TenantId } from '#core/ids';
import { withEvents } from '#events/actions/with-events';
import { readEvents } from '#events/store/events';
import { type ConversationKit, conversationKit, type Written } from '#testing/conversation-kit';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { updateConversation } from './change-conversation.ts';
import { type BulkSelection, beginBulkChange, cancelBulkChange, undoBulkChange } from './manage-bulk-changes.ts';
import { runBulkChange } from './run-bulk-change.ts';

const clock = new TestClock();
const rt = testRuntime({}, clock);
const HOUR_MS = 3_600_000;
const actor = { kind: 'key', id: 'k' } as const;
const phoneNumberId = '106540352242922' as PhoneNumberId;
let database: TestDatabase;
let tenantId: TenantId;
let kit: ConversationKit;
let ada: AgentId;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  tenantId = await createTenant(rt, database.db, { name: 'T', unknownResends: 0, windowPolicy: 'network' });
  kit = conversationKit({ rt, db: database.db, tenantId, phoneNumberId });
  const usual = { email: null, role: 'agent', availability: 'offline', presenceUntilMs: null } as const;
  const fields = { ...usual, name: 'Ada', maxOpen: 5, skills: [], externalId: null };
  ada = (await createAgent(rt, database.db, { tenantId, origin: OPERATOR, acting: null, fields })).agentId;
});
afterAll(() => database.drop());

async function conversations(count: number): Promise<readonly ConversationId[]> {
  const made = await database.db.run<{ n: number }>(
    { name: 'test_contacts', text: 'select count(*)::int as n from contacts' },
    [],
  );
  clock.advance(1_000);
  const ids = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const contactId = rt.newId<Written['contactId']>();
      const text = `insert into contacts (tenant_id, contact_id, phone, created_ms, updated_ms) values ($1, $2, $3, 1, 1)`;
      const phone = `44771${String(1_000_000 + (made.rows[0]?.n ?? 0) + index)}`;
      await database.db.run({ name: 'test_add_contact', text }, [tenantId, contactId, phone]);
      return contactId;
    }),
  );
  return (await kit.customersWrite(ids)).map(({ conversationId }) => conversationId);
}

function begin(selection: BulkSelection, change: ConversationChange): Promise<BulkChange> {
  return beginBulkChange(rt, database.db, { tenantId, origin: OPERATOR, actor, agentId: null, selection, change });
}

/** Runs all that is due, and reads one. */
async function ended({ bulkChangeId }: BulkChange): Promise<BulkChange> {
  while (await runBulkChange(rt, database.db, () => false));
  const found = await findBulkChange(database.db, tenantId, bulkChangeId);
  if (found === null) throw new Error('It is gone.');
  return found;
}

const command = (of: BulkChange) => ({
  tenantId,
  origin: OPERATOR,
  actor,
  bulkChangeId: of.bulkChangeId,
  requireOthers: () => undefined,
});
const undo = (of: BulkChange) => undoBulkChange(rt, database.db, command(of));

async function read(id: ConversationId): Promise<Conversation> {
  const found = await findConversation(database.db, tenantId, id);
  if (found === null) throw new Error('There is no such conversation.');
  return found;
}

const people = { kind: 'agent', id: 'somebody' } as const;
const change = (conversationId: ConversationId, wanted: ConversationChange) =>
  withEvents(rt, database.db, (tx, events) =>
    updateConversation(rt, tx, events, { tenantId, conversationId, actor: people, cause: 'api', change: wanted }),
  );

async function items(of: BulkChange) {
  const all = await listItems(database.db, { ...of, outcome: null, afterPlace: 0, offset: 0, limit: 100 });
  return all.map(({ conversationId, outcome, reason }) => ({ conversationId, outcome, reason }));
}

/** What an undo has to put back. */
const PUT_BACK = [
  'status',
  'assigneeId',
  'teamId',
  'priority',
  'tags',
  'handledBy',
  'unreadCount',
  'snoozedUntilMs',
  'waitingSinceMs',
] as const;
const shown = (one: Conversation) => Object.fromEntries(PUT_BACK.map((field) => [field, one[field]]));

describe('a bulk change', () => {
  test('gives each conversation an outcome of its own, and its history names the actor', async () => {
    const [open, urgent, resolved] = await conversations(3);
    if (!open || !urgent || !resolved) throw new Error('Three were made.');
    await change(urgent, { status: 'snoozed', priority: 'urgent' });
    await change(resolved, { status: 'resolved' });
    const begun = await begin({ ids: [open, urgent, resolved, open] }, { status: 'snoozed' });
    expect(begun).toMatchObject({ status: 'queued', total: 3, changed: 0 });
    expect(await ended(begun)).toMatchObject({ status: 'completed', total: 3, changed: 1, unchanged: 1, refused: 1 });
    expect(await items(begun)).toEqual([
      { conversationId: open, outcome: 'changed', reason: null },
      { conversationId: urgent, outcome: 'unchanged', reason: null },
      {
        conversationId: resolved,
        outcome: 'refused',
        reason: 'A conversation that is resolved cannot become snoozed.',
      },
    ]);
    const text = `select actor_id, cause from conversation_events where tenant_id = $1 and conversation_id = $2 and cause = 'bulk'`;
    const { rows } = await database.db.run({ name: 'test_history', text }, [tenantId, open]);
    expect(rows).toEqual([{ actor_id: 'k', cause: 'bulk' }]);
  });

  test('changes what matches when it is asked for, not what matches later', async () => {
    const [first] = await conversations(1);
    if (!first) throw new Error('One was made.');
    await change(first, { addTags: ['sale'] });
    const begun = await begin(
      { when: { field: 'conversation.tags', value: 'sale' }, expected: 1 },
      { priority: 'low' },
    );
    const [later] = await conversations(1);
    if (!later) throw new Error('One was made.');
    await change(later, { addTags: ['sale'] });
    expect(await ended(begun)).toMatchObject({ total: 1, changed: 1 });
    expect([(await read(first)).priority, (await read(later)).priority]).toEqual(['low', 'normal']);
  });

  test('with another number of conversations than expected is refused, and nothing is stored', async () => {
    const when = { field: 'conversation.tags', value: 'many' };
    for (const id of await conversations(3)) await change(id, { addTags: ['many'] });
    await expect(begin({ when, expected: 2 }, { priority: 'low' })).rejects.toMatchObject({
      code: 'conflict',
      message: '3 conversations match now, and you expected 2. Look at them again. Nothing was changed.',
    });
    await expect(begin({ when, expected: 4 }, { priority: 'low' })).rejects.toMatchObject({ code: 'conflict' });
    const unknown = { ids: [rt.newId<string>()] };
    await expect(begin(unknown, { priority: 'low' })).rejects.toMatchObject({
      message: 'ids[0] does not name a conversation of this tenant.',
    });
    expect(await runBulkChange(rt, database.db, () => false)).toBe(false);
  });

  test('that is canceled leaves the rest as it is, and what it changed can be undone', async () => {
    const [first, second] = await conversations(2);
    if (!first || !second) throw new Error('Two were made.');
    const begun = await begin({ ids: [first, second] }, { assigneeId: ada });
    let asked = 0;
    await runBulkChange(rt, database.db, () => asked++ > 0);
    const canceled = await cancelBulkChange(rt, database.db, command(begun));
    expect(canceled).toMatchObject({ status: 'canceled', total: 2, changed: 1 });
    expect(await ended(begun)).toEqual(canceled);
    expect([(await read(first)).assigneeId, (await read(second)).assigneeId]).toEqual([ada, null]);
    await expect(cancelBulkChange(rt, database.db, command(begun))).rejects.toMatchObject({ code: 'conflict' });
    expect(await ended(await undo(begun))).toMatchObject({ total: 1, changed: 1 });
    expect((await read(first)).assigneeId).toBeNull();
  });

  test('waits for no more than ten that are open', async () => {
    const ids = await conversations(1);
    const open: BulkChange[] = [];
    for (let n = 0; n < 10; n += 1) open.push(await begin({ ids }, { addTags: [`t${n}`] }));
    await expect(begin({ ids }, { addTags: ['one more'] })).rejects.toMatchObject({
      message: '10 bulk changes are queued or running. Wait until one of them has ended.',
    });
    for (const one of open) expect((await ended(one)).changed).toBe(1);
    expect((await ended(await begin({ ids }, { addTags: ['one more'] }))).changed).toBe(1);
  });
});

test('ten requests at once for the last place begin one bulk change', async () => {
  const ids = await conversations(1);
  const open: BulkChange[] = [];
  for (let n = 0; n < 9; n += 1) open.push(await begin({ ids }, { addTags: [`l${n}`] }));
  const racers = Array.from({ length: 10 }, (_, n) => begin({ ids }, { addTags: [`r${n}`] }));
  const outcomes = await Promise.allSettled(racers);
  const begun = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(begun).toHaveLength(1);
  for (const one of [...open, ...begun]) expect((await ended(one)).finishedMs).not.toBeNull();
});

test('each end of a bulk change is one event with its outcome, also of one without conversations', async () => {
  const [first, second] = await conversations(2);
  if (!first || !second) throw new Error('Two were made.');
  const done = await ended(await begin({ ids: [first] }, { addTags: ['done'] }));
  const canceled = await cancelBulkChange(
    rt,
    database.db,
    command(await begin({ ids: [second] }, { addTags: ['no'] })),
  );
  const nobody = await begin(
    { when: { field: 'conversation.tags', match: 'has', value: 'nobody' }, expected: 0 },
    { addTags: ['x'] },
  );
  const types = ['bulk_change.finished'] as const;
  const events = await readEvents(database.db, { tenantId, after: 0, types: [...types], limit: 1_000 });
  const outcomes = new Map(events.map(({ data }) => [data.id, data]));
  expect(outcomes.size).toBe(events.length);
  expect(outcomes.get(done.bulkChangeId)).toMatchObject({ status: 'completed', total: 1, changed: 1, waiting: 0 });
  expect(outcomes.get(canceled.bulkChangeId)).toMatchObject({ status: 'canceled', total: 1, changed: 0, waiting: 1 });
  expect(outcomes.get(nobody.bulkChangeId)).toMatchObject({ status: 'completed', total: 0 });
});

describe('an undo', () => {
  const changes: readonly (readonly [string, ConversationChange])[] = [
    ['a status', { status: 'resolved' }],
    ['a snooze', { status: 'snoozed', snoozedUntilMs: 4_000_000_000_000 }],
    ['an assignment', { assigneeId: null, handledBy: 'none' }],
    ['tags, in their order', { removeTags: ['b'], addTags: ['z'] }],
    ['a priority and a read mark', { priority: 'urgent', read: true }],
    ['everything', { status: 'resolved', assigneeId: null, priority: 'low', removeTags: ['a', 'c'], read: true }],
  ];
  const states: readonly ConversationChange[] = [
    {},
    { status: 'pending' },
    { status: 'snoozed', snoozedUntilMs: 4_100_000_000_000 },
    { status: 'snoozed' },
  ];

  test.each(changes)('puts back %s, whatever the conversation was', async (_what, wanted) => {
    const ids = await conversations(states.length);
    for (const [at, state] of states.entries()) {
      const id = ids[at] as ConversationId;
      await change(id, { ...state, assigneeId: ada, handledBy: 'agent', addTags: ['a', 'b', 'c'] });
    }
    const before = await Promise.all(ids.map(read));
    const begun = await ended(await begin({ ids }, wanted));
    expect(begun.refused).toBe(0);
    const undone = await ended(await undo(begun));
    expect(undone).toMatchObject({ undoes: begun.bulkChangeId, change: null, changed: begun.changed, refused: 0 });
    expect((await Promise.all(ids.map(read))).map(shown)).toEqual(before.map(shown));
  });

  test('leaves what somebody has changed since, and says so', async () => {
    const [touched, other, tagged] = await conversations(3);
    if (!touched || !other || !tagged) throw new Error('Three were made.');
    const begun = await ended(await begin({ ids: [touched, other, tagged] }, { priority: 'urgent' }));
    await change(touched, { priority: 'low' });
    await change(tagged, { addTags: ['later'] });
    const undone = await ended(await undo(begun));
    expect(await items(undone)).toEqual([
      { conversationId: touched, outcome: 'refused', reason: 'Its priority has been changed since.' },
      { conversationId: other, outcome: 'changed', reason: null },
      { conversationId: tagged, outcome: 'changed', reason: null },
    ]);
    expect((await read(touched)).priority).toBe('low');
    expect(await read(tagged)).toMatchObject({ priority: 'normal', tags: ['later'] });
  });

  test('is itself undone, and each only once', async () => {
    const ids = await conversations(1);
    const begun = await ended(await begin({ ids }, { status: 'resolved' }));
    const undone = await ended(await undo(begun));
    await expect(undo(begun)).rejects.toMatchObject({
      message: `The bulk change was undone before, by ${undone.bulkChangeId}.`,
    });
    await ended(await undo(undone));
    expect((await read(ids[0] as ConversationId)).status).toBe('resolved');
  });

  test('is refused while it runs, after a day, and when nothing was changed', async () => {
    const ids = await conversations(1);
    const begun = await begin({ ids }, { priority: 'high' });
    await expect(undo(begun)).rejects.toMatchObject({
      message: 'The bulk change is queued. Cancel it, or wait until it has ended.',
    });
    await ended(begun);
    await expect(undo(await ended(await begin({ ids }, { priority: 'high' })))).rejects.toMatchObject({
      message: 'The bulk change changed nothing. There is nothing to undo.',
    });
    clock.advance(24 * HOUR_MS);
    await expect(undo(begun)).rejects.toMatchObject({
      message: 'The bulk change ended more than 24 hours ago. It can no longer be undone.',
    });
  });
});
