import type { Database } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import type { FileRow, Import, ImportKind } from '#imports/domain/import';
import { advanceImport, type RowOutcome } from '#imports/store/imports';
import type { Runtime } from '#runtime/runtime';
import { importContacts, readContactKeys } from './import-contacts.ts';
import { importRecipients, recipientKey } from './import-recipients.ts';

/** Rows per transaction: its events and locks are held so long. */
export const PORTION_ROWS: Readonly<Record<ImportKind, number>> = { contacts: 500, recipients: 1_000 };
/** A portion takes a fraction of a second; a killed process delays its import by at most this. */
export const IMPORT_LEASE_MS: Readonly<Record<ImportKind, number>> = { contacts: 30_000, recipients: 10_000 };

export interface Portion {
  readonly of: Import;
  /** Rows that were done before. */
  readonly doneBefore: number;
  readonly rows: readonly FileRow[];
  /** What earlier rows of the file were about; this portion adds its own. */
  readonly seen: Set<string>;
}

/** What a portion comes to: it is done, another process did it, or why the import ends here. */
export type PortionOutcome = 'done' | 'elsewhere' | { readonly over: string };

/**
 * Brings in one portion of a file, with its counts, its faults and its place in one transaction: a kill leaves it done or
 * undone as a whole.
 */
export async function importPortion(rt: Runtime, db: Database, portion: Portion): Promise<PortionOutcome> {
  const { of, doneBefore } = portion;
  try {
    return await withEvents(rt, db, async (tx, events) => {
      const nowMs = rt.clock.now();
      const rows: readonly RowOutcome[] | { readonly over: string } =
        of.kind === 'contacts'
          ? await importContacts({ rt, tx, events, nowMs }, of, portion)
          : await importRecipients(tx, of, portion);
      if ('over' in rows) return rows;
      if (await advanceImport(tx, { of, doneBefore, rows, leaseUntilMs: nowMs + IMPORT_LEASE_MS[of.kind], nowMs }))
        return 'done';
      throw new DoneElsewhere('Another process has done these rows.');
    });
  } catch (error) {
    if (error instanceof DoneElsewhere) return 'elsewhere';
    throw error;
  }
}

/** The lease was over and somebody else was faster; what was done here is undone. */
class DoneElsewhere extends Error {
  override name = 'DoneElsewhere';
}

/** @returns what rows of an import are recognised by within their file; null: nothing recognises a row */
export async function readRowKeys(db: Database, of: Import): Promise<(row: FileRow) => string | null> {
  return of.kind === 'contacts' ? readContactKeys(db, of) : (row) => recipientKey(of, row);
}
