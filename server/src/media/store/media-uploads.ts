import { isUuid, type PhoneNumberId, type TenantId } from '#core/ids';
import { type SqlRunner, statement } from '#database/database';

/** Media as one sending number knows it at the network. */
export interface NetworkCopy {
  readonly tenantId: TenantId;
  readonly mediaId: string;
  readonly phoneNumberId: PhoneNumberId;
  readonly networkMediaId: string;
  readonly expiresMs: number;
}

const MEDIA_UPLOAD_FIND = statement('media_upload_find')`
select u.network_media_id from media_uploads u
where u.tenant_id = $1 and u.media_id = $2 and u.phone_number_id = $3 and u.expires_ms > $4`;

/** The network's id of media for this number, if it is still good at `nowMs`. */
export async function findNetworkCopy(
  db: SqlRunner,
  key: Pick<NetworkCopy, 'tenantId' | 'mediaId' | 'phoneNumberId'>,
  nowMs: number,
): Promise<string | null> {
  if (!isUuid(key.mediaId)) return null;
  const { rows } = await db.run<{ networkMediaId: string }>(MEDIA_UPLOAD_FIND, [
    key.tenantId,
    key.mediaId,
    key.phoneNumberId,
    nowMs,
  ]);
  return rows[0]?.networkMediaId ?? null;
}

/*
 * Only while the media is there: one that was deleted during its upload leaves no row behind.
 */
const REMEMBER = statement('media_upload_remember')`
insert into media_uploads (tenant_id, media_id, phone_number_id, network_media_id, expires_ms)
select m.tenant_id, m.media_id, $3::text, $4::text, $5::bigint from media m where m.tenant_id = $1 and m.media_id = $2
on conflict (tenant_id, media_id, phone_number_id)
  do update set network_media_id = excluded.network_media_id, expires_ms = excluded.expires_ms`;

export async function rememberNetworkCopy(db: SqlRunner, copy: NetworkCopy): Promise<void> {
  const { tenantId, mediaId, phoneNumberId, networkMediaId, expiresMs } = copy;
  await db.run(REMEMBER, [tenantId, mediaId, phoneNumberId, networkMediaId, expiresMs]);
}

const MEDIA_UPLOAD_FORGET = statement('media_upload_forget')`
delete from media_uploads where tenant_id = $1 and media_id = $2 and phone_number_id = $3`;

/** The network does not know its id any more: the next send uploads again. */
export async function forgetNetworkCopy(
  db: SqlRunner,
  key: Pick<NetworkCopy, 'tenantId' | 'mediaId' | 'phoneNumberId'>,
): Promise<void> {
  await db.run(MEDIA_UPLOAD_FORGET, [key.tenantId, key.mediaId, key.phoneNumberId]);
}
