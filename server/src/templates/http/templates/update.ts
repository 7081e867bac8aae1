import { givenOnly } from '#http/lists/filters';
import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { ifMatchHeader, matchingVersions } from '#http/plugins/if-match';
import { changeTemplateText } from '#templates/actions/manage-templates';
import { presentTemplate } from '#templates/http/present/template';
import {
  ChangeTemplate,
  staleTemplateExample,
  TemplateIdParams,
  TemplateView,
  templateExample,
} from '#templates/http/schemas/template';

const changed = [{ type: 'BODY', text: 'Your order is ready to be collected.' }];

export const updateTemplateRoute = defineOperation({
  method: 'PATCH',
  path: '/v1/templates/:id',
  operationId: 'updateTemplate',
  summary: 'Update a template',
  description:
    'Creates a new version, which /submit sends to the network. Until it is approved, the previously approved version is sent. A template in review cannot be changed.',
  tag: 'Templates',
  scope: 'templates:write',
  params: TemplateIdParams,
  body: ChangeTemplate,
  bodyExamples: { text: { summary: 'Another text', value: { components: changed } } },
  requestHeaders: [ifMatchHeader],
  answer: {
    status: 200,
    description: 'The template with its new version.',
    schema: TemplateView,
    example: { ...templateExample, version: 2, components: changed, variables: [] },
    headers: ['ETag'],
  },
  errors: ['not_found', 'conflict', 'precondition_failed'],
  errorExamples: [
    {
      name: 'inReview',
      code: 'conflict',
      body: { error: 'The template is in review: change it when that is over.', code: 'conflict' },
    },
    staleTemplateExample,
  ],
  handle: ({ rt, db }) => {
    return async (request) => {
      const templateId = request.params.id.toLowerCase();
      const asked = { ...requesterOf(request), templateId, versions: matchingVersions(request) };
      const { category, components, parameter_format: parameterFormat, message_ttl_s: messageTtlS } = request.body;
      const wish = givenOnly({ category, components, parameterFormat, messageTtlS });
      const template = await changeTemplateText({ rt, db }, asked, wish);
      return presentTemplate(template);
    };
  },
});
