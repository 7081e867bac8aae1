import type { Static } from 'typebox';
import { defineOperation, type Operation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import type { Resource } from '#http/resource';
import { beginImport } from '#imports/actions/manage-imports';
import { type ContactImportInput, type Import, importJson } from '#imports/domain/import';
import { progressOperations } from './import-progress.ts';
import {
  ContactImportParams,
  ContactImportQuery,
  ContactImportView,
  CreateContactImport,
  contactImportExample,
  contactTables,
} from './schemas/contact-import.ts';
import { unknownMediaExample } from './schemas/import-fields.ts';
import { answerImport, type ImportFile } from './table-body.ts';

const contactImport: Resource<Import> = {
  path: '/v1/imports',
  name: 'Import',
  noun: 'import',
  tag: 'Contacts',
  scopes: { read: 'contacts:read', write: 'contacts:write' },
  params: ContactImportParams,
  view: ContactImportView,
  example: contactImportExample,
  present: importJson,
};

const createImportRoute = defineOperation({
  method: 'POST',
  path: '/v1/imports',
  operationId: 'createImport',
  summary: 'Import contacts from a file',
  description:
    'Imports contacts from a file: CSV (comma, semicolon or tab), or one JSON object per line. The file is the request body itself (text/csv, application/x-ndjson) or was uploaded to /v1/media, in which case its columns can have any names. Rows are processed in batches of 500, each completely or not at all; after a restart, the import continues where it stopped. Empty cells do not clear values, and the number of an existing contact is not changed.',
  tag: 'Contacts',
  scope: 'contacts:write',
  permission: 'contacts:manage',
  query: ContactImportQuery,
  body: CreateContactImport,
  tableExamples: contactTables,
  bodyExamples: {
    csv: {
      summary: 'Dry run of a file with custom column names',
      value: {
        media_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01',
        mapping: { Mobile: 'phone', 'Full name': 'name' },
        dry_run: true,
      },
    },
  },
  takesIdempotencyKey: 'within',
  answer: {
    status: 202,
    description: 'The import is queued; read it to follow its progress.',
    schema: ContactImportView,
    example: contactImportExample,
  },
  errors: ['media_quota_exceeded', 'media_store_unavailable'],
  errorExamples: [unknownMediaExample],
  handle: (context) => (request, _reply, once) =>
    answerImport(context, request, once, async (file) => {
      const input = readInput(file, { ...request.query, ...(file.format === null ? request.body : {}) });
      return importJson(await beginImport(context.rt, context.db, requesterOf(request), input));
    }),
});

function readInput(file: ImportFile, fields: Partial<Static<typeof CreateContactImport>>): ContactImportInput {
  const {
    format = 'csv',
    mode = 'upsert',
    match_on: matchOn = 'phone',
    mapping = null,
    dry_run: dryRun = false,
  } = fields;
  return { kind: 'contacts', mediaId: file.mediaId, format: file.format ?? format, mode, matchOn, mapping, dryRun };
}

/** In the order of the documentation. */
export const contactImportOperations: readonly Operation[] = [
  createImportRoute,
  ...progressOperations(contactImport, { kind: 'contacts', noun: 'an import', field: 'phone' }),
];
