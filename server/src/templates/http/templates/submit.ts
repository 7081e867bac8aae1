import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { ifMatchHeader, matchingVersions } from '#http/plugins/if-match';
import { NoBody } from '#http/schemas/parameters';
import { obtainMediaHandle, UNKNOWN_SAMPLE } from '#media/actions/obtain-handle';
import { noHandleFor } from '#media/domain/resumable-upload';
import { submitTemplate } from '#templates/actions/submit-template';
import { presentTemplate } from '#templates/http/present/template';
import {
  networkAwayExample,
  staleTemplateExample,
  TemplateIdParams,
  TemplateView,
  templateExample,
  unknownAccountExample,
} from '#templates/http/schemas/template';

export const submitTemplateRoute = defineOperation({
  method: 'POST',
  path: '/v1/templates/:id/submit',
  operationId: 'submitTemplate',
  summary: 'Submit a template for review',
  description:
    'Checks the template as the network does, uploads samples that name a media_id, and submits the template for review. The result of the review is reported by events and shown by the template, usually within minutes.',
  tag: 'Templates',
  scope: 'templates:write',
  params: TemplateIdParams,
  body: NoBody,
  requestHeaders: [ifMatchHeader],
  takesIdempotencyKey: true,
  answer: {
    status: 200,
    description: 'The template, in review or with a decision already made.',
    schema: TemplateView,
    example: { ...templateExample, status: 'submitted', sendable: false },
    headers: ['Idempotent-Replayed'],
  },
  errors: [
    'not_found',
    'template_invalid',
    'unknown_network_account',
    'unknown_media',
    'handle_refused',
    'conflict',
    'template_edit_limit',
    'precondition_failed',
    'refused_by_network',
    'handle_unavailable',
    'network_unreachable',
  ],
  errorExamples: [
    {
      name: 'invalid',
      code: 'template_invalid',
      body: {
        error: 'The network would refuse the template: components must have a component of type BODY.',
        code: 'template_invalid',
        details: [{ path: 'template.components', message: 'components must have a component of type BODY' }],
      },
    },
    {
      name: 'inReview',
      code: 'conflict',
      body: {
        error: 'The template is submitted: it can be handed in when it is draft, approved, rejected, paused.',
        code: 'conflict',
      },
    },
    {
      name: 'templateEditLimit',
      code: 'template_edit_limit',
      body: {
        error:
          'The template can be handed in again at 2030-01-16T09:00:00.000Z: the network takes 1 edit of an approved template in 24 hours and 10 in 30 days.',
        code: 'template_edit_limit',
      },
    },
    unknownAccountExample,
    {
      name: 'unknownMedia',
      code: 'unknown_media',
      body: {
        error: UNKNOWN_SAMPLE,
        code: 'unknown_media',
        details: [{ path: 'template.components', message: UNKNOWN_SAMPLE }],
      },
    },
    {
      name: 'handleRefused',
      code: 'handle_refused',
      body: {
        error: noHandleFor('text/plain'),
        code: 'handle_refused',
        details: [{ path: 'template.components', message: noHandleFor('text/plain') }],
      },
    },
    {
      name: 'refusedByNetwork',
      code: 'refused_by_network',
      body: {
        error:
          'The content of the template breaks a rule of the network; change it. (The template breaks a character policy.)',
        code: 'refused_by_network',
      },
    },
    networkAwayExample,
    staleTemplateExample,
  ],
  handle: ({ rt, db, templates }) => {
    return async (request) => {
      const templateId = request.params.id.toLowerCase();
      const asked = { ...requesterOf(request), templateId, versions: matchingVersions(request) };
      const obtain = (mediaId: string) => obtainMediaHandle({ rt, db }, asked.tenantId, mediaId);
      return presentTemplate(await submitTemplate(templates, asked, obtain));
    };
  },
});
