import { removeTeam } from '#agents/actions/manage-teams';
import { agentConflictExample, staleExample } from '#agents/http/schemas/agent';
import { TeamIdParams, teamExampleId } from '#agents/http/schemas/team';
import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { ifMatchHeader, matchingVersions } from '#http/plugins/if-match';
import { deletedAnswer } from '#http/schemas/deleted';

export const deleteTeamRoute = defineOperation({
  method: 'DELETE',
  path: '/v1/teams/:id',
  operationId: 'deleteTeam',
  summary: 'Delete a team',
  description:
    'Deletes the team; its members stay. Returns 409 while the team has conversations that are not resolved, or while another team overflows into it.',
  tag: 'Agents',
  scope: 'agents:write',
  params: TeamIdParams,
  requestHeaders: [ifMatchHeader],
  answer: deletedAnswer('The team was deleted.', teamExampleId),
  errors: ['not_found', 'conflict', 'precondition_failed'],
  errorExamples: [
    agentConflictExample('overflows', 'The team Sales overflows into this one: change that first.'),
    staleExample('team'),
  ],
  handle: (context) => {
    const { rt, db } = context;
    return async (request) => {
      const asked = { ...requesterOf(request), teamId: request.params.id, versions: matchingVersions(request) };
      const { teamId: id } = await removeTeam(rt, db, asked);
      return { id, status: 'deleted' };
    };
  },
});
