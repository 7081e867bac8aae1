import { LAST_FULL_KEY, LAST_KEY, revokeKey } from '#access/actions/manage-keys';
import { presentApiKey } from '#access/http/present/api-key';
import { ApiKeyView, grantErrorExamples, KeyIdParams, revokedKeyExample } from '#access/http/schemas/api-key';
import { defineOperation } from '#http/operation';
import { originOf, principalOf } from '#http/plugins/auth';

export const revokeApiKeyRoute = defineOperation({
  method: 'DELETE',
  path: '/v1/api-keys/:id',
  operationId: 'revokeApiKey',
  summary: 'Revoke an API key',
  description:
    'Revokes a key permanently; it stops working everywhere within 2 seconds. Revoking it again changes nothing. A key can revoke only keys whose scopes it has itself. The last working key with all scopes, or with keys:write, cannot be revoked.',
  tag: 'Keys',
  scope: 'keys:write',
  params: KeyIdParams,
  answer: { status: 200, description: 'The key, now revoked.', schema: ApiKeyView, example: revokedKeyExample },
  errors: ['not_found', 'conflict'],
  errorExamples: [
    ...grantErrorExamples,
    { name: 'lastKey', code: 'conflict', body: { error: LAST_KEY, code: 'conflict' } },
    { name: 'lastFullKey', code: 'conflict', body: { error: LAST_FULL_KEY, code: 'conflict' } },
  ],
  handle: ({ rt, db }) => {
    return async (request) => {
      const keyId = request.params.id.toLowerCase();
      const key = await revokeKey(rt, db, { principal: principalOf(request), origin: originOf(request), keyId });
      return presentApiKey(key, rt.clock.now());
    };
  },
});
