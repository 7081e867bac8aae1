import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { OPERATOR } from '#access/domain/audit';
import type { Agent } from '#agents/domain/agent';
import { findAgent } from '#agents/store/agents';
import { updateConversation } from '#conversations/actions/change-conversation';
import { unassignAgent } from '#conversations/actions/unassign-agent';
import { ApiProblem } from '#core/errors';
import type { ConversationId, TenantId } from '#core/ids';
import type { Database, Transaction } from '#database/database';
import { openPostgres } from '#database/postgres';
import { withEvents } from '#events/actions/with-events';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { addAgent, addConversations, assigneesOf } from '#testing/test-agents';
import { testRuntime } from '#testing/test-runtime';
import { removeAgent } from './manage-agents.ts';

/* An agent is removed at the very moment in which it is assigned a conversation. */

const rt = testRuntime();
let database: TestDatabase;
let tenantId: TenantId;
let agent: Agent;
let conversationId: ConversationId;
let [assigning, removing]: readonly Database[] = [];

beforeAll(async () => {
  database = await openTestDatabase(rt);
  const url = database.url ?? '';
  [assigning, removing] = ['a', 'b'].map(() => openPostgres({ url, poolSize: 2, log: rt.log }));
  tenantId = await createTenant(rt, database.db, { name: 'Test', unknownResends: 1, windowPolicy: 'network' });
});
beforeEach(async () => {
  agent = await addAgent(rt, database.db, tenantId, {});
  [conversationId] = (await addConversations(rt, database.db, tenantId, [{}])) as [ConversationId];
});
afterAll(async () => {
  await assigning?.close();
  await removing?.close();
  await database.drop();
});

interface Gate {
  readonly db: Database;
  /** Resolves when the statement is about to run. */
  readonly reached: Promise<void>;
  readonly open: () => void;
}

/** A database whose transactions stop before the nth run of a statement until the gate is opened. */
function stopBefore(db: Database | undefined, name: string, nth = 1): Gate {
  if (db === undefined) throw new Error('There is no second connection.');
  let [open, signal] = [(): void => {}, (): void => {}];
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    signal = resolve;
  });
  let seen = 0;
  const guarded = (tx: Transaction): Transaction => ({
    atCommit: (command) => tx.atCommit(command),
    run: async (statement, parameters) => {
      if (statement.name === name) seen += 1;
      if (statement.name === name && seen === nth) {
        signal();
        await opened;
      }
      return tx.run(statement, parameters);
    },
  });
  const stopping = Object.create(db, {
    transaction: { value: <T>(work: (tx: Transaction) => Promise<T>) => db.transaction((tx) => work(guarded(tx))) },
  }) as Database;
  return { db: stopping, reached, open };
}

const WAITING = {
  name: 'test_waiting',
  text: `
select 1 from pg_stat_activity
where datname = current_database() and wait_event_type = 'Lock' and cardinality(pg_blocking_pids(pid)) > 0`,
};

async function untilOneWaits(): Promise<void> {
  while ((await database.db.run(WAITING, [])).rowCount === 0) {
    // The look itself takes its time.
  }
}

function assign(db: Database | undefined) {
  if (db === undefined) throw new Error('There is no second connection.');
  const actor = { kind: 'system', id: null } as const;
  const change = { assigneeId: agent.agentId };
  return withEvents(rt, db, (tx, events) =>
    updateConversation(rt, tx, events, { tenantId, conversationId, actor, cause: 'api', change }),
  );
}

function remove(db: Database | undefined) {
  if (db === undefined) throw new Error('There is no second connection.');
  const { agentId } = agent;
  return removeAgent(rt, db, unassignAgent, { tenantId, agentId, versions: null, origin: OPERATOR, acting: null });
}

async function assignee(): Promise<unknown> {
  return (await assigneesOf(database.db, tenantId)).get(conversationId);
}

test('an agent who is deleted during the assignment of a conversation loses that one too', async () => {
  // First it is made offline; the second time is after its conversations were freed.
  const gate = stopBefore(removing, 'agent_lock', 2);
  const removed = remove(gate.db);
  await gate.reached;
  await assign(assigning);
  gate.open();
  expect((await removed).agentId).toBe(agent.agentId);
  expect(await assignee()).toBe(null);
  expect(await findAgent(database.db, tenantId, agent.agentId)).toBe(null);
});

test('a conversation is not assigned to an agent who is being deleted', async () => {
  const gate = stopBefore(removing, 'agent_delete');
  const removed = remove(gate.db);
  await gate.reached;
  const assigned = assign(assigning);
  const refused = expect(assigned).rejects.toThrow(ApiProblem);
  await untilOneWaits();
  gate.open();
  await removed;
  await refused;
  expect(await assignee()).toBe(null);
});
