import Type from 'typebox';
import { presentApiKey } from '#access/http/present/api-key';
import { ApiKeyView, keyExample, keyModes } from '#access/http/schemas/api-key';
import { listApiKeysPage } from '#access/store/api-keys';
import { answerList } from '#http/lists/answer-list';
import { givenOnly } from '#http/lists/filters';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation } from '#http/operation';
import { queryErrorExamples } from '#http/schemas/examples';
import { choiceOf, named, withExample } from '#http/schemas/fields';
import { pageQuery } from '#http/schemas/lists';

const Query = Type.Object(
  {
    ...pageQuery,
    mode: Type.Optional(withExample(choiceOf(keyModes, named('ApiKeyMode', 'Only keys of this mode.')), 'live')),
  },
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
  answer: pageAnswer('keys', ApiKeyView, keyExample),
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
