import type { PhoneNumberId, TenantId } from '#core/ids';
import { describeFailure, isPassing, isWorthOneMore, type TransferFailure } from '#core/network/transfer-failure';
import type { Database } from '#database/database';
import type { Media } from '#media/domain/media';
import { findMedia } from '#media/store/media';
import { findNetworkCopy, forgetNetworkCopy, rememberNetworkCopy } from '#media/store/media-uploads';
import type { Runtime } from '#runtime/runtime';

/** Carries the bytes of media to the network. Never rejects. */
export type CarryMedia = (
  media: Media,
  phoneNumberId: PhoneNumberId,
) => Promise<{ readonly networkMediaId: string } | { readonly failure: TransferFailure }>;

export type NetworkIdAnswer =
  | { readonly networkId: string }
  /** `sentence` is what the tenant reads; `retryable`: another try can help. */
  | { readonly failure: { readonly sentence: string; readonly retryable: boolean } };

/** Where the dispatcher gets the network's id of media from: uploaded at the first send per number. */
export interface StoredMediaSource {
  /** Never rejects: what cannot be had is a failure. */
  networkIdFor(tenantId: TenantId, mediaId: string, phoneNumberId: PhoneNumberId): Promise<NetworkIdAnswer>;
  /** The network said that it does not know the id: the next send uploads again. */
  forget(tenantId: TenantId, mediaId: string, phoneNumberId: PhoneNumberId): Promise<void>;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;
/** "Lifetimes: uploaded ids 30 days", less an hour so that no id ends between its look-up and its send. */
const NETWORK_LIFETIME_MS = 30 * DAY_MS - HOUR_MS;

interface SourceDeps {
  readonly rt: Runtime;
  readonly db: Database;
  /** Passed in, because an action makes no outside calls. */
  readonly carry: CarryMedia;
}

/**
 * Uploads media once per number and 30 days, however many messages want it at the same time. A lane has one owner, so
 * that one process uploads for a number; within it, concurrent requests wait for the first.
 */
export function makeMediaSource(parts: SourceDeps): StoredMediaSource {
  const running = new Map<string, Promise<NetworkIdAnswer>>();
  return {
    networkIdFor: (tenantId, mediaId, phoneNumberId) => {
      const key = `${tenantId}/${mediaId}/${phoneNumberId}`;
      const known = running.get(key);
      if (known) return known;
      const found = provide(parts, { tenantId, mediaId, phoneNumberId }).finally(() => running.delete(key));
      running.set(key, found);
      return found;
    },
    forget: (tenantId, mediaId, phoneNumberId) =>
      forgetNetworkCopy(parts.db, { tenantId, mediaId, phoneNumberId }).catch((error: Error) => {
        parts.rt.log.warn({ mediaId, phoneNumberId, error: error.message }, 'media.forget_failed');
      }),
  };
}

interface CopyKey {
  readonly tenantId: TenantId;
  readonly mediaId: string;
  readonly phoneNumberId: PhoneNumberId;
}

async function provide(parts: SourceDeps, key: CopyKey): Promise<NetworkIdAnswer> {
  try {
    return await findOrUpload(parts, key);
  } catch (error) {
    const { mediaId, phoneNumberId } = key;
    parts.rt.log.warn({ mediaId, phoneNumberId, error: (error as Error).message }, 'media.upload_failed');
    return { failure: { sentence: 'The media could not be read. It is retried.', retryable: true } };
  }
}

async function findOrUpload({ rt, db, carry }: SourceDeps, key: CopyKey): Promise<NetworkIdAnswer> {
  const copy = await findNetworkCopy(db, key, rt.clock.now());
  if (copy !== null) return { networkId: copy };
  const media = await findMedia(db, key.tenantId, key.mediaId, rt.clock.now());
  if (media === null) return { failure: { sentence: 'The media was deleted or has expired.', retryable: false } };
  const first = await carry(media, key.phoneNumberId);
  const again = 'failure' in first && isWorthOneMore(first.failure);
  const carried = again ? await carry(media, key.phoneNumberId) : first;
  if ('failure' in carried) {
    return { failure: { sentence: describeFailure(carried.failure), retryable: isPassing(carried.failure) } };
  }
  const { networkMediaId } = carried;
  await rememberNetworkCopy(db, { ...key, networkMediaId, expiresMs: rt.clock.now() + NETWORK_LIFETIME_MS });
  return { networkId: networkMediaId };
}
