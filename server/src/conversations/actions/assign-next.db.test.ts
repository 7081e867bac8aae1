import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { OPERATOR } from '#access/domain/audit';
import { expirePresence, setAgentPresence } from '#agents/actions/agent-presence';
import { removeAgent, updateAgent } from '#agents/actions/manage-agents';
import { createHours } from '#agents/actions/manage-business-hours';
import { type Agent, PRESENCE_MS } from '#agents/domain/agent';
import { findAgent, takeCapacity } from '#agents/store/agents';
import { unassignAgent } from '#conversations/actions/unassign-agent';
import { listAssignments } from '#conversations/store/assignment';
import type { ContactId, ConversationId, TenantId } from '#core/ids';
import { withEvents } from '#events/actions/with-events';
import { lastSequence, readEvents } from '#events/store/events';
import { removeOldRows } from '#maintenance/actions/clean-up-database';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { addAgent, addConversations, addTeam, assigneesOf } from '#testing/test-agents';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { assignWaiting } from './assign-next.ts';
import { updateConversation } from './change-conversation.ts';
import { reviewReopened } from './review-reopened.ts';

const clock = new TestClock();
const rt = testRuntime({}, clock);
const DAY_MS = 24 * 60 * 60 * 1000;
let database: TestDatabase;
let tenantId: TenantId;

beforeAll(async () => {
  database = await openTestDatabase(rt);
});
beforeEach(async () => {
  // One loop serves all tenants: what the test before left over must not be counted.
  await assign();
  tenantId = await createTenant(rt, database.db, { name: 'Test', unknownResends: 1, windowPolicy: 'network' });
});
afterAll(() => database.drop());

const agent = (fields = {}) => addAgent(rt, database.db, tenantId, fields);
const team = (fields = {}) => addTeam(rt, database.db, tenantId, fields);
const conversations = (list: Parameters<typeof addConversations>[3]) =>
  addConversations(rt, database.db, tenantId, list);
const assign = () => assignWaiting(rt, database.db);
const openOf = async ({ agentId }: Agent) => (await findAgent(database.db, tenantId, agentId))?.openCount;
const assignees = () => assigneesOf(database.db, tenantId);
const actor = { kind: 'key', id: null } as const;

function change(conversationId: ConversationId, wish: Parameters<typeof updateConversation>[3]['change']) {
  return withEvents(rt, database.db, (tx, events) =>
    updateConversation(rt, tx, events, { tenantId, conversationId, actor, cause: 'api', change: wish }),
  );
}

async function logOf(conversationId: ConversationId) {
  return listAssignments(database.db, tenantId, conversationId);
}

async function typesSince(after: number) {
  const events = await readEvents(database.db, { tenantId, after, types: null, limit: 1_000 });
  return events.map(({ type }) => type);
}

