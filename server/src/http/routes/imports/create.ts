import { importJson } from '#core/import-json';
import { beginImport } from '#operations/manage-imports';
import { defineOperation } from '../../operation.ts';
import { answerOnce } from '../../plugins/answer-once.ts';
import { principalOf } from '../../plugins/auth.ts';
import { CreateImport, ImportView, importExample } from '../../schemas/import.ts';

export const createImportRoute = defineOperation({
  method: 'POST',
  path: '/v1/imports',
  operationId: 'createImport',
  summary: 'Bring in a file of contacts',
  description:
    'Brings in a file of CSV (comma, semicolon or tab) or of one JSON object per line, that was uploaded to /v1/media. Rows are done in portions of 500, each at once or not at all; a restart goes on where it stopped. Empty cells take nothing away, and the number of a contact that is there is not changed.',
  tag: 'Contacts',
  scope: 'contacts:write',
  permission: 'contacts:manage',
  body: CreateImport,
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
  errors: ['unknown_media'],
  errorExamples: [
    {
      name: 'unknownMedia',
      code: 'unknown_media',
      body: {
        error: 'media_id is not a media of this tenant, or it has expired.',
        code: 'unknown_media',
        details: [{ path: 'body.media_id', message: 'media_id is not a media of this tenant, or it has expired' }],
      },
    },
  ],
  handle: (context) => {
    return (request, reply) => {
      const {
        media_id: mediaId,
        format = 'csv',
        mode = 'upsert',
        match_on: matchOn = 'phone',
        mapping = null,
      } = request.body;
      const wish = {
        mediaId: mediaId.toLowerCase(),
        format,
        mode,
        matchOn,
        mapping,
        dryRun: request.body.dry_run ?? false,
      };
      reply.code(202);
      return answerOnce(context, request, reply, async () =>
        importJson(await beginImport(context.rt, context.db, principalOf(request).tenantId, wish)),
      );
    };
  },
});
