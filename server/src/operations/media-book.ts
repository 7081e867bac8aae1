import type { TenantId } from '#core/ids';
import { type MediaMessageType, sendableAs } from '#core/media';
import type { Runtime } from '#runtime/runtime';
import type { Database } from '#storage/database';
import { findMedia } from '#storage/media';

/** The media of tenants, as accepting a message asks for them. */
export interface StoredMediaBook {
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

export function makeMediaBook(rt: Runtime, db: Database): StoredMediaBook {
  return {
    find: async (tenantId, mediaId) => {
      const media = await findMedia(db, tenantId, mediaId.toLowerCase(), rt.clock.now());
      return media && { mimeType: media.mimeType, size: media.size, sendableAs: sendableAs(media) };
    },
  };
}
