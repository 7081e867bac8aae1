import Type, { type Static } from 'typebox';
import type { JsonObject } from '#core/json';
import { errorExample } from '#http/schemas/errors';
import {
  anyObject,
  changeOf,
  choiceOf,
  named,
  nullableInteger,
  nullableText,
  nullableTime,
  PATTERN_SENTENCE,
  strictObject,
  text,
  time,
  uuid,
  viewOf,
  withExample,
} from '#http/schemas/fields';
import { definitionLimits, parameterFormats, templateCategories } from '#templates/domain/definition';
import { lintWarningCodes } from '#templates/domain/lint';
import { templateQualities, templateStatuses } from '#templates/domain/status';
import { templateCauses, templateHistoryKinds } from '#templates/domain/template';

/** Components are few; cards stand inside of one. */
const MAX_COMPONENTS = 10;
const MAX_LANGUAGE = 8;
const MAX_LOOSE_TEXT = 600;

const Component = Type.Unsafe<JsonObject>({
  type: 'object',
  properties: {
    type: { type: 'string', description: 'HEADER, BODY, FOOTER, BUTTONS, CAROUSEL or LIMITED_TIME_OFFER.' },
  },
  required: ['type'],
  additionalProperties: true,
  ...named('TemplateDefinitionComponent', "A part of the template, in the network's format."),
});
/** What a version of a template is made of. */
const definition = {
  category: choiceOf(templateCategories, named('TemplateCategory', 'Billing category.')),
  parameter_format: Type.Optional(
    choiceOf(
      parameterFormats,
      named('ParameterFormat', 'Whether variables are written as {{1}} or {{order_no}}. Default: positional.'),
    ),
  ),
  components: Type.Array(Component, {
    maxItems: MAX_COMPONENTS,
    ...named(
      'TemplateDefinition',
      'Header, body, footer and buttons. Sample files: example.header_handle or example.media_id.',
    ),
  }),
  message_ttl_s: Type.Optional(
    nullableInteger("Seconds during which a message is worth delivering. Null: the network's default.", {
      minimum: definitionLimits.minTtlS,
      maximum: definitionLimits.maxTtlS,
    }),
  ),
};
export const nameField = Type.String({
  minLength: 1,
  maxLength: definitionLimits.name,
  pattern: '^[a-z0-9_]+$',
  [PATTERN_SENTENCE]: 'must be made of lower-case letters, digits and _',
  description: 'Name. It cannot be changed.',
});
export const languageField = Type.String({
  minLength: 2,
  maxLength: MAX_LANGUAGE,
  pattern: '^[a-z]{2,3}(_[A-Z]{2,4})?$',
  [PATTERN_SENTENCE]: 'must be a code such as en or en_US',
  description: 'Language, such as en or en_US. It cannot be changed.',
});
export const networkAccountField = Type.String({
  minLength: 1,
  maxLength: 32,
  pattern: '^[0-9]+$',
  [PATTERN_SENTENCE]: 'must be a string of digits, as the messaging network names the account',
  description: "The network's ID of the account. Required if the tenant has several accounts.",
});

export const CreateTemplate = strictObject('A template to save as a draft.', {
  name: nameField,
  language: languageField,
  ...definition,
  network_account_id: Type.Optional(networkAccountField),
});

/** The lint names every fault by itself, so that its schema asks for hardly anything. */
export const LintTemplate = strictObject('A template to check.', {
  name: text(MAX_LOOSE_TEXT, 'Name.'),
  language: text(MAX_LOOSE_TEXT, 'Language, such as en or en_US.'),
  ...definition,
  message_ttl_s: Type.Optional(nullableInteger('Validity in seconds.')),
});
export type LintTemplateBody = Static<typeof LintTemplate>;

export const ChangeTemplate = changeOf(definition);

const MAX_VALUE = 2_000;
const MAX_VALUES = 100;

export const PreviewTemplate = strictObject('Values for the preview.', {
  variables: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string', maxLength: MAX_VALUE },
      maxProperties: MAX_VALUES,
      description: 'Values by name or number. Missing values are replaced by samples.',
    }),
  ),
});

const Variable = viewOf(named('TemplateVariable', 'A value required to send the template.'), {
  key: Type.String({ description: 'Name or number of the variable.' }),
  where: Type.String({ description: 'header, body or buttons[0].' }),
  type: choiceOf(['text', 'image', 'video', 'document', 'location', 'code'], 'Type of value.'),
  example: nullableText('Its sample.'),
});

export const TemplateView = viewOf(named('Template', 'A template.'), {
  id: uuid('ID of the template.'),
  network_account_id: Type.String({ description: "The network's ID of its account." }),
  network_template_id: nullableText("The network's ID of the template. Null if never submitted."),
  name: Type.String({ description: 'Name.' }),
  language: Type.String({ description: 'Language.' }),
  category: choiceOf(templateCategories, named('TemplateCategory', 'Billing category. The network may change it.')),
  previous_category: nullableText('Category before the network changed it.'),
  correct_category: nullableText('Category that the network has announced.'),
  status: choiceOf(templateStatuses, named('TemplateStatus', 'Status; see the guide.')),
  reason: nullableText('Why it is rejected, paused or disabled, as reported by the network.'),
  quality: choiceOf(templateQualities, named('TemplateQuality', 'Quality rating by the network.')),
  library_template: nullableText(
    "Name of the entry of the network's library that it was created from. Null once its text is changed.",
  ),
  parameter_format: choiceOf(parameterFormats, 'Format of its variables.'),
  components: Type.Array(Component, { description: 'Content of the latest version.' }),
  variables: Type.Array(Variable, { description: 'Values required to send it.' }),
  message_ttl_s: nullableInteger('Validity in seconds.'),
  version: Type.Integer({ description: 'Increases with each change of content.' }),
  submitted_version: nullableInteger('Version that the network has.'),
  sendable: Type.Boolean({ description: 'Whether it can be sent now.' }),
  synced_at: nullableTime('When it was last synced from the network.'),
  last_event_at: nullableTime("Time of the network's latest report about it."),
  created_at: time('When it was created or found.'),
  updated_at: time(named('UpdatedAt', 'When it was last changed.')),
});

