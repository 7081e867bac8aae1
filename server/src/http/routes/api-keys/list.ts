import Type from 'typebox';
import { type ApiKey, listApiKeysPage } from '#storage/api-keys';
import { givenOnly } from '../../lists/filters.ts';
import { answerPage, listWindow } from '../../lists/page.ts';
import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { presentApiKey } from '../../present/api-key.ts';
import { ApiKeyView, keyExample, keyModes } from '../../schemas/api-key.ts';
import { pageExample, queryErrorExamples } from '../../schemas/examples.ts';
import { choiceOf, withExample } from '../../schemas/fields.ts';
import { listOf, pageQuery } from '../../schemas/lists.ts';

const Query = Type.Object(
  { ...pageQuery, mode: Type.Optional(withExample(choiceOf(keyModes, 'Only keys of this mode.'), 'live')) },
  { additionalProperties: false },
);

export const listApiKeysRoute = defineOperation({
  method: 'GET',
  path: '/v1/api-keys',
  operationId: 'listApiKeys',
  summary: 'List API keys',
  description: 'The keys of the tenant, newest first; those that ended too. The keys themselves are never shown again.',
  tag: 'Keys',
  scope: 'keys:read',
  query: Query,
  answer: {
    status: 200,
    description: 'A page of keys.',
    schema: listOf(ApiKeyView, 'A page of keys, newest first.'),
    example: pageExample(keyExample),
    headers: ['Link'],
  },
  errors: [],
  errorExamples: queryErrorExamples,
  handle: ({ rt, db, cursorKey }) => {
    return async (request, reply) => {
      const { tenantId } = principalOf(request);
      const filter = givenOnly({ mode: request.query.mode });
      const list = { name: 'api_keys', tenantId, filter };
      const window = listWindow(request.query, list, cursorKey);
      const page = await listApiKeysPage(db, tenantId, filter, window);
      const present = (key: ApiKey) => presentApiKey(key, rt.clock.now());
      return answerPage(request, reply, { page, window, list, cursorKey, idOf: (key) => key.keyId, present });
    };
  },
});
