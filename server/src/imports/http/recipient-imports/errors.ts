import { defineOperation } from '#http/operation';
import { faultTable, faultTableAnswer } from '#imports/http/fault-table';
import { readImport } from '#imports/http/read-import';
import { RecipientImportParams } from '#imports/http/schemas/recipient-import';

export const getCampaignImportErrorsRoute = defineOperation({
  method: 'GET',
  path: '/v1/campaign-imports/:id/errors',
  operationId: 'getCampaignImportErrors',
  summary: 'Get the rows that a recipient import skipped',
  description:
    'Returns a table (CSV) with the number of each row, counted from 1 without the header, its outcome, and the reason.',
  tag: 'Campaigns',
  scope: 'campaigns:read',
  params: RecipientImportParams,
  answer: faultTableAnswer('to'),
  errors: ['not_found'],
  handle: ({ db }) => {
    return async (request, reply) => {
      const found = await readImport(db, request, 'recipients');
      reply.type('text/csv; charset=utf-8');
      return reply.send(faultTable(db, found));
    };
  },
});
