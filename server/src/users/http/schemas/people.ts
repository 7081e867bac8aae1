import Type from 'typebox';
import { agentExampleId } from '#agents/http/schemas/agent';
import { agentRoles } from '#core/caller/permissions';
import type { JsonObject } from '#core/json';
import { choiceOf, named, nullableObject, nullableText, nullableTime, time, uuid } from '#http/schemas/fields';
import { SessionView, sessionExample } from './me.ts';

/** As many as one list shows. */
const MAX_SESSIONS = 100;

export const PersonView = Type.Object(
  {
    agent_id: uuid('ID of the agent that the person is in this tenant.'),
    role: choiceOf(agentRoles, named('AgentRole', 'What the person may do.')),
    name: Type.String({ description: 'Name of the person.' }),
    email: nullableText('Email address that the person signs in with. Null: none yet.'),
    open_sessions: Type.Integer({ description: 'Where the person is signed in to this tenant now.' }),
    last_used_at: nullableTime('When the person last used this tenant, to the minute. Null: not known.'),
    invitation: nullableObject('The link that was handed out and not used yet. Null: there is none.', {
      created_at: time('When the link was made.'),
      expires_at: time('Until when the link works.'),
    }),
  },
  named('Person', 'A person who works in the tenant.'),
);

export const personExample: JsonObject = {
  agent_id: agentExampleId,
  role: 'agent',
  name: 'Ana Silva',
  email: 'ana@shop.example',
  open_sessions: 0,
  last_used_at: null,
  invitation: { created_at: '2030-01-01T09:00:00.000Z', expires_at: '2030-01-08T09:00:00.000Z' },
};

export const AgentSessionList = Type.Object(
  { data: Type.Array(SessionView, { description: 'Newest first.' }) },
  named('AgentSessionList', 'Where the person of an agent is signed in.'),
);

export const agentSessionsExample: JsonObject = { data: [{ ...sessionExample, current: false }] };

/** Nothing will do: then all sessions end. */
export const EndAgentSessions = Type.Unsafe<{ readonly session_ids?: readonly string[] } | null>({
  type: ['object', 'null'],
  properties: {
    session_ids: Type.Array(uuid('ID of a session.'), {
      minItems: 1,
      maxItems: MAX_SESSIONS,
      description:
        'The sessions to end. Default: all of them. Those that have ended, or are not of this agent, are skipped.',
    }),
  },
  additionalProperties: false,
  description: 'Which sessions end.',
});

export const EndedSessions = Type.Object(
  { ended: Type.Integer({ description: 'How many sessions were open and have ended.' }) },
  named('EndedSessions', 'What was ended.'),
);
