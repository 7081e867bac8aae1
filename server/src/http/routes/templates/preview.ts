import { renderTemplate } from '#core/template/render';
import { readTemplate } from '#operations/manage-templates';
import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { presentPreview } from '../../present/template.ts';
import { PreviewTemplate, PreviewView, TemplateIdParams } from '../../schemas/template.ts';
import { answerOnce } from './answer-once.ts';

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
  handle: (context) => {
    return async (request, reply) => {
      const { tenantId } = principalOf(request);
      const work = async () => {
        const template = await readTemplate(context.db, tenantId, request.params.id.toLowerCase());
        return presentPreview(renderTemplate(template, request.body.variables ?? {}));
      };
      return answerOnce(context, { request, reply, work });
    };
  },
});
