import { importPortion, keyOf, PORTION_ROWS } from '#contacts/actions/import-portion';
import { claimDueImport, endImport, importAttributes } from '#contacts/actions/manage-imports';
import { readRow } from '#contacts/domain/contact-import';
import { type FileImporter, type ImporterDeps, makeFileImporter, type RowSink } from './file-importer.ts';

type Import = NonNullable<Awaited<ReturnType<typeof claimDueImport>>>;

/** Brings in files of contacts. */
export function makeContactImporter(parts: ImporterDeps): FileImporter {
  const { rt, db } = parts;
  return makeFileImporter(parts, {
    name: 'contact_import',
    portionRows: PORTION_ROWS,
    claim: () => claimDueImport(rt, db),
    open: (of) => openSink(parts, of),
    end: (of, error) => endImport(rt, db, of, error),
  });
}

async function openSink({ rt, db }: ImporterDeps, of: Import): Promise<RowSink> {
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
