import type { BlobId, TenantId } from '#core/ids';
import { type SqlRunner, statement, type Transaction } from '#database/database';

/** What an upload asks for. */
export interface BlobClaim {
  readonly tenantId: TenantId;
  /** Used when the tenant has no such bytes yet. */
  readonly freshId: BlobId;
  readonly sha256: string;
  readonly size: number;
  readonly nowMs: number;
  /** Bytes that all blobs of the tenant may have together; null: no limit. */
  readonly quotaBytes: number | null;
}

/*
 * Loose from now on, also when it exists: the sweep leaves it alone for an hour, which is longer than any upload
 * takes from here to its media row.
 *
 * The quota is something that the planner does not see through: where it knew that there is none it left the tables out, and Citus
 * then finds no node for the insert, and inserts nothing.
 */
const BLOB_CLAIM = statement('blob_claim')`
insert into media_blobs as b (tenant_id, blob_id, sha256, size, loose_ms, created_ms)
select $1::uuid, $2::uuid, $3::text, $4::bigint, $5::bigint, $5::bigint
from (select $6::bigint as bytes offset 0) quota
where quota.bytes is null
  or exists (select 1 from media_blobs e where e.tenant_id = $1 and e.sha256 = $3 and not e.removing)
  or coalesce((select sum(u.size) from media_blobs u where u.tenant_id = $1), 0) + $4 <= quota.bytes
on conflict (tenant_id, sha256) where not removing do update set loose_ms = excluded.loose_ms
returning b.blob_id`;

/** The blob for these bytes, made when the tenant has none; null when its quota has no room for one more. */
export async function claimBlob(db: SqlRunner, claim: BlobClaim): Promise<BlobId | null> {
  const { tenantId, freshId, sha256, size, nowMs, quotaBytes } = claim;
  const { rows } = await db.run<{ blobId: BlobId }>(BLOB_CLAIM, [tenantId, freshId, sha256, size, nowMs, quotaBytes]);
  return rows[0]?.blobId ?? null;
}

const BLOB_HOLD = statement('blob_hold')`
update media_blobs set loose_ms = null where tenant_id = $1 and blob_id = $2 and not removing`;

/** Something refers to the blob from this transaction on. @returns false when the sweep was faster */
export async function holdBlob(tx: Transaction, tenantId: TenantId, blobId: BlobId): Promise<boolean> {
  return (await tx.run(BLOB_HOLD, [tenantId, blobId])).rowCount > 0;
}

const LOOSEN = statement('blob_loosen')`update media_blobs set loose_ms = $3 where tenant_id = $1 and blob_id = $2`;

/** A reference to the blob is gone; the sweep finds out whether it was the last one. */
export async function loosenBlob(tx: Transaction, tenantId: TenantId, blobId: BlobId, nowMs: number): Promise<void> {
  await tx.run(LOOSEN, [tenantId, blobId, nowMs]);
}

/** A blob without references, to be removed from the store. */
export interface DeadBlob {
  readonly tenantId: TenantId;
  readonly blobId: BlobId;
  readonly sha256: string;
}

/** Blobs looked at in one step. */
const SWEEP_BATCH = 500;

/*
 * Over all tenants, joined on tenant_id. A blob that an upload takes hold of at the same time has no loose_ms any
 * more when this statement gets its row lock, and is left alone.
 */
const CONDEMN = statement('blob_condemn')`
with judged as (
  select b.tenant_id, b.blob_id,
    exists (select 1 from media m where m.tenant_id = b.tenant_id and m.blob_id = b.blob_id) as used
  from media_blobs b where b.loose_ms < $1 order by b.loose_ms limit ${SWEEP_BATCH}
)
update media_blobs b set removing = not j.used, loose_ms = case when j.used then null else b.loose_ms end
from judged j
where b.tenant_id = j.tenant_id and b.blob_id = j.blob_id and b.loose_ms < $1
returning b.tenant_id, b.blob_id, b.sha256, b.removing`;

/** Blobs that are loose since before `beforeMs` and that nothing refers to; nobody can take hold of them any more. */
export async function condemnBlobs(db: SqlRunner, beforeMs: number): Promise<readonly DeadBlob[]> {
  const { rows } = await db.run<DeadBlob & { readonly removing: boolean }>(CONDEMN, [beforeMs]);
  return rows.filter(({ removing }) => removing);
}

const BLOB_FORGET = statement('blob_forget')`
delete from media_blobs b using unnest($1::uuid[], $2::uuid[]) as t (tenant_id, blob_id)
where b.tenant_id = t.tenant_id and b.blob_id = t.blob_id and b.removing`;

/** The bytes of these blobs are gone. */
export async function forgetBlobs(db: SqlRunner, blobs: readonly DeadBlob[]): Promise<void> {
  await db.run(BLOB_FORGET, [blobs.map((blob) => blob.tenantId), blobs.map((blob) => blob.blobId)]);
}

const MEDIA_EXPIRE = statement('media_expire')`
with old as (
  select m.tenant_id, m.media_id from media m where m.expires_ms <= $1 order by m.expires_ms limit ${SWEEP_BATCH}
), gone as (
  delete from media m using old o where m.tenant_id = o.tenant_id and m.media_id = o.media_id
  returning m.tenant_id, m.media_id, m.blob_id
), forgotten as (
  delete from media_uploads u using gone g where u.tenant_id = g.tenant_id and u.media_id = g.media_id
)
update media_blobs b set loose_ms = $1 from gone g where b.tenant_id = g.tenant_id and b.blob_id = g.blob_id`;

/** Removes media whose time is over; its bytes become loose. @returns blobs touched; call again while there are any */
export async function expireMedia(db: SqlRunner, nowMs: number): Promise<number> {
  return (await db.run(MEDIA_EXPIRE, [nowMs])).rowCount;
}
