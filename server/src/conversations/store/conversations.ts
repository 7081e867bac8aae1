import type { Conversation, ReopenRule } from '#conversations/domain/conversation';
import type { Actor } from '#core/caller/actor';
import type { ConversationId, PhoneNumberId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { plainArray } from '#database/arrays';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { type Find, firstRow, type Lock } from '#database/rows';
import { type ConversationRow, toConversation } from './conversation-rows.ts';

const FIND_CONVERSATION = statement('conversation_find')`
select * from conversations where tenant_id = $1 and conversation_id = $2`;
const LOCK_CONVERSATION = statement('conversation_lock')`${FIND_CONVERSATION.text} for update`;

export const findConversation: Find<Conversation> = (db, ...key) =>
  firstRow(db.run<ConversationRow>(FIND_CONVERSATION, key), toConversation);
export const lockConversation: Lock<Conversation> = (tx, ...key) =>
  firstRow(tx.run<ConversationRow>(LOCK_CONVERSATION, key), toConversation);

const OTHER_OPEN = statement('conversation_other_open')`
select conversation_id from conversations
where tenant_id = $1 and contact_id = $2 and phone_number_id = $3 and status <> 'resolved'`;

/** The one conversation of a contact and number that is not resolved; null when there is none. */
export async function findOpenConversation(
  db: SqlRunner,
  { tenantId, contactId, phoneNumberId }: Pick<Conversation, 'tenantId' | 'contactId' | 'phoneNumberId'>,
): Promise<ConversationId | null> {
  const { rows } = await db.run<{ conversationId: ConversationId }>(OTHER_OPEN, [tenantId, contactId, phoneNumberId]);
  return rows[0]?.conversationId ?? null;
}

const SAVE_CONVERSATION = statement('conversation_save')`
update conversations set
  status = $3, assignee_id = $4, team_id = $5, priority = $6, tags = $7::text[], handled_by = $8, unread_count = $9,
  waiting_since_ms = $10, snoozed_until_ms = $11, version = $12, opened_ms = $13, resolved_ms = $14, reopened = $15,
  updated_ms = $16, first_response_ms = $17, free_entry_until_ms = $18, lease_agent_id = $19, lease_until_ms = $20
where tenant_id = $1 and conversation_id = $2`;

/** Writes everything that people and rules change; the caller holds the lock. */
export async function saveConversation(tx: Transaction, one: Conversation): Promise<void> {
  await tx.run(SAVE_CONVERSATION, [
    one.tenantId,
    one.conversationId,
    one.status,
    one.assigneeId,
    one.teamId,
    one.priority,
    one.tags,
    one.handledBy,
    one.unreadCount,
    one.waitingSinceMs,
    one.snoozedUntilMs,
    one.version,
    one.openedMs,
    one.resolvedMs,
    one.reopened,
    one.updatedMs,
    one.firstResponseMs,
    one.freeEntryUntilMs,
    one.leaseAgentId,
    one.leaseUntilMs,
  ]);
}

/** A recorded change of a conversation. */
export interface ConversationEvent {
  readonly tenantId: TenantId;
  readonly conversationId: ConversationId;
  readonly eventId: string;
  readonly atMs: number;
  readonly actor: Actor;
  readonly cause: string;
  /** `{field: [old, new]}` as the API names them. */
  readonly changes: JsonObject;
}

const ADD_HISTORY = statement('conversation_add_history', { insertsOnly: true })`
insert into conversation_events (tenant_id, conversation_id, event_id, at_ms, actor_kind, actor_id, cause, changes)
select t.tenant_id, t.conversation_id, t.event_id, t.at_ms, t.actor_kind, t.actor_id, t.cause, t.changes::jsonb
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[])
  as t (tenant_id, conversation_id, event_id, at_ms, actor_kind, actor_id, cause, changes)`;

/** Appends to the history of conversations. */
export async function addHistory(tx: Transaction, events: readonly ConversationEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.run(ADD_HISTORY, [
    plainArray(events.map((event) => event.tenantId)),
    plainArray(events.map((event) => event.conversationId)),
    plainArray(events.map((event) => event.eventId)),
    plainArray(events.map((event) => event.atMs)),
    events.map((event) => event.actor.kind),
    events.map((event) => event.actor.id),
    events.map((event) => event.cause),
    events.map((event) => JSON.stringify(event.changes)),
  ]);
}

const ASSIGNS_ON_REPLY = statement('conversation_assigns_on_reply')`
select assign_on_reply from phone_numbers where tenant_id = $1 and phone_number_id = $2`;

/** Whether an agent who answers in a conversation of this number gets it when nobody has it. */
export async function assignsOnReply(
  db: SqlRunner,
  { tenantId, phoneNumberId }: Pick<Conversation, 'tenantId' | 'phoneNumberId'>,
): Promise<boolean> {
  const { rows } = await db.run<{ assignOnReply: boolean }>(ASSIGNS_ON_REPLY, [tenantId, phoneNumberId]);
  return rows[0]?.assignOnReply ?? false;
}

const REOPEN_RULES = statement('conversation_reopen_rules')`
select n.tenant_id, n.phone_number_id, n.reopen_policy, n.reopen_hours from phone_numbers n
join unnest($1::uuid[], $2::text[]) as t (tenant_id, phone_number_id)
  on t.tenant_id = n.tenant_id and t.phone_number_id = n.phone_number_id`;

/** What each number does with a customer whose conversation is resolved, by `tenant/number`. */
export async function findReopenRules(
  db: SqlRunner,
  numbers: readonly { readonly tenantId: TenantId; readonly phoneNumberId: PhoneNumberId }[],
): Promise<ReadonlyMap<string, ReopenRule>> {
  const { rows } = await db.run<{
    tenantId: string;
    phoneNumberId: string;
    reopenPolicy: ReopenRule['policy'];
    reopenHours: number;
  }>(REOPEN_RULES, [plainArray(numbers.map((one) => one.tenantId)), numbers.map((one) => one.phoneNumberId)]);
  return new Map(
    rows.map((row) => [`${row.tenantId}/${row.phoneNumberId}`, { policy: row.reopenPolicy, hours: row.reopenHours }]),
  );
}
