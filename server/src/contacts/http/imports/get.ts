import { importJson } from '#contacts/domain/import-json';
import { ImportIdParams, ImportView, importExample } from '#contacts/http/schemas/import';
import { findImport } from '#contacts/store/imports';
import { ApiProblem } from '#core/errors';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';

export const getImport = defineOperation({
  method: 'GET',
  path: '/v1/imports/:id',
  operationId: 'getImport',
  summary: 'Get the progress of an import',
  description: 'Returns an import with its counts, which always add up to the number of rows processed.',
  tag: 'Contacts',
  scope: 'contacts:read',
  params: ImportIdParams,
  answer: { status: 200, description: 'The import.', schema: ImportView, example: importExample },
  errors: ['not_found'],
  handle: ({ db }) => {
    return async (request) => {
      const found = await findImport(db, principalOf(request).tenantId, request.params.id.toLowerCase());
      if (found === null) throw new ApiProblem('not_found');
      return importJson(found);
    };
  },
});
