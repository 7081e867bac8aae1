import { updateTeam } from '#agents/actions/manage-teams';
import { presentTeam } from '#agents/http/present/agent';
import { staleExample } from '#agents/http/schemas/agent';
import { ChangeTeam, TeamIdParams, TeamView, teamExample } from '#agents/http/schemas/team';
import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { ifMatchHeader, matchingVersions } from '#http/plugins/if-match';
import { readTeamInput } from './team-wish.ts';

export const updateTeamRoute = defineOperation({
  method: 'PATCH',
  path: '/v1/teams/:id',
  operationId: 'updateTeam',
  summary: 'Update a team',
  description:
    'Updates the team. Omitted fields stay unchanged; members replaces all members. Conversations that are already waiting follow the new settings.',
  tag: 'Agents',
  scope: 'agents:write',
  params: TeamIdParams,
  body: ChangeTeam,
  bodyExamples: {
    turns: { summary: 'By turns', value: { policy: 'round_robin', sticky: false } },
    empty: { summary: 'Without members', value: { members: [] } },
  },
  requestHeaders: [ifMatchHeader],
  answer: {
    status: 200,
    description: 'The updated team.',
    schema: TeamView,
    example: teamExample,
    headers: ['ETag'],
  },
  errors: ['not_found', 'precondition_failed'],
  errorExamples: [staleExample('team')],
  handle: (context) => {
    const { rt, db } = context;
    return async (request) => {
      const asked = { ...requesterOf(request), teamId: request.params.id, versions: matchingVersions(request) };
      const team = await updateTeam(rt, db, asked, readTeamInput(request.body));
      return presentTeam(team);
    };
  },
});
