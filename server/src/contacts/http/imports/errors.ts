import { Readable } from 'node:stream';
import Type from 'typebox';
import { ImportIdParams } from '#contacts/http/schemas/import';
import { type ContactImport, findImport, listFaults } from '#contacts/store/imports';
import { ApiProblem } from '#core/errors';
import { csvLine } from '#core/text/csv';
import type { Database } from '#database/database';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';

const PAGE = 1_000;

export const getImportErrors = defineOperation({
  method: 'GET',
  path: '/v1/imports/:id/errors',
  operationId: 'getImportErrors',
  summary: 'Get the rows that an import skipped',
  description:
    'Returns a table (CSV) with the number of each row, counted from 1 without the header, its outcome, and the reason.',
  tag: 'Contacts',
  scope: 'contacts:read',
  params: ImportIdParams,
  answer: {
    status: 200,
    description: 'The table.',
    schema: Type.String({ description: 'CSV with a header row.' }),
    contentType: 'text/csv',
    example: 'row,outcome,reason\r\n7,invalid,phone has 3 digits; a number has 7 to 15.\r\n',
  },
  errors: ['not_found'],
  handle: ({ db }) => {
    return async (request, reply) => {
      const found = await findImport(db, principalOf(request).tenantId, request.params.id.toLowerCase());
      if (found === null) throw new ApiProblem('not_found');
      reply.type('text/csv; charset=utf-8');
      return reply.send(Readable.from(faultLines(db, found)));
    };
  },
});

/** Page by page, as fast as the reader takes them. */
async function* faultLines(db: Database, of: ContactImport): AsyncIterable<string> {
  yield csvLine(['row', 'outcome', 'reason']);
  let afterRow = 0;
  for (;;) {
    const page = await listFaults(db, of, afterRow, PAGE);
    if (page.length > 0) yield page.map(({ row, outcome, reason }) => csvLine([String(row), outcome, reason])).join('');
    if (page.length < PAGE) return;
    afterRow = page.at(-1)?.row ?? afterRow;
  }
}
