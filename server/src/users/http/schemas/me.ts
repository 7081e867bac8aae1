import Type, { type Static } from 'typebox';
import { agentRoles, permissions } from '#core/caller/permissions';
import type { JsonObject } from '#core/json';
import {
  choiceOf,
  named,
  nullableObject,
  nullableText,
  nullableTime,
  optional,
  PATTERN_SENTENCE,
  text,
  time,
  uuid,
  withExample,
} from '#http/schemas/fields';

const MAX_NAME = 200;
/** As long as an address may be (RFC 5321). Whether it is the person's own is another matter, which a mail confirms. */
const MAX_EMAIL = 254;
const EMAIL = '^[^\\s@\\u0000]+@[^\\s@\\u0000]+$';
const MAX_USER_AGENT = 200;
/** What a browser keeps for its user is small: themes, keys, sounds. */
const MAX_PREFERENCES = 200;
const userExampleId = '0190a6fb-2222-7222-8333-444455556666';
const sessionExampleId = '0190a6fb-1111-7222-8333-444455556666';
const permissionNames = Object.keys(permissions);

const role = choiceOf(agentRoles, named('AgentRole', 'What the agent may do.'));

export const MeView = Type.Object(
  {
    user: Type.Object(
      {
        id: uuid('ID of the person.'),
        name: Type.String({ description: 'Name of the person.' }),
        email: nullableText('Email address that the person signs in with. Null: none yet.'),
        email_confirmed_at: nullableTime('When the person proved that the address is theirs. Null: not yet.'),
      },
      { description: 'The person who is signed in.' },
    ),
    agent: Type.Object(
      {
        id: uuid('ID of the agent.'),
        name: Type.String({ description: 'Name that colleagues see.' }),
        role,
      },
      { description: 'Who the person is in this tenant.' },
    ),
    tenant: Type.Object(
      { id: uuid('ID of the tenant.'), name: Type.String({ description: 'Name of the tenant.' }) },
      { description: 'The tenant that the session is for.' },
    ),
    tenants: Type.Array(
      Type.Object(
        {
          id: uuid('ID of the tenant.'),
          name: Type.String({ description: 'Name of the tenant.' }),
          agent_id: uuid('ID of the agent that the person is there.'),
          role,
        },
        { description: 'A tenant and who the person is there.' },
      ),
      { description: 'The active tenants that the person works in.' },
    ),
    sign_in: Type.Object(
      {
        password: Type.Boolean({ description: 'Whether the person has a password.' }),
        totp: Type.Boolean({ description: 'Whether a code of an authenticator app is asked for besides.' }),
        recovery_codes: Type.Integer({ description: 'How many recovery codes are left.' }),
        passkeys: Type.Integer({ description: 'How many passkeys the person has.' }),
        single_sign_on: nullableObject('Single sign-on of this tenant. Null: it has none.', {
          connected: Type.Boolean({ description: 'Whether an identity at the provider is connected with the person.' }),
          start_url: Type.String({
            description: 'Where to sign in. With ?link=true, within 10 minutes of a sign-in, it connects the identity.',
          }),
        }),
      },
      { description: 'What the person can sign in with, besides links.' },
    ),
    permissions: Type.Array(
      choiceOf(permissionNames, named('Permission', 'Something that agents may be allowed to do.')),
      {
        description: 'What the person may do in this tenant.',
      },
    ),
    session: Type.Object(
      {
        id: uuid('ID of the session.'),
        created_at: time(named('CreatedAt', 'When it was created.')),
        signed_in_at: time('When the person last signed in. Some operations need a recent sign-in.'),
        expires_at: time('When the session ends, unless it is used again before.'),
      },
      { description: 'The session of the request.' },
    ),
    preferences: Type.Record(Type.String(), Type.Unknown(), {
      description: 'What the client keeps for the person, as it was set.',
    }),
    installation: Type.Object(
      {
        version: Type.String({ description: 'Version of the service.' }),
        network: choiceOf(
          ['simulator', 'live'],
          'simulator: messages reach no one, and a simulated customer can write.',
        ),
        mail: Type.Boolean({ description: 'Whether a mail server is set up, so that the service can send mail.' }),
      },
      { description: 'The service itself.' },
    ),
  },
  named('Me', 'The person who is signed in, and what they may do.'),
);

