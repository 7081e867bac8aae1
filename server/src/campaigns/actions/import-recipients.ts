import { audit } from '#access/actions/audit';
import { type ReadRecipient, type RecipientRow, readRecipient } from '#campaigns/domain/recipient-row';
import {
  addCampaignImport,
  advanceCampaignImport,
  type CampaignImport,
  claimCampaignImport,
  finishCampaignImport,
  type RecipientFault,
} from '#campaigns/store/campaign-imports';
import { addRecipients, findKnownPhones } from '#campaigns/store/campaign-recipients';
import { lockCampaign } from '#campaigns/store/campaigns';
import type { FileRow, ImportFormat } from '#contacts/domain/contact-import';
import type { Requester } from '#core/caller/origin';
import { ApiProblem } from '#core/errors';
import type { CampaignId, ImportId } from '#core/ids';
import type { Database, SqlRunner } from '#database/database';
import { findMedia } from '#media/store/media';
import type { Runtime } from '#runtime/runtime';
import { MAX_RECIPIENTS, requireDraft } from './manage-campaigns.ts';

/** Rows per transaction: the lock of the campaign is held so long. */
export const RECIPIENT_ROWS = 1_000;
/** A portion takes a fraction of a second; a killed process delays its import by at most this. */
const LEASE_MS = 10_000;

export interface CampaignImportInput {
  readonly mediaId: string;
  readonly format: ImportFormat;
  readonly mapping: Readonly<Record<string, string>> | null;
  readonly dryRun: boolean;
}

/** Notes that a file is to be brought into a draft. @throws ApiProblem not_found, campaign_state, unknown_media */
export async function beginCampaignImport(
  rt: Runtime,
  db: Database,
  { tenantId, origin, campaignId }: Requester & { readonly campaignId: string },
  wish: CampaignImportInput,
): Promise<CampaignImport> {
  const nowMs = rt.clock.now();
  const media = await findMedia(db, tenantId, wish.mediaId, nowMs);
  return db.transaction(async (tx) => {
    const draft = await requireDraft(tx, { tenantId, campaignId, versions: null });
    if (media === null) throw unknownMedia();
    const begun: CampaignImport = {
      ...wish,
      tenantId,
      importId: rt.newId<ImportId>(),
      campaignId: draft.campaignId as CampaignId,
      mediaId: media.mediaId,
      status: 'queued',
      total: 0,
      added: 0,
      duplicates: 0,
      invalid: 0,
      error: null,
      createdMs: nowMs,
      finishedMs: null,
    };
    await addCampaignImport(tx, begun);
    const details = { import_id: begun.importId, media_id: begun.mediaId, dry_run: begun.dryRun };
    const action = 'campaign.recipients_imported';
    await audit(rt, tx, { tenantId, origin, action, targetId: begun.campaignId, details });
    return begun;
  });
}

function unknownMedia(): ApiProblem {
  const message = 'media_id does not exist or has expired';
  return new ApiProblem('unknown_media', { sentence: `${message}.`, details: [{ path: 'body.media_id', message }] });
}

/** Takes an import that nobody works on. */
export function claimDueCampaignImport(rt: Runtime, db: Database): Promise<CampaignImport | null> {
  const nowMs = rt.clock.now();
  return claimCampaignImport(db, nowMs, nowMs + LEASE_MS);
}

/** Ends an import. @param error why its file was not brought in to its end; null: it was */
export function endCampaignImport(rt: Runtime, db: Database, of: CampaignImport, error: string | null): Promise<void> {
  return finishCampaignImport(db, of, { error, nowMs: rt.clock.now() });
}

export interface RecipientPortion {
  readonly of: CampaignImport;
  /** Rows that were done before. */
  readonly doneBefore: number;
  readonly rows: readonly FileRow[];
  /** Numbers of earlier rows of the file; this portion adds its own. */
  readonly seen: Set<string>;
}

/** What a portion comes to: it is done, another process did it, or the campaign takes no more. */
export type PortionOutcome = 'done' | 'elsewhere' | { readonly over: string };

/**
 * Brings in one portion of a file, with its counts, its faults and its place in one transaction: a kill leaves it done or
 * undone as a whole.
 */
export async function importRecipients(rt: Runtime, db: Database, portion: RecipientPortion): Promise<PortionOutcome> {
  const { of, doneBefore } = portion;
  try {
    return await db.transaction(async (tx) => {
      const draft = await lockCampaign(tx, of.tenantId, of.campaignId);
      if (draft === null) return { over: 'The campaign was deleted meanwhile.' };
      if (draft.status !== 'draft')
        return { over: `The campaign is ${draft.status} by now; only a draft takes recipients.` };
      const { fresh, faults } = await judge(tx, portion);
      if (draft.total + fresh.length > MAX_RECIPIENTS)
        return { over: 'The campaign would have more than 1000000 recipients.' };
      if (!of.dryRun && fresh.length > 0) await addRecipients(tx, draft, fresh);
      const nowMs = rt.clock.now();
      const step = { of, doneBefore, added: fresh.length, faults, leaseUntilMs: nowMs + LEASE_MS, nowMs };
      if (await advanceCampaignImport(tx, step)) return 'done';
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

/** The new recipients of a portion, and why the other rows are none. */
async function judge(
  tx: SqlRunner,
  { of, doneBefore, rows, seen }: RecipientPortion,
): Promise<{ readonly fresh: readonly RecipientRow[]; readonly faults: readonly RecipientFault[] }> {
  const read = rows.map((row) => readRecipient(row, of.mapping));
  const phones = read.flatMap((one) => (one.ok ? [one.recipient.phone] : []));
  const known = await findKnownPhones(tx, of, phones);
  const fresh: RecipientRow[] = [];
  const faults: RecipientFault[] = [];
  for (const [index, one] of read.entries()) {
    const fault = faultOf(one, seen, known);
    if (fault === null && one.ok) fresh.push(one.recipient);
    else if (fault !== null) faults.push({ row: doneBefore + index + 1, ...fault });
    if (one.ok) seen.add(one.recipient.phone);
  }
  return { fresh, faults };
}

function faultOf(
  read: ReadRecipient,
  seen: ReadonlySet<string>,
  known: ReadonlySet<string>,
): Omit<RecipientFault, 'row'> | null {
  if (!read.ok) return { outcome: 'invalid', reason: read.reason };
  if (seen.has(read.recipient.phone)) return { outcome: 'duplicate', reason: 'An earlier row has this number.' };
  if (known.has(read.recipient.phone)) return { outcome: 'duplicate', reason: 'The campaign has this number already.' };
  return null;
}
