import {
  claimDueCampaignImport,
  endCampaignImport,
  importRecipients,
  RECIPIENT_ROWS,
} from '#campaigns/actions/import-recipients';
import { readRecipient } from '#campaigns/domain/recipient-row';
import { type FileImporter, type ImporterDeps, makeFileImporter, type RowSink } from '#contacts/workers/file-importer';

type Import = NonNullable<Awaited<ReturnType<typeof claimDueCampaignImport>>>;

/** Brings files of recipients into campaigns. */
export function makeRecipientImporter(parts: ImporterDeps): FileImporter {
  const { rt, db } = parts;
  return makeFileImporter(parts, {
    name: 'recipient_import',
    portionRows: RECIPIENT_ROWS,
    claim: () => claimDueCampaignImport(rt, db),
    open: async (of) => openSink(parts, of),
    end: (of, error) => endCampaignImport(rt, db, of, error),
  });
}

function openSink({ rt, db }: ImporterDeps, of: Import): RowSink {
  const seen = new Set<string>();
  return {
    note: (row) => {
      const read = readRecipient(row, of.mapping);
      if (read.ok) seen.add(read.recipient.phone);
    },
    bringIn: (rows, doneBefore) => importRecipients(rt, db, { of, doneBefore, rows, seen }),
  };
}
