import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import type { Media } from '#media/domain/media';
import { findMedia } from '#media/store/media';
import type { Runtime } from '#runtime/runtime';

/** A file of rows that is brought in. */
export interface ImportFile {
  readonly tenantId: TenantId;
  readonly mediaId: string;
}

/** The file of an import; null when it was deleted or has expired. */
export function findImportFile(rt: Runtime, db: Database, { tenantId, mediaId }: ImportFile): Promise<Media | null> {
  return findMedia(db, tenantId, mediaId, rt.clock.now());
}
