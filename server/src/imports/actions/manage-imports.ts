import { audit } from '#access/actions/audit';
import type { AuditEntry } from '#access/domain/audit';
import { requireDraft } from '#campaigns/actions/manage-campaigns';
import type { Requester } from '#core/caller/origin';
import { ApiProblem } from '#core/errors';
import type { ImportId } from '#core/ids';
import type { Database } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import { importContacts, readContactKeys } from '#imports/actions/import-contacts';
import { importRecipients, recipientKey } from '#imports/actions/import-recipients';
import {
  type FilePortion,
  type FileRow,
  IMPORT_OUTCOMES,
  type Import,
  type ImportCounts,
  type ImportInput,
  type ImportKind,
  importJson,
} from '#imports/domain/import';
import { addImport, advanceImport, claimImport, finishImport, type RowOutcome } from '#imports/store/imports';
import type { Media } from '#media/domain/media';
import { findMedia } from '#media/store/media';
import type { Runtime } from '#runtime/runtime';

const NO_COUNTS = Object.fromEntries(IMPORT_OUTCOMES.map((outcome) => [outcome, 0])) as ImportCounts;

/** Notes that a file is to be brought in. @throws ApiProblem unknown_media; of recipients also not_found, campaign_state */
export async function beginImport(
  rt: Runtime,
  db: Database,
  { tenantId, origin }: Requester,
  input: ImportInput,
): Promise<Import> {
  const nowMs = rt.clock.now();
  const media = await findMedia(db, tenantId, input.mediaId, nowMs);
  return db.transaction(async (tx) => {
    const { campaignId = null } =
      input.kind === 'recipients' ? await requireDraft(tx, { ...input, tenantId, versions: null }) : {};
    if (media === null) throw unknownMedia();
    const begun = {
      ...input,
      ...(campaignId && { campaignId }),
      tenantId,
      importId: rt.newId<ImportId>(),
      mediaId: media.mediaId,
      status: 'queued',
      total: 0,
      counts: NO_COUNTS,
      error: null,
      createdMs: nowMs,
      finishedMs: null,
    } as Import;
    await addImport(tx, begun);
    await audit(rt, tx, { tenantId, origin, ...auditOf(begun) });
    return begun;
  });
}

function unknownMedia(): ApiProblem {
  const message = 'media_id does not exist or has expired';
  return new ApiProblem('unknown_media', { sentence: `${message}.`, details: [{ path: 'body.media_id', message }] });
}

function auditOf(begun: Import): Pick<AuditEntry, 'action' | 'targetId' | 'details'> {
  const { importId, mediaId: media_id, format, dryRun: dry_run } = begun;
  if (begun.kind === 'contacts') {
    const details = { media_id, format, mode: begun.mode, match_on: begun.matchOn, dry_run };
    return { action: 'contacts.imported', targetId: importId, details };
  }
  const details = { import_id: importId, media_id, dry_run };
  return { action: 'campaign.recipients_imported', targetId: begun.campaignId, details };
}

/** Takes an import of a kind that nobody works on. */
export function claimDueImport(rt: Runtime, db: Database, kind: ImportKind): Promise<Import | null> {
  const nowMs = rt.clock.now();
  return claimImport(db, kind, { nowMs, untilMs: nowMs + IMPORT_LEASE_MS[kind] });
}

/** The file of an import; null when it was deleted or has expired. */
export function findImportFile(rt: Runtime, db: Database, { tenantId, mediaId }: Import): Promise<Media | null> {
  return findMedia(db, tenantId, mediaId, rt.clock.now());
}

/** Ends an import; of contacts it is an event. @param error why its file was not brought in to its end; null: it was */
export function endImport(rt: Runtime, db: Database, of: Import, error: string | null): Promise<void> {
  return withEvents(rt, db, async (tx, events) => {
    const ended = await finishImport(tx, of, { error, nowMs: rt.clock.now() });
    if (ended?.kind !== 'contacts') return;
    events.add({ tenantId: of.tenantId, type: 'import.completed', data: importJson(ended) });
  });
}

/** Rows per transaction: its events and locks are held so long. */
export const PORTION_ROWS: Readonly<Record<ImportKind, number>> = { contacts: 500, recipients: 1_000 };
/** A portion takes a fraction of a second; a killed process delays its import by at most this. */
export const IMPORT_LEASE_MS: Readonly<Record<ImportKind, number>> = { contacts: 30_000, recipients: 10_000 };

export interface Portion extends FilePortion {
  readonly of: Import;
  /** Rows that were done before. */
  readonly doneBefore: number;
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
      throw new DoneElsewhere('Another process has imported these rows.');
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
