import type { TenantId } from '#core/ids';
import { plainArray } from '#database/arrays';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { firstRow } from '#database/rows';
import type { SearchPortion } from '#search/domain/portions';

/*
 * The index and how far it is filled. Everything here is written under the lock of a tenant's cursor, by one worker at a time.
 */

const BEHIND = statement('search_behind')`
select h.tenant_id from event_heads h
left join search_cursors c on c.tenant_id = h.tenant_id
where c.tenant_id is null and exists (select from agents a where a.tenant_id = h.tenant_id and a.user_id is not null)
  or h.last_seq > c.last_seq or c.backfill_kind is not null
limit $1`;

/**
 * Tenants of which something is not in the index yet. Those in which no person works, and which have never searched, have no
 * index and pay for none. Over all tenants, joined on tenant_id.
 */
export async function findUnindexed(db: SqlRunner, limit: number): Promise<readonly TenantId[]> {
  return (await db.run<{ tenantId: TenantId }>(BEHIND, [limit])).rows.map((row) => row.tenantId);
}

/** How far the index of a tenant is filled. */
export interface SearchCursor {
  readonly lastSeq: number;
  /** The kind of which older things are taken in; null: all are in. */
  readonly backfillKind: number | null;
  /** Those with ids below this one are to come; null: all of the kind. */
  readonly backfillBefore: string | null;
}

/* The head is read by the statement that begins the cursor: what commits later is an event after it, and what was there before is older. */
const BEGIN_CURSOR = statement('search_cursor_begin')`
insert into search_cursors (tenant_id, last_seq, backfill_kind)
select h.tenant_id, h.last_seq, $2 from event_heads h where h.tenant_id = $1
on conflict (tenant_id) do nothing`;
const LOCK_CURSOR = statement('search_cursor_lock')`
select last_seq, backfill_kind, backfill_before from search_cursors where tenant_id = $1 for update skip locked`;

/** The cursor, begun if there is none; null: another process has it. @param firstKind the first kind to take in */
export async function lockCursor(tx: Transaction, tenantId: TenantId, firstKind: number): Promise<SearchCursor | null> {
  const locked = await firstRow(tx.run<SearchCursor>(LOCK_CURSOR, [tenantId]));
  if (locked !== null) return locked;
  await tx.run(BEGIN_CURSOR, [tenantId, firstKind]);
  return firstRow(tx.run<SearchCursor>(LOCK_CURSOR, [tenantId]));
}

const MOVE_CURSOR = statement('search_cursor_move')`
update search_cursors set last_seq = $2, backfill_kind = $3, backfill_before = $4 where tenant_id = $1`;

export async function moveCursor(tx: Transaction, tenantId: TenantId, cursor: SearchCursor): Promise<void> {
  await tx.run(MOVE_CURSOR, [tenantId, cursor.lastSeq, cursor.backfillKind, cursor.backfillBefore]);
}

/** Has the worker index a tenant from now on, whoever works in it. @param firstKind the first kind to take in */
export async function beginIndex(db: SqlRunner, tenantId: TenantId, firstKind: number): Promise<void> {
  await db.run(BEGIN_CURSOR, [tenantId, firstKind]);
}

const READ_CURSOR = statement('search_cursor_read')`
select c.tenant_id is not null as is_begun, c.tenant_id is not null and c.backfill_kind is null and coalesce((
  select p.recorded_ms from event_pages p
  where p.tenant_id = h.tenant_id and p.last_seq > c.last_seq order by p.last_seq limit 1), $2::bigint) >= $2::bigint as is_complete
from event_heads h
left join search_cursors c on c.tenant_id = h.tenant_id
where h.tenant_id = $1`;

export interface IndexState {
  /** False: nothing was ever indexed, and somebody has to begin it. */
  readonly isBegun: boolean;
  /** Whether everything that happened before a moment is in the index. */
  readonly isComplete: boolean;
}

/** To a tenant without events nothing has happened. */
const NOTHING: IndexState = { isBegun: true, isComplete: true };

export async function readIndexState(db: SqlRunner, tenantId: TenantId, beforeMs: number): Promise<IndexState> {
  return (await firstRow(db.run<IndexState>(READ_CURSOR, [tenantId, beforeMs]))) ?? NOTHING;
}

const KNOWN_DOCUMENTS = statement('search_documents_known')`
select subject_id, portion from search_documents
where tenant_id = $1 and kind = $2 and subject_id = any($3::uuid[])`;

