import Type from 'typebox';
import type { MadeKey } from '#access/actions/key-changes';
import {
  createKey,
  type KeyInput,
  type KeyRequest,
  LAST_FULL_KEY,
  LAST_KEY,
  revokeKey,
  rotateKey,
} from '#access/actions/manage-keys';
import { type ApiKey, findApiKey, listApiKeysPage } from '#access/store/api-keys';
import type { AgentId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { parseNetwork } from '#core/public-address';
import type { Database } from '#database/database';
import type { RouteContext } from '#http/deps';
import { givenOnly } from '#http/lists/filters';
import type { Once } from '#http/once';
import { type Answer, defineOperation, type Operation } from '#http/operation';
import { originOf, principalOf } from '#http/plugins/auth';
import { getOperation, listOperation, type Resource } from '#http/resource';
import { conflictExample, errorExample } from '#http/schemas/errors';
import { choiceOf, named, withExample } from '#http/schemas/fields';
import { problemOf } from '#http/validation/faults';
import { formatRfc3339, parseRfc3339 } from '#http/validation/rfc3339';
import {
  ApiKeyView,
  CreateApiKey,
  type CreateApiKeyBody,
  DEFAULT_KEY_OVERLAP_S,
  KeyIdParams,
  keyExample,
  keyModes,
  NewApiKeyView,
  newKeyExample,
  RotateApiKey,
  revokedKeyExample,
} from './schemas/api-key.ts';

const apiKey: Resource<ApiKey> = {
  path: '/v1/api-keys',
  name: 'ApiKey',
  noun: 'key',
  one: 'an API key',
  tag: 'Keys',
  scopes: { read: 'keys:read', write: 'keys:write' },
  params: KeyIdParams,
  view: ApiKeyView,
  example: keyExample,
  present: presentApiKey,
};

const lacksScope = errorExample('lacksScope', 'forbidden', 'This API key lacks the scope messages:write.');
const tooManyKeys = conflictExample(
  'tooManyKeys',
  'This tenant already has 500 working keys. Revoke one that is not needed.',
);

const listApiKeysRoute = listOperation(apiKey, {
  summary: 'List API keys',
  description:
    "Returns the tenant's keys, newest first, including expired and revoked keys. The keys themselves are never shown again.",
  query: {
    mode: Type.Optional(withExample(choiceOf(keyModes, named('ApiKeyMode', 'Only keys of this mode.')), 'live')),
  },
  filter: ({ mode }) => givenOnly({ mode }),
  read: ({ db }, { tenantId, window, filter }) => listApiKeysPage(db, tenantId, filter, window),
  idOf: ({ keyId }) => keyId,
});

const createApiKeyRoute = defineOperation({
  method: 'POST',
  path: '/v1/api-keys',
  operationId: 'createApiKey',
  summary: 'Create an API key',
  description:
    'Creates a key and shows it only this once, because only a hash of it is stored. A key can grant only what it has itself: its scopes, mode, rate, lifetime and addresses. A retry with the same Idempotency-Key does not create a second key, and returns `key` as null.',
  tag: 'Keys',
  scope: 'keys:write',
  recentSignIn: true,
  body: CreateApiKey,
  bodyExamples: {
    sending: {
      summary: 'A send-only key, valid for 90 days',
      value: {
        name: 'web shop',
        scopes: ['messages:write', 'messages:read'],
        rate_limit: 50,
        expires_at: '2030-04-01T09:00:00Z',
      },
    },
    limited: {
      summary: 'A key for one IP network',
      value: { name: 'branch', allowed_ips: ['198.51.100.0/24'] },
    },
    test: { summary: 'A key for the simulator', value: { name: 'tests', mode: 'test' } },
  },
  takesIdempotencyKey: 'within',
  answer: newKeyAnswer('The key was created.'),
  errors: ['conflict'],
  errorExamples: [lacksScope, tooManyKeys],
  handle: ({ rt }) => {
    return async (request, _reply, once) => {
      const creation = { ...keyRequest(request), wish: readKeyInput(request.body) };
      return answerNewKey(rt, once, (db) => createKey(rt, db, creation));
    };
  },
});

const getApiKeyRoute = getOperation(apiKey, {
  description: 'Returns what the key may do, when it expires and when it was last used, but never the key itself.',
  find: ({ db }, tenantId, id) => findApiKey(db, tenantId, id),
});

const rotateApiKeyRoute = defineOperation({
  method: 'POST',
  path: '/v1/api-keys/:id/rotate',
  operationId: 'rotateApiKey',
  summary: 'Rotate an API key',
  description:
    'Creates a key with the same name, rights and lifetime, and shows it only this once; the old key continues to work for overlap_s. A key can replace itself. The successor expires no later than the key that makes the request.',
  tag: 'Keys',
  scope: 'keys:write',
  recentSignIn: true,
  params: KeyIdParams,
  body: RotateApiKey,
  bodyIsOptional: true,
  bodyExamples: { aDay: { summary: 'Keep both keys valid for a day', value: { overlap_s: 86_400 } } },
  takesIdempotencyKey: 'within',
  answer: newKeyAnswer('The successor was created.'),
  errors: ['not_found', 'conflict'],
  errorExamples: [
    lacksScope,
    conflictExample('ended', 'This key no longer works. Create a new one instead.'),
    tooManyKeys,
  ],
  handle: ({ rt }) => {
    return async (request, _reply, once) => {
      const keyId = request.params.id.toLowerCase();
      const overlapMs = (request.body?.overlap_s ?? DEFAULT_KEY_OVERLAP_S) * 1000;
      const rotation = { ...keyRequest(request), keyId, overlapMs };
      return answerNewKey(rt, once, (db) => rotateKey(rt, db, rotation));
    };
  },
});

const revokeApiKeyRoute = defineOperation({
  method: 'DELETE',
  path: '/v1/api-keys/:id',
  operationId: 'revokeApiKey',
  summary: 'Revoke an API key',
  description:
    'Revokes a key permanently; it stops working everywhere within 2 seconds. Revoking it again changes nothing. A key can revoke only keys whose scopes it has itself. The last working key with all scopes, or with keys:write, cannot be revoked.',
  tag: 'Keys',
  scope: 'keys:write',
  recentSignIn: true,
  params: KeyIdParams,
  answer: { status: 200, description: 'The key, now revoked.', schema: ApiKeyView, example: revokedKeyExample },
  errors: ['not_found', 'conflict'],
  errorExamples: [lacksScope, conflictExample('lastKey', LAST_KEY), conflictExample('lastFullKey', LAST_FULL_KEY)],
  handle: ({ rt, db }) => {
    return async (request) => {
      const keyId = request.params.id.toLowerCase();
      return presentApiKey(await revokeKey(rt, db, { ...keyRequest(request), keyId }), rt.clock.now());
    };
  },
});

/** In the order of the documentation. */
export const apiKeyOperations: readonly Operation[] = [
  listApiKeysRoute,
  createApiKeyRoute,
  getApiKeyRoute,
  rotateApiKeyRoute,
  revokeApiKeyRoute,
];

/** A key may grant, rotate and revoke only what it may do itself: the whole principal is passed on. */
function keyRequest(request: Parameters<typeof originOf>[0]): KeyRequest {
  return { principal: principalOf(request), origin: originOf(request) };
}

function newKeyAnswer(description: string): Answer {
  return { status: 201, description, schema: NewApiKeyView, example: newKeyExample };
}

/**
 * The one answer that shows a key. What is kept for repetitions is the same without it, because it must not lie in the
 * database.
 */
function answerNewKey(
  { clock }: RouteContext['rt'],
  once: Once,
  make: (db: Database) => Promise<MadeKey>,
): Promise<JsonObject> {
  return once.change(
    make,
    ({ key, record }) => ({ key, ...presentApiKey(record, clock.now()) }),
    ({ record }) => ({ key: null, ...presentApiKey(record, clock.now()) }),
  );
}

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

function readKeyInput(body: CreateApiKeyBody): KeyInput {
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

/** A key as the API shows it: never the key itself, nor its hash. */
function presentApiKey(key: ApiKey, nowMs: number): JsonObject {
  return {
    id: key.keyId,
    name: key.name,
    mode: key.mode,
    hint: key.hint,
    status: statusOf(key, nowMs),
    scopes: [...key.scopes],
    rate_limit: key.ratePerSecond,
    agent_id: key.agentId,
    allowed_ips: [...key.allowedIps],
    phone_number_ids: [...key.phoneNumberIds],
    created_at: formatRfc3339(key.createdMs),
    expires_at: timeOrNull(key.expiresMs),
    revoked_at: timeOrNull(key.revokedMs),
    last_used_at: timeOrNull(key.lastUsedMs),
  };
}

function statusOf({ revokedMs, expiresMs }: ApiKey, nowMs: number): 'active' | 'expired' | 'revoked' {
  if (revokedMs !== null) return 'revoked';
  return expiresMs !== null && expiresMs <= nowMs ? 'expired' : 'active';
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : formatRfc3339(ms);
}
