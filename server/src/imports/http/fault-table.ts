import { Readable } from 'node:stream';
import Type from 'typebox';
import { csvLine } from '#core/text/csv';
import type { Database } from '#database/database';
import { type ImportKey, listFaults } from '#imports/store/imports';

const PAGE = 1_000;

/** What an answer that is a table of faults says of itself. @param field whose fault the example shows */
export function faultTableAnswer(field: string) {
  return {
    status: 200,
    description: 'The table.',
    schema: Type.String({ description: 'CSV with a header row.' }),
    contentType: 'text/csv',
    example: `row,outcome,reason\r\n7,invalid,${field} has 3 digits; a number has 7 to 15.\r\n`,
  } as const;
}

/** The rows that an import left out, as a table. */
export function faultTable(db: Database, of: ImportKey): Readable {
  return Readable.from(faultLines(db, of));
}

/** Page by page, as fast as the reader takes them. */
async function* faultLines(db: Database, of: ImportKey): AsyncIterable<string> {
  yield csvLine(['row', 'outcome', 'reason']);
  for (let afterRow = 0; ; ) {
    const page = await listFaults(db, of, afterRow, PAGE);
    if (page.length > 0) yield page.map(({ row, outcome, reason }) => csvLine([String(row), outcome, reason])).join('');
    if (page.length < PAGE) return;
    afterRow = page.at(-1)?.row ?? afterRow;
  }
}
