import Type from 'typebox';
import { answerList } from '#http/lists/answer-list';
import { givenOnly } from '#http/lists/filters';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation } from '#http/operation';
import { queryErrorExamples } from '#http/schemas/examples';
import { choiceOf, named, text, withExample } from '#http/schemas/fields';
import { pageQuery } from '#http/schemas/lists';
import { templateCategories } from '#templates/domain/definition';
import { templateStatuses } from '#templates/domain/status';
import { presentTemplate } from '#templates/http/present/template';
import { networkAccountField, TemplateView, templateExample } from '#templates/http/schemas/template';
import { listTemplatesPage } from '#templates/store/templates';

const MAX_SEARCH = 100;

const Query = Type.Object(
  {
    ...pageQuery,
    status: Type.Optional(
      withExample(
        choiceOf(templateStatuses, named('TemplateStatus', 'Only templates in this status; deleted ones only so.')),
        'approved',
      ),
    ),
    category: Type.Optional(
      withExample(choiceOf(templateCategories, named('TemplateCategory', 'Only of this category.')), 'utility'),
    ),
    language: Type.Optional(withExample(text(MAX_SEARCH, 'Only in this language.'), 'en_US')),
    name: Type.Optional(withExample(text(MAX_SEARCH, 'Only names that begin so.'), 'order_')),
    q: Type.Optional(withExample(text(MAX_SEARCH, 'Only with this in the name or the texts.'), 'ready')),
    network_account_id: Type.Optional(withExample(networkAccountField, '300400500600')),
  },
  { additionalProperties: false },
);

export const listTemplatesRoute = defineOperation({
  method: 'GET',
  path: '/v1/templates',
  operationId: 'listTemplates',
  summary: 'List templates',
  description: "Returns the templates of all the tenant's accounts, newest first, as they are known here.",
  tag: 'Templates',
  scope: 'templates:read',
  query: Query,
  answer: pageAnswer('templates', TemplateView, templateExample),
  errors: [],
  errorExamples: queryErrorExamples,
  handle: ({ db, cursorKey }) => {
    return (request, reply) => {
      const { status, category, language, name, q, network_account_id: networkAccountId } = request.query;
      const filter = givenOnly({ status, category, language, name, q, networkAccountId });
      return answerList(request, reply, {
        cursorKey,
        name: 'templates',
        filter,
        read: (tenantId, window) => listTemplatesPage(db, tenantId, filter, window),
        idOf: ({ templateId }) => templateId,
        present: presentTemplate,
      });
    };
  },
});
