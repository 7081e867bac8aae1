import { createKey, type KeyInput } from '#access/actions/manage-keys';
import { presentKeptKey, presentNewKey } from '#access/http/present/api-key';
import {
  CreateApiKey,
  type CreateApiKeyBody,
  grantErrorExamples,
  NewApiKeyView,
  newKeyExample,
  tooManyKeysExample,
} from '#access/http/schemas/api-key';
import type { AgentId } from '#core/ids';
import { parseNetwork } from '#core/public-address';
import { defineOperation } from '#http/operation';
import { originOf, principalOf } from '#http/plugins/auth';
import { problemOf } from '#http/validation/faults';
import { parseRfc3339 } from '#http/validation/rfc3339';

export const createApiKeyRoute = defineOperation({
  method: 'POST',
  path: '/v1/api-keys',
  operationId: 'createApiKey',
  summary: 'Create an API key',
  description:
    'Creates a key and shows it only this once, because only a hash of it is stored. A key can grant only what it has itself: its scopes, mode, rate, lifetime and addresses. A retry with the same Idempotency-Key does not create a second key, and returns `key` as null.',
  tag: 'Keys',
  scope: 'keys:write',
  body: CreateApiKey,
  bodyExamples: {
    sending: {
      summary: 'A key that only sends, for 90 days',
      value: {
        name: 'web shop',
        scopes: ['messages:write', 'messages:read'],
        rate_limit: 50,
        expires_at: '2030-04-01T09:00:00Z',
      },
    },
    limited: {
      summary: 'A key for one network',
      value: { name: 'branch', allowed_ips: ['198.51.100.0/24'] },
    },
    test: { summary: 'A key for the simulator', value: { name: 'tests', mode: 'test' } },
  },
  takesIdempotencyKey: 'within',
  answer: {
    status: 201,
    description: 'The key was created.',
    schema: NewApiKeyView,
    example: newKeyExample,
    headers: ['Idempotent-Replayed'],
  },
  errors: ['conflict'],
  errorExamples: [...grantErrorExamples, tooManyKeysExample],
  handle: ({ rt }) => {
    return async (request, _reply, once) => {
      const wish = readRequest(request.body);
      const asked = { principal: principalOf(request), origin: originOf(request), wish };
      return once.change(
        (db) => createKey(rt, db, asked),
        (made) => presentNewKey(made, rt.clock.now()),
        (made) => presentKeptKey(made, rt.clock.now()),
      );
    };
  },
});

/** @throws ApiProblem validation_failed when one is neither an address nor a network */
function networksOf(texts: readonly string[]): readonly string[] {
  const faults = texts.flatMap((text, index) => {
    const name = `allowed_ips[${index}]`;
    const message = `${name} must be an address or a network, such as 198.51.100.0/24 or 2001:db8::/32.`;
    return parseNetwork(text) === null ? [{ path: `body.${name}`, message }] : [];
  });
  if (faults.length > 0) throw problemOf(faults);
  return [...new Set(texts)];
}

function readRequest(body: CreateApiKeyBody): KeyInput {
  return {
    name: body.name,
    mode: body.mode ?? null,
    scopes: body.scopes ? [...new Set(body.scopes)] : null,
    ratePerSecond: body.rate_limit ?? null,
    agentId: (body.agent_id?.toLowerCase() ?? null) as AgentId | null,
    allowedIps: body.allowed_ips ? networksOf(body.allowed_ips) : null,
    phoneNumberIds: body.phone_number_ids ? [...new Set(body.phone_number_ids)] : null,
    expiresMs: body.expires_at === undefined ? null : parseRfc3339(body.expires_at),
  };
}
