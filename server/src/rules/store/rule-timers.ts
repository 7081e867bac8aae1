import { INACTIVE_TENANTS } from '#access/store/tenant-states';
import type { ContactId, ConversationId, MessageId, RuleId, TenantId, TimerId } from '#core/ids';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { firstRow } from '#database/rows';
import type { LastWords } from '#rules/domain/silence';

/** A silence that a rule waits for. */
export interface RuleTimer {
  readonly tenantId: TenantId;
  readonly timerId: TimerId;
  readonly ruleId: RuleId;
  readonly conversationId: ConversationId;
  readonly contactId: ContactId;
  /** The message that it counts from. */
  readonly messageId: MessageId;
  readonly startedMs: number;
  readonly dueMs: number;
}

const INSERT = `
insert into rule_timers (tenant_id, timer_id, rule_id, conversation_id, contact_id, message_id, started_ms, due_ms)
values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (tenant_id, conversation_id, rule_id)`;
const RULE_TIMER_KEEP = statement('rule_timer_keep')`${INSERT} do nothing`;
const RULE_TIMER_RESTART = statement('rule_timer_restart')`${INSERT} do update set
  timer_id = excluded.timer_id, message_id = excluded.message_id, started_ms = excluded.started_ms, due_ms = excluded.due_ms`;

/** @param how what happens when the rule waits already: it goes on waiting, or begins anew */
export async function startTimer(tx: Transaction, timer: RuleTimer, how: 'keep' | 'restart'): Promise<void> {
  const { tenantId, timerId, ruleId, conversationId, contactId, messageId, startedMs, dueMs } = timer;
  const parameters = [tenantId, timerId, ruleId, conversationId, contactId, messageId, startedMs, dueMs];
  await tx.run(how === 'keep' ? RULE_TIMER_KEEP : RULE_TIMER_RESTART, parameters);
}

// Over all tenants, joined on tenant_id. Whoever moves due_ms ahead has the row until then.
const RULE_TIMER_CLAIM = statement('rule_timer_claim')`
with due as (
  select t.tenant_id, t.conversation_id, t.rule_id from rule_timers t
  where t.due_ms <= $1 and t.tenant_id <> all(${INACTIVE_TENANTS}) order by t.due_ms limit $3
)
update rule_timers t set due_ms = $2
from due d
where t.tenant_id = d.tenant_id and t.conversation_id = d.conversation_id and t.rule_id = d.rule_id and t.due_ms <= $1
returning t.tenant_id, t.timer_id, t.rule_id, t.conversation_id, t.contact_id, t.message_id, t.started_ms, t.due_ms`;

/** Takes timers that are due. They are this process's until `untilMs`. */
export async function claimTimers(
  db: SqlRunner,
  claim: { readonly nowMs: number; readonly untilMs: number; readonly limit: number },
): Promise<readonly RuleTimer[]> {
  return (await db.run<RuleTimer>(RULE_TIMER_CLAIM, [claim.nowMs, claim.untilMs, claim.limit])).rows;
}

const RULE_TIMER_TAKE = statement('rule_timer_take')`
delete from rule_timers where tenant_id = $1 and conversation_id = $2 and rule_id = $3 and timer_id = $4 and due_ms = $5`;

/** Takes a claimed timer out. @returns false when it began anew, or another process was faster */
export async function takeTimer(tx: Transaction, timer: RuleTimer): Promise<boolean> {
  const { tenantId, conversationId, ruleId, timerId, dueMs } = timer;
  return (await tx.run(RULE_TIMER_TAKE, [tenantId, conversationId, ruleId, timerId, dueMs])).rowCount > 0;
}

const LAST_WORDS = statement('rule_timer_last_words')`
select v.status,
  (select o.message_id from outbound_messages o
    where o.tenant_id = $1 and o.to_phone = $3 and o.phone_number_id = v.phone_number_id and o.message_id > $4
    order by o.message_id desc limit 1) as last_outbound,
  (select o.message_id from outbound_messages o
    where o.tenant_id = $1 and o.to_phone = $3 and o.phone_number_id = v.phone_number_id and o.message_id > $4
      and not exists (select 1 from rule_replies r where r.tenant_id = $1 and r.message_id = o.message_id)
    order by o.message_id desc limit 1) as last_answer,
  (select i.message_id from inbound_messages i
    where i.tenant_id = $1 and i.conversation_id = $2 and i.opens_window order by i.message_id desc limit 1) as last_inbound
from conversations v where v.tenant_id = $1 and v.conversation_id = $2`;
const NEXT_INBOUND = statement('rule_timer_next_inbound')`
select message_id, created_ms from inbound_messages where tenant_id = $1 and conversation_id = $2 and message_id > $3 and opens_window
order by message_id limit 1`;

/** Who wrote last since a timer began; null when the conversation is gone. @param customer digits, or a user id */
export async function findLastWords(tx: Transaction, timer: RuleTimer, customer: string): Promise<LastWords | null> {
  const values = [timer.tenantId, timer.conversationId, customer, timer.messageId];
  return firstRow(tx.run<LastWords>(LAST_WORDS, values));
}

/** The first message of the customer after another message of the conversation. */
export async function findInboundAfter(
  tx: Transaction,
  { tenantId, conversationId }: RuleTimer,
  messageId: MessageId,
): Promise<{ readonly messageId: MessageId; readonly createdMs: number } | null> {
  return firstRow(tx.run(NEXT_INBOUND, [tenantId, conversationId, messageId]));
}
