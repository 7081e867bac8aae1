import type { Static } from 'typebox';
import { importJson } from '#core/import-json';
import { beginImport, type ImportWish } from '#operations/manage-imports';
import { defineOperation } from '../../operation.ts';
import { requesterOf } from '../../plugins/auth.ts';
import { answerImport, type ImportFile } from '../../plugins/table-body.ts';
import { CreateImport, contactTables, ImportQuery, ImportView, importExample } from '../../schemas/import.ts';

export const createImportRoute = defineOperation({
  method: 'POST',
  path: '/v1/imports',
  operationId: 'createImport',
  summary: 'Import contacts from a file',
  description:
    'Brings in a file of CSV (comma, semicolon or tab) or of one JSON object per line: the body itself (text/csv, application/x-ndjson), or one that was uploaded to /v1/media, which may name its columns as it likes. Rows are done in portions of 500, each at once or not at all; a restart goes on where it stopped. Empty cells take nothing away, and the number of a contact that is there is not changed.',
  tag: 'Contacts',
  scope: 'contacts:write',
  permission: 'contacts:manage',
  query: ImportQuery,
  body: CreateImport,
  tableExamples: contactTables,
  bodyExamples: {
    csv: {
      summary: 'A table with columns of its own, tried first',
      value: {
        media_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01',
        mapping: { Mobile: 'phone', 'Full name': 'name' },
        dry_run: true,
      },
    },
  },
  takesIdempotencyKey: true,
  answer: {
    status: 202,
    description: 'It is queued; read it to see how far it is.',
    schema: ImportView,
    example: importExample,
    headers: ['Idempotent-Replayed'],
  },
  errors: ['unknown_media', 'media_quota_exceeded', 'media_store_unavailable'],
  errorExamples: [
    {
      name: 'unknownMedia',
      code: 'unknown_media',
      body: {
        error: 'media_id does not exist or has expired.',
        code: 'unknown_media',
        details: [{ path: 'body.media_id', message: 'media_id does not exist or has expired' }],
      },
    },
  ],
  handle: (context) => {
    return (request, reply) => {
      const { rt, db } = context;
      reply.code(202);
      return answerImport(context, request, reply, async (file) => {
        const wish = wishOf(file, { ...request.query, ...(file.format === null ? request.body : {}) });
        return importJson(await beginImport(rt, db, requesterOf(request), wish));
      });
    };
  },
});

function wishOf(file: ImportFile, fields: Partial<Static<typeof CreateImport>>): ImportWish {
  const {
    format = 'csv',
    mode = 'upsert',
    match_on: matchOn = 'phone',
    mapping = null,
    dry_run: dryRun = false,
  } = fields;
  return { mediaId: file.mediaId, format: file.format ?? format, mode, matchOn, mapping, dryRun };
}
