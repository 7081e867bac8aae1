import type { BulkChange, BulkItem, BulkOutcome, Traces } from '#conversations/domain/bulk-change';
import type { BulkChangeId, ConversationId, TenantId } from '#core/ids';
import { plainArray } from '#database/arrays';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import type { BulkKey } from './bulk-changes.ts';

const OWN_CONVERSATIONS = statement('bulk_item_own_conversations')`
select conversation_id from conversations where tenant_id = $1 and conversation_id = any($2::uuid[])`;

/** Those of these ids that are conversations of the tenant. */
export async function findOwnConversations(
  db: SqlRunner,
  tenantId: TenantId,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await db.run<{ conversationId: string }>(OWN_CONVERSATIONS, [tenantId, plainArray(ids)]);
  return new Set(rows.map(({ conversationId }) => conversationId));
}

const ITEMS_ADD = statement('bulk_items_add', { insertsOnly: true })`
insert into bulk_change_items (tenant_id, bulk_change_id, place, conversation_id)
select $1, $2, o.place, o.conversation_id from unnest($3::uuid[]) with ordinality as o (conversation_id, place)`;

/** Stores the conversations of a bulk change, in the order in which they will be changed. */
export async function addItems(
  tx: Transaction,
  { tenantId, bulkChangeId }: BulkKey,
  ids: readonly ConversationId[],
): Promise<void> {
  await tx.run(ITEMS_ADD, [tenantId, bulkChangeId, plainArray(ids)]);
}

const ITEMS_TO_UNDO = statement('bulk_items_to_undo')`
insert into bulk_change_items (tenant_id, bulk_change_id, place, conversation_id)
select tenant_id, $3, place, conversation_id from bulk_change_items
where tenant_id = $1 and bulk_change_id = $2 and outcome = 'changed'`;

/** Stores the conversations of an undo: those that the bulk change changed. @returns how many */
export async function addItemsToUndo(
  tx: Transaction,
  { tenantId, bulkChangeId }: BulkKey,
  undo: BulkChangeId,
): Promise<number> {
  return (await tx.run(ITEMS_TO_UNDO, [tenantId, bulkChangeId, undo])).rowCount;
}

/** A conversation that is to be changed next. */
export interface WaitingItem extends Pick<BulkItem, 'place' | 'conversationId'> {
  /** What the bulk change that is undone did to it; null: none is undone, or it is no longer known. */
  readonly undoes: Traces | null;
}

const ITEMS_WAITING = statement('bulk_items_waiting')`
select i.place, i.conversation_id,
  case when u.before is null then null else jsonb_build_object('before', u.before, 'after', u.after) end as undoes
from bulk_change_items i
left join bulk_change_items u on u.tenant_id = $1 and u.bulk_change_id = $3 and u.place = i.place
where i.tenant_id = $1 and i.bulk_change_id = $2 and i.outcome = 'waiting' and i.place > $4
order by i.place limit $5`;

/** The next conversations of a bulk change. @param limit at most so many */
export async function findWaitingItems(
  db: SqlRunner,
  { tenantId, bulkChangeId, undoes, changed, unchanged, refused }: BulkChange,
  limit: number,
): Promise<readonly WaitingItem[]> {
  // They are settled in their order: so many places are behind us at least.
  const settled = changed + unchanged + refused;
  return (await db.run<WaitingItem>(ITEMS_WAITING, [tenantId, bulkChangeId, undoes, settled, limit])).rows;
}

const ITEM_SETTLE = statement('bulk_item_settle')`
with settled as (
  update bulk_change_items set outcome = $4, code = $5, reason = $6, before = $7::jsonb, after = $8::jsonb
  where tenant_id = $1 and bulk_change_id = $2 and place = $3 and outcome = 'waiting'
  returning 1
)
update bulk_changes set
  changed = changed + case when $4 = 'changed' then 1 else 0 end,
  unchanged = unchanged + case when $4 = 'unchanged' then 1 else 0 end,
  refused = refused + case when $4 = 'refused' then 1 else 0 end,
  leased_until_ms = $9, updated_ms = $10
where tenant_id = $1 and bulk_change_id = $2 and status = 'running' and exists (select 1 from settled)`;

/** What became of a conversation. */
export interface BulkSettlement extends Pick<BulkItem, 'place' | 'code' | 'reason'> {
  readonly outcome: BulkOutcome;
  /** Of one that was changed. */
  readonly traces: Traces | null;
}

/**
 * Notes what became of a conversation, and renews the lease.
 * @returns false when another process has settled it, or the bulk change was canceled: then the caller rolls back
 */
export async function settleItem(
  tx: Transaction,
  { tenantId, bulkChangeId }: BulkKey,
  { place, outcome, code, reason, traces }: BulkSettlement,
  { nowMs, untilMs }: { readonly nowMs: number; readonly untilMs: number },
): Promise<boolean> {
  const [before, after] =
    traces === null ? [null, null] : [traces.before, traces.after].map((one) => JSON.stringify(one));
  const values = [tenantId, bulkChangeId, place, outcome, code, reason, before, after, untilMs, nowMs];
  return (await tx.run(ITEM_SETTLE, values)).rowCount > 0;
}

const ITEMS_LIST = statement('bulk_items_list')`
select place, conversation_id, outcome, code, reason from bulk_change_items
where tenant_id = $1 and bulk_change_id = $2 and place > $3 and ($4::text is null or outcome = $4)
order by place limit $5 offset $6`;

interface ItemList extends BulkKey {
  /** Null: all. */
  readonly outcome: BulkOutcome | null;
  readonly afterPlace: number;
  readonly limit: number;
  readonly offset: number;
}

/** Conversations of a bulk change, in the order in which they are changed. */
export async function listItems(
  db: SqlRunner,
  { tenantId, bulkChangeId, outcome, afterPlace, limit, offset }: ItemList,
): Promise<readonly BulkItem[]> {
  return (await db.run<BulkItem>(ITEMS_LIST, [tenantId, bulkChangeId, afterPlace, outcome, limit, offset])).rows;
}
