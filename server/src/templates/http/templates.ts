import Type from 'typebox';
import type { JsonObject } from '#core/json';
import { givenOnly } from '#http/lists/filters';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import {
  createOperation,
  deleteOperation,
  getOperation,
  listOperation,
  type Resource,
  updateOperation,
} from '#http/resource';
import { conflictExample, errorExample, staleExample } from '#http/schemas/errors';
import { choiceOf, named, text, withExample } from '#http/schemas/fields';
import { changeTemplateText, createTemplate, deleteTemplate, readTemplate } from '#templates/actions/manage-templates';
import { type AccountSync, syncTemplates } from '#templates/actions/sync-templates';
import { inUpperCase, type TemplateDefinition, templateCategories } from '#templates/domain/definition';
import { type Lint, lintTemplate } from '#templates/domain/lint';
import { templateStatuses } from '#templates/domain/status';
import { type Template, templateView } from '#templates/domain/template';
import { listTemplatesPage } from '#templates/store/templates';
import {
  ChangeTemplate,
  CreateTemplate,
  createTemplateExample,
  LintTemplate,
  type LintTemplateBody,
  LintView,
  networkAccountField,
  networkAwayExample,
  SyncTemplates,
  SyncView,
  syncExample,
  TemplateIdParams,
  TemplateView,
  templateExample,
  unknownAccountExample,
} from './schemas/template.ts';

const MAX_SEARCH = 100;

export const template: Resource<Template> = {
  path: '/v1/templates',
  name: 'Template',
  noun: 'template',
  tag: 'Templates',
  scopes: { read: 'templates:read', write: 'templates:write' },
  params: TemplateIdParams,
  view: TemplateView,
  example: templateExample,
  stale: staleExample('template'),
  present: templateView,
};

const listTemplatesRoute = listOperation(template, {
  description: "Returns the templates of all the tenant's accounts, newest first, including drafts.",
  query: {
    status: Type.Optional(
      withExample(
        choiceOf(
          templateStatuses,
          named(
            'TemplateStatus',
            'Only templates with this status. Deleted templates are listed only when filtered by status.',
          ),
        ),
        'approved',
      ),
    ),
    category: Type.Optional(
      withExample(
        choiceOf(templateCategories, named('TemplateCategory', 'Only templates in this category.')),
        'utility',
      ),
    ),
    language: Type.Optional(withExample(text(MAX_SEARCH, 'Only templates in this language.'), 'en_US')),
    name: Type.Optional(withExample(text(MAX_SEARCH, 'Only templates whose name starts with this string.'), 'order_')),
    q: Type.Optional(
      withExample(text(MAX_SEARCH, 'Only templates that contain this string in their name or text.'), 'ready'),
    ),
    network_account_id: Type.Optional(withExample(networkAccountField, '300400500600')),
  },
  filter: ({ status, category, language, name, q, network_account_id: networkAccountId }) =>
    givenOnly({ status, category, language, name, q, networkAccountId }),
  read: ({ db }, { tenantId, window, filter }) => listTemplatesPage(db, tenantId, filter, window),
  idOf: ({ templateId }) => templateId,
});

const createTemplateRoute = createOperation(template, {
  summary: 'Create a draft template',
  description:
    'Saves a template as a draft. A draft does not have to be ready for submission: /lint reports what is missing, and /submit submits it. If an identical draft already exists, it is returned instead.',
  body: CreateTemplate,
  bodyExamples: { utility: { summary: 'A utility template with names', value: createTemplateExample } },
  answer: {
    description: 'The draft.',
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
  },
  failures: [
    unknownAccountExample,
    conflictExample('sameName', 'This account already has a template order_ready in en_US.'),
  ],
  create: ({ rt, db }, requester, { body }) => {
    const networkAccountId = body.network_account_id ?? null;
    return createTemplate(
      { rt, db },
      { ...requester, networkAccountId, definition: definitionOf(body), library: null },
    );
  },
});

const lintTemplateRoute = defineOperation({
  method: 'POST',
  path: '/v1/templates/lint',
  operationId: 'lintTemplate',
  summary: 'Check a template without saving it',
  description:
    'Checks a template before it is sent to the network. Returns every problem for which the network would reject it, and warnings, such as words that may turn a utility template into a marketing one.',
  tag: 'Templates',
  scope: 'templates:read',
  body: LintTemplate,
  bodyExamples: {
    good: { summary: 'A template that the network accepts', value: createTemplateExample },
    bad: {
      summary: 'A template that the network rejects',
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
    description: 'The problems and warnings.',
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
          message: 'The text says "sale". The network may change a utility template to marketing, which costs more.',
        },
      ],
    },
  },
  handle: () => async (request) => {
    const definition = definitionOf(request.body);
    return presentLint(lintTemplate({ ...definition, components: inUpperCase(definition.components) }));
  },
});

