import Type, { type Static } from 'typebox';
import { assignmentPolicies, MAX_MEMBERS, MAX_SKILLS, reassignPolicies } from '#agents/domain/agent';
import type { JsonObject } from '#core/json';
import { changeOf, choiceOf, named, nullableUuid, optional, text, time, uuid, withExample } from '#http/schemas/fields';
import { agentExampleId } from './agent.ts';
import { hoursExampleId } from './business-hours.ts';

const MAX_NAME = 200;
const MAX_SKILL = 64;
export const teamExampleId = '0190a6f8-2222-7222-8333-444455556666';

const decided = {
  members: Type.Array(Type.String({ format: 'uuid' }), {
    maxItems: MAX_MEMBERS,
    uniqueItems: true,
    ...named('TeamMembers', "Agents who share the team's queue."),
  }),
  policy: choiceOf(
    assignmentPolicies,
    named(
      'AssignmentPolicy',
      'manual: people assign. round_robin: agents take turns. least_loaded: the agent with the smallest share of capacity in use.',
    ),
  ),
  sticky: Type.Boolean({
    ...named('StickyAssignment', 'Whether a customer gets the agent of the previous conversation, if eligible.'),
  }),
  reassign_on_reopen: choiceOf(
    reassignPolicies,
    named(
      'ReassignOnReopen',
      'Whether a reopened conversation loses its agent: if the agent is offline or at capacity, always, or never.',
    ),
  ),
  business_hours_id: nullableUuid(
    named('TeamHours', "When the team works. Null: the tenant's default hours, otherwise always."),
  ),
  overflow_team_id: nullableUuid(
    named('OverflowTeam', 'Team whose members help when no agent of this team has capacity.'),
  ),
  required_skills: Type.Array(text(MAX_SKILL, 'A skill.'), {
    maxItems: MAX_SKILLS,
    uniqueItems: true,
    ...named('RequiredSkills', "Skills that an agent needs to be assigned the team's conversations."),
  }),
  is_default: Type.Boolean({
    ...named(
      'IsDefaultTeam',
      'Whether it takes conversations without a team. A new default team replaces the previous one.',
    ),
  }),
};

export const TeamView = Type.Object(
  {
    id: uuid('ID of the team.'),
    name: Type.String({ description: 'Name of the team.' }),
    ...decided,
    version: Type.Integer(named('ResourceVersion', 'Increases with each change. Used as the ETag.')),
    created_at: time(named('CreatedAt', 'When it was created.')),
    updated_at: time(named('UpdatedAt', 'When it was last changed.')),
  },
  named('Team', 'Agents who share a queue.'),
);

export const TeamIdParams = Type.Object({ id: withExample(uuid('ID of the team.'), teamExampleId) });

const name = text(MAX_NAME, 'Name of the team.');

export const CreateTeam = Type.Object(
  { name, ...optional(decided) },
  { additionalProperties: false, description: 'A new team.' },
);

export const ChangeTeam = changeOf({ name, ...decided });
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
