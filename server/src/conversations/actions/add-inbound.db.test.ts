import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { addPhoneNumber } from '#accounts/actions/add-number';
import type { Arrival } from '#conversations/domain/conversation-inbound';
import { addUpCounts, readCounts } from '#conversations/store/conversation-counts';
import { findConversation } from '#conversations/store/conversations';
import { ApiProblem } from '#core/errors';
import type { AgentId, ContactId, ConversationId, MessageId, PhoneNumberId, TeamId, TenantId } from '#core/ids';
import type { SqlRunner, Statement, Transaction } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import { readEvents } from '#events/store/events';
import { planOf, reached } from '#testing/database/query-plans';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { addExampleAgents, EXAMPLE_AGENTS } from '#testing/test-agents';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { addInboundMessages } from './add-inbound.ts';
import { type ChangeRequest, updateConversation } from './change-conversation.ts';

const clock = new TestClock();
const rt = testRuntime({}, clock);
const HOUR = 60 * 60 * 1000;
let database: TestDatabase;
let numbers = 0;

beforeAll(async () => {
  database = await openTestDatabase(rt);
});
afterAll(() => database.drop());

interface World {
  readonly tenantId: TenantId;
  readonly phoneNumberId: PhoneNumberId;
}

async function makeWorld(policy = 'new_after', hours = 24): Promise<World> {
  const tenantId = await createTenant(rt, database.db, { name: 'T', unknownResends: 0, windowPolicy: 'network' });
  const phoneNumberId = String(2_000_000 + numbers++) as PhoneNumberId;
  const name = null;
  await addPhoneNumber(rt, database.db, {
    tenantId,
    phoneNumberId,
    displayPhone: `4420${phoneNumberId}`,
    name,
    ratePerSecond: null,
  });
  await run('update phone_numbers set reopen_policy = $2, reopen_hours = $3 where tenant_id = $1', [
    tenantId,
    policy,
    hours,
  ]);
  return { tenantId, phoneNumberId };
}

async function run(text: string, parameters: readonly unknown[]): Promise<readonly Record<string, unknown>[]> {
  return (await database.db.run({ name: `test ${text}`.slice(0, 60), text }, parameters)).rows;
}

function arrival(fields: Partial<Arrival> = {}): Arrival {
  return {
    messageId: rt.newId<MessageId>(),
    type: 'text',
    body: 'Hi',
    networkMs: clock.now(),
    isReferred: false,
    opensWindow: true,
    waits: true,
    summary: null,
    ...fields,
  };
}

/** Messages of one contact; returns the conversation they came to. */
async function write(world: World, contactId: ContactId, arrivals = [arrival()]): Promise<ConversationId> {
  return withEvents(rt, database.db, async (tx, events) => {
    const placing = await addInboundMessages(rt, tx, events, [{ ...world, contactId, arrivals }]);
    await placing.emit();
    const [place] = placing.conversations.values();
    if (place === undefined) throw new Error('The message has no conversation.');
    return place.conversationId;
  });
}

function change({ tenantId }: World, conversationId: ConversationId, fields: Partial<ChangeRequest>) {
  const request = { tenantId, conversationId, actor: { kind: 'key', id: 'k' }, cause: 'api', change: {}, ...fields };
  return withEvents(rt, database.db, (tx, events) => updateConversation(rt, tx, events, request as ChangeRequest));
}

async function read({ tenantId }: World, conversationId: ConversationId) {
  const one = await findConversation(database.db, tenantId, conversationId);
  if (one === null) throw new Error('There is no such conversation.');
  return one;
}

async function eventTypes({ tenantId }: World): Promise<readonly string[]> {
  const events = await readEvents(database.db, { tenantId, after: 0, types: null, limit: 1_000 });
  return events.map((event) => event.type);
}

