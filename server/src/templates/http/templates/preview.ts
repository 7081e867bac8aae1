import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { readTemplate } from '#templates/actions/manage-templates';
import { renderTemplate } from '#templates/domain/render';
import { presentPreview } from '#templates/http/present/template';
import { PreviewTemplate, PreviewView, TemplateIdParams } from '#templates/http/schemas/template';

export const previewTemplateRoute = defineOperation({
  method: 'POST',
  path: '/v1/templates/:id/preview',
  operationId: 'previewTemplate',
  summary: 'Preview a template with values',
  description:
    'Returns the latest version with the given values, and with its samples where no value is given. Nothing is sent or stored.',
  tag: 'Templates',
  scope: 'templates:read',
  params: TemplateIdParams,
  body: PreviewTemplate,
  bodyExamples: { values: { summary: 'With a name', value: { variables: { first_name: 'Grace' } } } },
  takesIdempotencyKey: true,
  answer: {
    status: 200,
    headers: ['Idempotent-Replayed'],
    description: 'The template as a customer would see it.',
    schema: PreviewView,
    example: {
      header: null,
      body: 'Hello Grace, your order A-17 is ready.',
      footer: null,
      buttons: [],
      missing: [],
    },
  },
  errors: ['not_found'],
  handle: ({ db }) => {
    return async (request) => {
      const { tenantId } = principalOf(request);
      const template = await readTemplate(db, tenantId, request.params.id.toLowerCase());
      return presentPreview(renderTemplate(template, request.body.variables ?? {}));
    };
  },
});
