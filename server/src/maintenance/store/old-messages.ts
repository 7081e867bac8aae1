import { idFloor, type MessageId, type TenantId } from '#core/ids';
import { type SqlRunner, statement } from '#database/database';
import { LAST_UPDATED_SQL } from '#messages/store/status-rows';
import { kindNumber } from '#search/domain/search-kind';

/*
 * Removes messages of a tenant that are older than it keeps them, with what belongs to them alone. A page is read by the key, behind the
 * message that the page before ended with: what must stay is passed over once, not again by each page. Rows that somebody else is
 * changing are left to the next walk.
 */

/** Messages of one page: a short transaction, so that nothing else waits. */
export const MESSAGE_PAGE = 500;

/** What is to be removed from a page `old` of messages: what is found by them, and previews of them. */
const BELONGINGS = `
words as (
  delete from search_documents d using old o
  where d.tenant_id = $1 and d.kind = ${kindNumber.messages} and d.subject_id = o.message_id
), previews as (
  update conversations c set last_message_id = null, last_message_inbound = null, last_message_type = null,
    last_message_preview = null
  from old o where c.tenant_id = $1 and c.conversation_id = o.conversation_id and c.last_message_id = o.message_id
)`;

/** The newest message of a conversation that is not resolved is what an inbox shows of it. */
const IS_SHOWN = `exists (
      select 1 from conversations c where c.tenant_id = $1 and c.conversation_id = m.conversation_id
        and c.status <> 'resolved' and c.last_message_id = m.message_id)`;

const REPORT = `
select (select p.message_id from page p order by p.message_id desc limit 1) as last_id,
  (select count(*) from page)::integer as read, (select count(*) from gone)::integer as removed`;

const OUTBOUND = statement('tenant_retention_outbound')`
with page as materialized (
  select message_id from outbound_messages
  where tenant_id = $1 and message_id > $2 and message_id < $3 order by message_id limit ${MESSAGE_PAGE}
), old as materialized (
  select m.message_id, m.conversation_id from outbound_messages m
  where m.tenant_id = $1 and m.message_id = any(array(select p.message_id from page p)) and ${LAST_UPDATED_SQL} < $4
    and not exists (select 1 from send_queue q where q.tenant_id = $1 and q.message_id = m.message_id)
    and not exists (select 1 from wallet_holds h where h.tenant_id = $1 and h.message_id = m.message_id)
    and not ${IS_SHOWN}
  for update of m skip locked
), letters as (
  delete from dead_letters d using old o where d.tenant_id = $1 and d.message_id = o.message_id
), ${BELONGINGS}, gone as (
  delete from outbound_messages m where m.tenant_id = $1 and m.message_id = any(array(select o.message_id from old o))
  returning m.message_id
)${REPORT}`;

const INBOUND = statement('tenant_retention_inbound')`
with page as materialized (
  select message_id from inbound_messages
  where tenant_id = $1 and message_id > $2 and message_id < $3 order by message_id limit ${MESSAGE_PAGE}
), old as materialized (
  select m.message_id, m.conversation_id from inbound_messages m
  where m.tenant_id = $1 and m.message_id = any(array(select p.message_id from page p)) and m.created_ms < $4
    and not exists (select 1 from rule_queue q where q.tenant_id = $1 and q.message_id = m.message_id)
    and not exists (
      select 1 from inbound_media f where f.tenant_id = $1 and f.message_id = m.message_id and f.due_ms is not null)
    and not ${IS_SHOWN}
  for update of m skip locked
), files as (
  delete from inbound_media f using old o where f.tenant_id = $1 and f.message_id = o.message_id
), ${BELONGINGS}, gone as (
  delete from inbound_messages m where m.tenant_id = $1 and m.message_id = any(array(select o.message_id from old o))
  returning m.message_id
)${REPORT}`;

const DIRECTIONS = { outbound: OUTBOUND, inbound: INBOUND } as const;
export type Direction = keyof typeof DIRECTIONS;

/** What is looked for. */
export interface OldMessages {
  readonly direction: Direction;
  /** Behind this message; null: from the oldest on. */
  readonly after: MessageId | null;
  /** Older ones are removed. */
  readonly beforeMs: number;
  /** Those about which something was told since are kept: events are read from the messages that they are about. */
  readonly quietSinceMs: number;
}

export interface RemovedMessages {
  readonly removed: number;
  /** Where the next page begins; null: there is none. */
  readonly next: MessageId | null;
}

/** Removes what is too old of one page of messages. */
export async function removeOldMessages(
  db: SqlRunner,
  tenantId: TenantId,
  { direction, after, beforeMs, quietSinceMs }: OldMessages,
): Promise<RemovedMessages> {
  const values = [tenantId, after ?? idFloor(0), idFloor(beforeMs), quietSinceMs];
  const { rows } = await db.run<{ lastId: MessageId | null; read: number; removed: number }>(
    DIRECTIONS[direction],
    values,
  );
  const [row] = rows;
  return { removed: row?.removed ?? 0, next: row === undefined || row.read < MESSAGE_PAGE ? null : row.lastId };
}
