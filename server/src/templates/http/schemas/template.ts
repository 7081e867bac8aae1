import Type, { type Static } from 'typebox';
import type { JsonObject } from '#core/json';
import type { ErrorExample } from '#http/operation';
import {
  choiceOf,
  named,
  nullableText,
  nullableTime,
  PATTERN_SENTENCE,
  text,
  time,
  uuid,
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
  ...named('TemplateDefinitionComponent', "A part of the template, in the network's own form."),
});
const components = Type.Array(Component, {
  maxItems: MAX_COMPONENTS,
  description: 'Header, body, footer, buttons; a sample of a file is example.header_handle or example.media_id.',
});

const category = choiceOf(templateCategories, named('TemplateCategory', 'What it is billed as.'));
const parameterFormat = choiceOf(parameterFormats, 'Whether variables are {{1}} or {{order_no}}; default positional.');
const messageTtl = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  minimum: definitionLimits.minTtlS,
  maximum: definitionLimits.maxTtlS,
  description: 'Seconds for which a message is worth delivering; null: as long as the network likes.',
});
const nameField = Type.String({
  minLength: 1,
  maxLength: definitionLimits.name,
  pattern: '^[a-z0-9_]+$',
  [PATTERN_SENTENCE]: 'must be made of lower-case letters, digits and _',
  description: 'Name; it never changes.',
});
const languageField = Type.String({
  minLength: 2,
  maxLength: MAX_LANGUAGE,
  pattern: '^[a-z]{2,3}(_[A-Z]{2,4})?$',
  [PATTERN_SENTENCE]: 'must be a code such as en or en_US',
  description: 'Language: en or en_US; it never changes.',
});
export const networkAccountField = Type.String({
  minLength: 1,
  maxLength: 32,
  pattern: '^[0-9]+$',
  [PATTERN_SENTENCE]: 'must be a string of digits, as the messaging network names the account',
  description: "The network's identifier of the account; needed when the tenant has several.",
});

export const CreateTemplate = Type.Object(
  {
    name: nameField,
    language: languageField,
    category,
    parameter_format: Type.Optional(parameterFormat),
    components,
    message_ttl_s: Type.Optional(messageTtl),
    network_account_id: Type.Optional(networkAccountField),
  },
  { additionalProperties: false, description: 'A template to keep as a draft.' },
);
export type CreateTemplateBody = Static<typeof CreateTemplate>;

/** The lint names every fault by itself, so that its schema asks for hardly anything. */
export const LintTemplate = Type.Object(
  {
    name: text(MAX_LOOSE_TEXT, 'Name.'),
    language: text(MAX_LOOSE_TEXT, 'Language: en or en_US.'),
    category,
    parameter_format: Type.Optional(parameterFormat),
    components,
    message_ttl_s: Type.Optional(Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'Seconds.' })),
  },
  { additionalProperties: false, description: 'A template to check.' },
);
export type LintTemplateBody = Static<typeof LintTemplate>;

export const ChangeTemplate = Type.Object(
  {
    category: Type.Optional(category),
    parameter_format: Type.Optional(parameterFormat),
    components: Type.Optional(components),
    message_ttl_s: Type.Optional(messageTtl),
  },
  { additionalProperties: false, minProperties: 1, description: 'What is left out stays as it is.' },
);

const MAX_VALUE = 2_000;
const MAX_VALUES = 100;

export const PreviewTemplate = Type.Object(
  {
    variables: Type.Optional(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string', maxLength: MAX_VALUE },
        maxProperties: MAX_VALUES,
        description: 'Values by name or number; what is left out is shown with its sample.',
      }),
    ),
  },
  { additionalProperties: false, description: 'The values to show it with.' },
);

const Variable = Type.Object(
  {
    key: Type.String({ description: 'Its name or number.' }),
    where: Type.String({ description: 'header, body or buttons[0].' }),
    type: choiceOf(['text', 'image', 'video', 'document', 'location', 'code'], 'What it takes.'),
    example: nullableText('Its sample.'),
  },
  named('TemplateVariable', 'A value that a send must give.'),
);

export const TemplateView = Type.Object(
  {
    id: uuid('Identifier of the template.'),
    network_account_id: Type.String({ description: "The network's identifier of its account." }),
    network_template_id: nullableText("The network's identifier of it; null while it was never handed in."),
    name: Type.String({ description: 'Name.' }),
    language: Type.String({ description: 'Language.' }),
    category: choiceOf(
      templateCategories,
      named('TemplateCategory', 'What it is billed as; the network may change it.'),
    ),
    previous_category: nullableText('What it was before the network changed it.'),
    correct_category: nullableText('What the network has announced that it will be.'),
    status: choiceOf(templateStatuses, named('TemplateStatus', 'Where it stands, see the guide.')),
    reason: nullableText('Why it is rejected, paused or disabled, as the network says.'),
    quality: choiceOf(templateQualities, named('TemplateQuality', 'How customers take it, as the network says.')),
    parameter_format: choiceOf(parameterFormats, 'How its variables are written.'),
    components: Type.Array(Component, { description: 'What it says in its newest version.' }),
    variables: Type.Array(Variable, { description: 'The values that a send must give.' }),
    message_ttl_s: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'Seconds, or null.' }),
    version: Type.Integer({ description: 'Grows with each change of what it says.' }),
    submitted_version: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'The version that the network has.',
    }),
    sendable: Type.Boolean({ description: 'Whether it can be sent now.' }),
    synced_at: nullableTime('When it was last read from the network.'),
    last_event_at: nullableTime("The time of the network's last news of it."),
    created_at: time('When it was made or found.'),
    updated_at: time('When it last changed.'),
  },
  named('Template', 'A template.'),
);

