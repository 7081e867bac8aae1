import Type, { type Static } from 'typebox';
import { availabilities, DEFAULT_MAX_OPEN, MAX_SKILLS } from '#agents/domain/agent';
import { agentRoles, permissions } from '#core/caller/permissions';
import type { JsonObject } from '#core/json';
import {
  changeOf,
  choiceOf,
  named,
  nullableText,
  nullableTime,
  optional,
  text,
  time,
  uuid,
  withExample,
} from '#http/schemas/fields';

const MAX_NAME = 200;
const MAX_EMAIL = 320;
const MAX_SKILL = 64;
const MAX_OPEN = 10_000;
export const MAX_EXTERNAL = 200;

export const agentExampleId = '0190a6f8-1111-7222-8333-444455556666';

const skills = Type.Array(text(MAX_SKILL, 'A skill that teams can require.'), {
  maxItems: MAX_SKILLS,
  uniqueItems: true,
  ...named('AgentSkills', 'Skills of the agent, in your own words, such as languages or products.'),
});
const maxOpen = Type.Integer({
  minimum: 0,
  maximum: MAX_OPEN,
  ...named(
    'MaxOpenConversations',
    `Maximum number of conversations assigned to the agent at the same time. Default: ${DEFAULT_MAX_OPEN}.`,
  ),
});

function nullable(maxLength: number, description: string) {
  return nullableText(description, { minLength: 1, maxLength });
}

export const AgentView = Type.Object(
  {
    id: uuid('ID of the agent.'),
    name: Type.String({ description: 'Name of the agent.' }),
    email: nullableText('Email address of the agent.'),
    role: choiceOf(agentRoles, named('AgentRole', 'Role of the agent.')),
    permissions: Type.Array(Type.String(), {
      description: `Permissions of the role: ${Object.keys(permissions).join(', ')}.`,
    }),
    availability: choiceOf(
      availabilities,
      named('AgentAvailability', 'Only online agents are assigned conversations.'),
    ),
    presence_expires_at: nullableTime('When the agent goes offline without another heartbeat. Null: never.'),
    capacity: Type.Object(
      {
        max_open: maxOpen,
        open: Type.Integer({ description: 'Open and pending conversations of the agent.' }),
      },
      { description: 'Capacity and workload of the agent.' },
    ),
    skills,
    teams: Type.Array(Type.String({ format: 'uuid' }), { description: 'Teams that the agent belongs to.' }),
    external_id: nullableText('Your own ID for the agent.'),
    version: Type.Integer(named('ResourceVersion', 'Increases with each change. Used as the ETag.')),
    created_at: time('When the agent was created.'),
    updated_at: time(named('UpdatedAt', 'When it was last changed.')),
  },
  named('Agent', 'A person who answers customers.'),
);

export const AgentIdParams = Type.Object({ id: withExample(uuid('ID of the agent.'), agentExampleId) });

const name = text(MAX_NAME, 'Name of the agent.');
const settings = {
  email: nullable(MAX_EMAIL, 'Email address of the agent.'),
  role: choiceOf(agentRoles, named('AgentRole', 'Role of the agent. Default: agent.')),
  availability: choiceOf(
    availabilities,
    named('AgentAvailability', 'An availability set here holds until it is set again.'),
  ),
  capacity: Type.Object({ max_open: maxOpen }, { additionalProperties: false, description: 'Capacity of the agent.' }),
  skills,
  external_id: nullable(MAX_EXTERNAL, 'Your own ID for the agent; unique.'),
};

export const CreateAgent = Type.Object(
  { name, ...optional(settings) },
  { additionalProperties: false, description: 'A new agent.' },
);
export type CreateAgentBody = Static<typeof CreateAgent>;

export const ChangeAgent = changeOf({ name, ...settings });
export type ChangeAgentBody = Static<typeof ChangeAgent>;

/** Nothing will do: a client that only says that it is there. */
export const ShowPresence = Type.Unsafe<{ readonly availability?: (typeof availabilities)[number] } | null>({
  type: ['object', 'null'],
  properties: {
    availability: choiceOf(
      availabilities,
      named(
        'AgentAvailability',
        'Availability for the next minute. By default, it does not change, except from offline to online.',
      ),
    ),
  },
  additionalProperties: false,
  description: 'A heartbeat.',
});

export const agentExample: JsonObject = {
  id: agentExampleId,
  name: 'Ana Lima',
  email: 'ana@shop.example',
  role: 'agent',
  permissions: ['conversations:read', 'conversations:reply', 'contacts:read', 'contacts:write'],
  availability: 'online',
  presence_expires_at: '2030-01-01T09:01:00.000Z',
  capacity: { max_open: 5, open: 2 },
  skills: ['portuguese'],
  teams: ['0190a6f8-2222-7222-8333-444455556666'],
  external_id: null,
  version: 3,
  created_at: '2030-01-01T09:00:00.000Z',
  updated_at: '2030-01-01T09:00:00.000Z',
};
