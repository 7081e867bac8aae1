import type { Team } from '#agents/domain/agent';
import type { AssignmentCandidate, AssignmentChoice, Skipped } from '#conversations/domain/assignment';
import type { AgentId, ContactId, ConversationId, TeamId, TenantId } from '#core/ids';
import { columnsOf, plainArray } from '#database/arrays';
import { type SqlRunner, statement, type Transaction } from '#database/database';

/** Stands for "no team" in the index of the queue. */
const NO_TEAM = '00000000-0000-0000-0000-000000000000';

/** What of a conversation is in the queue, and in which order; both as the index conversations_queue has them. */
const WAITS = `c.status = 'open' and c.assignee_id is null and c.handled_by <> 'bot'`;
const QUEUE_OF = `coalesce(c.team_id, '${NO_TEAM}'::uuid)`;
const QUEUE_ORDER = `(case c.priority when 'urgent' then 0 when 'high' then 1 when 'normal' then 2 else 3 end),
  coalesce(c.waiting_since_ms, c.opened_ms), c.conversation_id`;

const TEAMS_WITH_WORK = statement('assignment_teams_with_work')`
with able as (
  select distinct t.tenant_id, t.team_id, t.is_default
  from agents a
  join team_members m on m.tenant_id = a.tenant_id and m.agent_id = a.agent_id
  join teams t on t.tenant_id = m.tenant_id and m.team_id in (t.team_id, t.overflow_team_id) and t.policy <> 'manual'
  where a.availability = 'online' and (a.presence_until_ms is null or a.presence_until_ms > $1)
    and a.open_count < a.max_open and a.skills @> t.required_skills
)
select t.tenant_id, t.team_id from able t
where exists (
  select 1 from conversations c
  where c.tenant_id = t.tenant_id and ${WAITS}
    and ${QUEUE_OF} = any(array[t.team_id, case when t.is_default then '${NO_TEAM}'::uuid end]))
order by md5(t.team_id::text || $3::text) limit $2`;

/**
 * Teams for whom a conversation waits that a member, or a helper, could take as far as capacity, presence and skills go;
 * in an order that a seed gives, so that each has its turn. Spans all tenants: one loop looks after all of them.
 */
export async function findTeamsWithWork(
  db: SqlRunner,
  { nowMs, limit, seed }: { readonly nowMs: number; readonly limit: number; readonly seed: string },
): Promise<readonly Pick<Team, 'tenantId' | 'teamId'>[]> {
  return (await db.run<Pick<Team, 'tenantId' | 'teamId'>>(TEAMS_WITH_WORK, [nowMs, limit, seed])).rows;
}

const CANDIDATES = statement('assignment_candidates')`
select a.agent_id, a.name, a.availability, a.presence_until_ms, a.open_count, a.max_open, a.skills, m.turn
from team_members m join agents a on a.tenant_id = m.tenant_id and a.agent_id = m.agent_id
where m.tenant_id = $1 and m.team_id = $2
order by a.agent_id`;

/** A member of a team as stored; `conversations/domain/assignment.ts` makes a candidate of it. */
export interface StoredCandidate extends AssignmentCandidate {
  readonly presenceUntilMs: number | null;
}

/** The members of a team with what decides about them. */
export async function listCandidates(
  db: SqlRunner,
  tenantId: TenantId,
  teamId: TeamId,
): Promise<readonly StoredCandidate[]> {
  return (await db.run<StoredCandidate>(CANDIDATES, [tenantId, teamId])).rows;
}

/** The agent of the contact's latest other conversation that had one. */
const LAST_AGENT = `
  select l.assignee_id from conversations l
  where l.tenant_id = c.tenant_id and l.contact_id = c.contact_id and l.assignee_id is not null
  order by l.last_message_ms desc limit 1`;

const ASSIGNMENT_CLAIM = statement('assignment_claim')`
select c.conversation_id, c.contact_id, (${LAST_AGENT}) as last_agent_id
from conversations c
where c.tenant_id = $1 and ${WAITS} and ${QUEUE_OF} = $2
order by ${QUEUE_ORDER}
limit $3 for update of c skip locked`;

export interface WaitingConversation {
  readonly conversationId: ConversationId;
  readonly contactId: ContactId;
  readonly lastAgentId: AgentId | null;
}

