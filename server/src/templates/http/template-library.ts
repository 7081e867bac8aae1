import type { JsonObject } from '#core/json';
import { numberedId } from '#core/network/numbered-list';
import { answerList } from '#http/lists/answer-list';
import { givenOnly } from '#http/lists/filters';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation, type Operation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { conflictExample, errorExample, faultExample } from '#http/schemas/errors';
import { createFromLibrary, listLibraryPage } from '#templates/actions/template-library';
import { type LibraryTemplate, needsInput } from '#templates/domain/library';
import { templateView } from '#templates/domain/template';
import {
  CreateFromLibrary,
  createFromLibraryExample,
  LibraryQuery,
  LibraryTemplateView,
  libraryTemplateExample,
} from './schemas/library.ts';
import { TemplateView, templateExample, unknownAccountExample } from './schemas/template.ts';

const refusedExample = errorExample(
  'refusedByNetwork',
  'refused_by_network',
  'The network does not accept a value of this request; correct it and send again. (A parameter is unknown or not valid.)',
);
const unreachableExample = errorExample(
  'networkUnreachable',
  'network_unreachable',
  'The network could not be reached (UND_ERR_SOCKET).',
);
const noTokenExample = conflictExample('noToken', 'The linked account of the number was deleted. Link it again.');

const listLibraryRoute = defineOperation({
  method: 'GET',
  path: '/v1/template-library',
  operationId: 'listTemplateLibrary',
  summary: 'List the template library',
  description:
    "Returns the network's library of ready-made templates, the highest ID first. It is read from the network with each request, and is the same for every account.",
  tag: 'Templates',
  scope: 'templates:read',
  query: LibraryQuery,
  answer: pageAnswer('entries', LibraryTemplateView, libraryTemplateExample),
  errorExamples: [
    errorExample('noAccount', 'unknown_network_account', 'This tenant has no network account yet. Link one.'),
    noTokenExample,
    refusedExample,
    unreachableExample,
  ],
  handle:
    ({ templates, cursorKey }) =>
    (request, reply) => {
      const { q: search, name, language, topic, use_case: useCase, industry } = request.query;
      const filter = givenOnly({ search, name, language, topic, useCase, industry });
      return answerList(request, reply, {
        cursorKey,
        name: 'template-library',
        filter,
        read: (tenantId, window) => listLibraryPage(templates, tenantId, filter, window),
        idOf: ({ entryId }) => numberedId(entryId),
        present: presentEntry,
      });
    },
});

const createFromLibraryRoute = defineOperation({
  method: 'POST',
  path: '/v1/templates/from-library',
  operationId: 'createTemplateFromLibrary',
  summary: 'Create a draft from the template library',
  description:
    "Saves an entry of the network's library as a draft of the tenant, under a name of its own. Submitted as it is, it needs no review. Once its text is changed, it is a template like any other. If an identical draft already exists, it is returned instead.",
  tag: 'Templates',
  scope: 'templates:write',
  body: CreateFromLibrary,
  bodyExamples: { parcel: { summary: 'With a URL button', value: createFromLibraryExample } },
  takesIdempotencyKey: true,
  answer: {
    status: 201,
    description: 'The draft.',
    schema: TemplateView,
    example: {
      ...templateExample,
      name: 'parcel_update',
      status: 'draft',
      network_template_id: null,
      library_template: 'delivery_on_its_way',
      quality: 'unknown',
      submitted_version: null,
      sendable: false,
      synced_at: null,
      last_event_at: null,
    },
  },
  errorExamples: [
    faultExample('unknownEntry', 'validation_failed', {
      path: 'body.library_template',
      message: "library_template does not name a template of the network's library in de.",
    }),
    faultExample('otherButtons', 'validation_failed', {
      path: 'body.buttons',
      message: 'buttons must be url for "Follow the parcel".',
    }),
    unknownAccountExample,
    conflictExample('sameName', 'This account already has a template parcel_update in en_US.'),
    noTokenExample,
    refusedExample,
    unreachableExample,
  ],
  handle:
    ({ templates }) =>
    async (request) => {
      const { library_template: libraryName, language, name, buttons: inputs = [], ...body } = request.body;
      const networkAccountId = body.network_account_id ?? null;
      const wish = { networkAccountId, libraryName, language, name, inputs };
      return templateView(await createFromLibrary(templates, requesterOf(request), wish));
    },
});

/** In the order of the documentation. */
export const templateLibraryOperations: readonly Operation[] = [listLibraryRoute, createFromLibraryRoute];

function presentEntry({ entryId, useCase, variables, buttons, ...entry }: LibraryTemplate): JsonObject {
  const { name, language, category, topic, industries, header, body } = entry;
  return {
    ...{ id: entryId, name, language, category, topic, use_case: useCase, industries: [...industries], header, body },
    variables: variables.map(({ type, example }, index) => ({ key: String(index + 1), type, example })),
    buttons: buttons.map((button) => ({
      type: button.type,
      text: button.text,
      url: button.url,
      phone_number: button.phoneNumber,
      needs_input: needsInput(button),
    })),
  };
}
