import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { type MediaMessageType, sendableAs } from '#media/domain/media';
import { findMedia } from '#media/store/media';
import type { Runtime } from '#runtime/runtime';

/** The media of tenants, as accepting a message asks for them. */
export interface StoredMediaCache {
  /** Null when the tenant has no such media, or it has expired. `size` in bytes. */
  find(
    tenantId: TenantId,
    mediaId: string,
  ): Promise<{
    readonly mimeType: string;
    readonly size: number;
    readonly sendableAs: readonly MediaMessageType[];
  } | null>;
}

export function makeMediaCache(rt: Runtime, db: Database): StoredMediaCache {
  return {
    find: async (tenantId, mediaId) => {
      const media = await findMedia(db, tenantId, mediaId.toLowerCase(), rt.clock.now());
      return media && { mimeType: media.mimeType, size: media.size, sendableAs: sendableAs(media) };
    },
  };
}
