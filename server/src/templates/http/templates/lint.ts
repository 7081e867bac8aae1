import { defineOperation } from '#http/operation';
import { inUpperCase } from '#templates/domain/definition';
import { lintTemplate } from '#templates/domain/lint';
import { presentLint } from '#templates/http/present/template';
import { createTemplateExample, LintTemplate, LintView } from '#templates/http/schemas/template';
import { definitionOf } from './create.ts';

export const lintTemplateRoute = defineOperation({
  method: 'POST',
  path: '/v1/templates/lint',
  operationId: 'lintTemplate',
  summary: 'Check a template without saving it',
  description:
    'Checks a template before it is sent to the network. Returns every fault for which the network would reject it, and warnings, such as words that may turn a utility template into a marketing one.',
  tag: 'Templates',
  scope: 'templates:read',
  body: LintTemplate,
  bodyExamples: {
    good: { summary: 'One that the network takes', value: createTemplateExample },
    bad: {
      summary: 'One that it refuses',
      value: {
        name: 'spring',
        language: 'en',
        category: 'utility',
        components: [{ type: 'BODY', text: '{{1}}, our sale has begun' }],
      },
    },
  },
  takesIdempotencyKey: true,
  answer: {
    status: 200,
    headers: ['Idempotent-Replayed'],
    description: 'The faults and warnings that were found.',
    schema: LintView,
    example: {
      ok: false,
      faults: [
        { path: 'components[0].text', message: 'must not begin with a variable' },
        { path: 'components[0].example.body_text', message: 'has no sample for the variable {{1}}' },
      ],
      warnings: [
        {
          code: 'category_risk',
          path: 'components',
          message: 'The text says "sale": the network may make a utility template marketing, which costs more.',
        },
      ],
    },
  },
  errors: [],
  handle: () => {
    return async (request) => {
      const definition = definitionOf(request.body);
      return presentLint(lintTemplate({ ...definition, components: inUpperCase(definition.components) }));
    };
  },
});