/**
 * The first conversations of a queue, held until the transaction ends. What another transaction holds is left to it, so
 * that nobody waits and nothing is assigned twice. @param teamId null: of those without a team
 */
export async function claimWaiting(
  tx: Transaction,
  queue: { readonly tenantId: TenantId; readonly teamId: TeamId | null; readonly limit: number },
): Promise<readonly WaitingConversation[]> {
  const { tenantId, teamId, limit } = queue;
  return (await tx.run<WaitingConversation>(ASSIGNMENT_CLAIM, [tenantId, teamId ?? NO_TEAM, limit])).rows;
}

const LAST_AGENT_OF = statement('assignment_last_agent')`
select (${LAST_AGENT}) as last_agent_id from conversations c where c.tenant_id = $1 and c.conversation_id = $2`;

/** The agent whom the customer of a conversation last had; null: none. */
export async function findLastAgent(
  db: SqlRunner,
  tenantId: TenantId,
  conversationId: ConversationId,
): Promise<AgentId | null> {
  const { rows } = await db.run<{ lastAgentId: AgentId | null }>(LAST_AGENT_OF, [tenantId, conversationId]);
  return rows[0]?.lastAgentId ?? null;
}

const SET_TURNS = statement('assignment_set_turns')`
update team_members m set turn = greatest(m.turn, t.turn)
from unnest($2::uuid[], $3::uuid[], $4::bigint[]) as t (team_id, agent_id, turn)
where m.tenant_id = $1 and m.team_id = t.team_id and m.agent_id = t.agent_id`;

export interface Turn {
  readonly teamId: TeamId;
  readonly agentId: AgentId;
  readonly turn: number;
}

/** Writes whose turn is over. */
export async function setTurns(tx: Transaction, tenantId: TenantId, turns: readonly Turn[]): Promise<void> {
  if (turns.length === 0) return;
  await tx.run(SET_TURNS, [tenantId, ...columnsOf(turns, 'teamId', 'agentId', 'turn').map(plainArray)]);
}

/** What assignment decided about a conversation. */
export interface AssignmentEntry {
  readonly tenantId: TenantId;
  readonly conversationId: ConversationId;
  readonly entryId: string;
  readonly atMs: number;
  readonly outcome: 'assigned' | 'unassigned' | 'kept';
  readonly teamId: TeamId | null;
  readonly agentId: AgentId | null;
  readonly because: AssignmentChoice['because'] | 'agent_offline' | 'agent_full' | 'policy' | 'agent_able';
  readonly skipped: readonly Skipped[];
}

const ASSIGNMENT_APPEND = statement('assignment_append', { insertsOnly: true })`
insert into assignment_log (tenant_id, conversation_id, entry_id, at_ms, outcome, team_id, agent_id, because, skipped)
select t.tenant_id, t.conversation_id, t.entry_id, t.at_ms, t.outcome, t.team_id, t.agent_id, t.because, t.skipped::jsonb
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::text[], $6::uuid[], $7::uuid[], $8::text[], $9::text[])
  as t (tenant_id, conversation_id, entry_id, at_ms, outcome, team_id, agent_id, because, skipped)`;

/** Appends to the log of assignments. */
export async function appendAssignments(tx: Transaction, entries: readonly AssignmentEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const decided = columnsOf(entries, 'tenantId', 'conversationId', 'entryId', 'atMs', 'outcome');
  const chosen = columnsOf(entries, 'teamId', 'agentId', 'because');
  await tx.run(ASSIGNMENT_APPEND, [...decided, ...chosen, entries.map(({ skipped }) => JSON.stringify(skipped))]);
}

/** Decisions that are shown; older ones explain nothing any more. */
const MAX_SHOWN = 100;

const LIST_LOG = statement('assignment_log_newest')`
select * from assignment_log where tenant_id = $1 and conversation_id = $2 order by entry_id desc limit ${MAX_SHOWN}`;

/** The latest decisions about a conversation, newest first. */
export async function listAssignments(
  db: SqlRunner,
  tenantId: TenantId,
  conversationId: ConversationId,
): Promise<readonly AssignmentEntry[]> {
  return (await db.run<AssignmentEntry>(LIST_LOG, [tenantId, conversationId])).rows;
}
