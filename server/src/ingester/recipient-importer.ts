import { readRecipient } from '#core/recipient-row';
import {
  claimDueCampaignImport,
  endCampaignImport,
  importRecipients,
  RECIPIENT_ROWS,
} from '#operations/import-recipients';
import { type FileImporter, type ImporterParts, makeFileImporter, type RowSink } from './file-importer.ts';

type Import = NonNullable<Awaited<ReturnType<typeof claimDueCampaignImport>>>;

/** Brings files of recipients into campaigns. */
export function makeRecipientImporter(parts: ImporterParts): FileImporter {
  const { rt, db } = parts;
  return makeFileImporter(parts, {
    name: 'recipient_import',
    portionRows: RECIPIENT_ROWS,
    claim: () => claimDueCampaignImport(rt, db),
    open: async (of) => openSink(parts, of),
    end: (of, error) => endCampaignImport(rt, db, of, error),
  });
}

function openSink({ rt, db }: ImporterParts, of: Import): RowSink {
  const seen = new Set<string>();
  return {
    note: (row) => {
      const read = readRecipient(row, of.mapping);
      if (read.ok) seen.add(read.recipient.phone);
    },
    bringIn: (rows, doneBefore) => importRecipients(rt, db, { of, doneBefore, rows, seen }),
  };
}
