import Type from 'typebox';
import { presentTeam } from '#agents/http/present/agent';
import { TeamView, teamExample } from '#agents/http/schemas/team';
import { listTeamsPage } from '#agents/store/teams';
import { answerList } from '#http/lists/answer-list';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation } from '#http/operation';
import { queryErrorExamples } from '#http/schemas/examples';
import { pageQuery } from '#http/schemas/lists';

export const listTeamsRoute = defineOperation({
  method: 'GET',
  path: '/v1/teams',
  operationId: 'listTeams',
  summary: 'List teams',
  description: "Returns the tenant's teams, newest first, with their members and policies.",
  tag: 'Agents',
  scope: 'agents:read',
  query: Type.Object(pageQuery, { additionalProperties: false }),
  answer: pageAnswer('teams', TeamView, teamExample),
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
