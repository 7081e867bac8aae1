import { INACTIVE_TENANTS } from '#access/store/tenant-states';
import type { BulkChange, BulkStatus } from '#conversations/domain/bulk-change';
import type { ConversationChange } from '#conversations/domain/conversation';
import type { Actor } from '#core/caller/actor';
import type { BulkChangeId, TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { type Find, firstRow, type Lock, pageOf } from '#database/rows';

export type BulkKey = Pick<BulkChange, 'tenantId' | 'bulkChangeId'>;

interface Row extends Omit<BulkChange, 'actor'> {
  readonly actorKind: Actor['kind'];
  readonly actorId: string | null;
}

const COLUMNS = `
  b.tenant_id, b.bulk_change_id, b.change, b.undoes, b.undone_by, b.status, b.actor_kind, b.actor_id, b.total, b.changed, b.unchanged,
  b.refused, b.created_ms, b.finished_ms`;

function toBulkChange({ actorKind: kind, actorId: id, ...row }: Row): BulkChange {
  return { ...row, actor: { kind, id } };
}

const BULK_ADD = statement('bulk_change_add')`
insert into bulk_changes as b (
  tenant_id, bulk_change_id, change, undoes, status, actor_kind, actor_id, total, leased_until_ms, created_ms, updated_ms)
values ($1, $2, $3::jsonb, $4, 'queued', $5, $6, $7, $8, $8, $8)
returning ${COLUMNS}`;

export interface NewBulkChange extends BulkKey {
  readonly change: ConversationChange | null;
  readonly undoes: BulkChangeId | null;
  readonly actor: Actor;
  readonly total: number;
  readonly nowMs: number;
}

/** Stores a bulk change that is queued. Its items are stored apart. */
export async function addBulkChange(tx: Transaction, added: NewBulkChange): Promise<BulkChange> {
  const { tenantId, bulkChangeId, change, undoes, actor, total, nowMs } = added;
  const written = change && JSON.stringify(change);
  const values = [tenantId, bulkChangeId, written, undoes, actor.kind, actor.id, total, nowMs];
  const row = await firstRow(tx.run<Row>(BULK_ADD, values), toBulkChange);
  if (row === null) throw new Error('The bulk change was not stored.');
  return row;
}

const BULK_FIND = statement('bulk_change_find')`
select ${COLUMNS} from bulk_changes b where b.tenant_id = $1 and b.bulk_change_id = $2`;
const BULK_LOCK = statement('bulk_change_lock')`${BULK_FIND.text} for update`;

export const findBulkChange: Find<BulkChange> = (db, ...key) => firstRow(db.run<Row>(BULK_FIND, key), toBulkChange);
export const lockBulkChange: Lock<BulkChange> = (tx, ...key) => firstRow(tx.run<Row>(BULK_LOCK, key), toBulkChange);

const BULK_LIST = statement('bulk_change_list')`
select ${COLUMNS} from bulk_changes b where b.tenant_id = $1 and ($2::uuid is null or b.bulk_change_id < $2) and (not $5::boolean or b.finished_ms is null)
order by b.bulk_change_id desc limit $3 offset $4`;

/** Newest first. @param isOpen only those that are queued or running */
export async function listBulkChanges(
  db: SqlRunner,
  { tenantId, isOpen }: { readonly tenantId: TenantId; readonly isOpen: boolean },
  { limit, offset, beforeId }: ListWindow,
): Promise<Page<BulkChange>> {
  const { rows } = await db.run<Row>(BULK_LIST, [tenantId, beforeId, limit + 1, offset, isOpen]);
  return pageOf(rows.map(toBulkChange), limit);
}

const BULK_LOCK_TENANT = statement('bulk_change_lock_tenant')`
select pg_advisory_xact_lock(hashtextextended('bulk_changes/' || $1::text, 0))`;

/** Lets nobody else add one for this tenant until the transaction ends. */
export async function lockBulkChangesOf(tx: Transaction, tenantId: TenantId): Promise<void> {
  await tx.run(BULK_LOCK_TENANT, [tenantId]);
}

const BULK_COUNT_OPEN = statement('bulk_change_count_open')`
select count(*)::integer as open from bulk_changes where tenant_id = $1 and finished_ms is null`;

/** How many of a tenant are queued or running. */
export async function countOpenBulkChanges(tx: Transaction, tenantId: TenantId): Promise<number> {
  return (await tx.run<{ open: number }>(BULK_COUNT_OPEN, [tenantId])).rows[0]?.open ?? 0;
}

const BULK_CLAIM = statement('bulk_change_claim')`
update bulk_changes b set status = 'running', leased_until_ms = $2, updated_ms = $1
from (
  select tenant_id, bulk_change_id from bulk_changes where finished_ms is null and leased_until_ms <= $1
    and tenant_id <> all(${INACTIVE_TENANTS})
  order by leased_until_ms limit 1 for update skip locked
) due
where b.tenant_id = due.tenant_id and b.bulk_change_id = due.bulk_change_id
returning ${COLUMNS}`;

/** Takes a bulk change that nobody works on, of any tenant: the one that has waited longest. */
export function claimBulkChange(
  db: SqlRunner,
  { nowMs, untilMs }: { readonly nowMs: number; readonly untilMs: number },
): Promise<BulkChange | null> {
  return firstRow(db.run<Row>(BULK_CLAIM, [nowMs, untilMs]), toBulkChange);
}

const BULK_RELEASE = statement('bulk_change_release')`
update bulk_changes set leased_until_ms = $3 where tenant_id = $1 and bulk_change_id = $2 and finished_ms is null`;

/** Lets others have their turn; it is due again from now on. */
export async function releaseBulkChange(
  db: SqlRunner,
  { tenantId, bulkChangeId }: BulkKey,
  nowMs: number,
): Promise<void> {
  await db.run(BULK_RELEASE, [tenantId, bulkChangeId, nowMs]);
}

const BULK_END = statement('bulk_change_end')`
update bulk_changes b set status = $3, finished_ms = $4, updated_ms = $4
where b.tenant_id = $1 and b.bulk_change_id = $2 and b.finished_ms is null
  and ($3 = 'canceled' or b.changed + b.unchanged + b.refused = b.total)
returning ${COLUMNS}`;

/**
 * Ends one: completed when all its conversations are settled, or canceled in between.
 * @returns it as it is now; null when it has ended before, or cannot be completed yet
 */
export function endBulkChange(
  db: SqlRunner,
  { tenantId, bulkChangeId }: BulkKey,
  { status, nowMs }: { readonly status: BulkStatus; readonly nowMs: number },
): Promise<BulkChange | null> {
  return firstRow(db.run<Row>(BULK_END, [tenantId, bulkChangeId, status, nowMs]), toBulkChange);
}

const BULK_NOTE_UNDO = statement('bulk_change_note_undo')`
update bulk_changes set undone_by = $3 where tenant_id = $1 and bulk_change_id = $2`;

/** Notes on one that is locked which other one undoes it. */
export async function noteUndo(
  tx: Transaction,
  { tenantId, bulkChangeId }: BulkKey,
  undoneBy: BulkChangeId,
): Promise<void> {
  await tx.run(BULK_NOTE_UNDO, [tenantId, bulkChangeId, undoneBy]);
}
