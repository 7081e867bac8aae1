import type { BlobStore } from '#blobs/blob-store';
import { blobKey } from '#core/blob-key';
import type { FileRow } from '#core/contact-import';
import { readRecipient } from '#core/recipient-row';
import type { DispatchDatabase } from '#operations/dispatch-database';
import {
  claimDueCampaignImport,
  endCampaignImport,
  findCampaignImportFile,
  importRecipients,
  RECIPIENT_ROWS,
} from '#operations/import-recipients';
import { Loop } from '#queue/loop';
import type { Runtime } from '#runtime/runtime';
import { readRows } from './read-rows.ts';

type Import = NonNullable<Awaited<ReturnType<typeof claimDueCampaignImport>>>;

interface ImporterParts {
  readonly rt: Runtime;
  readonly db: DispatchDatabase;
  readonly blobs: BlobStore;
}

/** Brings files of recipients into campaigns. */
export interface RecipientImporter {
  start(): void;
  /** Finishes the portion under way; another process, or the next start, goes on behind it. */
  stop(): Promise<void>;
  /** Brings in one file that is due. @returns whether there was one */
  runOnce(): Promise<boolean>;
}

const POLL_MS = 500;

export function makeRecipientImporter(parts: ImporterParts): RecipientImporter {
  let stopped = false;
  const runOnce = async (): Promise<boolean> => {
    const claimed = await claimDueCampaignImport(parts.rt, parts.db);
    if (claimed === null) return false;
    await importFile(parts, claimed, () => stopped);
    return true;
  };
  const loop = new Loop(parts.rt, POLL_MS, 'recipient_import', async () => {
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
  const media = await findCampaignImportFile(rt, db, of);
  const file = media === null ? null : await blobs.open(blobKey(media.sha256, media.blobId));
  if (file === null) return endCampaignImport(rt, db, of, FILE_IS_GONE);
  const progress: Progress = { done: of.total, seen: new Set(), unreadable: null };
  try {
    for await (const rows of portionsOf(readable(readRows(file, of.format), progress), of, progress)) {
      // This process ends: whoever goes on knows the place.
      if (isStopped()) return;
      const outcome = await importRecipients(rt, db, { of, doneBefore: progress.done, rows, seen: progress.seen });
      if (outcome === 'elsewhere') return;
      if (outcome !== 'done') return await endCampaignImport(rt, db, of, outcome.over);
      progress.done += rows.length;
    }
  } finally {
    file.destroy();
  }
  await endCampaignImport(rt, db, of, progress.unreadable);
}

interface Progress {
  done: number;
  readonly seen: Set<string>;
  unreadable: string | null;
}

/** The rows up to where the file can be read; what is wrong then is noted. */
async function* readable(rows: AsyncIterable<FileRow>, progress: Progress): AsyncIterable<FileRow> {
  try {
    yield* rows;
  } catch (error) {
    progress.unreadable = `The file cannot be read to its end: ${(error as Error).message}`;
  }
}

/** Portions of rows that are not done yet; of those that are, only their numbers are noted. */
async function* portionsOf(rows: AsyncIterable<FileRow>, of: Import, progress: Progress): AsyncIterable<FileRow[]> {
  let index = 0;
  let portion: FileRow[] = [];
  for await (const row of rows) {
    index += 1;
    if (index <= of.total) {
      const read = readRecipient(row, of.mapping);
      if (read.ok) progress.seen.add(read.recipient.phone);
      continue;
    }
    portion.push(row);
    if (portion.length < RECIPIENT_ROWS) continue;
    yield portion;
    portion = [];
  }
  if (portion.length > 0) yield portion;
}
