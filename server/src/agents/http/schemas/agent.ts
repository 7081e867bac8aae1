import Type, { type Static } from 'typebox';
import { availabilities, DEFAULT_MAX_OPEN, MAX_SKILLS } from '#agents/domain/agent';
import { agentRoles, permissions } from '#core/caller/permissions';
import type { JsonObject } from '#core/json';
import type { ErrorExample } from '#http/operation';
import { choiceOf, named, nullableText, nullableTime, text, time, uuid, withExample } from '#http/schemas/fields';

const MAX_NAME = 200;
const MAX_EMAIL = 320;
const MAX_SKILL = 64;
const MAX_OPEN = 10_000;
const MAX_EXTERNAL = 200;

export const agentExampleId = '0190a6f8-1111-7222-8333-444455556666';

const skills = Type.Array(text(MAX_SKILL, 'A skill, as a team requires it.'), {
  maxItems: MAX_SKILLS,
  uniqueItems: true,
  description: 'What the agent can do, in your own words: languages, products.',
});
const maxOpen = Type.Integer({
  minimum: 0,
  maximum: MAX_OPEN,
  description: `Conversations at once that assignment gives at most; ${DEFAULT_MAX_OPEN} unless said otherwise.`,
});

function nullable(maxLength: number, description: string) {
  return nullableText(description, { minLength: 1, maxLength });
}

export const AgentView = Type.Object(
  {
    id: uuid('Identifier of the agent.'),
    name: Type.String({ description: 'What the agent is called.' }),
    email: nullableText('The e-mail address, for people.'),
    role: choiceOf(agentRoles, named('AgentRole', 'What the agent may do.')),
    permissions: Type.Array(Type.String(), {
      description: `Follow from the role: ${Object.keys(permissions).join(', ')}.`,
    }),
    availability: choiceOf(availabilities, named('AgentAvailability', 'Only who is online is assigned conversations.')),
    presence_expires_at: nullableTime('When the agent counts as offline without a further sign of life; null: never.'),
    capacity: Type.Object(
      {
        max_open: maxOpen,
        open: Type.Integer({ description: 'Conversations of the agent that are open or pending.' }),
      },
      { description: 'How many conversations the agent takes, and has.' },
    ),
    skills,
    teams: Type.Array(Type.String({ format: 'uuid' }), { description: 'Teams that the agent is a member of.' }),
    external_id: nullableText('Your own name for the agent.'),
    version: Type.Integer({ description: 'Grows with each change; the ETag.' }),
    created_at: time('When the agent was added.'),
    updated_at: time('When it was last changed.'),
  },
  named('Agent', 'Someone who answers customers.'),
);

export const AgentIdParams = Type.Object({ id: withExample(uuid('Identifier of the agent.'), agentExampleId) });

const wishes = {
  email: Type.Optional(nullable(MAX_EMAIL, 'The e-mail address, for people.')),
  role: Type.Optional(choiceOf(agentRoles, named('AgentRole', 'What the agent may do; agent unless said otherwise.'))),
  availability: Type.Optional(
    choiceOf(availabilities, named('AgentAvailability', 'Set by hand it holds until it is set again.')),
  ),
  capacity: Type.Optional(
    Type.Object(
      { max_open: maxOpen },
      { additionalProperties: false, description: 'How much the agent takes at once.' },
    ),
  ),
  skills: Type.Optional(skills),
  external_id: Type.Optional(nullable(MAX_EXTERNAL, 'Your own name for the agent; no other agent has it.')),
};

export const CreateAgent = Type.Object(
  { name: text(MAX_NAME, 'What the agent is called.'), ...wishes },
  { additionalProperties: false, description: 'A new agent.' },
);
export type CreateAgentBody = Static<typeof CreateAgent>;

export const ChangeAgent = Type.Object(
  { name: Type.Optional(text(MAX_NAME, 'What the agent is called.')), ...wishes },
  { additionalProperties: false, minProperties: 1, description: 'What is left out stays as it is.' },
);
export type ChangeAgentBody = Static<typeof ChangeAgent>;

/** Nothing will do: a client that only says that it is there. */
export const ShowPresence = Type.Unsafe<{ readonly availability?: (typeof availabilities)[number] } | null>({
  type: ['object', 'null'],
  properties: {
    availability: choiceOf(
      availabilities,
      named('AgentAvailability', 'What holds for the next minute. Default: as it was, and online after offline.'),
    ),
  },
  additionalProperties: false,
  description: 'A sign of life.',
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

/** What really answers a version that is not the current one. @param noun what the sentence calls the resource */
export function staleExample(noun: string): ErrorExample {
  const error = `The ${noun} was changed meanwhile: its version is 4. Read it again.`;
  return { name: 'changedMeanwhile', code: 'precondition_failed', body: { error, code: 'precondition_failed' } };
}

/** A refusal in the state that the resource is in. */
export function agentConflictExample(name: string, error: string): ErrorExample {
  return { name, code: 'conflict', body: { error, code: 'conflict' } };
}
