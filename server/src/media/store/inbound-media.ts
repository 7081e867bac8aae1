import { INACTIVE_TENANTS } from '#access/store/tenant-states';
import type { MediaId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import { columnsOf, plainArray } from '#database/arrays';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import type { AnnouncedMedia } from '#media/domain/inbound-media';

/** The message that a file came with. */
export interface MediaOwner {
  readonly tenantId: TenantId;
  readonly messageId: MessageId;
}

const INBOUND_MEDIA_INSERT = statement('inbound_media_insert')`
insert into inbound_media (
  tenant_id, message_id, phone_number_id, network_media_id, mime_type, sha256, filename, due_ms, created_ms)
values ($1, $2, $3, $4, $5, $6, $7, $8, $8)
on conflict do nothing`;

/** A file that is to be fetched at once, unless it is known. */
export async function insertInboundMedia(
  db: SqlRunner,
  message: MediaOwner & { readonly phoneNumberId: PhoneNumberId; readonly nowMs: number },
  media: AnnouncedMedia,
): Promise<void> {
  const { tenantId, messageId, phoneNumberId, nowMs } = message;
  const { networkMediaId, mimeType, sha256, filename } = media;
  await db.run(INBOUND_MEDIA_INSERT, [
    tenantId,
    messageId,
    phoneNumberId,
    networkMediaId,
    mimeType,
    sha256,
    filename,
    nowMs,
  ]);
}

const INBOUND_MEDIA_INSERT_MANY = statement('inbound_media_insert_many', { insertsOnly: true })`
insert into inbound_media (
  tenant_id, message_id, phone_number_id, network_media_id, mime_type, sha256, filename, due_ms, created_ms)
select t.tenant_id, t.message_id, t.phone_number_id, t.network_media_id, t.mime_type, t.sha256, t.filename, t.now_ms, t.now_ms
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[])
  as t (tenant_id, message_id, phone_number_id, network_media_id, mime_type, sha256, filename, now_ms)
on conflict do nothing`;

/** A file with the message that it came with. */
export interface OwnedMedia extends MediaOwner {
  readonly phoneNumberId: PhoneNumberId;
  readonly media: AnnouncedMedia;
  readonly nowMs: number;
}

/** Files that are to be fetched at once, as far as they are not known. */
export async function insertManyInboundMedia(tx: Transaction, files: readonly OwnedMedia[]): Promise<void> {
  if (files.length === 0) return;
  await tx.run(INBOUND_MEDIA_INSERT_MANY, [
    ...columnsOf(files, 'tenantId', 'messageId').map(plainArray),
    files.map((one) => one.phoneNumberId),
    files.map((one) => one.media.networkMediaId),
    files.map((one) => one.media.mimeType),
    files.map((one) => one.media.sha256),
    files.map((one) => one.media.filename),
    plainArray(files.map((one) => one.nowMs)),
  ]);
}

/** A file that this process fetches now. */
export interface ClaimedFetch extends MediaOwner, AnnouncedMedia {
  readonly phoneNumberId: PhoneNumberId;
  /** Number of this attempt, 1 for the first. */
  readonly attempt: number;
  readonly createdMs: number;
}

/*
 * Over all tenants, joined on tenant_id. Whoever moves due_ms ahead has the row until then: a second process finds
 * it changed when it gets the lock, and leaves it.
 */
const INBOUND_MEDIA_CLAIM = statement('inbound_media_claim')`
with due as (
  select f.tenant_id, f.message_id from inbound_media f
  where f.due_ms <= $1 and f.tenant_id <> all($4::uuid[] || ${INACTIVE_TENANTS}) order by f.due_ms limit $3
)
update inbound_media f set due_ms = $2, attempts = least(f.attempts + 1, 30000)
from due d
where f.tenant_id = d.tenant_id and f.message_id = d.message_id and f.due_ms <= $1
returning f.tenant_id, f.message_id, f.phone_number_id, f.network_media_id, f.mime_type, f.sha256, f.filename,
  f.attempts as attempt, f.created_ms`;

interface ClaimQuery {
  readonly nowMs: number;
  readonly untilMs: number;
  readonly limit: number;
  /** Tenants that have enough under way. */
  readonly without: readonly TenantId[];
}

/** Takes up to `limit` files that are due, oldest first. They are this process's until `untilMs`. */
export async function claimFetches(
  db: SqlRunner,
  { nowMs, untilMs, limit, without }: ClaimQuery,
): Promise<readonly ClaimedFetch[]> {
  return (await db.run<ClaimedFetch>(INBOUND_MEDIA_CLAIM, [nowMs, untilMs, limit, without])).rows;
}

const READY = statement('inbound_media_ready')`
update inbound_media set status = 'ready', media_id = $3, due_ms = null, error = null
where tenant_id = $1 and message_id = $2 and status = 'pending'`;

/** The file is here. @returns false when another process was faster */
export async function finishFetch(tx: Transaction, owner: MediaOwner, mediaId: MediaId): Promise<boolean> {
  return (await tx.run(READY, [owner.tenantId, owner.messageId, mediaId])).rowCount > 0;
}

const FAILED = statement('inbound_media_failed')`
update inbound_media set
  status = case when $3::bigint is null then 'failed' else 'pending' end, due_ms = $3::bigint, error = $4::jsonb
where tenant_id = $1 and message_id = $2 and status = 'pending'`;

/** Notes why a file is not here. @param dueMs when it is tried again; null: never */
export async function failFetch(
  db: SqlRunner,
  owner: MediaOwner,
  {
    dueMs,
    error,
  }: { readonly dueMs: number | null; readonly error: { readonly code: string; readonly message: string } },
): Promise<void> {
  await db.run(FAILED, [owner.tenantId, owner.messageId, dueMs, JSON.stringify(error)]);
}

const REMOVE = statement('inbound_media_remove')`
with gone as (
  delete from inbound_media f using unnest($1::uuid[], $2::uuid[]) as t (tenant_id, message_id)
  where f.tenant_id = t.tenant_id and f.message_id = t.message_id
  returning f.tenant_id, f.media_id
), removed as (
  delete from media m using gone g where m.tenant_id = g.tenant_id and m.media_id = g.media_id
  returning m.tenant_id, m.media_id, m.blob_id
), forgotten as (
  delete from media_uploads u using removed r where u.tenant_id = r.tenant_id and u.media_id = r.media_id
)
update media_blobs b set loose_ms = $3 from removed r where b.tenant_id = r.tenant_id and b.blob_id = r.blob_id`;

/** Removes the files of messages that customers deleted: their bytes go with the next sweep of loose blobs. */
export async function removeReceivedMedia(
  tx: Transaction,
  messages: readonly MediaOwner[],
  nowMs: number,
): Promise<void> {
  if (messages.length === 0) return;
  await tx.run(REMOVE, [...columnsOf(messages, 'tenantId', 'messageId').map(plainArray), nowMs]);
}
