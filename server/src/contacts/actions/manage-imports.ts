import { audit } from '#access/actions/audit';
import type { AttributeType } from '#contacts/domain/contact-attribute';
import type { ImportFormat, ImportMatch, ImportMode } from '#contacts/domain/contact-import';
import { NO_COUNTS } from '#contacts/domain/contact-import';
import { importJson } from '#contacts/domain/import-json';
import { findAttributeTypes } from '#contacts/store/contact-attributes';
import { addImport, type ContactImport, claimImport, finishImport } from '#contacts/store/imports';
import type { Requester } from '#core/caller/origin';
import { ApiProblem } from '#core/errors';
import type { ImportId } from '#core/ids';
import type { Database } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import { findMedia } from '#media/store/media';
import type { Runtime } from '#runtime/runtime';
import { IMPORT_LEASE_MS } from './import-portion.ts';

export interface ImportInput {
  readonly mediaId: string;
  readonly format: ImportFormat;
  readonly mode: ImportMode;
  readonly matchOn: ImportMatch;
  readonly mapping: Readonly<Record<string, string>> | null;
  readonly dryRun: boolean;
}

/** Notes that a file is to be brought in. @throws ApiProblem unknown_media */
export async function beginImport(
  rt: Runtime,
  db: Database,
  { tenantId, origin }: Requester,
  wish: ImportInput,
): Promise<ContactImport> {
  const nowMs = rt.clock.now();
  const media = await findMedia(db, tenantId, wish.mediaId, nowMs);
  if (media === null) {
    const message = 'media_id does not exist or has expired';
    throw new ApiProblem('unknown_media', { sentence: `${message}.`, details: [{ path: 'body.media_id', message }] });
  }
  const begun: ContactImport = {
    ...wish,
    ...NO_COUNTS,
    tenantId,
    importId: rt.newId<ImportId>(),
    mediaId: media.mediaId,
    status: 'queued',
    total: 0,
    error: null,
    createdMs: nowMs,
    finishedMs: null,
  };
  const { importId: targetId, mediaId, format, mode, matchOn, dryRun } = begun;
  const details = { media_id: mediaId, format, mode, match_on: matchOn, dry_run: dryRun };
  await db.transaction(async (tx) => {
    await addImport(tx, begun);
    await audit(rt, tx, { tenantId, origin, action: 'contacts.imported', targetId, details });
  });
  return begun;
}

/** Takes an import that nobody works on. */
export function claimDueImport(rt: Runtime, db: Database): Promise<ContactImport | null> {
  const nowMs = rt.clock.now();
  return claimImport(db, nowMs, nowMs + IMPORT_LEASE_MS);
}

/** The attributes that rows of an import may have. */
export function importAttributes(db: Database, of: ContactImport): Promise<ReadonlyMap<string, AttributeType>> {
  return findAttributeTypes(db, of.tenantId);
}

/** Ends an import and tells so. @param error why its file could not be read to the end; null: it was */
export function endImport(rt: Runtime, db: Database, of: ContactImport, error: string | null): Promise<void> {
  return withEvents(rt, db, async (tx, events) => {
    const status = error === null ? 'completed' : 'failed';
    const ended = await finishImport(tx, of, { status, error, nowMs: rt.clock.now() });
    if (ended === null) return;
    events.add({ tenantId: of.tenantId, type: 'import.completed', data: importJson(ended) });
  });
}
