import type { BlobStore } from '#blobs/blob-store';
import type { Database } from '#database/database';
import {
  claimDueImport,
  endImport,
  findImportFile,
  importPortion,
  PORTION_ROWS,
  readRowKeys,
} from '#imports/actions/manage-imports';
import type { FileRow, Import, ImportKind } from '#imports/domain/import';
import { blobKey } from '#media/domain/blob-key';
import type { DueWork } from '#queue/due-work';
import { Loop } from '#queue/loop';
import type { Runtime } from '#runtime/runtime';
import { readRows } from './read-rows.ts';

/** What importers poll for, and the names of their loops. */
const WORK = { contacts: 'contact_import', recipients: 'recipient_import' } as const;

export interface ImporterDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly blobs: BlobStore;
  readonly due: DueWork<(typeof WORK)[ImportKind]>;
}

/** Brings in files of one kind, one after another. */
export interface Importer {
  start(): void;
  /** Finishes the portion under way; another process, or the next start, goes on behind it. */
  stop(): Promise<void>;
  /** Brings in one file that is due. @returns whether there was one */
  runOnce(): Promise<boolean>;
}

const POLL_MS = 500;
const FILE_IS_GONE = 'The file was deleted or expired before it was imported.';

/** Kinds have importers of their own: recipients of a campaign do not wait until a million contacts are in. */
export function makeImporter(deps: ImporterDeps, kind: ImportKind): Importer {
  const { rt, db, due } = deps;
  let stopped = false;
  const runOnce = async (): Promise<boolean> => {
    const claimed = await claimDueImport(rt, db, kind);
    if (claimed === null) return false;
    await importFile(deps, claimed, () => stopped);
    return true;
  };
  const all = async (): Promise<void> => {
    while (!stopped && (await runOnce()));
  };
  const loop = new Loop(rt, POLL_MS, WORK[kind], due.gate(WORK[kind], all));
  return {
    runOnce,
    start: () => loop.start(),
    stop: async () => {
      stopped = true;
      await loop.stop();
    },
  };
}

async function importFile({ rt, db, blobs }: ImporterDeps, of: Import, isStopped: () => boolean): Promise<void> {
  const media = await findImportFile(rt, db, of);
  const file = media === null ? null : await blobs.open(blobKey(media.sha256, media.blobId));
  if (file === null) return endImport(rt, db, of, FILE_IS_GONE);
  const reading: Reading = { unreadable: null };
  let doneBefore = of.total;
  try {
    const keyOf = await readRowKeys(db, of);
    const seen = new Set<string>();
    const note = (row: FileRow): void => {
      const key = keyOf(row);
      if (key !== null) seen.add(key);
    };
    const left = behind(readable(readRows(file, of.format), reading), { done: of.total, note });
    for await (const rows of portionsOf(left, PORTION_ROWS[of.kind])) {
      // This process ends, or the lease was lost: whoever goes on knows the place.
      if (isStopped()) return;
      const outcome = await importPortion(rt, db, { of, doneBefore, rows, seen });
      if (outcome === 'elsewhere') return;
      if (outcome !== 'done') return await endImport(rt, db, of, outcome.over);
      doneBefore += rows.length;
    }
  } finally {
    file.destroy();
  }
  await endImport(rt, db, of, reading.unreadable);
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

interface Done {
  readonly done: number;
  /** Hears of each row that was brought in before: later rows may repeat it. */
  readonly note: (row: FileRow) => void;
}

/** The rows behind those that are done. */
async function* behind(rows: AsyncIterable<FileRow>, { done, note }: Done): AsyncIterable<FileRow> {
  let index = 0;
  for await (const row of rows) {
    index += 1;
    if (index <= done) note(row);
    else yield row;
  }
}

async function* portionsOf(rows: AsyncIterable<FileRow>, size: number): AsyncIterable<FileRow[]> {
  let portion: FileRow[] = [];
  for await (const row of rows) {
    portion.push(row);
    if (portion.length < size) continue;
    yield portion;
    portion = [];
  }
  if (portion.length > 0) yield portion;
}
