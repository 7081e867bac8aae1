import { CampaignParams, onlyDraftExample } from '#campaigns/http/schemas/campaign';
import { defineOperation, type Operation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import type { Resource } from '#http/resource';
import { beginImport } from '#imports/actions/manage-imports';
import { type Import, importJson } from '#imports/domain/import';
import { progressOperations } from './import-progress.ts';
import { unknownMediaExample } from './schemas/import-fields.ts';
import {
  CreateRecipientImport,
  RecipientImportParams,
  RecipientImportQuery,
  RecipientImportView,
  recipientImportExample,
  recipientTables,
} from './schemas/recipient-import.ts';
import { answerImport } from './table-body.ts';

const recipientImport: Resource<Import> = {
  path: '/v1/campaign-imports',
  name: 'CampaignImport',
  noun: 'import',
  tag: 'Campaigns',
  scopes: { read: 'campaigns:read', write: 'campaigns:write' },
  params: RecipientImportParams,
  view: RecipientImportView,
  example: recipientImportExample,
  present: importJson,
};

const createCampaignImportRoute = defineOperation({
  method: 'POST',
  path: '/v1/campaigns/:id/imports',
  operationId: 'createCampaignImport',
  summary: 'Import recipients into a draft campaign',
  description:
    'Imports recipients from a file: CSV (comma, semicolon or tab), or one JSON object per line. The file is the request body itself (text/csv, application/x-ndjson) or was uploaded to /v1/media. It has a column `to` with the number, and one column per variable. Rows are processed in batches of 1000, each completely or not at all; after a restart, the import continues where it stopped.',
  tag: 'Campaigns',
  scope: 'campaigns:write',
  params: CampaignParams,
  query: RecipientImportQuery,
  body: CreateRecipientImport,
  tableExamples: recipientTables,
  bodyExamples: {
    csv: {
      summary: 'Dry run of a file with custom column names',
      value: {
        media_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01',
        mapping: { Mobile: 'to', Voucher: 'code' },
        dry_run: true,
      },
    },
  },
  takesIdempotencyKey: 'within',
  answer: {
    status: 202,
    description: 'The import is queued; read it to follow its progress.',
    schema: RecipientImportView,
    example: {
      ...recipientImportExample,
      status: 'queued',
      total: 0,
      added: 0,
      duplicates: 0,
      invalid: 0,
      finished_at: null,
    },
  },
  errors: ['not_found', 'media_quota_exceeded', 'media_store_unavailable'],
  errorExamples: [onlyDraftExample, unknownMediaExample],
  handle: (context) => (request, _reply, once) =>
    answerImport(context, request, once, async ({ mediaId, format: known }) => {
      const fields: Partial<typeof request.body> = { ...request.query, ...(known === null ? request.body : {}) };
      const { format = 'csv', mapping = null, dry_run: dryRun = false } = fields;
      const file = { mediaId, format: known ?? format, mapping, dryRun };
      const input = { kind: 'recipients', campaignId: request.params.id, ...file } as const;
      return importJson(await beginImport(context.rt, context.db, requesterOf(request), input));
    }),
});

/** In the order of the documentation. */
export const recipientImportOperations: readonly Operation[] = [
  createCampaignImportRoute,
  ...progressOperations(recipientImport, { kind: 'recipients', noun: 'a recipient import', field: 'to' }),
];
