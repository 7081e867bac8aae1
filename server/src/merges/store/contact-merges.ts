import type { Contact } from '#contacts/domain/contact';
import { type ContactRow, toContact } from '#contacts/store/contact-rows';
import type { Actor } from '#core/caller/actor';
import type { ContactId, MergeId, TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import type { SqlRunner, Statement, Transaction } from '#database/database';
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

const CONTACT_MERGE_LOCK: Statement = {
  name: 'contact_merge_lock',
  text: `
select * from contacts where tenant_id = $1 and contact_id = any($2::uuid[]) and erased_ms is null
order by contact_id for update`,
};

/** Locks contacts in the order of their ids, merged ones too: merges of the same ones wait for each other. */
export async function lockForMerge(
  tx: Transaction,
  tenantId: TenantId,
  contactIds: readonly string[],
): Promise<ReadonlyMap<string, MergeableContact>> {
  const { rows } = await tx.run<ContactRow & { merged_into: ContactId | null }>(CONTACT_MERGE_LOCK, [
    tenantId,
    [...contactIds],
  ]);
  return new Map(rows.map((row) => [row.contact_id, { contact: toContact(row), mergedInto: row.merged_into }]));
}

const CONTACT_MERGE_MARK: Statement = {
  name: 'contact_merge_mark',
  text: `
update contacts set merged_into = $3, external_id = case when $3::uuid is null then external_id end
where tenant_id = $1 and contact_id = $2`,
};

/** Makes a contact part of another, which frees its external id; or of none again. */
export async function markMerged(
  tx: Transaction,
  tenantId: TenantId,
  contactId: ContactId,
  into: ContactId | null,
): Promise<void> {
  await tx.run(CONTACT_MERGE_MARK, [tenantId, contactId, into]);
}

const MOVE_IDENTITIES: Statement = {
  name: 'contact_merge_move_identities',
  text: `
update contact_identities set contact_id = $3 where tenant_id = $1 and contact_id = $2 returning kind, value`,
};
const RETURN_IDENTITIES: Statement = {
  name: 'contact_merge_return_identities',
  text: `
update contact_identities set contact_id = $3 where tenant_id = $1 and contact_id = $2
  and ((kind = 'phone' and value = any($4::text[])) or (kind = 'user_id' and value = any($5::text[])))`,
};

export interface Identities {
  readonly phoneKeys: readonly string[];
  readonly userIds: readonly string[];
}

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

const CONTACT_MERGE_ADD: Statement = {
  name: 'contact_merge_add',
  text: `
insert into contact_merges (
  tenant_id, merge_id, survivor_id, merged_id, place, actor_kind, actor_id, merged_ms, state)
select $1, $2, $3, $4, 1 + (
  select count(*) from contact_merges where tenant_id = $1 and survivor_id = $3 and undone_ms is null
), $5, $6, $7, $8::json
returning place`,
};

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

const CONTACT_MERGE_CURRENT: Statement = {
  name: 'contact_merge_current',
  text: 'select * from contact_merges where tenant_id = $1 and merged_id = $2 and undone_ms is null',
};
const CONTACT_MERGE_LAST: Statement = {
  name: 'contact_merge_last',
  text: `
select * from contact_merges where tenant_id = $1 and survivor_id = $2 and undone_ms is null
order by place desc limit 1`,
};

/** The merge that made a contact part of another; null when it is part of none. */
export async function findCurrentMerge(
  db: SqlRunner,
  tenantId: TenantId,
  mergedId: string,
): Promise<ContactMerge | null> {
  const { rows } = await db.run<MergeRow>(CONTACT_MERGE_CURRENT, [tenantId, mergedId]);
  return rows[0] === undefined ? null : toMerge(rows[0]);
}

/** The latest merge of a survivor that holds. */
export async function findLastMerge(
  db: SqlRunner,
  tenantId: TenantId,
  survivorId: ContactId,
): Promise<ContactMerge | null> {
  const { rows } = await db.run<MergeRow>(CONTACT_MERGE_LAST, [tenantId, survivorId]);
  return rows[0] === undefined ? null : toMerge(rows[0]);
}

const UNDONE: Statement = {
  name: 'contact_merge_undone',
  text: 'update contact_merges set undone_ms = $3, state = null where tenant_id = $1 and merge_id = $2',
};

/** Notes that a merge was taken back, and forgets what that needed. */
export async function endMerge(tx: Transaction, tenantId: TenantId, mergeId: MergeId, nowMs: number): Promise<void> {
  await tx.run(UNDONE, [tenantId, mergeId, nowMs]);
}

const CONTACT_MERGE_LIST: Statement = {
  name: 'contact_merge_list',
  text: `
select tenant_id, merge_id, survivor_id, merged_id, place, actor_kind, actor_id, merged_ms, undone_ms, null as state from (
  select * from contact_merges where tenant_id = $1 and survivor_id = $2
  union all
  select * from contact_merges where tenant_id = $1 and merged_id = $2
) m
where $3::uuid is null or merge_id < $3::uuid
order by merge_id desc limit $4 offset $5`,
};

/** The merges that a contact was part of, on either side, newest first. */
export async function listMerges(
  db: SqlRunner,
  tenantId: TenantId,
  contactId: string,
  { limit, offset, beforeId }: ListWindow,
): Promise<Page<ContactMerge>> {
  const { rows } = await db.run<MergeRow>(CONTACT_MERGE_LIST, [tenantId, contactId, beforeId, limit + 1, offset]);
  return { items: rows.slice(0, limit).map(toMerge), hasMore: rows.length > limit };
}

interface MergeRow {
  readonly merge_id: MergeId;
  readonly survivor_id: ContactId;
  readonly merged_id: ContactId;
  readonly place: number;
  readonly actor_kind: Actor['kind'];
  readonly actor_id: string | null;
  readonly merged_ms: number;
  readonly undone_ms: number | null;
  readonly state: MergeState | null;
}

function toMerge(row: MergeRow): ContactMerge {
  return {
    mergeId: row.merge_id,
    survivorId: row.survivor_id,
    mergedId: row.merged_id,
    place: row.place,
    actor: { kind: row.actor_kind, id: row.actor_id },
    mergedMs: Number(row.merged_ms),
    undoneMs: row.undone_ms === null ? null : Number(row.undone_ms),
    state: row.state,
  };
}