const id = '0190a6f8-1111-7222-8333-444455556666';
const at = '2030-01-01T09:00:00.000Z';

export const TemplateIdParams = Type.Object({ id: withExample(uuid('ID of the template.'), id) });

const orderBody: JsonObject = {
  type: 'BODY',
  text: 'Hello {{first_name}}, your order {{order_no}} is ready.',
  example: {
    body_text_named_params: [
      { param_name: 'first_name', example: 'Ada' },
      { param_name: 'order_no', example: 'A-17' },
    ],
  },
};

export const createTemplateExample: JsonObject = {
  name: 'order_ready',
  language: 'en_US',
  category: 'utility',
  parameter_format: 'named',
  components: [orderBody],
};

export const templateExample: JsonObject = {
  id,
  network_account_id: '300400500600',
  network_template_id: '880990100200',
  name: 'order_ready',
  language: 'en_US',
  category: 'utility',
  previous_category: null,
  correct_category: null,
  status: 'approved',
  reason: null,
  quality: 'green',
  library_template: null,
  parameter_format: 'named',
  components: [orderBody],
  variables: [
    { key: 'first_name', where: 'body', type: 'text', example: 'Ada' },
    { key: 'order_no', where: 'body', type: 'text', example: 'A-17' },
  ],
  message_ttl_s: null,
  version: 1,
  submitted_version: 1,
  sendable: true,
  synced_at: at,
  last_event_at: at,
  created_at: at,
  updated_at: at,
};

const Fault = viewOf(named('TemplateFault', 'A reason why the network would reject it.'), {
  path: Type.String({ description: 'Where: components[1].text.' }),
  message: Type.String({ description: 'Description of the problem.' }),
});
const Warning = viewOf(named('TemplateWarning', 'Something that the network accepts but that may be a mistake.'), {
  code: choiceOf(lintWarningCodes, 'Stable code.'),
  path: Type.String({ description: 'Where: components[1].text.' }),
  message: Type.String({ description: 'One sentence.' }),
});

export const LintView = viewOf('A finding.', {
  ok: Type.Boolean({ description: 'Whether the network would accept it for review.' }),
  faults: Type.Array(Fault, { description: 'Every reason why it would be rejected.' }),
  warnings: Type.Array(Warning, { description: 'Other findings.' }),
});

export const PreviewView = viewOf('The template as a customer would see it.', {
  header: Type.Unsafe({
    type: ['object', 'null'],
    properties: { format: { type: 'string' }, text: { type: ['string', 'null'] } },
    required: ['format', 'text'],
    description: 'Format of the header, and its text if any.',
  }),
  body: Type.String({ description: 'The text with its values.' }),
  footer: nullableText('The footer.'),
  buttons: Type.Array(
    viewOf('A button.', {
      type: Type.String({ description: 'Kind of button, in lower case.' }),
      text: Type.String({ description: 'Label.' }),
      target: nullableText('URL, number or code.'),
    }),
    { description: 'The buttons, in order.' },
  ),
  missing: Type.Array(Type.String(), { description: 'Variables without a value or sample, such as body.order_no.' }),
});

export const HistoryEntryView = viewOf(named('TemplateHistoryEntry', 'A change to a template.'), {
  id: uuid('ID of the entry.'),
  kind: choiceOf(templateHistoryKinds, 'What happened.'),
  cause: choiceOf(templateCauses, 'A request, the network, or a sync.'),
  details: anyObject('{field: [old, new]}, or details of the change.'),
  at: time('When it happened.'),
});

export const templateHistoryExample: JsonObject = {
  id: '0190a6f8-2222-7222-8333-444455556666',
  kind: 'status',
  cause: 'network',
  details: { status: ['submitted', 'approved'] },
  at,
};

const count = (description: string) => Type.Integer({ description });
const counts = {
  added: count('Templates added.'),
  updated: count('Templates updated.'),
  deleted: count('Templates that the network no longer has.'),
  unchanged: count('Templates that did not change.'),
};

export const SyncTemplates = Type.Unsafe<{ readonly network_account_id?: string } | null>({
  type: ['object', 'null'],
  properties: { network_account_id: networkAccountField },
  additionalProperties: false,
  description: 'Account to sync. Default: all accounts.',
});

export const SyncView = viewOf('Result of the sync.', {
  ...counts,
  accounts: Type.Array(
    viewOf('Result for one account.', {
      network_account_id: Type.String({ description: 'The account.' }),
      ...counts,
      error: nullableText('Why its templates could not be read completely. Null if they were.'),
    }),
    { description: 'Results by account.' },
  ),
});

export const syncExample: JsonObject = {
  added: 2,
  updated: 1,
  deleted: 0,
  unchanged: 14,
  accounts: [{ network_account_id: '300400500600', added: 2, updated: 1, deleted: 0, unchanged: 14, error: null }],
};

export const networkAwayExample = errorExample(
  'networkUnreachable',
  'network_unreachable',
  'The network could not be reached (ECONNREFUSED).',
);

export const unknownAccountExample = errorExample(
  'unknownNetworkAccount',
  'unknown_network_account',
  'network_account_id does not name a network account of this tenant.',
);