describe('what waits', () => {
  test('is given by priority and then by waiting time, and the rest stays in the queue until someone has room', async () => {
    const ana = await agent({ maxOpen: 2 });
    await team({ members: [ana] });
    const [late, early, urgent] = await conversations([
      { waitingSinceMs: 30 },
      { waitingSinceMs: 10 },
      { waitingSinceMs: 90, priority: 'urgent' },
    ]);
    const before = await lastSequence(database.db, tenantId);
    expect(await assign()).toBe(2);
    const given = await assignees();
    expect([urgent, early, late].map((id) => given.get(id ?? ''))).toEqual([ana.agentId, ana.agentId, null]);
    expect(await typesSince(before)).toEqual(['conversation.assigned', 'conversation.assigned']);
    expect([await assign(), await openOf(ana)]).toEqual([0, 2]);
    await change(urgent as ConversationId, { status: 'resolved' });
    expect([await openOf(ana), await assign(), await openOf(ana)]).toEqual([1, 1, 2]);
    await change(early as ConversationId, { status: 'snoozed' });
    await change(late as ConversationId, { assigneeId: null });
    expect(await openOf(ana)).toBe(0);
  });

  test('goes to no agent who is offline, away, full, without the skill, or outside the hours', async () => {
    const weekly = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] };
    const fields = { name: 'Never', timezone: 'UTC', weekly, holidays: [], isDefault: false };
    const { hoursId: never } = await createHours(rt, database.db, { tenantId, origin: OPERATOR, fields });
    const able = await agent({ skills: ['french'] });
    const members = [await agent({ availability: 'away' }), await agent({ maxOpen: 0 }), await agent(), able];
    const closed = await team({ name: 'Closed', members, hoursId: never, isDefault: false });
    const open = await team({ members, requiredSkills: ['french'], isDefault: false });
    const [one] = await conversations([{}]);
    await change(one as ConversationId, { teamId: closed.teamId });
    expect(await assign()).toBe(0);
    await change(one as ConversationId, { teamId: open.teamId });
    expect([await assign(), (await assignees()).get(one ?? '')]).toEqual([1, able.agentId]);
    const [entry] = await logOf(one as ConversationId);
    expect(entry).toMatchObject({ outcome: 'assigned', agentId: able.agentId, because: 'least_loaded' });
    expect(entry?.skipped.map(({ reason }) => reason).toSorted()).toEqual(['away', 'lacks_skill', 'lacks_skill']);
  });

  test('goes to the last agent of the customer, by turns otherwise, and to the overflow when no agent has room', async () => {
    const [ana, bo, zoe] = [await agent({ maxOpen: 3 }), await agent({ maxOpen: 3 }), await agent()];
    const night = await team({ name: 'Night', policy: 'manual', members: [zoe], isDefault: false });
    await team({ policy: 'round_robin', members: [ana, bo], overflowTeamId: night.teamId });
    const contactId = rt.newId<ContactId>();
    const [first] = await conversations([{ contactId }]);
    await assign();
    const last = (await assignees()).get(first ?? '');
    await change(first as ConversationId, { status: 'resolved' });
    const [again] = await conversations([{ contactId }]);
    await assign();
    expect((await assignees()).get(again ?? '')).toBe(last);
    const more = await conversations(Array.from({ length: 8 }, () => ({})));
    expect(await assign()).toBe(8);
    expect([await openOf(ana), await openOf(bo), await openOf(zoe)]).toEqual([3, 3, 3]);
    expect((await logOf(more.at(-1) as ConversationId))[0]).toMatchObject({ teamId: night.teamId });
  });
});

describe('a conversation that opens again', () => {
  test.each([
    ['offline', 'online', true],
    ['offline', 'offline', false],
    ['always', 'online', false],
    ['never', 'offline', true],
  ] as const)('with the policy %s and an agent who is %s keeps it: %s', async (reassignOnReopen, availability, keeps) => {
    const ana = await agent();
    await team({ members: [ana], reassignOnReopen });
    const [one] = await conversations([{}]);
    await assign();
    await change(one as ConversationId, { status: 'resolved' });
    const request = { tenantId, agentId: ana.agentId, versions: null, origin: OPERATOR, acting: null };
    await updateAgent(rt, database.db, request, { availability });
    await change(one as ConversationId, { status: 'open' });
    expect(await openOf(ana)).toBe(1);
    expect(await reviewReopened(rt, database.db)).toBe(1);
    expect((await assignees()).get(one ?? '')).toBe(keeps ? ana.agentId : null);
    expect([await openOf(ana), await reviewReopened(rt, database.db)]).toEqual([keeps ? 1 : 0, 0]);
    expect((await logOf(one as ConversationId))[0]?.outcome).toBe(keeps ? 'kept' : 'unassigned');
  });
});

