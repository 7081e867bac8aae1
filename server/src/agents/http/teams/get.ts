import { presentTeam } from '#agents/http/present/agent';
import { TeamIdParams, TeamView, teamExample } from '#agents/http/schemas/team';
import { findTeam } from '#agents/store/teams';
import { requireFound } from '#core/errors';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';

export const getTeamRoute = defineOperation({
  method: 'GET',
  path: '/v1/teams/:id',
  operationId: 'getTeam',
  summary: 'Get a team',
  description: 'Returns the members of a team, and how conversations are assigned to them.',
  tag: 'Agents',
  scope: 'agents:read',
  params: TeamIdParams,
  answer: { status: 200, description: 'The team.', schema: TeamView, example: teamExample, headers: ['ETag'] },
  errors: ['not_found'],
  handle: ({ db }) => {
    return async (request) => {
      return presentTeam(requireFound(await findTeam(db, principalOf(request).tenantId, request.params.id)));
    };
  },
});
