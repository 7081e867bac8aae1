import type { Contact } from '#contacts/domain/contact';
import { type ContactRow, toContact } from '#contacts/store/contact-rows';
import type { Actor } from '#core/caller/actor';
import type { ContactId, MergeId, TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { type Find, firstRow, pageOf } from '#database/rows';
import type { MergeState } from '#merges/domain/contact-merge';

/** Two contacts that were found to be one person. */
export interface ContactMerge {
  readonly mergeId: MergeId;
  readonly survivorId: ContactId;
  readonly mergedId: ContactId;
  readonly place: number;
  readonly actor: Actor;
  readonly mergedMs: number;
  /** Null: it holds. */
  readonly undoneMs: number | null;
  /** Null once it is undone. */
  readonly state: MergeState | null;
}

/** A contact that may be part of another. */
export interface MergeableContact {
  readonly contact: Contact;
  readonly mergedInto: ContactId | null;
}

const CONTACT_MERGE_LOCK = statement('contact_merge_lock')`
select * from contacts where tenant_id = $1 and contact_id = any($2::uuid[]) and erased_ms is null
order by contact_id for update`;

/** Locks contacts in the order of their ids, merged ones too: merges of the same ones wait for each other. */
export async function lockForMerge(
  tx: Transaction,
  tenantId: TenantId,
  contactIds: readonly string[],
): Promise<ReadonlyMap<string, MergeableContact>> {
  const { rows } = await tx.run<ContactRow>(CONTACT_MERGE_LOCK, [tenantId, [...contactIds]]);
  return new Map(rows.map((row) => [row.contactId, { contact: toContact(row), mergedInto: row.mergedInto }]));
}

const CONTACT_MERGE_MARK = statement('contact_merge_mark')`
update contacts set merged_into = $3, external_id = case when $3::uuid is null then external_id end
where tenant_id = $1 and contact_id = $2`;

/** Makes a contact part of another, which frees its external id; or of none again. */
export async function markMerged(
  tx: Transaction,
  tenantId: TenantId,
  contactId: ContactId,
  into: ContactId | null,
): Promise<void> {
  await tx.run(CONTACT_MERGE_MARK, [tenantId, contactId, into]);
}

const MOVE_IDENTITIES = statement('contact_merge_move_identities')`
update contact_identities set contact_id = $3 where tenant_id = $1 and contact_id = $2 returning kind, value`;
const RETURN_IDENTITIES = statement('contact_merge_return_identities')`
update contact_identities set contact_id = $3 where tenant_id = $1 and contact_id = $2
  and ((kind = 'phone' and value = any($4::text[])) or (kind = 'user_id' and value = any($5::text[])))`;

type Identities = Pick<MergeState, 'phoneKeys' | 'userIds'>;

export interface Move {
  readonly tenantId: TenantId;
  readonly from: ContactId;
  readonly to: ContactId;
}

/** Gives everything that one contact is recognised by to another. @returns what it was */
export async function moveIdentities(tx: Transaction, { tenantId, from, to }: Move): Promise<Identities> {
  const { rows } = await tx.run<{ kind: string; value: string }>(MOVE_IDENTITIES, [tenantId, from, to]);
  const of = (kind: string) => rows.flatMap((row) => (row.kind === kind ? [row.value] : [])).sort();
  return { phoneKeys: of('phone'), userIds: of('user_id') };
}

/** Gives these identities back, as far as they are still there. */
export async function returnIdentities(tx: Transaction, move: Move, identities: Identities): Promise<void> {
  const { phoneKeys, userIds } = identities;
  await tx.run(RETURN_IDENTITIES, [move.tenantId, move.from, move.to, [...phoneKeys], [...userIds]]);
}

const CONTACT_MERGE_ADD = statement('contact_merge_add')`
insert into contact_merges (
  tenant_id, merge_id, survivor_id, merged_id, place, actor_kind, actor_id, merged_ms, state)
select $1, $2, $3, $4, 1 + (
  select count(*) from contact_merges where tenant_id = $1 and survivor_id = $3 and undone_ms is null
), $5, $6, $7, $8::json
returning place`;

/** Records a merge; the caller holds both contacts. */
export async function addMerge(
  tx: Transaction,
  tenantId: TenantId,
  merge: Omit<ContactMerge, 'place' | 'undoneMs'>,
): Promise<ContactMerge> {
  const { mergeId, survivorId, mergedId, actor, mergedMs, state } = merge;
  const who = [actor.kind, actor.id, mergedMs, JSON.stringify(state)];
  const { rows } = await tx.run<{ place: number }>(CONTACT_MERGE_ADD, [
    tenantId,
    mergeId,
    survivorId,
    mergedId,
    ...who,
  ]);
  return { ...merge, place: rows[0]?.place ?? 1, undoneMs: null };
}

/** What of a row is the merge, but for its state. */
const MERGE = `merge_id, survivor_id, merged_id, place, json_build_object('kind', actor_kind, 'id', actor_id) as actor, merged_ms, undone_ms`;

const CONTACT_MERGE_CURRENT = statement('contact_merge_current')`
select ${MERGE}, state from contact_merges where tenant_id = $1 and merged_id = $2 and undone_ms is null`;
const CONTACT_MERGE_LAST = statement('contact_merge_last')`
select ${MERGE}, state from contact_merges where tenant_id = $1 and survivor_id = $2 and undone_ms is null
order by place desc limit 1`;

/** The merge that made a contact part of another; null when it is part of none. */
export const findCurrentMerge: Find<ContactMerge> = (db, ...key) =>
  firstRow(db.run<ContactMerge>(CONTACT_MERGE_CURRENT, key));
/** The latest merge of a survivor that holds. */
export const findLastMerge: Find<ContactMerge> = (db, ...key) =>
  firstRow(db.run<ContactMerge>(CONTACT_MERGE_LAST, key));

const CONTACT_MERGE_WAS_UNDONE = statement('contact_merge_was_undone')`
select 1 from contact_merges
where tenant_id = $1 and undone_ms is not null
  and ((survivor_id = $2 and merged_id = $3) or (survivor_id = $3 and merged_id = $2))
limit 1`;

/** Whether somebody took a merge of these two back, and so said that they are two people. */
export async function wereTakenApart(
  db: SqlRunner,
  tenantId: TenantId,
  [one, other]: readonly [ContactId, ContactId],
): Promise<boolean> {
  return (await db.run(CONTACT_MERGE_WAS_UNDONE, [tenantId, one, other])).rowCount > 0;
}

const UNDONE = statement('contact_merge_undone')`
update contact_merges set undone_ms = $3, state = null where tenant_id = $1 and merge_id = $2`;

/** Notes that a merge was taken back, and forgets what that needed. */
export async function endMerge(tx: Transaction, tenantId: TenantId, mergeId: MergeId, nowMs: number): Promise<void> {
  await tx.run(UNDONE, [tenantId, mergeId, nowMs]);
}

const CONTACT_MERGE_LIST = statement('contact_merge_list')`
select ${MERGE}, null as state from (
  select * from contact_merges where tenant_id = $1 and survivor_id = $2
  union all
  select * from contact_merges where tenant_id = $1 and merged_id = $2
) m
where $3::uuid is null or merge_id < $3::uuid
order by merge_id desc limit $4 offset $5`;

/** The merges that a contact was part of, on either side, newest first. */
export async function listMerges(
  db: SqlRunner,
  tenantId: TenantId,
  contactId: string,
  { limit, offset, beforeId }: ListWindow,
): Promise<Page<ContactMerge>> {
  const { rows } = await db.run<ContactMerge>(CONTACT_MERGE_LIST, [tenantId, contactId, beforeId, limit + 1, offset]);
  return pageOf(rows, limit);
}
