import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import type { ContactId, ConversationId, TenantId } from '#core/ids';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { addAgent, addConversations, addTeam } from '#testing/test-agents';
import { testRuntime } from '#testing/test-runtime';
import { claimWaiting, findLastAgent, findTeamsWithWork, listCandidates, setTurns } from './assignment.ts';

const rt = testRuntime();
const nowMs = 1_000_000;
let database: TestDatabase;
let tenantId: TenantId;

beforeAll(async () => {
  database = await openTestDatabase(rt);
});
beforeEach(async () => {
  tenantId = await createTenant(rt, database.db, { name: 'Test', unknownResends: 1 });
});
afterAll(() => database.drop());

const run = (text: string, values: readonly unknown[]) => database.db.run({ name: '', text }, values);

async function teamsWithWork(): Promise<readonly string[]> {
  const teams = await findTeamsWithWork(database.db, { nowMs, limit: 100, seed: 'x' });
  return teams.filter((team) => team.tenantId === tenantId).map(({ teamId }) => teamId);
}

test.each([
  ['is online without a limit in time', '', true],
  ['is online for another millisecond', `presence_until_ms = ${nowMs + 1}`, true],
  ['gave no sign of life in time', `presence_until_ms = ${nowMs}`, false],
  ['is away', "availability = 'away'", false],
  ['has as many conversations as it takes', 'open_count = max_open', false],
])('the loop looks at a team only when somebody could take from its queue: its member %s', async (_label, is, able) => {
  const team = await addTeam(rt, database.db, tenantId, { members: [await addAgent(rt, database.db, tenantId)] });
  await addConversations(rt, database.db, tenantId, [{}]);
  if (is !== '') await run(`update agents set ${is} where tenant_id = $1`, [tenantId]);
  expect(await teamsWithWork()).toEqual(able ? [team.teamId] : []);
});

test('what the bot handles does not wait for agents', async () => {
  await addTeam(rt, database.db, tenantId, { members: [await addAgent(rt, database.db, tenantId)] });
  const [conversationId] = await addConversations(rt, database.db, tenantId, [{}]);
  const queue = { tenantId, teamId: null, limit: 10 };
  expect(await database.db.transaction((tx) => claimWaiting(tx, queue))).toMatchObject([{ conversationId }]);
  await run("update conversations set handled_by = 'bot' where tenant_id = $1", [tenantId]);
  expect(await database.db.transaction((tx) => claimWaiting(tx, queue))).toEqual([]);
  expect(await teamsWithWork()).toEqual([]);
});

test('the last agent of a customer is the one of its latest conversation that had any', async () => {
  const contactId = rt.newId<ContactId>();
  const [early, late] = [await addAgent(rt, database.db, tenantId), await addAgent(rt, database.db, tenantId)];
  const text = `update conversations set assignee_id = $2, last_message_ms = $3, status = 'resolved', resolved_ms = 1
    where conversation_id = $1`;
  const had = async (assigneeId: string | null, lastMs: number) => {
    const [id] = await addConversations(rt, database.db, tenantId, [{ contactId }]);
    await run(text, [id, assigneeId, lastMs]);
    return id as ConversationId;
  };
  await had(late.agentId, 20);
  await had(early.agentId, 10);
  expect(await findLastAgent(database.db, tenantId, await had(null, 30))).toBe(late.agentId);
});

test('a turn that is written late takes nobody back to an earlier one', async () => {
  const agent = await addAgent(rt, database.db, tenantId);
  const { teamId } = await addTeam(rt, database.db, tenantId, { members: [agent] });
  const { agentId } = agent;
  for (const turn of [7, 5]) await database.db.transaction((tx) => setTurns(tx, tenantId, [{ teamId, agentId, turn }]));
  expect(await listCandidates(database.db, tenantId, teamId)).toMatchObject([{ agentId, turn: 7 }]);
});
