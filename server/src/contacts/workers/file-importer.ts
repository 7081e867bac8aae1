import type { BlobStore } from '#blobs/blob-store';
import { findImportFile, type ImportFile } from '#contacts/actions/import-file';
import type { FileRow, ImportFormat } from '#contacts/domain/contact-import';
import type { Database } from '#database/database';
import { blobKey } from '#media/domain/blob-key';
import type { DueWork } from '#queue/due-work';
import { Loop } from '#queue/loop';
import type { Runtime } from '#runtime/runtime';
import { readRows } from './read-rows.ts';

/** What importers poll for. */
type ImportKind = 'contact_import' | 'recipient_import';

export interface ImporterDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly blobs: BlobStore;
  readonly due: DueWork<ImportKind>;
}

/** Brings in files of rows, one after another. */
export interface FileImporter {
  start(): void;
  /** Finishes the portion under way; another process, or the next start, goes on behind it. */
  stop(): Promise<void>;
  /** Brings in one file that is due. @returns whether there was one */
  runOnce(): Promise<boolean>;
}

/** What becomes of the rows of one file. */
export interface RowSink {
  /** Hears of a row that was brought in before: later rows may repeat it. */
  note(row: FileRow): void;
  /** Brings in a portion. @returns that it is done, that another process did it, or why the import ends here */
  bringIn(rows: readonly FileRow[], doneBefore: number): Promise<'done' | 'elsewhere' | { readonly over: string }>;
}

/** What differs between files of one kind and another. */
export interface FileKind<Import extends FileImport> {
  /** Name of the loop. */
  readonly name: ImportKind;
  readonly portionRows: number;
  /** Claims a file that is due. */
  claim(): Promise<Import | null>;
  open(of: Import): Promise<RowSink>;
  /** @param error why the file was not brought in to its end; null: it was */
  end(of: Import, error: string | null): Promise<void>;
}

interface FileImport extends ImportFile {
  readonly format: ImportFormat;
  /** Rows that are done. */
  readonly total: number;
}

const POLL_MS = 500;
const FILE_IS_GONE = 'The file was deleted or has expired before it was brought in.';

export function makeFileImporter<Import extends FileImport>(parts: ImporterDeps, kind: FileKind<Import>): FileImporter {
  let stopped = false;
  const runOnce = async (): Promise<boolean> => {
    const claimed = await kind.claim();
    if (claimed === null) return false;
    await importFile(parts, kind, { of: claimed, isStopped: () => stopped });
    return true;
  };
  const all = async (): Promise<void> => {
    while (!stopped && (await runOnce()));
  };
  const loop = new Loop(parts.rt, POLL_MS, kind.name, parts.due.gate(kind.name, all));
  return {
    runOnce,
    start: () => loop.start(),
    stop: async () => {
      stopped = true;
      await loop.stop();
    },
  };
}

async function importFile<Import extends FileImport>(
  { rt, db, blobs }: ImporterDeps,
  kind: FileKind<Import>,
  { of, isStopped }: { readonly of: Import; readonly isStopped: () => boolean },
): Promise<void> {
  const media = await findImportFile(rt, db, of);
  const file = media === null ? null : await blobs.open(blobKey(media.sha256, media.blobId));
  if (file === null) return kind.end(of, FILE_IS_GONE);
  const reading: Reading = { unreadable: null };
  let done = of.total;
  try {
    const sink = await kind.open(of);
    const rows = readable(readRows(file, of.format), reading);
    for await (const portion of portionsOf(rows, { sink, done, size: kind.portionRows })) {
      // This process ends, or the lease was lost: whoever goes on knows the place.
      if (isStopped()) return;
      const outcome = await sink.bringIn(portion, done);
      if (outcome === 'elsewhere') return;
      if (outcome !== 'done') return await kind.end(of, outcome.over);
      done += portion.length;
    }
  } finally {
    file.destroy();
  }
  await kind.end(of, reading.unreadable);
}

interface Reading {
  unreadable: string | null;
}

/** The rows up to where the file can be read; what is wrong then is noted. */
async function* readable(rows: AsyncIterable<FileRow>, reading: Reading): AsyncIterable<FileRow> {
  try {
    yield* rows;
  } catch (error) {
    reading.unreadable = `The file cannot be read to its end: ${(error as Error).message}`;
  }
}

/** Portions of the rows behind those that are done. */
async function* portionsOf(
  rows: AsyncIterable<FileRow>,
  { sink, done, size }: { readonly sink: RowSink; readonly done: number; readonly size: number },
): AsyncIterable<FileRow[]> {
  let index = 0;
  let portion: FileRow[] = [];
  for await (const row of rows) {
    index += 1;
    if (index <= done) {
      sink.note(row);
      continue;
    }
    portion.push(row);
    if (portion.length < size) continue;
    yield portion;
    portion = [];
  }
  if (portion.length > 0) yield portion;
}
