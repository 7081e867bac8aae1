import { defineOperation } from '#http/operation';
import { importJson } from '#imports/domain/import';
import { readImport } from '#imports/http/read-import';
import {
  RecipientImportParams,
  RecipientImportView,
  recipientImportExample,
} from '#imports/http/schemas/recipient-import';

export const getCampaignImportRoute = defineOperation({
  method: 'GET',
  path: '/v1/campaign-imports/:id',
  operationId: 'getCampaignImport',
  summary: 'Get the progress of a recipient import',
  description: 'Returns an import with its counts, which always add up to the number of rows processed.',
  tag: 'Campaigns',
  scope: 'campaigns:read',
  params: RecipientImportParams,
  answer: { status: 200, description: 'The import.', schema: RecipientImportView, example: recipientImportExample },
  errors: ['not_found'],
  handle: ({ db }) => {
    return async (request) => importJson(await readImport(db, request, 'recipients'));
  },
});
