import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { readTemplate } from '#templates/actions/manage-templates';
import { presentTemplate } from '#templates/http/present/template';
import { TemplateIdParams, TemplateView, templateExample } from '#templates/http/schemas/template';

export const getTemplateRoute = defineOperation({
  method: 'GET',
  path: '/v1/templates/:id',
  operationId: 'getTemplate',
  summary: 'Get a template',
  description: 'Returns the template as it is known here. What the network reports about it arrives within a second.',
  tag: 'Templates',
  scope: 'templates:read',
  params: TemplateIdParams,
  answer: {
    status: 200,
    description: 'The template.',
    schema: TemplateView,
    example: templateExample,
    headers: ['ETag'],
  },
  errors: ['not_found'],
  handle: ({ db }) => {
    return async (request) => {
      const template = await readTemplate(db, principalOf(request).tenantId, request.params.id.toLowerCase());
      return presentTemplate(template);
    };
  },
});
