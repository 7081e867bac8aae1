import Type, { type Static } from 'typebox';
import { assignmentPolicies, MAX_MEMBERS, MAX_SKILLS, reassignPolicies } from '#agents/domain/agent';
import type { JsonObject } from '#core/json';
import { choiceOf, named, nullableUuid, text, time, uuid, withExample } from '#http/schemas/fields';
import { agentExampleId } from './agent.ts';
import { hoursExampleId } from './business-hours.ts';

const MAX_NAME = 200;
const MAX_SKILL = 64;
export const teamExampleId = '0190a6f8-2222-7222-8333-444455556666';

const decided = {
  members: Type.Array(Type.String({ format: 'uuid' }), {
    maxItems: MAX_MEMBERS,
    uniqueItems: true,
    description: 'The agents who share the queue of the team.',
  }),
  policy: choiceOf(
    assignmentPolicies,
    'manual: people assign. round_robin: by turns. least_loaded: to whom the smallest share of the capacity is taken.',
  ),
  sticky: Type.Boolean({
    description: 'Whether a customer gets the agent of the last conversation, if that one is eligible.',
  }),
  reassign_on_reopen: choiceOf(
    reassignPolicies,
    'Whether a conversation that opens again loses its agent: when that one is offline or has too many, always, or never.',
  ),
  business_hours_id: nullableUuid('When the team works; null: the default hours of the tenant, else always.'),
  overflow_team_id: nullableUuid('The team whose members help when nobody here has room.'),
  required_skills: Type.Array(text(MAX_SKILL, 'A skill that agents have.'), {
    maxItems: MAX_SKILLS,
    uniqueItems: true,
    description: 'Skills that an agent needs, each of them, to be assigned a conversation of the team.',
  }),
  is_default: Type.Boolean({
    description: 'Whether it takes conversations that have no team. A new default team takes over.',
  }),
};

export const TeamView = Type.Object(
  {
    id: uuid('Identifier of the team.'),
    name: Type.String({ description: 'What the team is called.' }),
    ...decided,
    version: Type.Integer({ description: 'Grows with each change; the ETag.' }),
    created_at: time('When it was made.'),
    updated_at: time('When it was last changed.'),
  },
  named('Team', 'Agents who share a queue.'),
);

export const TeamIdParams = Type.Object({ id: withExample(uuid('Identifier of the team.'), teamExampleId) });

const wishes = {
  members: Type.Optional(decided.members),
  policy: Type.Optional(decided.policy),
  sticky: Type.Optional(decided.sticky),
  reassign_on_reopen: Type.Optional(decided.reassign_on_reopen),
  business_hours_id: Type.Optional(decided.business_hours_id),
  overflow_team_id: Type.Optional(decided.overflow_team_id),
  required_skills: Type.Optional(decided.required_skills),
  is_default: Type.Optional(decided.is_default),
};

export const CreateTeam = Type.Object(
  { name: text(MAX_NAME, 'What the team is called.'), ...wishes },
  { additionalProperties: false, description: 'A new team.' },
);
export type CreateTeamBody = Static<typeof CreateTeam>;

export const ChangeTeam = Type.Object(
  { name: Type.Optional(text(MAX_NAME, 'What the team is called.')), ...wishes },
  { additionalProperties: false, minProperties: 1, description: 'What is left out stays as it is.' },
);
export type ChangeTeamBody = Static<typeof ChangeTeam>;

export const teamExample: JsonObject = {
  id: teamExampleId,
  name: 'Support',
  members: [agentExampleId],
  policy: 'least_loaded',
  sticky: true,
  reassign_on_reopen: 'offline',
  business_hours_id: hoursExampleId,
  overflow_team_id: null,
  required_skills: [],
  is_default: true,
  version: 1,
  created_at: '2030-01-01T09:00:00.000Z',
  updated_at: '2030-01-01T09:00:00.000Z',
};
