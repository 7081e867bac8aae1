import Type from 'typebox';
import { listTeamsPage } from '#storage/teams';
import { answerList } from '../../lists/answer-list.ts';
import { defineOperation } from '../../operation.ts';
import { presentTeam } from '../../present/agent.ts';
import { pageExample, queryErrorExamples } from '../../schemas/examples.ts';
import { listOf, pageQuery } from '../../schemas/lists.ts';
import { TeamView, teamExample } from '../../schemas/team.ts';

export const listTeamsRoute = defineOperation({
  method: 'GET',
  path: '/v1/teams',
  operationId: 'listTeams',
  summary: 'List teams',
  description: "Returns the tenant's teams, newest first, with their members and policies.",
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
    return (request, reply) =>
      answerList(request, reply, {
        cursorKey,
        name: 'teams',
        read: (tenantId, window) => listTeamsPage(db, tenantId, window),
        idOf: ({ teamId }) => teamId,
        present: presentTeam,
      });
  },
});