describe('an agent', () => {
  test('is set offline without signs of life, is given nothing from then on, and one event records it', async () => {
    const ana = await agent({ availability: 'offline' });
    await team({ members: [ana] });
    const presence = { tenantId, agentId: ana.agentId };
    const before = await lastSequence(database.db, tenantId);
    await setAgentPresence(rt, database.db, { ...presence, availability: null });
    clock.advance(PRESENCE_MS - 1);
    expect(await expirePresence(rt, database.db)).toBe(0);
    await setAgentPresence(rt, database.db, { ...presence, availability: null });
    clock.advance(PRESENCE_MS);
    await conversations([{}]);
    expect(await assign()).toBe(0);
    expect(await Promise.all([expirePresence(rt, database.db), expirePresence(rt, database.db)])).toContain(1);
    expect(await expirePresence(rt, database.db)).toBe(0);
    expect(await typesSince(before)).toEqual(['agent.availability_changed', 'agent.availability_changed']);
  });

  test('an agent who is deleted leaves its conversations to others', async () => {
    const [ana, bo] = [await agent(), await agent({ availability: 'offline' })];
    await team({ members: [ana, bo] });
    const [one, two] = await conversations([{}, {}]);
    await assign();
    await change(two as ConversationId, { status: 'snoozed' });
    const before = await lastSequence(database.db, tenantId);
    await removeAgent(rt, database.db, unassignAgent, {
      tenantId,
      agentId: ana.agentId,
      versions: null,
      origin: OPERATOR,
      acting: null,
    });
    expect([...(await assignees()).values()]).toEqual([null, null]);
    expect(await typesSince(before)).toEqual([
      'agent.availability_changed',
      'conversation.assigned',
      'conversation.assigned',
      'agent.deleted',
    ]);
    await updateAgent(
      rt,
      database.db,
      { tenantId, agentId: bo.agentId, versions: null, origin: OPERATOR, acting: null },
      { availability: 'online' },
    );
    expect([await assign(), (await assignees()).get(one ?? '')]).toEqual([1, bo.agentId]);
  });
});

test('a place is taken as often as there is room, whatever a decision was based on, and only while its agent is online', async () => {
  const [ana, away] = [await agent({ maxOpen: 2 }), await agent({ availability: 'away' })];
  const take = ({ agentId }: Agent) => takeCapacity(database.db, tenantId, agentId, clock.now());
  expect([await take(ana), await take(ana), await take(ana), await take(away)]).toEqual([true, true, false, false]);
});

test('P15: 300 conversations over 20 agents: all full, none over, and the counts are those of the conversations', async () => {
  const agents: Agent[] = [];
  for (let index = 0; index < 20; index += 1) agents.push(await agent({ maxOpen: 10 }));
  await team({ members: agents });
  const loads = async () => Promise.all(agents.map(async (one) => (await openOf(one)) ?? 0));
  await conversations(Array.from({ length: 150 }, () => ({})));
  expect(await assign()).toBe(150);
  // While there is room no conversation waits, and loads are even.
  expect(Math.max(...(await loads())) / Math.min(...(await loads()))).toBeLessThanOrEqual(1.2);
  await conversations(Array.from({ length: 150 }, () => ({})));
  const rounds = await Promise.all([assign(), assign(), assign()]);
  const total = rounds.reduce((sum, count) => sum + count, 0) + (await assign());
  expect(total).toBe(50);
  const given = [...(await assignees()).values()].filter((id) => id !== null);
  const counts = agents.map(({ agentId }) => given.filter((id) => id === agentId).length);
  expect(counts).toEqual(agents.map(() => 10));
  expect(await loads()).toEqual(counts);
});

test('decisions are kept for 90 days', async () => {
  await team({ members: [await agent()] });
  const [one] = await conversations([{}]);
  await assign();
  const log = () => logOf(one as ConversationId);
  clock.advance(89 * DAY_MS);
  await removeOldRows(rt, database.db);
  expect(await log()).toHaveLength(1);
  clock.advance(2 * DAY_MS);
  expect((await removeOldRows(rt, database.db)).assignments).toBeGreaterThan(0);
  expect(await log()).toEqual([]);
});
