import Type from 'typebox';
import { agentRoles } from '#core/caller/permissions';
import type { JsonObject } from '#core/json';
import { choiceOf, named, nullableUuid, optional, strictObject, text, time, uuid } from '#http/schemas/fields';

export const MAX_URL = 500;
const MAX_CLIENT_ID = 300;
const MAX_SECRET = 500;
const MAX_WORD = 200;
const MAX_SCOPES = 20;
const MAX_ROLES = 100;

const groupRole = (description: string) =>
  Type.Object(
    {
      group: text(MAX_WORD, 'Group as the claim names it.'),
      role: choiceOf(agentRoles, named('AgentRole', 'What the agent may do.')),
    },
    { additionalProperties: false, description },
  );

const nullableRole = (description: string) =>
  Type.Unsafe<(typeof agentRoles)[number] | null>({
    type: ['string', 'null'],
    enum: [...agentRoles, null],
    description,
  });

export const SsoConnectionView = Type.Object(
  {
    id: uuid('ID of the connection, which is that of the tenant.'),
    issuer: Type.String({ description: 'Issuer of the identity provider.' }),
    client_id: Type.String({ description: 'ID of this service at the provider.' }),
    scopes: Type.Array(Type.String(), { description: 'What is asked for beside openid.' }),
    groups_claim: Type.String({ description: 'Claim that lists the groups of a person.' }),
    roles: Type.Array(groupRole('A group and its role.'), { description: 'The first group of a person decides.' }),
    default_role: nullableRole('Role without such a group. Null: such people may not sign in, if there are roles.'),
    allow_new: Type.Boolean({ description: 'Whether people whom nobody invited become agents.' }),
    only: Type.Boolean({ description: 'Whether there is no other way to sign in to the tenant.' }),
    break_glass_agent_id: nullableUuid('The owner who can sign in another way nevertheless.'),
    start_url: Type.String({ description: 'Where people begin to sign in. Hand it to them, or set a bookmark.' }),
    callback_url: Type.String({ description: 'Redirect URI to register at the provider.' }),
    logout_url: Type.String({ description: 'Back-channel logout URI to register at the provider.' }),
    created_at: time(named('CreatedAt', 'When it was created.')),
    updated_at: time(named('UpdatedAt', 'When it was last changed.')),
  },
  named(
    'SsoConnection',
    'How the people of the tenant sign in at its identity provider. The client secret is never shown.',
  ),
);

export const SetSsoConnection = strictObject('The connection. It replaces the one before.', {
  issuer: text(MAX_URL, 'Issuer of the identity provider, an https URL below which its discovery document is.'),
  client_id: text(MAX_CLIENT_ID, 'ID of this service at the provider.'),
  ...optional({
    client_secret: text(MAX_SECRET, 'Secret of this service at the provider. May be left out when it stays the same.'),
    scopes: Type.Array(text(MAX_WORD, 'A scope.'), {
      maxItems: MAX_SCOPES,
      description: 'What is asked for beside openid. Default: profile and email.',
    }),
    groups_claim: text(MAX_WORD, 'Claim that lists the groups of a person. Default: groups.'),
    roles: Type.Array(groupRole('A group and its role.'), {
      maxItems: MAX_ROLES,
      description:
        'The first group of a person decides about their role, at each sign-in. Default: none; roles are kept here.',
    }),
    default_role: nullableRole(
      'Role of people without such a group. Null: they may not sign in, if there are roles; else new people become agents. Default: null.',
    ),
    allow_new: Type.Boolean({ description: 'Whether people whom nobody invited become agents. Default: false.' }),
    only: Type.Boolean({
      description: 'Whether there is no other way to sign in to the tenant. Needs an owner. Default: false.',
    }),
    break_glass_agent_id: nullableUuid('The owner who can sign in another way nevertheless; needed for `only`.'),
  }),
});

export const ssoConnectionExample: JsonObject = {
  id: '0190a6f2-0000-7d54-9b3a-000000000001',
  issuer: 'https://login.example.com',
  client_id: 'postrider',
  scopes: ['profile', 'email'],
  groups_claim: 'groups',
  roles: [{ group: 'support-leads', role: 'admin' }],
  default_role: 'agent',
  allow_new: true,
  only: false,
  break_glass_agent_id: null,
  start_url: 'https://chat.example.com/v1/sso/0190a6f2-0000-7d54-9b3a-000000000001/start',
  callback_url: 'https://chat.example.com/v1/sso/callback',
  logout_url: 'https://chat.example.com/v1/sso/0190a6f2-0000-7d54-9b3a-000000000001/logout',
  created_at: '2030-01-01T09:00:00.000Z',
  updated_at: '2030-01-01T09:00:00.000Z',
};

export const setSsoConnectionExamples = {
  groups: {
    summary: 'Groups decide about roles, and new people may come',
    value: {
      issuer: 'https://login.example.com',
      client_id: 'postrider',
      client_secret: 'a-secret-of-the-provider',
      roles: [{ group: 'support-leads', role: 'admin' }],
      default_role: 'agent',
      allow_new: true,
    },
  },
} as const;
