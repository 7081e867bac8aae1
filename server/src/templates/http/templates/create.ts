import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { createTemplate } from '#templates/actions/manage-templates';
import type { TemplateDefinition } from '#templates/domain/definition';
import { presentTemplate } from '#templates/http/present/template';
import {
  CreateTemplate,
  createTemplateExample,
  type LintTemplateBody,
  TemplateView,
  templateExample,
  unknownAccountExample,
} from '#templates/http/schemas/template';

const CREATED = 201;

export const createTemplateRoute = defineOperation({
  method: 'POST',
  path: '/v1/templates',
  operationId: 'createTemplate',
  summary: 'Create a draft template',
  description:
    'Saves a template as a draft. A draft does not have to be ready for submission: /lint reports what is missing, and /submit submits it. If an identical draft already exists, it is returned instead.',
  tag: 'Templates',
  scope: 'templates:write',
  body: CreateTemplate,
  bodyExamples: { utility: { summary: 'A utility template with names', value: createTemplateExample } },
  takesIdempotencyKey: 'within',
  answer: {
    status: CREATED,
    description: 'The draft.',
    schema: TemplateView,
    example: {
      ...templateExample,
      status: 'draft',
      network_template_id: null,
      quality: 'unknown',
      submitted_version: null,
      sendable: false,
      synced_at: null,
      last_event_at: null,
    },
    headers: ['Idempotent-Replayed'],
  },
  errors: ['unknown_network_account', 'conflict'],
  errorExamples: [
    unknownAccountExample,
    {
      name: 'sameName',
      code: 'conflict',
      body: { error: 'There is a template order_ready in en_US in this account already.', code: 'conflict' },
    },
  ],
  handle: ({ rt }) => {
    return async (request, _reply, once) => {
      const networkAccountId = request.body.network_account_id ?? null;
      const asked = { ...requesterOf(request), networkAccountId, definition: definitionOf(request.body) };
      return once.change((db) => createTemplate({ rt, db }, asked), presentTemplate);
    };
  },
});

/** What a body of ours says, as the rules of templates read it. */
export function definitionOf(body: LintTemplateBody): TemplateDefinition {
  return {
    name: body.name,
    language: body.language,
    category: body.category,
    parameterFormat: body.parameter_format ?? 'positional',
    components: body.components,
    messageTtlS: body.message_ttl_s ?? null,
  };
}
