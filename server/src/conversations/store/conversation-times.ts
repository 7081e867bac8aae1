import type { ConversationKey, IdleRule } from '#conversations/domain/conversation';
import { type SqlRunner, statement, type Transaction } from '#database/database';

/** Over all tenants: for each number that resolves by itself, the quietest from its index, those who wait apart. */
const FIND_IDLE = statement('conversation_find_idle')`
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
limit $2`;

/** Conversations in which nothing happened for as long as their number says, with the rule of that number. */
export async function findIdle(
  db: SqlRunner,
  nowMs: number,
  limit: number,
): Promise<readonly (ConversationKey & { readonly rule: IdleRule })[]> {
  interface Row extends ConversationKey {
    readonly resolveIdleHours: number;
    readonly resolveIdleWaiting: boolean;
  }
  const { rows } = await db.run<Row>(FIND_IDLE, [nowMs, limit]);
  return rows.map(({ resolveIdleHours: hours, resolveIdleWaiting: evenWaiting, ...one }) => {
    return { ...one, rule: { hours, evenWaiting } };
  });
}

/** Over all tenants. What has ended already is passed over: nobody can use the news any more. */
const FIND_CLOSING = statement('conversation_find_closing')`
select tenant_id, conversation_id from conversations
where status <> 'resolved' and window_told_ms is distinct from window_expires_ms
  and window_expires_ms > $1 and window_expires_ms <= $2
order by window_expires_ms limit $3`;

/** Conversations whose window ends in this time, and of which it was not told yet. */
export async function findClosingWindows(
  db: SqlRunner,
  { afterMs, untilMs, limit }: { readonly afterMs: number; readonly untilMs: number; readonly limit: number },
): Promise<readonly ConversationKey[]> {
  return (await db.run<ConversationKey>(FIND_CLOSING, [afterMs, untilMs, limit])).rows;
}

const MARK_TOLD = statement('conversation_mark_window_told')`
update conversations set window_told_ms = window_expires_ms where tenant_id = $1 and conversation_id = $2`;

/** The end of this window is told; the caller holds the lock. */
export async function markWindowEmitted(tx: Transaction, one: ConversationKey): Promise<void> {
  await tx.run(MARK_TOLD, [one.tenantId, one.conversationId]);
}
