import { updateTeam } from '#operations/manage-teams';
import { defineOperation } from '../../operation.ts';
import { requesterOf } from '../../plugins/auth.ts';
import { ifMatchHeader, matchingVersions, tagVersion } from '../../plugins/if-match.ts';
import { presentTeam } from '../../present/agent.ts';
import { staleExample } from '../../schemas/agent.ts';
import { ChangeTeam, TeamIdParams, TeamView, teamExample } from '../../schemas/team.ts';
import { readTeamWish } from './team-wish.ts';

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
    return async (request, reply) => {
      const asked = { ...requesterOf(request), teamId: request.params.id, versions: matchingVersions(request) };
      const team = await updateTeam(rt, db, asked, readTeamWish(request.body));
      tagVersion(reply, team.version);
      return presentTeam(team);
    };
  },
});
