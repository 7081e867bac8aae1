import { defineOperation } from '#http/operation';
import { faultTable, faultTableAnswer } from '#imports/http/fault-table';
import { readImport } from '#imports/http/read-import';
import { ContactImportParams } from '#imports/http/schemas/contact-import';

export const getImportErrorsRoute = defineOperation({
  method: 'GET',
  path: '/v1/imports/:id/errors',
  operationId: 'getImportErrors',
  summary: 'Get the rows that an import skipped',
  description:
    'Returns a table (CSV) with the number of each row, counted from 1 without the header, its outcome, and the reason.',
  tag: 'Contacts',
  scope: 'contacts:read',
  params: ContactImportParams,
  answer: faultTableAnswer('phone'),
  errors: ['not_found'],
  handle: ({ db }) => {
    return async (request, reply) => {
      const found = await readImport(db, request, 'contacts');
      reply.type('text/csv; charset=utf-8');
      return reply.send(faultTable(db, found));
    };
  },
});
