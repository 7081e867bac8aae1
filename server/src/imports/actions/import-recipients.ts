import { MAX_RECIPIENTS } from '#campaigns/actions/manage-campaigns';
import { addRecipients, findKnownPhones } from '#campaigns/store/campaign-recipients';
import { lockCampaign } from '#campaigns/store/campaigns';
import type { Transaction } from '#database/database';
import type { FilePortion, FileRow, RecipientImport } from '#imports/domain/import';
import { type ReadRecipient, type RecipientRow, readRecipient } from '#imports/domain/recipient-row';
import type { RowOutcome } from '#imports/store/imports';

/**
 * Adds recipients to a draft, unless the import only tries.
 * @returns what became of each row, or why the campaign takes no more
 */
export async function importRecipients(
  tx: Transaction,
  of: RecipientImport,
  { rows, seen }: FilePortion,
): Promise<readonly RowOutcome[] | { readonly over: string }> {
  const draft = await lockCampaign(tx, of.tenantId, of.campaignId);
  if (draft === null) return { over: 'The campaign has been deleted.' };
  if (draft.status !== 'draft')
    return { over: `The campaign is now ${draft.status}. Only a draft accepts recipients.` };
  const read = rows.map((row) => readRecipient(row, of.mapping));
  const phones = read.flatMap((one) => (one.ok ? [one.recipient.phone] : []));
  const known = await findKnownPhones(tx, of, phones);
  const fresh: RecipientRow[] = [];
  const outcomes = read.map((one): RowOutcome => {
    const outcome = outcomeOf(one, seen, known);
    if (!one.ok) return outcome;
    if (outcome.outcome === 'added') fresh.push(one.recipient);
    seen.add(one.recipient.phone);
    return outcome;
  });
  if (draft.total + fresh.length > MAX_RECIPIENTS)
    return { over: 'The campaign would have more than 1000000 recipients.' };
  if (!of.dryRun && fresh.length > 0) await addRecipients(tx, draft, fresh);
  return outcomes;
}

function outcomeOf(read: ReadRecipient, seen: ReadonlySet<string>, known: ReadonlySet<string>): RowOutcome {
  if (!read.ok) return { outcome: 'invalid', reason: read.reason };
  if (seen.has(read.recipient.phone)) return { outcome: 'duplicate', reason: 'An earlier row has this number.' };
  if (known.has(read.recipient.phone)) return { outcome: 'duplicate', reason: 'The campaign already has this number.' };
  return { outcome: 'added' };
}

/** @returns the number of a row, which recognises it within its file; null: it has none */
export function recipientKey({ mapping }: RecipientImport, row: FileRow): string | null {
  const read = readRecipient(row, mapping);
  return read.ok ? read.recipient.phone : null;
}