const syncTemplatesRoute = defineOperation({
  method: 'POST',
  path: '/v1/templates/sync',
  operationId: 'syncTemplates',
  summary: 'Sync templates from the network',
  description:
    "Reads the template lists of all the tenant's accounts: new templates are added, changed ones are updated, and those that the network no longer has are removed. Drafts are not changed. If an account cannot be read, its templates stay as they are, and the other accounts are not affected.",
  tag: 'Templates',
  scope: 'templates:write',
  body: SyncTemplates,
  bodyIsOptional: true,
  bodyExamples: {
    all: { summary: 'All accounts', value: {} },
    one: { summary: 'One account', value: { network_account_id: '300400500600' } },
  },
  takesIdempotencyKey: true,
  answer: {
    status: 200,
    description: 'The result of the synchronization.',
    schema: SyncView,
    example: syncExample,
  },
  errorExamples: [unknownAccountExample],
  handle: (context) => async (request) => {
    const { tenantId } = principalOf(request);
    return presentSync(await syncTemplates(context.templates, tenantId, request.body?.network_account_id ?? null));
  },
});

const getTemplateRoute = getOperation(template, {
  description: 'Returns the stored template. Changes reported by the network appear within a second.',
  find: ({ db }, tenantId, id) => readTemplate(db, tenantId, id),
});

const changed = [{ type: 'BODY', text: 'Your order is ready to be collected.' }];

const updateTemplateRoute = updateOperation(template, {
  description:
    'Creates a new version, which /submit sends to the network. Until it is approved, the previously approved version is sent. A template in review cannot be changed.',
  body: ChangeTemplate,
  bodyExamples: { text: { summary: 'New text', value: { components: changed } } },
  answer: {
    description: 'The template with its new version.',
    example: { ...templateExample, version: 2, components: changed, variables: [] },
  },
  failures: [conflictExample('inReview', 'The template is in review. Change it after the review.')],
  update: ({ rt, db }, { id: templateId, ...requester }, { body }) => {
    const { category, components, parameter_format: parameterFormat, message_ttl_s: messageTtlS } = body;
    const input = givenOnly({ category, components, parameterFormat, messageTtlS });
    return changeTemplateText({ rt, db }, { ...requester, templateId }, input);
  },
});

const deleteTemplateRoute = deleteOperation(template, {
  description:
    'Deletes the template in this language, here and on the network. The name of an approved template cannot be used again there for 30 days. The network does not delete disabled templates.',
  failures: [
    conflictExample(
      'tokenUnreadable',
      'The access token of the linked account cannot be decrypted: this service does not have the key f3a91c.',
    ),
    errorExample(
      'refusedByNetwork',
      'refused_by_network',
      'The network does not accept a value of this request; correct it and send again. (A parameter is unknown or not valid.)',
    ),
    networkAwayExample,
  ],
  remove: ({ templates }, { id: templateId, ...requester }) => deleteTemplate(templates, { ...requester, templateId }),
});

/** In the order of the documentation. */
export const templateOperations: readonly Operation[] = [
  listTemplatesRoute,
  createTemplateRoute,
  lintTemplateRoute,
  syncTemplatesRoute,
  getTemplateRoute,
  updateTemplateRoute,
  deleteTemplateRoute,
];

/** The template that a body describes. */
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

function presentLint({ faults, warnings }: Lint): JsonObject {
  return {
    ok: faults.length === 0,
    faults: faults.map(({ at, message }) => ({ path: at, message })),
    warnings: warnings.map(({ code, at, message }) => ({ code, path: at, message })),
  };
}

/** The sums of all accounts, and each. */
function presentSync(accounts: readonly AccountSync[]): JsonObject {
  const sum = (key: 'added' | 'updated' | 'deleted' | 'unchanged'): number =>
    accounts.reduce((total, account) => total + account[key], 0);
  return {
    added: sum('added'),
    updated: sum('updated'),
    deleted: sum('deleted'),
    unchanged: sum('unchanged'),
    accounts: accounts.map(({ networkAccountId, added, updated, deleted, unchanged, error }) => ({
      network_account_id: networkAccountId,
      added,
      updated,
      deleted,
      unchanged,
      error,
    })),
  };
}
