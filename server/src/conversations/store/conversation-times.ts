import type { IdleRule } from '#conversations/domain/conversation';
import type { ConversationId, TenantId } from '#core/ids';
import type { SqlRunner, Statement, Transaction } from '#database/database';

/** A conversation for which a time has come. */
export interface DueConversation {
  readonly tenantId: TenantId;
  readonly conversationId: ConversationId;
}

/** Over all tenants: for each number that resolves by itself, the quietest from its index, those who wait apart. */
const FIND_IDLE: Statement = {
  name: 'conversation_find_idle',
  text: `
select c.tenant_id, c.conversation_id, n.resolve_idle_hours, n.resolve_idle_waiting
from phone_numbers n
cross join (values (false), (true)) as w (waits)
cross join lateral (
  select x.tenant_id, x.conversation_id from conversations x
  where x.tenant_id = n.tenant_id and x.phone_number_id = n.phone_number_id and x.status in ('open', 'pending')
    and (x.waiting_since_ms is not null) = w.waits
    and greatest(x.last_message_ms, x.updated_ms) <= $1::bigint - n.resolve_idle_hours::bigint * 3600000
  order by greatest(x.last_message_ms, x.updated_ms) limit $2) c
where n.resolve_idle_hours is not null and (n.resolve_idle_waiting or not w.waits)
limit $2`,
};

/** Conversations in which nothing happened for as long as their number says, with the rule of that number. */
export async function findIdle(
  db: SqlRunner,
  nowMs: number,
  limit: number,
): Promise<readonly (DueConversation & { readonly rule: IdleRule })[]> {
  const { rows } = await db.run<{
    tenant_id: TenantId;
    conversation_id: ConversationId;
    resolve_idle_hours: number;
    resolve_idle_waiting: boolean;
  }>(FIND_IDLE, [nowMs, limit]);
  return rows.map((row) => ({
    tenantId: row.tenant_id,
    conversationId: row.conversation_id,
    rule: { hours: row.resolve_idle_hours, evenWaiting: row.resolve_idle_waiting },
  }));
}

/** Over all tenants. What has ended already is passed over: nobody can use the news any more. */
const FIND_CLOSING: Statement = {
  name: 'conversation_find_closing',
  camelCase: true,
  text: `
select tenant_id, conversation_id from conversations
where status <> 'resolved' and window_told_ms is distinct from window_expires_ms
  and window_expires_ms > $1 and window_expires_ms <= $2
order by window_expires_ms limit $3`,
};

/** Conversations whose window ends in this time, and of which it was not told yet. */
export async function findClosingWindows(
  db: SqlRunner,
  { afterMs, untilMs, limit }: { readonly afterMs: number; readonly untilMs: number; readonly limit: number },
): Promise<readonly DueConversation[]> {
  return (await db.run<DueConversation>(FIND_CLOSING, [afterMs, untilMs, limit])).rows;
}

const MARK_TOLD: Statement = {
  name: 'conversation_mark_window_told',
  text: 'update conversations set window_told_ms = window_expires_ms where tenant_id = $1 and conversation_id = $2',
};

/** The end of this window is told; the caller holds the lock. */
export async function markWindowEmitted(tx: Transaction, one: DueConversation): Promise<void> {
  await tx.run(MARK_TOLD, [one.tenantId, one.conversationId]);
}
