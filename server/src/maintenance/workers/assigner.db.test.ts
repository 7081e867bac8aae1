import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import type { Agent } from '#agents/domain/agent';
import { updateConversation } from '#conversations/actions/change-conversation';
import type { ConversationId, TenantId } from '#core/ids';
import { withEvents } from '#events/actions/with-events';
import { DueWorkMonitor } from '#maintenance/actions/due-work';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { addAgent, addConversations, addTeam, assigneesOf } from '#testing/test-agents';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { makeAssigner } from './assigner.ts';

/**
 * The longest time until an event leads to an assignment; the clock stands still otherwise, so that nothing is found by
 * polling.
 */
const EVENT_MS = 200;
const clock = new TestClock();
const rt = testRuntime({}, clock);
let database: TestDatabase;
let tenantId: TenantId;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  tenantId = await createTenant(rt, database.db, { name: 'Test', unknownResends: 1, windowPolicy: 'network' });
});
afterAll(() => database.drop());

/** Resolves at the next commit that records events. */
function nextEvent(): Promise<void> {
  return new Promise((resolve) => {
    const stop = rt.eventSignal.listen(() => {
      stop();
      resolve();
    });
  });
}

async function untilGiven(conversationId: ConversationId, { agentId }: Agent): Promise<void> {
  for (;;) {
    const event = nextEvent();
    if ((await assigneesOf(database.db, tenantId)).get(conversationId) === agentId) return;
    await event;
  }
}

function resolveConversation(conversationId: ConversationId) {
  const request = { tenantId, conversationId, actor: { kind: 'key', id: null }, cause: 'api' } as const;
  return withEvents(rt, database.db, (tx, events) =>
    updateConversation(rt, tx, events, { ...request, change: { status: 'resolved' } }),
  );
}

test('an agent who is free again gets the next of the queue immediately, not at the next poll', async () => {
  const ana = await addAgent(rt, database.db, tenantId, { maxOpen: 1 });
  await addTeam(rt, database.db, tenantId, { members: [ana] });
  const queue = await addConversations(
    rt,
    database.db,
    tenantId,
    [10, 20, 30, 40].map((waitingSinceMs) => ({ waitingSinceMs })),
  );
  const assigner = makeAssigner(rt, database.db, new DueWorkMonitor(rt, database.db));
  assigner.start();
  for (const id of queue) {
    await untilGiven(id, ana);
    await resolveConversation(id);
    clock.advance(EVENT_MS);
  }
  await assigner.stop();
  expect([...(await assigneesOf(database.db, tenantId)).values()]).toEqual(queue.map(() => ana.agentId));
});
