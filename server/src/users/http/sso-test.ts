import Type from 'typebox';
import type { JsonObject } from '#core/json';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { named, nullableText, strictObject, text } from '#http/schemas/fields';
import { problemOf } from '#http/validation/faults';
import { type ProviderDescription, ProviderError } from '#users/domain/sso';
import { MAX_URL } from './schemas/sso.ts';

const PROBLEMS = ['unreachable', 'refused'] as const;

const listOrNull = (description: string) =>
  Type.Unsafe<readonly string[] | null>({ type: ['array', 'null'], items: { type: 'string' }, description });

const SsoTestView = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether people could be sent there.' }),
    problem: nullableText(
      'unreachable: no usable answer within 5 seconds. refused: what came is not what this issuer should say, or the address is not public. Null: there is none.',
      { enum: [...PROBLEMS, null] },
    ),
    authorization_endpoint: nullableText('Where people sign in.'),
    token_endpoint: nullableText('Where the service asks who they are.'),
    scopes_supported: listOrNull('Scopes that the provider knows. Null: it does not say.'),
    claims_supported: listOrNull('Claims that the provider knows. Null: it does not say.'),
    back_channel_logout: Type.Boolean({
      description: 'Whether the provider says that it tells services of sign-outs.',
    }),
  },
  named('SsoTest', 'What stands at an issuer.'),
);

const TestSso = strictObject('Where to look.', {
  issuer: text(MAX_URL, 'Issuer of the identity provider, an https URL below which its discovery document is.'),
});

const found: JsonObject = {
  ok: true,
  problem: null,
  authorization_endpoint: 'https://login.example.com/authorize',
  token_endpoint: 'https://login.example.com/token',
  scopes_supported: ['openid', 'profile', 'email'],
  claims_supported: ['sub', 'name', 'email', 'groups'],
  back_channel_logout: true,
};
const nothing = {
  ...{ ok: false, authorization_endpoint: null, token_endpoint: null },
  ...{ scopes_supported: null, claims_supported: null, back_channel_logout: false },
};

export const testSsoConnectionRoute = defineOperation({
  method: 'POST',
  path: '/v1/sso-connection/test',
  operationId: 'testSsoConnection',
  summary: 'Test an issuer for single sign-on',
  description:
    'Asks the issuer for its discovery document and its keys, as a sign-in would, and returns what it says. Nothing is stored. The client ID and secret are proved by the first sign-in alone.',
  tag: 'Agents',
  scope: 'agents:write',
  permission: 'settings:manage',
  body: TestSso,
  bodyExamples: { issuer: { summary: 'Test an issuer', value: { issuer: 'https://login.example.com' } } },
  answer: {
    status: 200,
    description: 'What was found.',
    schema: SsoTestView,
    example: found,
    examples: {
      found: { summary: 'A provider', value: found },
      nothing: { summary: 'No provider', value: { ...nothing, problem: 'unreachable' } },
    },
  },
  handle: ({ rt, sso: { providers } }) => {
    return async (request) => {
      const { issuer } = request.body;
      const fault = providers.issuerFault(issuer);
      if (fault !== null) throw problemOf([{ path: 'body.issuer', message: `The issuer ${fault}.` }]);
      try {
        return present(await providers.describe(principalOf(request).tenantId, issuer));
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        rt.log.info({ error: error.message }, 'sso.test_failed');
        return { ...nothing, problem: error.failure };
      }
    };
  },
});

function present(provider: ProviderDescription): JsonObject {
  const { authorizationEndpoint, tokenEndpoint, scopes, claims, backChannelLogout } = provider;
  return {
    ok: true,
    problem: null,
    authorization_endpoint: authorizationEndpoint,
    token_endpoint: tokenEndpoint,
    scopes_supported: scopes === null ? null : [...scopes],
    claims_supported: claims === null ? null : [...claims],
    back_channel_logout: backChannelLogout,
  };
}
