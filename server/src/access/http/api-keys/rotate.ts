import { rotateKey } from '#access/actions/manage-keys';
import { presentKeptKey, presentNewKey } from '#access/http/present/api-key';
import {
  DEFAULT_KEY_OVERLAP_S,
  grantErrorExamples,
  KeyIdParams,
  NewApiKeyView,
  newKeyExample,
  RotateApiKey,
  tooManyKeysExample,
} from '#access/http/schemas/api-key';
import { defineOperation } from '#http/operation';
import { originOf, principalOf } from '#http/plugins/auth';

const conflictExample = {
  name: 'ended',
  code: 'conflict',
  body: { error: 'This key no longer works; make a new one instead.', code: 'conflict' },
} as const;

export const rotateApiKeyRoute = defineOperation({
  method: 'POST',
  path: '/v1/api-keys/:id/rotate',
  operationId: 'rotateApiKey',
  summary: 'Rotate an API key',
  description:
    'Creates a key with the same name, rights and lifetime, and shows it only this once; the old key continues to work for overlap_s. A key can replace itself. The successor expires no later than the key that makes the request.',
  tag: 'Keys',
  scope: 'keys:write',
  params: KeyIdParams,
  body: RotateApiKey,
  bodyIsOptional: true,
  bodyExamples: { aDay: { summary: 'A day to roll it out', value: { overlap_s: 86_400 } } },
  takesIdempotencyKey: 'within',
  answer: {
    status: 201,
    description: 'The successor was created.',
    schema: NewApiKeyView,
    example: newKeyExample,
    headers: ['Idempotent-Replayed'],
  },
  errors: ['not_found', 'conflict'],
  errorExamples: [...grantErrorExamples, conflictExample, tooManyKeysExample],
  handle: ({ rt }) => {
    return async (request, _reply, once) => {
      const asked = {
        principal: principalOf(request),
        origin: originOf(request),
        keyId: request.params.id.toLowerCase(),
        overlapMs: (request.body?.overlap_s ?? DEFAULT_KEY_OVERLAP_S) * 1000,
      };
      return once.change(
        (db) => rotateKey(rt, db, asked),
        (made) => presentNewKey(made, rt.clock.now()),
        (made) => presentKeptKey(made, rt.clock.now()),
      );
    };
  },
});
