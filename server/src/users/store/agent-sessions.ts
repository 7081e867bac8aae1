import type { AgentId, TenantId } from '#core/ids';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import type { Session } from '#users/domain/user';

/** More than a person ever has open: the rest is shown when some have ended. */
const MAX_SHOWN = 100;

const SESSION_FIELDS = `
  s.tenant_id, s.session_id, s.user_id, s.agent_id, s.created_ms, s.signed_in_ms, s.last_used_ms, s.idle_ms, s.expires_ms,
  s.user_agent, s.address`;
/** Those of the person that the agent is, at $3. */
const IS_OPEN_OF_AGENT = `s.tenant_id = $1 and s.agent_id = $2 and s.ended_ms is null and s.expires_ms > $3
  and s.last_used_ms + s.idle_ms > $3
  and s.user_id = (select a.user_id from agents a where a.tenant_id = $1 and a.agent_id = $2)`;

const AGENT_SESSIONS = statement('agent_session_list')`
select ${SESSION_FIELDS} from sessions s where ${IS_OPEN_OF_AGENT} order by s.session_id desc limit $4`;

/** Where the person of an agent is signed in to the tenant, the newest first; at most 100. */
export async function listAgentSessions(
  db: SqlRunner,
  { tenantId, agentId }: { readonly tenantId: TenantId; readonly agentId: AgentId },
  nowMs: number,
): Promise<readonly Session[]> {
  return (await db.run<Session>(AGENT_SESSIONS, [tenantId, agentId, nowMs, MAX_SHOWN])).rows;
}

const AGENT_SESSIONS_END = statement('agent_sessions_end')`
update sessions s set ended_ms = $3
where ${IS_OPEN_OF_AGENT} and ($4::uuid[] is null or s.session_id = any($4::uuid[]))
returning ${SESSION_FIELDS}`;

/** Ends sessions of the person of an agent in the tenant. @param ids those to end; null: all. @returns those that were open */
export async function endAgentSessions(
  tx: Transaction,
  { tenantId, agentId }: { readonly tenantId: TenantId; readonly agentId: AgentId },
  { nowMs, ids }: { readonly nowMs: number; readonly ids: readonly string[] | null },
): Promise<readonly Session[]> {
  return (await tx.run<Session>(AGENT_SESSIONS_END, [tenantId, agentId, nowMs, ids])).rows;
}
