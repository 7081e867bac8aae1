import { OPERATOR } from '#access/domain/audit';
import { createAgent, type NewAgent } from '#agents/actions/manage-agents';
import { createTeam, type TeamFields } from '#agents/actions/manage-teams';
import type { Agent } from '#agents/domain/agent';
import { insertAgent } from '#agents/store/agents';
import type { AgentId, ContactId, ConversationId, TenantId } from '#core/ids';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';

/** An agent who is online for good, unless the fields say otherwise. */
export async function addAgent(rt: Runtime, db: Database, tenantId: TenantId, fields: Partial<NewAgent> = {}) {
  const usual = { name: 'Ana', email: null, role: 'agent', availability: 'online', presenceUntilMs: null } as const;
  const all: NewAgent = { ...usual, maxOpen: 5, skills: [], externalId: null, ...fields };
  return createAgent(rt, db, { tenantId, origin: OPERATOR, acting: null, fields: all });
}

/** The agents that examples name. */
export const EXAMPLE_AGENTS = [
  '0190a6f2-9a00-7b00-8c00-0a1b2c3d4e5f',
  '0190a6f2-9a00-7b00-8c00-0a1b2c3d4e60',
] as readonly string[] as readonly [AgentId, AgentId];

/** Makes them agents of a tenant. They are offline, so that nothing is given to them. */
export async function addExampleAgents(rt: Runtime, db: Database, tenantId: TenantId): Promise<void> {
  const nowMs = rt.clock.now();
  const usual = { email: null, role: 'agent', availability: 'offline', presenceUntilMs: null, maxOpen: 5 } as const;
  const rest = {
    openCount: 0,
    skills: [],
    externalId: null,
    teamIds: [],
    version: 1,
    createdMs: nowMs,
    updatedMs: nowMs,
  };
  for (const agentId of EXAMPLE_AGENTS) {
    await insertAgent(db, { tenantId, agentId, name: 'Ana Lima', ...usual, ...rest });
  }
}

/** A team that gives to whom the least is given, and takes conversations without a team. */
export async function addTeam(
  rt: Runtime,
  db: Database,
  tenantId: TenantId,
  fields: Partial<TeamFields> & { readonly members?: readonly Agent[] } = {},
) {
  const { members = [], ...rest } = fields;
  const usual = { name: 'Support', policy: 'least_loaded', sticky: true, reassignOnReopen: 'offline' } as const;
  const none = { hoursId: null, overflowTeamId: null, requiredSkills: [], isDefault: true };
  const all: TeamFields = { ...usual, ...none, memberIds: members.map(({ agentId }) => agentId), ...rest };
  return createTeam(rt, db, { tenantId, origin: OPERATOR, fields: all });
}

const INSERT = {
  name: 'test_insert_conversations',
  text: `
insert into conversations (
  tenant_id, conversation_id, contact_id, phone_number_id, number, last_message_ms, waiting_since_ms, priority, created_ms,
  updated_ms, opened_ms)
select $1, t.conversation_id, t.contact_id, '100', t.number, $5, t.waiting, t.priority, $5, $5, $5
from unnest($2::uuid[], $3::uuid[], $4::text[], $6::bigint[], $7::bigint[])
  as t (conversation_id, contact_id, priority, waiting, number)`,
};

export interface SeededConversation {
  readonly contactId?: ContactId;
  readonly priority?: 'low' | 'normal' | 'high' | 'urgent';
  /** Since when the customer waits; each waits one millisecond less than the one before. */
  readonly waitingSinceMs?: number;
}

let seeded = 0;

/** Open conversations that nobody has. @returns their ids, in the order given */
export async function addConversations(
  rt: Runtime,
  db: Database,
  tenantId: TenantId,
  list: readonly SeededConversation[],
): Promise<readonly ConversationId[]> {
  const ids = list.map(() => rt.newId<ConversationId>());
  const nowMs = rt.clock.now();
  const first = seeded;
  seeded += list.length;
  await db.run(INSERT, [
    tenantId,
    ids,
    list.map(({ contactId }) => contactId ?? rt.newId<ContactId>()),
    list.map(({ priority = 'normal' }) => priority),
    nowMs,
    list.map(({ waitingSinceMs }, index) => waitingSinceMs ?? nowMs + index),
    list.map((_, index) => 1_000_000 + first + index),
  ]);
  return ids;
}

const FIND = {
  name: 'test_assignees',
  text: 'select conversation_id, assignee_id from conversations where tenant_id = $1 order by conversation_id',
};

/** Who has which conversation. */
export async function assigneesOf(db: Database, tenantId: TenantId): Promise<ReadonlyMap<string, string | null>> {
  const { rows } = await db.run<{ conversation_id: string; assignee_id: string | null }>(FIND, [tenantId]);
  return new Map(rows.map((row) => [row.conversation_id, row.assignee_id]));
}
