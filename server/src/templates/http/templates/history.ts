import Type from 'typebox';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { readTemplate } from '#templates/actions/manage-templates';
import { presentHistoryEntry } from '#templates/http/present/template';
import { HistoryEntryView, TemplateIdParams, templateHistoryExample } from '#templates/http/schemas/template';
import { listTemplateHistory } from '#templates/store/template-history';

const History = Type.Object(
  { data: Type.Array(HistoryEntryView, { description: 'What happened, newest first.' }) },
  { description: 'The history of a template.' },
);

export const listTemplateHistoryRoute = defineOperation({
  method: 'GET',
  path: '/v1/templates/:id/history',
  operationId: 'listTemplateHistory',
  summary: 'List the history of a template',
  description:
    'Returns changes to the text, status, quality and category of the template, with the cause of each: the latest 200, newest first.',
  tag: 'Templates',
  scope: 'templates:read',
  params: TemplateIdParams,
  answer: { status: 200, description: 'The history.', schema: History, example: { data: [templateHistoryExample] } },
  errors: ['not_found'],
  handle: ({ db }) => {
    return async (request) => {
      const { tenantId } = principalOf(request);
      const template = await readTemplate(db, tenantId, request.params.id.toLowerCase());
      return { data: (await listTemplateHistory(db, template)).map(presentHistoryEntry) };
    };
  },
});