/** The portions of what is in the index already. */
export async function findPortionsOf(
  tx: Transaction,
  tenantId: TenantId,
  kind: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const parameters = [tenantId, kind, plainArray(ids)];
  const { rows } = await tx.run<{ subjectId: string; portion: number }>(KNOWN_DOCUMENTS, parameters);
  return new Map(rows.map(({ subjectId, portion }) => [subjectId, portion]));
}

const PORTIONS_AROUND = statement('search_portions_around')`
select portion, first_id, last_id, documents from search_portions
where tenant_id = $1 and kind = $2
  and first_id >= coalesce(
    (select max.first_id from search_portions max
     where max.tenant_id = $1 and max.kind = $2 and max.first_id <= $3 order by max.first_id desc limit 1), $3)
  and first_id <= greatest($4, (
    select low.first_id from search_portions low where low.tenant_id = $1 and low.kind = $2 order by low.first_id limit 1))
order by first_id`;
const LAST_PORTION = statement('search_portions_last')`
select coalesce(max(portion), 0)::integer as last from search_portions where tenant_id = $1 and kind = $2`;

export interface PortionsAround {
  readonly known: readonly SearchPortion[];
  /** The largest number of a portion; 0: there is none. */
  readonly last: number;
}

/** The portions that ids from one to another may belong to. */
export async function findPortionsAround(
  tx: Transaction,
  { tenantId, kind }: { readonly tenantId: TenantId; readonly kind: number },
  firstId: string,
  lastId: string,
): Promise<PortionsAround> {
  const { rows: known } = await tx.run<SearchPortion>(PORTIONS_AROUND, [tenantId, kind, firstId, lastId]);
  const last = await firstRow(tx.run<{ last: number }>(LAST_PORTION, [tenantId, kind]));
  return { known, last: last?.last ?? 0 };
}

const SAVE_PORTIONS = statement('search_portions_save')`
insert into search_portions (tenant_id, kind, portion, first_id, last_id, documents)
select $1::uuid, $2::smallint, t.* from unnest($3::integer[], $4::uuid[], $5::uuid[], $6::integer[]) as t
on conflict (tenant_id, kind, portion) do update set
  first_id = excluded.first_id, last_id = excluded.last_id, documents = excluded.documents`;

export async function savePortions(
  tx: Transaction,
  tenantId: TenantId,
  kind: number,
  portions: readonly SearchPortion[],
): Promise<void> {
  if (portions.length === 0) return;
  const columns = (['portion', 'firstId', 'lastId', 'documents'] as const).map((name) =>
    plainArray(portions.map((one) => one[name])),
  );
  await tx.run(SAVE_PORTIONS, [tenantId, kind, ...columns]);
}

/** Something to be found. */
export interface SearchDocument {
  readonly id: string;
  readonly portion: number;
  /** See vectorOf. */
  readonly words: string;
}

const SAVE_DOCUMENTS = statement('search_documents_save')`
insert into search_documents as d (tenant_id, kind, subject_id, portion, words)
select $1::uuid, $2::smallint, t.id, t.portion, t.words::tsvector
from unnest($3::uuid[], $4::integer[], $5::text[]) as t (id, portion, words)
on conflict (tenant_id, kind, subject_id) do update set words = excluded.words where d.words <> excluded.words`;

export async function saveDocuments(
  tx: Transaction,
  tenantId: TenantId,
  kind: number,
  documents: readonly SearchDocument[],
): Promise<void> {
  if (documents.length === 0) return;
  const [ids, portions] = [documents.map(({ id }) => id), documents.map(({ portion }) => portion)];
  const words = documents.map((one) => one.words);
  await tx.run(SAVE_DOCUMENTS, [tenantId, kind, plainArray(ids), plainArray(portions), words]);
}

const REMOVE_DOCUMENTS = statement('search_documents_remove')`
delete from search_documents where tenant_id = $1 and kind = $2 and subject_id = any($3::uuid[])`;

export async function removeDocuments(
  tx: Transaction,
  tenantId: TenantId,
  kind: number,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0) await tx.run(REMOVE_DOCUMENTS, [tenantId, kind, plainArray(ids)]);
}

/* Only the owner of an index may do this. For others the database does it when the list is full, and when it vacuums. */
const MERGE_WORDS = statement('search_words_merge')`
select gin_clean_pending_list(i.oid) from pg_class i
where i.oid = to_regclass('search_documents_words') and pg_has_role(i.relowner, 'usage')`;

/** Sorts what was added into the index of words: until then, every look at a portion reads all that was added. */
export async function mergeWords(db: SqlRunner): Promise<void> {
  await db.run(MERGE_WORDS, []);
}