const id = '0190a6f8-1111-7222-8333-444455556666';
const at = '2030-01-01T09:00:00.000Z';

export const TemplateIdParams = Type.Object({ id: withExample(uuid('Identifier of the template.'), id) });

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

const Fault = Type.Object(
  {
    path: Type.String({ description: 'Where: components[1].text.' }),
    message: Type.String({ description: 'What is wrong with it.' }),
  },
  named('TemplateFault', 'What the network would refuse it for.'),
);
const Warning = Type.Object(
  {
    code: choiceOf(lintWarningCodes, 'Stable code.'),
    path: Type.String({ description: 'Where.' }),
    message: Type.String({ description: 'One sentence.' }),
  },
  named('TemplateWarning', 'What the network takes, and a person may regret.'),
);

export const LintView = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the network would take it to review.' }),
    faults: Type.Array(Fault, { description: 'Everything that it would be refused for.' }),
    warnings: Type.Array(Warning, { description: 'Everything else worth knowing.' }),
  },
  { description: 'What was found.' },
);

export const PreviewView = Type.Object(
  {
    header: Type.Unsafe({
      type: ['object', 'null'],
      properties: { format: { type: 'string' }, text: { type: ['string', 'null'] } },
      required: ['format', 'text'],
      description: 'Its format, and its text when it is one.',
    }),
    body: Type.String({ description: 'The text with its values.' }),
    footer: nullableText('The footer.'),
    buttons: Type.Array(
      Type.Object(
        {
          type: Type.String({ description: 'Kind, in lower case.' }),
          text: Type.String({ description: 'Label.' }),
          target: nullableText('Address, number or code.'),
        },
        { description: 'A button.' },
      ),
      { description: 'The buttons, in their order.' },
    ),
    missing: Type.Array(Type.String(), { description: 'Variables without value and sample: body.order_no.' }),
  },
  { description: 'The template as a customer would see it.' },
);

export const HistoryEntryView = Type.Object(
  {
    id: uuid('Identifier of the entry.'),
    kind: choiceOf(templateHistoryKinds, 'What happened.'),
    cause: choiceOf(templateCauses, 'A request, the network, or a sync.'),
    details: Type.Unsafe<JsonObject>({
      type: 'object',
      additionalProperties: true,
      description: '{field: [old, new]}, or what belongs to the kind.',
    }),
    at: time('When.'),
  },
  named('TemplateHistoryEntry', 'One thing that happened to a template.'),
);

export const templateHistoryExample: JsonObject = {
  id: '0190a6f8-2222-7222-8333-444455556666',
  kind: 'status',
  cause: 'network',
  details: { status: ['submitted', 'approved'] },
  at,
};

const count = (description: string) => Type.Integer({ description });
const counts = {
  added: count('Templates that are new here.'),
  updated: count('Templates that were changed.'),
  deleted: count('Templates that the network has no more.'),
  unchanged: count('Templates that were as they are.'),
};

export const SyncTemplates = Type.Unsafe<{ readonly network_account_id?: string } | null>({
  type: ['object', 'null'],
  properties: { network_account_id: networkAccountField },
  additionalProperties: false,
  description: 'Which account to read; all of them without it.',
});

export const SyncView = Type.Object(
  {
    ...counts,
    accounts: Type.Array(
      Type.Object(
        {
          network_account_id: Type.String({ description: 'The account.' }),
          ...counts,
          error: nullableText('Why its list was not read to the end; null: it was.'),
        },
        { description: 'What reading one account came to.' },
      ),
      { description: 'The same for each account.' },
    ),
  },
  { description: 'What reading the network came to.' },
);

export const syncExample: JsonObject = {
  added: 2,
  updated: 1,
  deleted: 0,
  unchanged: 14,
  accounts: [{ network_account_id: '300400500600', added: 2, updated: 1, deleted: 0, unchanged: 14, error: null }],
};

export const networkAwayExample: ErrorExample = {
  name: 'networkUnreachable',
  code: 'network_unreachable',
  body: { error: 'The network could not be reached (ECONNREFUSED).', code: 'network_unreachable' },
};

export const unknownAccountExample: ErrorExample = {
  name: 'unknownNetworkAccount',
  code: 'unknown_network_account',
  body: {
    error: 'network_account_id is not an account of this tenant at the network.',
    code: 'unknown_network_account',
  },
};

export const staleTemplateExample: ErrorExample = {
  name: 'changedMeanwhile',
  code: 'precondition_failed',
  body: { error: 'The template was changed meanwhile: its version is 4. Read it again.', code: 'precondition_failed' },
};
