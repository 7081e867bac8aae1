import Type from 'typebox';
import { listApiKeysPage } from '#storage/api-keys';
import { answerList } from '../../lists/answer-list.ts';
import { givenOnly } from '../../lists/filters.ts';
import { defineOperation } from '../../operation.ts';
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
  description:
    "Returns the tenant's keys, newest first, including those that have ended. The keys themselves are never shown again.",
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
    return (request, reply) => {
      const filter = givenOnly({ mode: request.query.mode });
      return answerList(request, reply, {
        cursorKey,
        name: 'api_keys',
        filter,
        read: (tenantId, window) => listApiKeysPage(db, tenantId, filter, window),
        idOf: (key) => key.keyId,
        present: (key) => presentApiKey(key, rt.clock.now()),
      });
    };
  },
});
