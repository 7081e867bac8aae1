import { findOwnRetention } from '#access/store/tenant-retention';
import { findSubscription } from '#billing/store/subscriptions';
import { addUsage, slotOf, type UsageRow } from '#billing/store/usage';
import { ApiProblem } from '#core/errors';
import type { BlobId, MediaId, TenantId } from '#core/ids';
import { effectiveDays, type OwnRetention } from '#core/retention';
import type { Database, Transaction } from '#database/database';
import { blobKey } from '#media/domain/blob-key';
import type { Media, MediaOrigin } from '#media/domain/media';
import { insertMedia } from '#media/store/media';
import { claimBlob, holdBlob } from '#media/store/media-blobs';
import { DAY_MS, limitsOfRetention } from '#runtime/retention';
import type { Runtime } from '#runtime/runtime';

/** Bytes that have arrived, and what they are. */
export interface ArrivedMedia {
  readonly tenantId: TenantId;
  readonly sha256: string;
  readonly size: number;
  readonly mimeType: string;
  readonly animated: boolean;
  readonly filename: string | null;
  readonly origin: MediaOrigin;
  /** Moves the bytes into the media store under this key. */
  readonly keep: (key: string) => Promise<void>;
}

/** What is to be written together with the row of the media; what it throws undoes both. */
export type Alongside = (tx: Transaction, media: Media) => Promise<void>;

const MIB = 1024 * 1024;

/**
 * Makes arrived bytes media of a tenant: claims a blob for them (an existing one when the tenant has equal bytes),
 * moves them into the store, and only then writes the row that makes them visible. Killed in between, it leaves
 * a loose blob, which maintenance sweeps.
 * @throws ApiProblem media_quota_exceeded; media_store_unavailable when it stood still for an hour on the way
 */
export async function storeMedia(
  rt: Runtime,
  db: Database,
  arrived: ArrivedMedia,
  alongside: Alongside = async () => undefined,
): Promise<Media> {
  const blobId = await claim(rt, db, arrived);
  await arrived.keep(blobKey(arrived.sha256, blobId));
  const media = toMedia(rt, arrived, blobId, await findOwnRetention(db, arrived.tenantId));
  const held = await db.transaction(async (tx) => {
    if (!(await holdBlob(tx, arrived.tenantId, blobId))) return false;
    await insertMedia(tx, media);
    await countMedia(tx, media);
    await alongside(tx, media);
    return true;
  });
  if (!held) throw new ApiProblem('media_store_unavailable', { cause: 'The sweep took the blob of this upload.' });
  return media;
}

/** Uploaded or received: each time counts, also when the tenant has equal bytes already. */
async function countMedia(tx: Transaction, { tenantId, mediaId, size, createdMs }: Media): Promise<void> {
  const row: UsageRow = { tenantId, fact: 'media', phoneNumberId: '', name: '', amount: size };
  await addUsage(tx, { rows: [row], atMs: createdMs, slot: slotOf(mediaId) });
}

async function claim(rt: Runtime, db: Database, arrived: ArrivedMedia): Promise<BlobId> {
  const { tenantId, sha256, size } = arrived;
  const blobId = await claimBlob(db, {
    tenantId,
    freshId: rt.newId<BlobId>(),
    sha256,
    size,
    nowMs: rt.clock.now(),
    quotaBytes: await quotaOf(rt, db, arrived),
  });
  if (blobId === null) throw new ApiProblem('media_quota_exceeded');
  return blobId;
}

/**
 * The operator's ceiling holds for all media, the plan's limit for what the tenant uploads: a customer's file is not lost
 * because its receiver has a small plan.
 * @returns bytes; null: no limit
 */
export async function quotaOf(
  rt: Runtime,
  db: Database,
  { tenantId, origin }: Pick<ArrivedMedia, 'tenantId' | 'origin'>,
): Promise<number | null> {
  const ceiling = rt.config.mediaQuotaMb === 0 ? Number.POSITIVE_INFINITY : rt.config.mediaQuotaMb * MIB;
  const { plan } = await findSubscription(db, tenantId);
  const planned = origin === 'inbound' ? null : plan.mediaBytes;
  const quota = Math.min(ceiling, planned ?? Number.POSITIVE_INFINITY);
  return Number.isFinite(quota) ? quota : null;
}

/** When media that is stored or needed now expires, in a tenant that chose these retentions itself. */
export function mediaExpiry(rt: Runtime, own: OwnRetention, origin: MediaOrigin): number {
  const kind = origin === 'inbound' ? 'received_media' : 'uploads';
  const days = effectiveDays(own, limitsOfRetention(rt.config))[kind] ?? rt.config.mediaRetentionDays;
  return rt.clock.now() + days * DAY_MS;
}

function toMedia(rt: Runtime, arrived: ArrivedMedia, blobId: BlobId, own: OwnRetention): Media {
  const { tenantId, sha256, size, mimeType, animated, filename, origin } = arrived;
  const createdMs = rt.clock.now();
  const expiresMs = mediaExpiry(rt, own, origin);
  const mediaId = rt.newId<MediaId>();
  return { tenantId, mediaId, blobId, mimeType, size, sha256, animated, filename, origin, createdMs, expiresMs };
}
