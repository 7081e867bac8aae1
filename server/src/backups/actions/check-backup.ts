import { type Manifest, partsOf } from '#backups/domain/manifest';
import type { Archive } from '#blobs/archive';
import { checkMedia } from './media-files.ts';
import { readTable } from './row-files.ts';

export interface CheckedBackup {
  readonly rows: number;
  /** What is wrong, in sentences; empty: nothing. */
  readonly faults: readonly string[];
}

/** Reads a whole backup, counts its rows and compares its hashes. Changes nothing. */
export async function checkBackup(archive: Archive, manifest: Manifest): Promise<CheckedBackup> {
  const parts: CheckedBackup[] = [];
  for (const part of partsOf(manifest)) parts.push(await checkPart(archive, part));
  return { rows: parts.reduce((sum, { rows }) => sum + rows, 0), faults: parts.flatMap(({ faults }) => faults) };
}

async function checkPart(archive: Archive, manifest: Manifest): Promise<CheckedBackup> {
  const faults: string[] = [];
  let rows = 0;
  for (const [table, entry] of Object.entries(manifest.tables)) {
    try {
      for await (const portion of readTable(archive, table, entry)) rows += portion.length;
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'BackupUnusable') throw error;
      faults.push(error.message);
    }
  }
  // Rows that cannot be read name no files.
  const media = faults.length > 0 ? [] : await checkMedia(archive, manifest);
  return { rows, faults: [...faults, ...media.map((name) => `${name} is missing or damaged.`)] };
}
