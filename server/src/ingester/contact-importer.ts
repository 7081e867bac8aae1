import { readRow } from '#core/contact-import';
import { importPortion, keyOf, PORTION_ROWS } from '#operations/import-portion';
import { claimDueImport, endImport, importAttributes } from '#operations/manage-imports';
import { type FileImporter, type ImporterParts, makeFileImporter, type RowSink } from './file-importer.ts';

type Import = NonNullable<Awaited<ReturnType<typeof claimDueImport>>>;

/** Brings in files of contacts. */
export function makeContactImporter(parts: ImporterParts): FileImporter {
  const { rt, db } = parts;
  return makeFileImporter(parts, {
    name: 'contact_import',
    portionRows: PORTION_ROWS,
    claim: () => claimDueImport(rt, db),
    open: (of) => openSink(parts, of),
    end: (of, error) => endImport(rt, db, of, error),
  });
}

async function openSink({ rt, db }: ImporterParts, of: Import): Promise<RowSink> {
  const attributes = await importAttributes(db, of);
  const seen = new Set<string>();
  return {
    note: (row) => {
      if ('wrong' in row) return;
      const read = readRow(row.values, { mapping: of.mapping, attributes });
      const key = read.ok ? keyOf(of, read.wish) : null;
      if (key !== null) seen.add(key);
    },
    bringIn: async (rows, doneBefore) =>
      (await importPortion(rt, db, { of, doneBefore, rows, seen })) ? 'done' : 'elsewhere',
  };
}
