import type { TenantId } from '#core/ids';
import { type SqlRunner, statement } from '#database/database';

/*
 * Who and what the operators of a query can name.
 */

/** More agents than one team needs; those that joined last are asked first. */
const MAX_AGENTS = 1_000;

const AGENTS = statement('search_agent_names')`
select agent_id as id, name from agents where tenant_id = $1 order by agent_id desc limit ${MAX_AGENTS}`;

export async function listAgentNames(
  db: SqlRunner,
  tenantId: TenantId,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  return (await db.run<{ id: string; name: string }>(AGENTS, [tenantId])).rows;
}

/** Conversations that one search looks into, when it looks into some alone: the newest ones. */
const MAX_CONVERSATIONS = 200;

/** A contact that became part of another names what is the other's now. */
const CONVERSATIONS_OF = statement('search_conversations_of')`
select conversation_id as id from conversations
where tenant_id = $1 and contact_id = any(array(
  select coalesce(c.merged_into, c.contact_id) from contacts c where c.tenant_id = $1 and c.contact_id = any($2::uuid[])))
order by conversation_id desc limit ${MAX_CONVERSATIONS}`;

export async function listConversationsOf(
  db: SqlRunner,
  tenantId: TenantId,
  contactIds: readonly string[],
): Promise<readonly string[]> {
  if (contactIds.length === 0) return [];
  return (await db.run<{ id: string }>(CONVERSATIONS_OF, [tenantId, [...contactIds]])).rows.map(({ id }) => id);
}

const BY_NUMBER = statement('search_conversation_of_number')`
select conversation_id as id from conversations where tenant_id = $1 and number = $2`;

/** The conversation that people call by a number of its own, such as #42. */
export async function findByNumber(db: SqlRunner, tenantId: TenantId, number: number): Promise<readonly string[]> {
  return (await db.run<{ id: string }>(BY_NUMBER, [tenantId, number])).rows.map(({ id }) => id);
}
