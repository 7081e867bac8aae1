import { defineOperation } from '#http/operation';
import { importJson } from '#imports/domain/import';
import { readImport } from '#imports/http/read-import';
import { ContactImportParams, ContactImportView, contactImportExample } from '#imports/http/schemas/contact-import';

export const getImportRoute = defineOperation({
  method: 'GET',
  path: '/v1/imports/:id',
  operationId: 'getImport',
  summary: 'Get the progress of an import',
  description: 'Returns an import with its counts, which always add up to the number of rows processed.',
  tag: 'Contacts',
  scope: 'contacts:read',
  params: ContactImportParams,
  answer: { status: 200, description: 'The import.', schema: ContactImportView, example: contactImportExample },
  errors: ['not_found'],
  handle: ({ db }) => {
    return async (request) => importJson(await readImport(db, request, 'contacts'));
  },
});
