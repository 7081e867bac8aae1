import type { TenantId } from '#core/ids';
import type { Media } from '#core/media';
import type { Runtime } from '#runtime/runtime';
import type { Database } from '#storage/database';
import { findMedia } from '#storage/media';

/** A file of rows that is brought in. */
export interface ImportFile {
  readonly tenantId: TenantId;
  readonly mediaId: string;
}

/** The file of an import; null when it was deleted or has expired. */
export function findImportFile(rt: Runtime, db: Database, { tenantId, mediaId }: ImportFile): Promise<Media | null> {
  return findMedia(db, tenantId, mediaId, rt.clock.now());
}
