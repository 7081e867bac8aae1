import Type from 'typebox';
import { readTemplate } from '#operations/manage-templates';
import { listTemplateHistory } from '#storage/template-history';
import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { presentHistoryEntry } from '../../present/template.ts';
import { HistoryEntryView, historyExample, TemplateIdParams } from '../../schemas/template.ts';

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
  answer: { status: 200, description: 'The history.', schema: History, example: { data: [historyExample] } },
  errors: ['not_found'],
  handle: ({ db }) => {
    return async (request) => {
      const { tenantId } = principalOf(request);
      const template = await readTemplate(db, tenantId, request.params.id.toLowerCase());
      return { data: (await listTemplateHistory(db, template)).map(presentHistoryEntry) };
    };
  },
});
