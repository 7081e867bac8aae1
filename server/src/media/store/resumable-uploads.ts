import { INACTIVE_TENANTS } from '#access/store/tenant-states';
import { isUuid, type MediaId, type TenantId } from '#core/ids';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { type Find, firstRow } from '#database/rows';
import type { ResumableUpload, UploadFault } from '#media/domain/resumable-upload';

const COLUMNS =
  'u.tenant_id, u.upload_id, u.size, u.filename, u.mime_type, u.metadata, u.status, u.media_id, u.session, u.handle, u.error, u.attempts, u.created_ms';

const RESUMABLE_INSERT = statement('resumable_insert')`
insert into resumable_uploads (
  tenant_id, upload_id, size, filename, mime_type, metadata, status, media_id, due_ms, created_ms)
values ($1, $2, $3, $4, $5, $6::jsonb, $7, $8, $9, $10)`;

/** A fresh upload: of which bytes are still missing, or whose media is here and waits for its handle. */
export async function insertUpload(tx: Transaction, upload: ResumableUpload): Promise<void> {
  const { tenantId, uploadId, size, filename, mimeType, metadata, status, mediaId, createdMs } = upload;
  const dueMs = status === 'processing' ? createdMs : null;
  const stored = metadata === null ? null : JSON.stringify(metadata);
  await tx.run(RESUMABLE_INSERT, [
    tenantId,
    uploadId,
    size,
    filename,
    mimeType,
    stored,
    status,
    mediaId,
    dueMs,
    createdMs,
  ]);
}

const RESUMABLE_LOCK_TENANT = statement('resumable_lock_tenant')`
select tenant_id from tenants where tenant_id = $1 for no key update`;

const CLAIMED = statement('resumable_claimed')`
select
  (select count(*) from resumable_uploads u
    where u.tenant_id = $1 and u.status = 'uploading' and u.created_ms > $2)::int as open,
  (select coalesce(sum(u.size), 0) from resumable_uploads u
    where u.tenant_id = $1 and u.status = 'uploading' and u.created_ms > $2)::bigint as promised_bytes,
  (select coalesce(sum(b.size), 0) from media_blobs b where b.tenant_id = $1)::bigint as stored_bytes`;

/** What a tenant has claimed of the media store. */
export interface ClaimedSpace {
  /** Unfinished uploads. */
  readonly open: number;
  /** Bytes in all that those were announced with. */
  readonly promisedBytes: number;
  readonly storedBytes: number;
}

/**
 * What a tenant has claimed; until the transaction ends nobody else begins an upload of it.
 * @param sinceMs unfinished uploads begun at or before it have expired
 */
export async function lockClaimedSpace(tx: Transaction, tenantId: TenantId, sinceMs: number): Promise<ClaimedSpace> {
  await tx.run(RESUMABLE_LOCK_TENANT, [tenantId]);
  const claimed = await firstRow(tx.run<ClaimedSpace>(CLAIMED, [tenantId, sinceMs]));
  return claimed ?? { open: 0, promisedBytes: 0, storedBytes: 0 };
}

const RESUMABLE_FIND = statement('resumable_find')`
select ${COLUMNS} from resumable_uploads u where u.tenant_id = $1 and u.upload_id = $2`;

export const findUpload: Find<ResumableUpload> = async (db, tenantId, id) =>
  isUuid(id) ? firstRow(db.run<ResumableUpload>(RESUMABLE_FIND, [tenantId, id])) : null;

const RESUMABLE_COMPLETE = statement('resumable_complete')`
update resumable_uploads set status = 'processing', media_id = $3, due_ms = $4
where tenant_id = $1 and upload_id = $2 and status = 'uploading'`;

type UploadKey = Pick<ResumableUpload, 'tenantId' | 'uploadId'>;

