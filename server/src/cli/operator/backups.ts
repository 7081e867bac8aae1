import { createBackup } from '#backups/actions/create-backup';
import type { Manifest } from '#backups/domain/manifest';
import { schemaVersion } from '#backups/domain/manifest';
import { addedCells } from '#cells/actions/add-cell';
import type { JsonObject } from '#core/json';
import { OperatorError } from '#core/operator-error';
import type { OperatorWork } from './command.ts';
import { inputText } from './input.ts';

/** Makes a backup in the process that has the database open, for `postrider backup`. */
export const backupWork: OperatorWork = async ({ rt, db }, input) => {
  const location = inputText(input, 'to');
  if (db.kind === 'postgres' && (await addedCells(db)).length > 0)
    throw new OperatorError(
      'This installation has cells, which "postrider backup" does not cover: back up all of their databases with the tools of PostgreSQL.',
    );
  // Loaded on demand: no other command needs an archive.
  const { openArchive } = await import('#blobs/open-archive');
  const { openBlobStore } = await import('#blobs/open-store');
  const archive = openArchive(rt.config, location);
  const store = openBlobStore(rt.config);
  try {
    const manifest = await createBackup({ rt, db, archive, store }, { copyBucket: input.copy_media === true });
    return { ...presentBackup(manifest), location: archive.location };
  } finally {
    await store.close();
    await archive.close();
  }
};

/** What is shown of a backup: figures, and nothing of what is in it. */
export function presentBackup(manifest: Manifest): JsonObject {
  const { id, version, database, startedAt, finishedAt, tables, media } = manifest;
  const entries = Object.values(tables);
  const files = entries.flatMap((entry) => entry.files);
  return {
    id,
    version,
    schema_version: schemaVersion(manifest),
    database,
    started_at: startedAt,
    finished_at: finishedAt,
    tables: entries.length,
    rows: entries.reduce((sum, { rows }) => sum + rows, 0),
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    media: {
      copied: media.copied,
      location: media.location,
      files: media.files,
      bytes: media.bytes,
      missing: media.missing.length,
    },
  };
}
