import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import type { Agent } from '#agents/domain/agent';
import { findAgent } from '#agents/store/agents';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { openPostgres } from '#database/postgres';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { addAgent, addConversations, addTeam, assigneesOf } from '#testing/test-agents';
import { testRuntime } from '#testing/test-runtime';
import { assignWaiting } from './assign-next.ts';

/* Several processes that assign at the same moment, for teams that share their agents. */

const rt = testRuntime();
const PROCESSES = 4;
const AGENTS = 12;
const MAX_OPEN = 5;
const CONVERSATIONS = 150;
let database: TestDatabase;
let tenantId: TenantId;
let processes: readonly Database[];

beforeAll(async () => {
  database = await openTestDatabase(rt);
  const url = database.url ?? '';
  processes = Array.from({ length: PROCESSES }, () => openPostgres({ url, poolSize: 4, log: rt.log }));
  tenantId = await createTenant(rt, database.db, { name: 'Test', unknownResends: 1, windowPolicy: 'network' });
});
afterAll(async () => {
  for (const one of processes) await one.close();
  await database.drop();
});

const TO_TEAM = {
  name: 'test_to_team',
  text: 'update conversations set team_id = $2 where tenant_id = $1 and conversation_id = any($3::uuid[])',
};
const ENTRIES = {
  name: 'test_entries',
  text: `select count(*)::int as entries from assignment_log where tenant_id = $1`,
};

test('each conversation is assigned once, no agent gets more than there is room for, and no room is left', async () => {
  const { db } = database;
  const agents: Agent[] = [];
  for (let index = 0; index < AGENTS; index += 1) agents.push(await addAgent(rt, db, tenantId, { maxOpen: MAX_OPEN }));
  for (const name of ['First', 'Second', 'Third']) {
    const team = await addTeam(rt, db, tenantId, { name, members: agents, isDefault: false });
    const ids = await addConversations(
      rt,
      db,
      tenantId,
      Array.from({ length: CONVERSATIONS / 3 }, () => ({})),
    );
    await db.run(TO_TEAM, [tenantId, team.teamId, ids]);
  }
  // Conflicts of one process with another leave work for the next look, as its loop does.
  for (let look = 0; look < 5; look += 1) await Promise.all(processes.map((one) => assignWaiting(rt, one)));
  await assignWaiting(rt, db);
  const given = [...(await assigneesOf(db, tenantId)).values()].filter((id) => id !== null);
  expect(given).toHaveLength(AGENTS * MAX_OPEN);
  for (const { agentId } of agents) {
    expect(given.filter((id) => id === agentId)).toHaveLength(MAX_OPEN);
    expect((await findAgent(db, tenantId, agentId))?.openCount).toBe(MAX_OPEN);
  }
  expect((await db.run<{ entries: number }>(ENTRIES, [tenantId])).rows[0]?.entries).toBe(AGENTS * MAX_OPEN);
});