describe('a message of a customer', () => {
  test('opens a conversation with a new number, and later ones are counted in it', async () => {
    const world = await makeWorld();
    const [ada, bo] = [rt.newId<ContactId>(), rt.newId<ContactId>()];
    const first = await write(world, ada);
    const second = await write(world, bo, [arrival(), arrival({ type: 'image', body: null })]);
    expect(await write(world, ada)).toBe(first);
    expect(await read(world, first)).toMatchObject({ number: 1, status: 'open', unreadCount: 2, version: 1 });
    expect(await read(world, second)).toMatchObject({
      number: 2,
      unreadCount: 2,
      waitingSinceMs: clock.now(),
      windowExpiresMs: clock.now() + 24 * HOUR,
      lastMessage: { inbound: true, type: 'image', preview: null },
    });
    expect(await eventTypes(world)).toEqual(['conversation.opened', 'conversation.opened']);
  });

  test.each([
    ['reopen_last', 1, 5_000, true],
    ['always_new', 1, 0, false],
    ['new_after', 2, 2 * HOUR - 1, true],
    ['new_after', 2, 2 * HOUR, false],
  ])('after the resolution follows the policy of its number: %s of %i h, %i ms later', async (policy, hours, waitMs, same) => {
    const world = await makeWorld(policy, hours);
    const contactId = rt.newId<ContactId>();
    const first = await write(world, contactId);
    await change(world, first, { change: { status: 'resolved' } });
    expect(await read(world, first)).toMatchObject({ waitingSinceMs: null, resolvedMs: clock.now() });
    clock.advance(waitMs);
    expect((await write(world, contactId)) === first).toBe(same);
    expect(await read(world, first)).toMatchObject(
      same ? { status: 'open', reopened: 1, waitingSinceMs: clock.now() } : { status: 'resolved', reopened: 0 },
    );
    expect((await eventTypes(world)).at(-1)).toBe(same ? 'conversation.reopened' : 'conversation.opened');
  });

  test('wakes a snoozed conversation and opens a pending one, unless a bot holds it', async () => {
    const world = await makeWorld();
    const contactId = rt.newId<ContactId>();
    const id = await write(world, contactId);
    await change(world, id, { change: { status: 'snoozed', snoozedUntilMs: clock.now() + HOUR } });
    await write(world, contactId);
    expect(await read(world, id)).toMatchObject({ status: 'open', snoozedUntilMs: null, version: 3 });
    await change(world, id, { change: { status: 'pending', handledBy: 'bot' } });
    await write(world, contactId);
    expect((await read(world, id)).status).toBe('pending');
    await change(world, id, { change: { handledBy: 'none' } });
    await write(world, contactId);
    expect((await read(world, id)).status).toBe('open');
  });

  test('costs the same few statements, however many come together', async () => {
    const world = await makeWorld();
    const statements: string[] = [];
    const batch = Array.from({ length: 100 }, () => ({
      ...world,
      contactId: rt.newId<ContactId>(),
      arrivals: [arrival()],
    }));
    await withEvents(rt, database.db, async (tx, events) => {
      const counted: Transaction = {
        ...tx,
        run: (statement, parameters) => {
          statements.push(statement.name);
          return tx.run(statement, parameters);
        },
      };
      await (await addInboundMessages(rt, counted, events, batch)).emit();
    });
    expect(statements.length).toBeLessThanOrEqual(8);
    expect(
      (await run('select max(number)::int as n from conversations where tenant_id = $1', [world.tenantId]))[0]?.n,
    ).toBe(100);
  });
});

describe('a change', () => {
  test('of another tenant, of another version, or that its state does not allow changes nothing', async () => {
    const world = await makeWorld();
    const id = await write(world, rt.newId<ContactId>());
    const refusal = (fields: Partial<ChangeRequest>) =>
      change(world, id, fields).then(
        () => 'changed',
        (error: unknown) => (error instanceof ApiProblem ? error.code : error),
      );
    expect(await refusal({ tenantId: rt.newId<TenantId>(), change: { status: 'resolved' } })).toBe('not_found');
    expect(await refusal({ ifVersion: [7], change: { status: 'resolved' } })).toBe('precondition_failed');
    await change(world, id, { ifVersion: [1], change: { status: 'resolved' } });
    expect(await refusal({ change: { status: 'snoozed' } })).toBe('conversation_conflict');
    expect(await read(world, id)).toMatchObject({ status: 'resolved', version: 2 });
  });

  test('P3: cannot open a second conversation of a customer with a number', async () => {
    const world = await makeWorld('always_new');
    const contactId = rt.newId<ContactId>();
    const first = await write(world, contactId);
    await change(world, first, { change: { status: 'resolved' } });
    const second = await write(world, contactId);
    await expect(change(world, first, { change: { status: 'open' } })).rejects.toThrow(second);
  });

  test('is in the history with its author and reason', async () => {
    const world = await makeWorld();
    const id = await write(world, rt.newId<ContactId>());
    const agent = rt.newId<AgentId>();
    await change(world, id, {
      actor: { kind: 'agent', id: agent },
      cause: 'assignment',
      change: { assigneeId: agent, addTags: ['vip'] },
    });
    const rows = await run(
      'select actor_kind, actor_id, cause, changes from conversation_events where tenant_id = $1 and conversation_id = $2 order by event_id',
      [world.tenantId, id],
    );
    expect(rows).toEqual([
      { actor_kind: 'system', actor_id: null, cause: 'inbound', changes: { status: [null, 'open'] } },
      {
        actor_kind: 'agent',
        actor_id: agent,
        cause: 'assignment',
        changes: { assignee_id: [null, agent], tags: [[], ['vip']] },
      },
    ]);
  });
});

