import { audit } from '#access/actions/audit';
import type { AuditEntry } from '#access/domain/audit';
import { requireDraft } from '#campaigns/actions/manage-campaigns';
import type { Requester } from '#core/caller/origin';
import { ApiProblem } from '#core/errors';
import type { ImportId } from '#core/ids';
import type { Database } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import {
  IMPORT_OUTCOMES,
  type Import,
  type ImportCounts,
  type ImportInput,
  type ImportKind,
  importJson,
} from '#imports/domain/import';
import { addImport, claimImport, finishImport } from '#imports/store/imports';
import type { Media } from '#media/domain/media';
import { findMedia } from '#media/store/media';
import type { Runtime } from '#runtime/runtime';
import { IMPORT_LEASE_MS } from './import-portion.ts';

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
