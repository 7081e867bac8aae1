import type { TenantId } from '#core/ids';
import { columnsOf, plainArray } from '#database/arrays';
import { type Command, type SqlRunner, statement, type Transaction } from '#database/database';
import type { CountedMessage, InboundReply } from '#events/domain/message-sums';
import { MESSAGE_SUMS, sumWriter } from './analytics-sums.ts';

const BEHIND = statement('analytics_behind')`
select h.tenant_id, coalesce(c.last_seq, 0) as after from event_heads h
left join analytics_cursors c on c.tenant_id = h.tenant_id
where h.last_seq > coalesce(c.last_seq, 0) and coalesce(c.as_of_ms not between $2 and $3, true)
limit $1`;

/** A tenant, and the last of its events that is in its sums; 0: none is. */
export interface SumsPlace {
  readonly tenantId: TenantId;
  readonly after: number;
}

/** What is not looked for: sums whose newest event came within this time. */
export interface FreshSums {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Tenants with events that are not in their sums yet. Over all tenants, joined on tenant_id. */
export async function findBehind(
  db: SqlRunner,
  { fromMs, toMs }: FreshSums,
  limit: number,
): Promise<readonly SumsPlace[]> {
  return (await db.run<SumsPlace>(BEHIND, [limit, fromMs, toMs])).rows;
}

const CURSOR = statement('analytics_cursor')`select last_seq from analytics_cursors where tenant_id = $1`;

/** Number of the last event in the sums of a tenant; 0: none is. */
export async function readRollUpCursor(db: SqlRunner, tenantId: TenantId): Promise<number> {
  const { rows } = await db.run<{ lastSeq: number }>(CURSOR, [tenantId]);
  return rows[0]?.lastSeq ?? 0;
}

/**
 * Moves the cursor from where it was read. Where it is not there any more, the column takes no null and the transaction fails: it
 * can leave with all that it adds, and nobody has to wait for an answer while it holds the row.
 */
const MOVE_CURSOR = statement('analytics_move_cursor', { insertsOnly: true })`
insert into analytics_cursors (tenant_id, last_seq, as_of_ms) values ($1, $2, $3)
on conflict (tenant_id) do update set
  last_seq = case when analytics_cursors.last_seq = $4 then excluded.last_seq end, as_of_ms = excluded.as_of_ms`;
const NOT_NULL_VIOLATION = '23502';

export interface CursorMove extends SumsPlace {
  readonly lastSequence: number;
  readonly asOfMs: number;
}

/** The command that moves a cursor, or fails its transaction: see isMovedOn. */
export function movingCursor({ tenantId, after, lastSequence, asOfMs }: CursorMove): Command {
  return { statement: MOVE_CURSOR, parameters: [tenantId, lastSequence, asOfMs, after] };
}

/** Whether a transaction failed because another one had moved the cursor. */
export function isMovedOn(error: unknown): boolean {
  const { code, table } = error as { readonly code?: unknown; readonly table?: unknown };
  // On Citus the table is called by its name there, which ends in a number.
  return code === NOT_NULL_VIOLATION && /^analytics_cursors(_\d+)?$/.test(String(table));
}

/** See `sumWriter`. */
export const addingCounts = sumWriter(MESSAGE_SUMS);

/** How long after a message an inbound one that quotes nothing counts as its answer. */
export const REPLY_WITHIN_MS = 3 * 24 * 60 * 60 * 1000;

const MARK_REPLIED = statement('analytics_mark_replied')`
with input as materialized (
  select * from unnest($2::text[], $3::text[], $4::uuid[], $5::bigint[]) as t (sender, phone_number_id, reply_to, at_ms)
), found as (
  select coalesce(i.reply_to, (
    select m.message_id from outbound_messages m
    where m.tenant_id = $1 and m.to_phone = i.sender and m.phone_number_id = i.phone_number_id
      and m.created_ms between i.at_ms - $6::bigint and i.at_ms
    order by m.message_id desc limit 1)) as message_id, i.at_ms
  from input i
)
update outbound_messages m set replied_ms = f.at_ms
from (select message_id, min(at_ms) as at_ms from found where message_id is not null group by message_id) f
where m.tenant_id = $1 and m.message_id = f.message_id and m.replied_ms is null
returning m.message_id as id, m.phone_number_id, m.type, m.campaign_name,
  case when m.type = 'template' then m.content ->> 'name' end as template`;

/** Marks what these inbound messages answer. @returns those that had no answer before */
export async function markReplied(
  tx: Transaction,
  tenantId: TenantId,
  replies: readonly InboundReply[],
): Promise<readonly CountedMessage[]> {
  if (replies.length === 0) return [];
  const atMs = plainArray(replies.map((reply) => reply.atMs));
  const parameters = [tenantId, ...columnsOf(replies, 'from', 'phoneNumberId', 'replyTo'), atMs, REPLY_WITHIN_MS];
  return (await tx.run<CountedMessage>(MARK_REPLIED, parameters)).rows;
}