export const ChangeMe = Type.Object(
  optional({
    name: text(MAX_NAME, 'Name of the person.'),
    email: Type.String({
      pattern: EMAIL,
      [PATTERN_SENTENCE]: 'must be an email address',
      maxLength: MAX_EMAIL,
      description: 'Email address that the person signs in with.',
    }),
    preferences: Type.Record(Type.String({ maxLength: MAX_NAME }), Type.Unknown(), {
      maxProperties: MAX_PREFERENCES,
      description:
        'JSON of the client, at most 16384 characters. Replaces all preferences. notifications is known to the service: kinds (each with page and desktop), sound and quiet_hours (from, to, time_zone).',
    }),
  }),
  { additionalProperties: false, minProperties: 1, description: 'What changes. Omitted fields stay unchanged.' },
);
export type ChangeMeBody = Static<typeof ChangeMe>;

export const SessionView = Type.Object(
  {
    id: uuid('ID of the session.'),
    current: Type.Boolean({ description: 'Whether this request uses it.' }),
    tenant_id: uuid('ID of the tenant that it is for.'),
    created_at: time(named('CreatedAt', 'When it was created.')),
    last_used_at: time('When it was last used, to the minute.'),
    expires_at: time('When it ends, unless it is used again before.'),
    user_agent: nullableText('What the browser calls itself.', { maxLength: MAX_USER_AGENT }),
    address: nullableText('IP address that the person signed in from.'),
  },
  named('Session', 'A sign-in that has not ended.'),
);

export const SessionList = Type.Object(
  { data: Type.Array(SessionView, { description: 'Newest first.' }) },
  named('SessionList', 'The open sessions of a person.'),
);

export const SessionIdParams = Type.Object({
  id: withExample(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'ID of the session; `current` for the session of the request.',
    }),
    sessionExampleId,
  ),
});

const ids = { tenant: '0190a6f2-0000-7d54-9b3a-000000000001', agent: '0190a6f2-9a00-7b00-8c00-0a1b2c3d4e5f' };

export const meExample: JsonObject = {
  user: {
    id: userExampleId,
    name: 'Ana Silva',
    email: 'ana@shop.example',
    email_confirmed_at: '2030-01-01T09:00:00.000Z',
  },
  agent: { id: ids.agent, name: 'Ana', role: 'agent' },
  tenant: { id: ids.tenant, name: 'Shop' },
  tenants: [{ id: ids.tenant, name: 'Shop', agent_id: ids.agent, role: 'agent' }],
  sign_in: { password: true, totp: false, recovery_codes: 0, passkeys: 0, single_sign_on: null },
  permissions: ['conversations:read', 'conversations:reply', 'contacts:read', 'contacts:write'],
  session: {
    id: sessionExampleId,
    created_at: '2030-01-01T09:00:00.000Z',
    signed_in_at: '2030-01-01T09:00:00.000Z',
    expires_at: '2030-01-01T21:00:00.000Z',
  },
  preferences: { theme: 'dark' },
  installation: { version: '0.1.0', network: 'simulator', mail: true },
};

export const sessionExample: JsonObject = {
  id: sessionExampleId,
  current: true,
  tenant_id: ids.tenant,
  created_at: '2030-01-01T09:00:00.000Z',
  last_used_at: '2030-01-01T09:05:00.000Z',
  expires_at: '2030-01-01T21:05:00.000Z',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36',
  address: '203.0.113.7',
};

export { sessionExampleId, userExampleId };
