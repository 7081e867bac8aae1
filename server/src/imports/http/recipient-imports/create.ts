import type { Static } from 'typebox';
import { CampaignParams, onlyDraftExample } from '#campaigns/http/schemas/campaign';
import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { beginImport } from '#imports/actions/manage-imports';
import { importJson, type RecipientImportInput } from '#imports/domain/import';
import { unknownMediaExample } from '#imports/http/schemas/import-fields';
import {
  CreateRecipientImport,
  RecipientImportQuery,
  RecipientImportView,
  recipientImportExample,
  recipientTables,
} from '#imports/http/schemas/recipient-import';
import { answerImport, type ImportFile } from '#imports/http/table-body';

export const createCampaignImportRoute = defineOperation({
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
      summary: 'A table with columns of its own, tried first',
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
    headers: ['Idempotent-Replayed'],
  },
  errors: ['not_found', 'unknown_media', 'campaign_state', 'media_quota_exceeded', 'media_store_unavailable'],
  errorExamples: [onlyDraftExample, unknownMediaExample],
  handle: (context) => {
    const { rt, db } = context;
    return (request, _reply, once) => {
      return answerImport(context, request, once, async (file) => {
        const fields = { ...request.query, ...(file.format === null ? request.body : {}) };
        const input = inputOf(file, request.params.id, fields);
        return importJson(await beginImport(rt, db, requesterOf(request), input));
      });
    };
  },
});

function inputOf(
  file: ImportFile,
  campaignId: string,
  fields: Partial<Static<typeof CreateRecipientImport>>,
): RecipientImportInput {
  const { format = 'csv', mapping = null, dry_run: dryRun = false } = fields;
  return { kind: 'recipients', campaignId, mediaId: file.mediaId, format: file.format ?? format, mapping, dryRun };
}
