import { type BlobId, isUuid, type TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import { plainArray } from '#database/arrays';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { firstRow, pageOf } from '#database/rows';
import type { Media } from '#media/domain/media';

const COLUMNS =
  'm.tenant_id, m.media_id, m.blob_id, m.mime_type, m.size, m.sha256, m.animated, m.filename, m.origin, m.created_ms, m.expires_ms';

const MEDIA_INSERT = statement('media_insert')`
insert into media (
  tenant_id, media_id, blob_id, mime_type, size, sha256, animated, filename, origin, created_ms, expires_ms)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

export async function insertMedia(tx: Transaction, media: Media): Promise<void> {
  await tx.run(MEDIA_INSERT, [
    media.tenantId,
    media.mediaId,
    media.blobId,
    media.mimeType,
    media.size,
    media.sha256,
    media.animated,
    media.filename,
    media.origin,
    media.createdMs,
    media.expiresMs,
  ]);
}

const MEDIA_FIND = statement('media_find')`
select ${COLUMNS} from media m where m.tenant_id = $1 and m.media_id = $2 and m.expires_ms > $3`;

/** Media of a tenant that has not expired; null when there is none, or it is another tenant's. */
export async function findMedia(
  db: SqlRunner,
  tenantId: TenantId,
  mediaId: string,
  nowMs: number,
): Promise<Media | null> {
  return isUuid(mediaId) ? firstRow(db.run<Media>(MEDIA_FIND, [tenantId, mediaId, nowMs])) : null;
}

const MEDIA_LIST = statement('media_list')`
select ${COLUMNS} from media m
where m.tenant_id = $1 and m.expires_ms > $2 and ($3::uuid is null or m.media_id < $3::uuid)
order by m.media_id desc limit $4 offset $5`;

/** Newest first. Costs the same on every page when a cursor is used. */
export async function listMedia(
  db: SqlRunner,
  tenantId: TenantId,
  window: ListWindow,
  nowMs: number,
): Promise<Page<Media>> {
  const { rows } = await db.run<Media>(MEDIA_LIST, [tenantId, nowMs, window.beforeId, window.limit + 1, window.offset]);
  return pageOf(rows, window.limit);
}

const MEDIA_EXTEND = statement('media_extend')`
update media m set expires_ms = $3 where m.tenant_id = $1 and m.media_id = any($2::uuid[]) and m.expires_ms < $3`;

/** Keeps media at least until then. */
export async function extendMedia(
  tx: Transaction,
  {
    tenantId,
    mediaIds,
    untilMs,
  }: { readonly tenantId: TenantId; readonly mediaIds: readonly string[]; readonly untilMs: number },
): Promise<void> {
  await tx.run(MEDIA_EXTEND, [tenantId, plainArray(mediaIds), untilMs]);
}

const MEDIA_DELETE = statement('media_delete')`
delete from media where tenant_id = $1 and media_id = $2 and expires_ms > $3 returning blob_id`;
const DELETE_UPLOADS = statement('media_delete_uploads')`
delete from media_uploads where tenant_id = $1 and media_id = $2`;

/** Removes media and what is known of it at the network. @returns its blob; null when there was no such media */
export async function deleteMediaRow(
  tx: Transaction,
  tenantId: TenantId,
  mediaId: string,
  nowMs: number,
): Promise<BlobId | null> {
  const { rows } = await tx.run<{ blobId: BlobId }>(MEDIA_DELETE, [tenantId, mediaId, nowMs]);
  if (rows[0]) await tx.run(DELETE_UPLOADS, [tenantId, mediaId]);
  return rows[0]?.blobId ?? null;
}
