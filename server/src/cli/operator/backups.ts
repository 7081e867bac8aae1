import { type BackupDeps, type BackupOptions, createBackup } from '#backups/actions/create-backup';
import { type CellEntry, type Manifest, partsOf, schemaVersion } from '#backups/domain/manifest';
import { addedCells } from '#cells/actions/add-cell';
import { backUpCells } from '#cells/actions/back-up-cells';
import { MAIN_CELL } from '#cells/domain/cell';
import type { JsonObject } from '#core/json';
import type { OperatorDeps, OperatorWork } from './command.ts';
import { inputText } from './input.ts';
import { openUnchanged, requireAll, withCells } from './over-cells.ts';

/** Makes a backup in the process that has the database open, for `postrider backup`. */
export const backupWork: OperatorWork = async (deps, input) => {
  const { rt } = deps;
  const location = inputText(input, 'to');
  // Loaded on demand: no other command needs an archive.
  const { openArchive } = await import('#blobs/open-archive');
  const { openBlobStore } = await import('#blobs/open-store');
  const archive = openArchive(rt.config, location);
  const store = openBlobStore(rt.config);
  try {
    const manifest = await backUp(deps, { archive, store }, { copyBucket: input.copy_media === true });
    return { ...presentBackup(manifest), location: archive.location };
  } finally {
    await store.close();
    await archive.close();
  }
};

async function backUp(
  deps: OperatorDeps,
  places: Pick<BackupDeps, 'archive' | 'store'>,
  options: BackupOptions,
): Promise<Manifest> {
  const { rt, db } = deps;
  const added = db.kind === 'postgres' ? await addedCells(db) : [];
  if (added.length === 0) return createBackup({ rt, db, ...places }, options);
  return withCells(
    deps,
    async (cells) => {
      await requireAll(cells);
      return backUpCells({ rt, db, ...places, open: cells.open, added }, options);
    },
    openUnchanged,
  );
}

/** What is shown of a backup: figures, and nothing of what is in it. */
export function presentBackup(manifest: Manifest): JsonObject {
  const { id, version, database, startedAt, finishedAt, tables, media, cells } = manifest;
  const parts = partsOf(manifest);
  const ofMedia = (figure: (one: Manifest['media']) => number) => sum(parts.map((part) => figure(part.media)));
  return {
    id,
    version,
    schema_version: schemaVersion(manifest),
    database,
    started_at: startedAt,
    finished_at: finishedAt,
    tables: Object.keys(tables).length,
    ...sizesOf(parts),
    media: {
      copied: media.copied,
      location: media.location,
      files: ofMedia(({ files }) => files),
      bytes: ofMedia(({ bytes }) => bytes),
      missing: ofMedia(({ missing }) => missing.length),
    },
    ...(cells === undefined ? {} : { cells: presentCells(manifest, cells) }),
  };
}

function presentCells(manifest: Manifest, added: readonly CellEntry[]): readonly JsonObject[] {
  const [main, ...parts] = partsOf(manifest);
  const all = [
    { cellId: MAIN_CELL, part: main ?? manifest },
    ...added.map(({ cellId }, index) => ({ cellId, part: parts[index] ?? manifest })),
  ];
  return all.map(({ cellId, part }) => ({ id: cellId, started_at: part.startedAt, ...sizesOf([part]) }));
}

function sizesOf(parts: readonly Manifest[]): { readonly rows: number; readonly bytes: number } {
  const entries = parts.flatMap(({ tables }) => Object.values(tables));
  const files = entries.flatMap((entry) => entry.files);
  return { rows: sum(entries.map(({ rows }) => rows)), bytes: sum(files.map(({ bytes }) => bytes)) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