/** All bytes are here, as this media. @returns false when somebody else was faster */
export async function completeUpload(
  tx: Transaction,
  { tenantId, uploadId }: UploadKey,
  { mediaId, nowMs }: { readonly mediaId: MediaId; readonly nowMs: number },
): Promise<boolean> {
  return (await tx.run(RESUMABLE_COMPLETE, [tenantId, uploadId, mediaId, nowMs])).rowCount > 0;
}

const RESUMABLE_DELETE = statement('resumable_delete')`
delete from resumable_uploads where tenant_id = $1 and upload_id = $2`;

export async function deleteUpload(db: SqlRunner, { tenantId, uploadId }: UploadKey): Promise<void> {
  await db.run(RESUMABLE_DELETE, [tenantId, uploadId]);
}

/* Over all tenants, joined on tenant_id; see the claim of inbound media. */
const RESUMABLE_CLAIM = statement('resumable_claim')`
with due as (
  select u.tenant_id, u.upload_id from resumable_uploads u
  where u.due_ms <= $1 and u.tenant_id <> all($4::uuid[] || ${INACTIVE_TENANTS}) order by u.due_ms limit $3
)
update resumable_uploads u set due_ms = $2, attempts = least(u.attempts + 1, 30000)
from due d where u.tenant_id = d.tenant_id and u.upload_id = d.upload_id and u.due_ms <= $1
returning ${COLUMNS}`;

/** Takes up to `limit` uploads that wait for their handle. They are this process's until `untilMs`. */
export async function claimUploads(
  db: SqlRunner,
  {
    nowMs,
    untilMs,
    limit,
    without,
  }: {
    readonly nowMs: number;
    readonly untilMs: number;
    readonly limit: number;
    /** Tenants that have enough under way. */
    readonly without: readonly TenantId[];
  },
): Promise<readonly ResumableUpload[]> {
  return (await db.run<ResumableUpload>(RESUMABLE_CLAIM, [nowMs, untilMs, limit, without])).rows;
}

const NOTE_SESSION = statement('resumable_session')`
update resumable_uploads set session = $3 where tenant_id = $1 and upload_id = $2`;

/** @param session null: the network has forgotten it */
export async function noteSession(
  db: SqlRunner,
  { tenantId, uploadId }: UploadKey,
  session: string | null,
): Promise<void> {
  await db.run(NOTE_SESSION, [tenantId, uploadId, session]);
}

const RESUMABLE_SETTLE = statement('resumable_settle')`
update resumable_uploads set status = $3, handle = $4, due_ms = $5, error = $6::jsonb
where tenant_id = $1 and upload_id = $2 and status = 'processing'`;

/** What became of the transfer to the network: a handle, another try at `dueMs`, or a failure for good. */
export async function settleUpload(
  db: SqlRunner,
  { tenantId, uploadId }: UploadKey,
  outcome: { readonly handle: string } | { readonly dueMs: number | null; readonly error: UploadFault },
): Promise<void> {
  if ('handle' in outcome) {
    await db.run(RESUMABLE_SETTLE, [tenantId, uploadId, 'ready', outcome.handle, null, null]);
    return;
  }
  const status = outcome.dueMs === null ? 'failed' : 'processing';
  await db.run(RESUMABLE_SETTLE, [tenantId, uploadId, status, null, outcome.dueMs, JSON.stringify(outcome.error)]);
}

const RESUMABLE_EXPIRE = statement('resumable_expire')`
with old as (
  select u.tenant_id, u.upload_id from resumable_uploads u
  where u.created_ms < $2 or (u.created_ms < $1 and u.status = 'uploading') order by u.created_ms limit 500
)
delete from resumable_uploads u using old o where u.tenant_id = o.tenant_id and u.upload_id = o.upload_id`;

/** Removes unfinished uploads begun before `unfinishedMs`, and any begun before `anyMs`. @returns how many */
export async function removeOldUploads(
  db: SqlRunner,
  { unfinishedMs, anyMs }: { readonly unfinishedMs: number; readonly anyMs: number },
): Promise<number> {
  return (await db.run(RESUMABLE_EXPIRE, [unfinishedMs, anyMs])).rowCount;
}
