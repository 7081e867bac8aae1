import type { AgentRole } from '#core/caller/permissions';
import type { AgentId, TenantId, UserId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { pageOf } from '#database/rows';
import { INVITATION_MS } from '#users/domain/user';

/** A person who works in a tenant. Times are milliseconds since 1970. */
export interface Colleague {
  readonly agentId: AgentId;
  readonly role: AgentRole;
  readonly name: string;
  /** What the person signs in with; null: nothing yet. */
  readonly email: string | null;
  /** How many sessions are open in the tenant. */
  readonly sessions: number;
  /** When one of them, or one that has ended since, was last used; null: none is known. */
  readonly lastUsedMs: number | null;
  /** When the invitation was made that has not been used; null: there is none. */
  readonly invitedMs: number | null;
  readonly invitedUntilMs: number | null;
}

/** The same link signs a person in and invites them: it is an invitation when it was made to be handed over. */
const IS_PENDING = 'l.used_ms is null and l.expires_ms > $2 and l.expires_ms - l.created_ms = $3';

const COLLEAGUE_PAGE = statement('colleague_page')`
select a.agent_id, a.role, u.name, u.email, s.sessions, s.last_used_ms, i.created_ms as invited_ms,
  i.expires_ms as invited_until_ms
from agents a join users u on u.user_id = a.user_id
cross join lateral (
  select count(*) filter (where o.ended_ms is null and o.expires_ms > $2 and o.last_used_ms + o.idle_ms > $2)::int as sessions,
    max(o.last_used_ms) as last_used_ms
  from sessions o where o.tenant_id = a.tenant_id and o.user_id = a.user_id
) s
left join lateral (
  select l.created_ms, l.expires_ms from sign_in_links l
  where l.user_id = a.user_id and ${IS_PENDING} order by l.expires_ms desc limit 1
) i on true
where a.tenant_id = $1 and ($4::uuid is null or a.agent_id < $4::uuid)
order by a.agent_id desc limit $5 offset $6`;

/** A page of the people of a tenant, those who came last first. */
export async function listColleaguesPage(
  db: SqlRunner,
  tenantId: TenantId,
  { limit, offset, beforeId }: ListWindow,
  nowMs: number,
): Promise<Page<Colleague>> {
  const values = [tenantId, nowMs, INVITATION_MS, beforeId, limit + 1, offset];
  return pageOf((await db.run<Colleague>(COLLEAGUE_PAGE, values)).rows, limit);
}

const INVITATION_TAKE_BACK = statement('invitation_take_back')`
delete from sign_in_links l where l.user_id = $1 and ${IS_PENDING}`;

/** @returns whether there was an invitation of the person that had not been used */
export async function takeBackInvitation(tx: Transaction, userId: UserId, nowMs: number): Promise<boolean> {
  return (await tx.run(INVITATION_TAKE_BACK, [userId, nowMs, INVITATION_MS])).rowCount > 0;
}
