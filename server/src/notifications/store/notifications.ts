import type { AgentId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { ListWindow, Page } from '#core/paging';
import { plainArray } from '#database/arrays';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { pageOf } from '#database/rows';
import type { Notification } from '#notifications/domain/notification';

const INSERT = statement('notification_insert')`
insert into notifications (
  tenant_id, notification_id, agent_id, kind, conversation_id, message_id, note_id, actor_kind, actor_id, event_seq,
  created_ms)
select $1, t.notification_id, a.agent_id, t.kind, t.conversation_id, t.message_id, t.note_id, t.actor_kind, t.actor_id,
  t.event_seq, t.created_ms
from unnest(
  $2::uuid[], $3::uuid[], $4::text[], $5::uuid[], $6::uuid[], $7::uuid[], $8::text[], $9::uuid[], $10::bigint[], $11::bigint[])
  as t (notification_id, agent_id, kind, conversation_id, message_id, note_id, actor_kind, actor_id, event_seq, created_ms)
join agents a on a.tenant_id = $1 and a.agent_id = t.agent_id
where t.kind <> 'new_message' or not exists (
  select 1 from notifications n
  where n.tenant_id = $1 and n.agent_id = t.agent_id and n.read_ms is null and n.kind = 'new_message'
    and n.conversation_id = t.conversation_id)
on conflict do nothing
returning agent_id, notification_id`;

/** A notification that is to be stored, and the number of its event. */
export type NewNotification = Omit<Notification, 'tenantId' | 'readMs'> & { readonly sequence: number };

type StoredNotification = Pick<Notification, 'agentId' | 'notificationId'>;

/**
 * Stores notifications once each; those of agents who are gone, and of new messages in a conversation whose earlier new
 * message is unread, are left out.
 * @returns those that were stored
 */
export async function insertNotifications(
  tx: Transaction,
  tenantId: TenantId,
  list: readonly NewNotification[],
): Promise<readonly StoredNotification[]> {
  if (list.length === 0) return [];
  const column = <T extends string | number>(of: (one: NewNotification) => T | null) => plainArray(list.map(of));
  const { rows } = await tx.run<StoredNotification>(INSERT, [
    tenantId,
    column((one) => one.notificationId),
    column((one) => one.agentId),
    column((one) => one.kind),
    column((one) => one.conversationId),
    column((one) => one.messageId),
    column((one) => one.noteId),
    column((one) => one.actor?.kind ?? null),
    column((one) => one.actor?.id ?? null),
    column((one) => one.sequence),
    column((one) => one.createdMs),
  ]);
  return rows;
}

const ASSIGNEES = statement('notification_assignees')`
select conversation_id, assignee_id from conversations
where tenant_id = $1 and conversation_id = any($2::uuid[]) and assignee_id is not null`;

/** Who has these conversations, by their ids; those that nobody has are left out. */
export async function findAssignees(
  db: SqlRunner,
  tenantId: TenantId,
  conversationIds: readonly string[],
): Promise<ReadonlyMap<string, AgentId>> {
  if (conversationIds.length === 0) return new Map();
  type Row = { readonly conversationId: string; readonly assigneeId: AgentId };
  const { rows } = await db.run<Row>(ASSIGNEES, [tenantId, plainArray(conversationIds)]);
  return new Map(rows.map(({ conversationId, assigneeId }) => [conversationId, assigneeId]));
}

const PREFERENCES = statement('notification_preferences')`
select a.agent_id, u.preferences from agents a join users u on u.user_id = a.user_id
where a.tenant_id = $1 and a.agent_id = any($2::uuid[])`;

/** What the people who are these agents prefer. */
export async function findPreferences(
  db: SqlRunner,
  tenantId: TenantId,
  agentIds: readonly AgentId[],
): Promise<ReadonlyMap<AgentId, JsonObject>> {
  if (agentIds.length === 0) return new Map();
  type Row = { readonly agentId: AgentId; readonly preferences: JsonObject };
  const { rows } = await db.run<Row>(PREFERENCES, [tenantId, plainArray(agentIds)]);
  return new Map(rows.map(({ agentId, preferences }) => [agentId, preferences]));
}

/** A notification with what it is shown with. */
export interface ShownNotification extends Notification {
  /** Null: its conversation is gone, or there was none. */
  readonly contactName: string | null;
  readonly contactPhone: string | null;
}

const PAGE = statement('notification_page')`
select n.tenant_id, n.notification_id, n.agent_id, n.kind, n.conversation_id, n.message_id, n.note_id, n.created_ms, n.read_ms,
  case when n.actor_kind is not null then json_build_object('kind', n.actor_kind, 'id', n.actor_id) end as actor,
  coalesce(k.name, k.profile_name) as contact_name, k.phone as contact_phone
from notifications n
left join conversations c on c.tenant_id = $1 and c.conversation_id = n.conversation_id
left join contacts k on k.tenant_id = $1 and k.contact_id = c.contact_id
where n.tenant_id = $1 and n.agent_id = $2 and ($3::boolean is null or (n.read_ms is null) = $3::boolean)
  and ($4::uuid is null or n.notification_id < $4::uuid)
order by n.notification_id desc
limit $5 offset $6`;

export interface NotificationFilter {
  readonly agentId: AgentId;
  /** Null: read ones, too. */
  readonly unread: boolean | null;
}

/** A page of an agent's notifications, newest first. */
export async function listNotificationsPage(
  db: SqlRunner,
  tenantId: TenantId,
  { agentId, unread }: NotificationFilter,
  { limit, offset, beforeId }: ListWindow,
): Promise<Page<ShownNotification>> {
  const values = [tenantId, agentId, unread, beforeId, limit + 1, offset];
  return pageOf((await db.run<ShownNotification>(PAGE, values)).rows, limit);
}

/** More are not counted: nobody reads so large a number. */
export const MAX_UNREAD = 1_000;
const UNREAD = statement('notification_unread')`
select count(*)::integer as count from (
  select 1 from notifications where tenant_id = $1 and agent_id = $2 and read_ms is null limit ${MAX_UNREAD}) n`;

/** How many notifications an agent has not read, up to MAX_UNREAD. */
export async function countUnread(db: SqlRunner, tenantId: TenantId, agentId: AgentId): Promise<number> {
  const { rows } = await db.run<{ count: number }>(UNREAD, [tenantId, agentId]);
  return rows[0]?.count ?? 0;
}

const READ = statement('notifications_read')`
update notifications set read_ms = $3
where tenant_id = $1 and agent_id = $2 and read_ms is null
  and ($4::uuid[] is null or notification_id = any($4::uuid[])) and ($5::bigint is null or created_ms <= $5::bigint)`;

/** Which notifications are read: these, or all that were created until a moment. */
export interface ReadInput {
  readonly ids: readonly string[] | null;
  readonly untilMs: number | null;
}

/** Marks notifications of an agent as read. Those that are read already, or another agent's, stay as they are. */
export async function markNotificationsRead(
  db: SqlRunner,
  { tenantId, agentId, nowMs }: { readonly tenantId: TenantId; readonly agentId: AgentId; readonly nowMs: number },
  { ids, untilMs }: ReadInput,
): Promise<void> {
  await db.run(READ, [tenantId, agentId, nowMs, ids && plainArray(ids), untilMs]);
}

const OF_AGENT = statement('notifications_of_agent')`
delete from notifications where tenant_id = $1 and agent_id = $2`;

/** What an agent who is deleted was notified of. */
export async function deleteNotificationsOf(db: SqlRunner, tenantId: TenantId, agentId: AgentId): Promise<void> {
  await db.run(OF_AGENT, [tenantId, agentId]);
}
