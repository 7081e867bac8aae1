import { createTeam } from '#agents/actions/manage-teams';
import { presentTeam } from '#agents/http/present/agent';
import { CreateTeam, TeamView, teamExample } from '#agents/http/schemas/team';
import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { readTeamInput } from './team-wish.ts';

export const createTeamRoute = defineOperation({
  method: 'POST',
  path: '/v1/teams',
  operationId: 'createTeam',
  summary: 'Create a team',
  description:
    'Creates a group of agents who share a queue, and defines how conversations are assigned to them. Without a policy, people assign conversations. With one, waiting conversations are assigned immediately to an agent who is online, has capacity and has the skills.',
  tag: 'Agents',
  scope: 'agents:write',
  body: CreateTeam,
  bodyExamples: {
    byHand: { summary: 'People assign', value: { name: 'Sales' } },
    balanced: {
      summary: 'To whom the least is given, for all conversations without a team',
      value: { name: 'Support', policy: 'least_loaded', is_default: true },
    },
  },
  takesIdempotencyKey: 'within',
  answer: {
    status: 201,
    description: 'The team was created.',
    schema: TeamView,
    example: teamExample,
    headers: ['Idempotent-Replayed'],
  },
  errors: [],
  handle: ({ rt }) => {
    return async (request, _reply, once) => {
      const fields = {
        name: request.body.name,
        policy: 'manual',
        sticky: true,
        reassignOnReopen: 'offline',
        hoursId: null,
        overflowTeamId: null,
        requiredSkills: [],
        isDefault: false,
        memberIds: [],
        ...readTeamInput(request.body),
      } as const;
      return once.change((db) => createTeam(rt, db, { ...requesterOf(request), fields }), presentTeam);
    };
  },
});
