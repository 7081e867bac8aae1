import type { JsonObject } from '#core/json';
import type { ImportCounts } from './contact-import.ts';

/** What is shown of an import. */
export interface ShownImport extends ImportCounts {
  readonly importId: string;
  readonly mediaId: string;
  readonly format: string;
  readonly mode: string;
  readonly matchOn: string;
  readonly dryRun: boolean;
  readonly status: string;
  readonly total: number;
  readonly error: string | null;
  readonly createdMs: number;
  readonly finishedMs: number | null;
}

/** An import as the API and its event show it. */
export function importJson(shown: ShownImport): JsonObject {
  return {
    id: shown.importId,
    media_id: shown.mediaId,
    format: shown.format,
    mode: shown.mode,
    match_on: shown.matchOn,
    dry_run: shown.dryRun,
    status: shown.status,
    total: shown.total,
    created: shown.created,
    updated: shown.updated,
    unchanged: shown.unchanged,
    skipped: shown.skipped,
    failed: shown.failed,
    invalid: shown.invalid,
    duplicate_in_file: shown.duplicateInFile,
    error: shown.error,
    created_at: new Date(shown.createdMs).toISOString(),
    finished_at: shown.finishedMs === null ? null : new Date(shown.finishedMs).toISOString(),
  };
}
