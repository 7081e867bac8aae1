import Type from 'typebox';
import { listTeamsPage } from '#storage/teams';
import { answerPage, listWindow } from '../../lists/page.ts';
import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { presentTeam } from '../../present/agent.ts';
import { pageExample, queryErrorExamples } from '../../schemas/examples.ts';
import { listOf, pageQuery } from '../../schemas/lists.ts';
import { TeamView, teamExample } from '../../schemas/team.ts';

export const listTeamsRoute = defineOperation({
  method: 'GET',
  path: '/v1/teams',
  operationId: 'listTeams',
  summary: 'List teams',
  description: 'The teams of the tenant, newest first, with their members and policies.',
  tag: 'Agents',
  scope: 'agents:read',
  query: Type.Object(pageQuery, { additionalProperties: false }),
  answer: {
    status: 200,
    description: 'A page of teams.',
    schema: listOf(TeamView, 'A page of teams, newest first.'),
    example: pageExample(teamExample),
    headers: ['Link'],
  },
  errors: [],
  errorExamples: queryErrorExamples,
  handle: ({ db, cursorKey }) => {
    return async (request, reply) => {
      const { tenantId } = principalOf(request);
      const list = { name: 'teams', tenantId, filter: {} };
      const window = listWindow(request.query, list, cursorKey);
      const page = await listTeamsPage(db, tenantId, window);
      return answerPage(request, reply, {
        page,
        window,
        list,
        cursorKey,
        idOf: ({ teamId }) => teamId,
        present: presentTeam,
      });
    };
  },
});
