import type { AgentId, TenantId } from '#core/ids';
import { plainArray } from '#database/arrays';
import { type SqlRunner, statement } from '#database/database';

export interface AgentBrief {
  readonly agentId: AgentId;
  readonly name: string;
  readonly openCount: number;
  readonly maxOpen: number;
}

const AGENTS = statement('analytics_agents')`
select agent_id, name, open_count, max_open from agents
where tenant_id = $1 and agent_id > $2::uuid
order by agent_id limit $3`;

const NIL = '00000000-0000-0000-0000-000000000000';

/** Agents of a tenant, oldest first. */
export async function listAgentBriefs(
  db: SqlRunner,
  tenantId: TenantId,
  limit: number,
): Promise<readonly AgentBrief[]> {
  return (await db.run<AgentBrief>(AGENTS, [tenantId, NIL, limit])).rows;
}

const AGENT_NAMES = statement('analytics_agent_names')`
select agent_id as id, name from agents where tenant_id = $1 and agent_id = any($2::uuid[])`;
const TEAM_NAMES = statement('analytics_team_names')`
select team_id as id, name from teams where tenant_id = $1 and team_id = any($2::uuid[])`;

/** What agents or teams are called, by id; those that were removed are left out. */
export async function findNames(
  db: SqlRunner,
  tenantId: TenantId,
  dimension: 'agent' | 'team',
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const statement = dimension === 'agent' ? AGENT_NAMES : TEAM_NAMES;
  const { rows } = await db.run<{ id: string; name: string }>(statement, [tenantId, plainArray(ids)]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const AUTHOR_NAMES = statement('analytics_author_names')`
select agent_id as id, name from agents where tenant_id = $1 and agent_id = any($2::uuid[])
union all select rule_id, name from chatbot_rules where tenant_id = $1 and rule_id = any($2::uuid[])
union all select campaign_id, name from campaigns where tenant_id = $1 and campaign_id = any($2::uuid[])
union all select key_id, name from api_keys where tenant_id = $1 and key_id = any($2::uuid[])`;

/** What authors of messages are called, by id; those that were removed are left out. */
export async function findAuthorNames(
  db: SqlRunner,
  tenantId: TenantId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.run<{ id: string; name: string }>(AUTHOR_NAMES, [tenantId, plainArray(ids)]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
