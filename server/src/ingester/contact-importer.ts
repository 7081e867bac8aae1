import type { BlobStore } from '#blobs/blob-store';
import { blobKey } from '#core/blob-key';
import type { AttributeType } from '#core/contact-attribute';
import { type FileRow, readRow } from '#core/contact-import';
import type { DispatchDatabase } from '#operations/dispatch-database';
import { importPortion, keyOf, PORTION_ROWS } from '#operations/import-portion';
import { claimDueImport, endImport, findImportFile, importAttributes } from '#operations/manage-imports';
import { Loop } from '#queue/loop';
import type { Runtime } from '#runtime/runtime';
import { readRows } from './read-rows.ts';

type Import = NonNullable<Awaited<ReturnType<typeof claimDueImport>>>;

interface ImporterParts {
  readonly rt: Runtime;
  readonly db: DispatchDatabase;
  readonly blobs: BlobStore;
}

/** Brings in files of contacts. */
export interface ContactImporter {
  start(): void;
  /** Finishes the portion under way; another process, or the next start, goes on behind it. */
  stop(): Promise<void>;
  /** Brings in one file that is due. @returns whether there was one */
  runOnce(): Promise<boolean>;
}

const POLL_MS = 500;

export function makeContactImporter(parts: ImporterParts): ContactImporter {
  let stopped = false;
  const runOnce = async (): Promise<boolean> => {
    const claimed = await claimDueImport(parts.rt, parts.db);
    if (claimed === null) return false;
    await importFile(parts, claimed, () => stopped);
    return true;
  };
  const loop = new Loop(parts.rt, POLL_MS, 'contact_import', async () => {
    while (!stopped && (await runOnce()));
  });
  return {
    runOnce,
    start: () => loop.start(),
    stop: async () => {
      stopped = true;
      await loop.stop();
    },
  };
}

const FILE_IS_GONE = 'The file was deleted or has expired before it was brought in.';

async function importFile(parts: ImporterParts, of: Import, isStopped: () => boolean): Promise<void> {
  const { rt, db, blobs } = parts;
  const media = await findImportFile(rt, db, of);
  const file = media === null ? null : await blobs.open(blobKey(media.sha256, media.blobId));
  if (file === null) return endImport(rt, db, of, FILE_IS_GONE);
  const attributes = await importAttributes(db, of);
  const progress: Progress = { done: of.total, seen: new Set(), attributes, unreadable: null };
  try {
    for await (const rows of portionsOf(readable(file, of, progress), of, progress)) {
      const doneBefore = progress.done;
      // The lease was lost, or this process ends: whoever goes on knows the place.
      if (isStopped() || !(await importPortion(rt, db, { of, doneBefore, rows, seen: progress.seen }))) return;
      progress.done += rows.length;
    }
  } finally {
    file.destroy();
  }
  await endImport(rt, db, of, progress.unreadable);
}

interface Progress {
  done: number;
  readonly seen: Set<string>;
  readonly attributes: ReadonlyMap<string, AttributeType>;
  unreadable: string | null;
}

/** The rows up to where the file can be read; what is wrong then is noted. */
async function* readable(file: Parameters<typeof readRows>[0], of: Import, progress: Progress): AsyncIterable<FileRow> {
  try {
    yield* readRows(file, of.format);
  } catch (error) {
    progress.unreadable = `The file cannot be read to its end: ${(error as Error).message}`;
  }
}

/** Portions of rows that are not done yet; of those that are, only what they were about is noted. */
async function* portionsOf(rows: AsyncIterable<FileRow>, of: Import, progress: Progress): AsyncIterable<FileRow[]> {
  let index = 0;
  let portion: FileRow[] = [];
  for await (const row of rows) {
    index += 1;
    if (index <= of.total) {
      noteKey(row, of, progress);
      continue;
    }
    portion.push(row);
    if (portion.length < PORTION_ROWS) continue;
    yield portion;
    portion = [];
  }
  if (portion.length > 0) yield portion;
}

function noteKey(row: FileRow, of: Import, { seen, attributes }: Progress): void {
  if ('wrong' in row) return;
  const read = readRow(row.values, { mapping: of.mapping, attributes });
  const key = read.ok ? keyOf(of, read.wish) : null;
  if (key !== null) seen.add(key);
}
