import { presentApiKey } from '#access/http/present/api-key';
import { ApiKeyView, KeyIdParams, keyExample } from '#access/http/schemas/api-key';
import { findApiKey } from '#access/store/api-keys';
import { requireFound } from '#core/errors';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';

export const getApiKeyRoute = defineOperation({
  method: 'GET',
  path: '/v1/api-keys/:id',
  operationId: 'getApiKey',
  summary: 'Get an API key',
  description: 'Returns what the key may do, when it expires and when it was last used, but never the key itself.',
  tag: 'Keys',
  scope: 'keys:read',
  params: KeyIdParams,
  answer: { status: 200, description: 'The key.', schema: ApiKeyView, example: keyExample },
  errors: ['not_found'],
  handle: ({ rt, db }) => {
    return async (request) => {
      return presentApiKey(
        requireFound(await findApiKey(db, principalOf(request).tenantId, request.params.id.toLowerCase())),
        rt.clock.now(),
      );
    };
  },
});
