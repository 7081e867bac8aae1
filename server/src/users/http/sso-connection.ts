import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { requireFound } from '#core/errors';
import type { AgentId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf, requesterOf } from '#http/plugins/auth';
import { deletedAnswer } from '#http/schemas/deleted';
import { conflictExample } from '#http/schemas/errors';
import { problemOf } from '#http/validation/faults';
import { formatRfc3339 } from '#http/validation/rfc3339';
import type { Runtime } from '#runtime/runtime';
import { publicOrigin, ssoStartUrl } from '#users/actions/sign-in';
import { ssoCallbackUrl } from '#users/actions/sign-in-by-sso';
import { removeSsoConnection, type SsoInput, type SsoRequest, setSsoConnection } from '#users/actions/sso-connection';
import type { SsoConnection } from '#users/domain/sso';
import { findSsoConnection } from '#users/store/sso-connections';
import { SetSsoConnection, SsoConnectionView, setSsoConnectionExamples, ssoConnectionExample } from './schemas/sso.ts';
import { testSsoConnectionRoute } from './sso-test.ts';

const DEFAULT_SCOPES = ['profile', 'email'];
const DEFAULT_GROUPS_CLAIM = 'groups';

const noSecret = conflictExample('noSecret', 'Give the client_secret: none is stored for this issuer and client_id.');

const getSsoConnectionRoute = defineOperation({
  method: 'GET',
  path: '/v1/sso-connection',
  operationId: 'getSsoConnection',
  summary: 'Get the single sign-on connection',
  description:
    'Returns how people sign in at the identity provider of the tenant, and the URLs to register there. 404 without a connection.',
  tag: 'Agents',
  scope: 'agents:read',
  permission: 'settings:manage',
  answer: { status: 200, description: 'The connection.', schema: SsoConnectionView, example: ssoConnectionExample },
  errors: ['not_found'],
  handle: ({ rt, db }) => {
    return async (request) => {
      return presentConnection(rt, requireFound(await findSsoConnection(db, principalOf(request).tenantId)));
    };
  },
});

const setSsoConnectionRoute = defineOperation({
  method: 'PUT',
  path: '/v1/sso-connection',
  operationId: 'setSsoConnection',
  summary: 'Set the single sign-on connection',
  description:
    'Connects the tenant with its identity provider (OpenID Connect: code with PKCE), or replaces the connection. The client secret is encrypted and never shown. Only an owner may give the role owner to a group, or make single sign-on the only way in. A key needs all scopes, because the provider decides who gets in.',
  tag: 'Agents',
  scope: 'agents:write',
  permission: 'settings:manage',
  recentSignIn: true,
  body: SetSsoConnection,
  bodyExamples: setSsoConnectionExamples,
  answer: { status: 200, description: 'The connection.', schema: SsoConnectionView, example: ssoConnectionExample },
  errors: ['secrets_unavailable'],
  errorExamples: [noSecret],
  handle: ({ rt, db, sso }) => {
    return async (request) => {
      const fault = sso.providers.issuerFault(request.body.issuer);
      if (fault !== null) throw problemOf([{ path: 'body.issuer', message: `The issuer ${fault}.` }]);
      const input = inputOf(request.body);
      return presentConnection(
        rt,
        await setSsoConnection(rt, db, { request: askedBy(request), keyring: sso.keyring, input }),
      );
    };
  },
});

const deleteSsoConnectionRoute = defineOperation({
  method: 'DELETE',
  path: '/v1/sso-connection',
  operationId: 'deleteSsoConnection',
  summary: 'Delete the single sign-on connection',
  description:
    'People sign in by other ways again. Open sessions go on, and who is who at the provider stays known. A key needs all scopes.',
  tag: 'Agents',
  scope: 'agents:write',
  permission: 'settings:manage',
  recentSignIn: true,
  answer: deletedAnswer('The connection was deleted.', ssoConnectionExample.id),
  errors: ['not_found'],
  handle: ({ rt, db }) => {
    return async (request) => {
      await removeSsoConnection(rt, db, askedBy(request));
      return { id: principalOf(request).tenantId, status: 'deleted' };
    };
  },
});

/** In the order of the documentation. */
export const ssoConnectionOperations: readonly Operation[] = [
  getSsoConnectionRoute,
  setSsoConnectionRoute,
  deleteSsoConnectionRoute,
  testSsoConnectionRoute,
];

function askedBy(request: FastifyRequest): SsoRequest {
  return { ...requesterOf(request), acting: request.agent, granted: principalOf(request).scopes };
}

function inputOf(body: Static<typeof SetSsoConnection>): SsoInput {
  const { scopes = DEFAULT_SCOPES, groups_claim: groupsClaim = DEFAULT_GROUPS_CLAIM, roles = [] } = body;
  const { allow_new: allowNew = false, only = false, default_role: defaultRole = null } = body;
  return {
    issuer: body.issuer,
    clientId: body.client_id,
    clientSecret: body.client_secret ?? null,
    scopes,
    groupsClaim,
    roles,
    defaultRole,
    allowNew,
    only,
    breakGlassAgentId: (body.break_glass_agent_id?.toLowerCase() ?? null) as AgentId | null,
  };
}

function presentConnection(rt: Runtime, connection: SsoConnection): JsonObject {
  const base = `${publicOrigin(rt.config)}/v1/sso/${connection.tenantId}`;
  return {
    id: connection.tenantId,
    issuer: connection.issuer,
    client_id: connection.clientId,
    scopes: [...connection.scopes],
    groups_claim: connection.groupsClaim,
    roles: connection.roles.map(({ group, role }) => ({ group, role })),
    default_role: connection.defaultRole,
    allow_new: connection.allowNew,
    only: connection.only,
    break_glass_agent_id: connection.breakGlassAgentId,
    start_url: ssoStartUrl(rt.config, connection.tenantId),
    callback_url: ssoCallbackUrl(rt),
    logout_url: `${base}/logout`,
    created_at: formatRfc3339(connection.createdMs),
    updated_at: formatRfc3339(connection.updatedMs),
  };
}