test('after any changes of conversations, their counts are what a recount finds, also once they are added up', async () => {
  const agents = [...EXAMPLE_AGENTS, null];
  const teams = [rt.newId<TeamId>(), null];
  const step = fc.record({
    contact: fc.nat(2),
    writes: fc.boolean(),
    addsUp: fc.integer({ min: 0, max: 9 }),
    change: fc.record(
      {
        status: fc.constantFrom('open', 'pending', 'snoozed', 'resolved'),
        assigneeId: fc.constantFrom(...agents),
        teamId: fc.constantFrom(...teams),
        read: fc.constant(true),
      },
      { requiredKeys: [] },
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
      const world = await makeWorld('new_after', 1);
      await addExampleAgents(rt, database.db, world.tenantId);
      const contacts = [0, 1, 2].map(() => rt.newId<ContactId>());
      const latest = new Map<number, ConversationId>();
      for (const { contact, writes, addsUp, change: wish } of steps) {
        const contactId = contacts[contact];
        const known = latest.get(contact);
        if (contactId === undefined) continue;
        if (writes || known === undefined) latest.set(contact, await write(world, contactId));
        else await change(world, known, { change: wish as ChangeRequest['change'] }).catch(onlyRefusals);
        clock.advance(20 * 60 * 1000);
        if (addsUp === 0) await database.db.transaction((tx) => addUpCounts(tx, rt.newId, world.tenantId));
      }
      await requireTrueCounts(world.tenantId);
    }),
    { numRuns: 8 },
  );
});

test('counts are read from their own rows: no conversation is read, however many exist', async () => {
  const world = await makeWorld();
  for (let n = 0; n < 20; n += 1) await write(world, rt.newId<ContactId>());
  await database.db.transaction((tx) => addUpCounts(tx, rt.newId, world.tenantId));
  const asked: { readonly statement: Statement; readonly parameters: readonly unknown[] }[] = [];
  const watched: SqlRunner = {
    run: (statement, parameters) => {
      asked.push({ statement, parameters });
      return database.db.run(statement, parameters);
    },
  };
  expect(await readCounts(watched, world.tenantId)).toMatchObject([{ status: 'open', amount: 20 }]);
  const nodes = (await Promise.all(asked.map((one) => planOf(database.db, one.statement.text, one.parameters)))).flat();
  expect(reached(nodes, ['conversations'])).toEqual({ walked: [], indexes: [], rows: [] });
  const kept = 'select count(*)::int as n from conversation_counts where tenant_id = $1';
  expect(await run(kept, [world.tenantId])).toEqual([{ n: 1 }]);
});

function onlyRefusals(error: unknown): void {
  if (!(error instanceof ApiProblem)) throw error;
}

async function requireTrueCounts(tenantId: TenantId): Promise<void> {
  const recount = await run(
    'select status, assignee_id, team_id, waiting_since_ms is not null as waiting, count(*)::int as n from conversations where tenant_id = $1 group by 1, 2, 3, 4',
    [tenantId],
  );
  const counted = (await readCounts(database.db, tenantId)).map((row) =>
    [row.status, row.assigneeId, row.teamId, row.isWaiting, row.amount].join(),
  );
  expect(counted.toSorted()).toEqual(
    recount.map((row) => [row.status, row.assignee_id, row.team_id, row.waiting, row.n].join()).toSorted(),
  );
}
