import Type from 'typebox';
import type { JsonObject } from '#core/json';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { ifMatchHeader } from '#http/plugins/if-match';
import { belowItem, itemRequest } from '#http/resource';
import { conflictExample, errorExample, faultExample, staleExample } from '#http/schemas/errors';
import { NoBody } from '#http/schemas/parameters';
import { formatRfc3339 } from '#http/validation/rfc3339';
import { obtainMediaHandle, UNKNOWN_SAMPLE } from '#media/actions/obtain-handle';
import { noHandleFor } from '#media/domain/resumable-upload';
import { readTemplate } from '#templates/actions/manage-templates';
import { submitTemplate } from '#templates/actions/submit-template';
import { type RenderedTemplate, renderTemplate } from '#templates/domain/render';
import { type TemplateHistoryEntry, templateView } from '#templates/domain/template';
import { listTemplateHistory } from '#templates/store/template-history';
import {
  HistoryEntryView,
  networkAwayExample,
  PreviewTemplate,
  PreviewView,
  TemplateView,
  templateExample,
  templateHistoryExample,
  unknownAccountExample,
} from './schemas/template.ts';
import { template } from './templates.ts';

const path = 'template.components';

const submitTemplateRoute = defineOperation({
  method: 'POST',
  ...belowItem(template, 'submit', 'write'),
  operationId: 'submitTemplate',
  summary: 'Submit a template for review',
  description:
    'Checks the template as the network does, uploads samples that name a media_id, and submits the template for review. The result of the review is reported by events and shown in the template, usually within minutes.',
  body: NoBody,
  requestHeaders: [ifMatchHeader],
  takesIdempotencyKey: true,
  answer: {
    status: 200,
    description: 'The template, in review or with a decision already made.',
    schema: TemplateView,
    example: { ...templateExample, status: 'submitted', sendable: false },
  },
  errors: ['not_found', 'handle_unavailable'],
  errorExamples: [
    {
      name: 'invalid',
      code: 'template_invalid',
      body: {
        error: 'The network would reject the template: components must have a component of type BODY.',
        code: 'template_invalid',
        details: [{ path, message: 'components must have a component of type BODY' }],
      },
    },
    conflictExample(
      'inReview',
      'The template is submitted. It can be submitted when it is draft, approved, rejected, paused.',
    ),
    errorExample(
      'templateEditLimit',
      'template_edit_limit',
      'The template can be submitted again at 2030-01-16T09:00:00.000Z: the network accepts 1 edit of an approved template in 24 hours and 10 in 30 days.',
    ),
    unknownAccountExample,
    faultExample('unknownMedia', 'unknown_media', { path, message: UNKNOWN_SAMPLE }),
    faultExample('handleRefused', 'handle_refused', { path, message: noHandleFor('text/plain') }),
    errorExample(
      'refusedByNetwork',
      'refused_by_network',
      'The content of the template breaks a rule of the network; change it. (The template breaks a character policy.)',
    ),
    networkAwayExample,
    staleExample('template'),
  ],
  handle: (context) => async (request) => {
    const { id: templateId, ...requester } = itemRequest(request);
    const obtain = (mediaId: string) => obtainMediaHandle(context, requester.tenantId, mediaId);
    return templateView(await submitTemplate(context.templates, { ...requester, templateId }, obtain));
  },
});

const previewTemplateRoute = defineOperation({
  method: 'POST',
  ...belowItem(template, 'preview', 'read'),
  operationId: 'previewTemplate',
  summary: 'Preview a template with values',
  description:
    'Returns the latest version with the given values, and with samples for missing values. Nothing is sent or stored.',
  body: PreviewTemplate,
  bodyExamples: { values: { summary: 'With a name', value: { variables: { first_name: 'Grace' } } } },
  takesIdempotencyKey: true,
  answer: {
    status: 200,
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
  handle: (context) => async (request) => {
    const found = await readTemplate(context.db, principalOf(request).tenantId, request.params.id.toLowerCase());
    return presentPreview(renderTemplate(found, request.body.variables ?? {}));
  },
});

const listTemplateHistoryRoute = defineOperation({
  method: 'GET',
  ...belowItem(template, 'history', 'read'),
  operationId: 'listTemplateHistory',
  summary: 'List the history of a template',
  description:
    'Returns changes to the text, status, quality and category of the template, with the cause of each: the latest 200, newest first.',
  answer: {
    status: 200,
    description: 'The history.',
    schema: Type.Object(
      { data: Type.Array(HistoryEntryView, { description: 'What happened, newest first.' }) },
      { description: 'The history of a template.' },
    ),
    example: { data: [templateHistoryExample] },
  },
  handle: (context) => async (request) => {
    const found = await readTemplate(context.db, principalOf(request).tenantId, request.params.id.toLowerCase());
    return { data: (await listTemplateHistory(context.db, found)).map(presentHistoryEntry) };
  },
});

/** In the order of the documentation. */
export const templateCommandOperations: readonly Operation[] = [
  submitTemplateRoute,
  previewTemplateRoute,
  listTemplateHistoryRoute,
];

function presentPreview({ header, body, footer, buttons, missing }: RenderedTemplate): JsonObject {
  return {
    header: header === null ? null : { format: header.format, text: header.text },
    body,
    footer,
    buttons: buttons.map(({ type, text, target }) => ({ type, text, target })),
    missing,
  };
}

function presentHistoryEntry({ entryId, kind, cause, details, atMs }: TemplateHistoryEntry): JsonObject {
  return { id: entryId, kind, cause, details, at: formatRfc3339(atMs) };
}
