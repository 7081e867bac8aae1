import Type from 'typebox';
import type { JsonObject } from '#core/json';
import {
  choiceOf,
  named,
  nullableText,
  PATTERN_SENTENCE,
  queryOf,
  strictObject,
  text,
  viewOf,
  withExample,
} from '#http/schemas/fields';
import { pageQuery } from '#http/schemas/lists';
import { definitionLimits, templateCategories } from '#templates/domain/definition';
import { inputTypes, type LibraryInput } from '#templates/domain/library';
import { languageField, nameField, networkAccountField } from './template.ts';

const MAX_WORD = 100;
/** As many as a template has. */
const MAX_INPUTS = definitionLimits.buttons;

const word = (description: string, example: string) => Type.Optional(withExample(text(MAX_WORD, description), example));

export const LibraryQuery = queryOf({
  ...pageQuery,
  q: word('Only entries that contain this string, as the network searches.', 'order'),
  name: word('Only entries with this name, in all languages.', 'delivery_on_its_way'),
  language: word('Only entries in this language.', 'en_US'),
  topic: word('Only entries about this, such as order_management or payments.', 'order_management'),
  use_case: word('Only entries for this, such as delivery_update.', 'delivery_update'),
  industry: word('Only entries for this industry, such as e_commerce.', 'e_commerce'),
});

export const LibraryTemplateView = viewOf(named('LibraryTemplate', "A ready-made template of the network's library."), {
  id: Type.String({ description: "The network's ID of the entry." }),
  name: Type.String({ description: 'Name of the entry.' }),
  language: Type.String({ description: 'Language.' }),
  category: choiceOf(templateCategories, named('TemplateCategory', 'Billing category.')),
  topic: nullableText('What it is about.'),
  use_case: nullableText('What it is for.'),
  industries: Type.Array(Type.String(), { description: 'Industries that it is made for.' }),
  header: nullableText('Text above the body.'),
  body: Type.String({ description: 'The text. It cannot be changed without a review.' }),
  variables: Type.Array(
    viewOf('A value required to send it.', {
      key: Type.String({ description: 'Number of the variable.' }),
      type: nullableText('What the network accepts there: text, date, amount, number, address, email or phone_number.'),
      example: Type.String({ description: 'Its sample.' }),
    }),
    { description: 'The variables of the body.' },
  ),
  buttons: Type.Array(
    viewOf('A button.', {
      type: Type.String({ description: 'url, phone_number, quick_reply and so on.' }),
      text: Type.String({ description: 'Label.' }),
      url: nullableText('A sample.'),
      phone_number: nullableText('A sample.'),
      needs_input: Type.Boolean({ description: 'Whether a template of it has to say where the button leads.' }),
    }),
    { description: 'The buttons, in order.' },
  ),
});

const inputs = [
  strictObject('Where a URL button leads.', {
    type: choiceOf([inputTypes[0]], 'A URL.'),
    url: Type.String({
      minLength: 1,
      maxLength: definitionLimits.url,
      pattern: '^https?://[^\\s]+$',
      [PATTERN_SENTENCE]: 'must be an http or https URL',
      description: 'The URL. It can end in one variable: https://shop.example/{{1}}.',
    }),
    example: Type.Optional(
      text(definitionLimits.url, 'A whole URL with a value in place of the variable. Required if there is one.'),
    ),
  }),
  strictObject('Whom a phone button calls.', {
    type: choiceOf([inputTypes[1]], 'A phone number.'),
    phone_number: Type.String({
      minLength: 4,
      maxLength: definitionLimits.phone,
      pattern: '^\\+?[0-9]+$',
      [PATTERN_SENTENCE]: 'must be a phone number in international form',
      description: 'The number, in international form.',
    }),
  }),
];
const Input = Type.Unsafe<LibraryInput>({
  type: 'object',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: inputs,
  ...named('LibraryInput', 'Where a button leads.'),
});

export const CreateFromLibrary = strictObject("A template to create from an entry of the network's library.", {
  library_template: text(definitionLimits.name, 'Name of the entry.'),
  language: languageField,
  name: nameField,
  buttons: Type.Optional(
    Type.Array(Input, {
      maxItems: MAX_INPUTS,
      description: 'One for each button of the entry with needs_input, in their order.',
    }),
  ),
  network_account_id: Type.Optional(networkAccountField),
});

export const libraryTemplateExample: JsonObject = {
  id: '7100000000000001',
  name: 'delivery_on_its_way',
  language: 'en_US',
  category: 'utility',
  topic: 'order_management',
  use_case: 'delivery_update',
  industries: ['e_commerce'],
  header: null,
  body: 'Hi {{1}}, order {{2}} is on its way to you and should arrive on {{3}}.',
  variables: [
    { key: '1', type: 'text', example: 'Ada' },
    { key: '2', type: 'text', example: 'A-17' },
    { key: '3', type: 'date', example: 'March 3' },
  ],
  buttons: [
    {
      type: 'url',
      text: 'Follow the parcel',
      url: 'https://www.example.com',
      phone_number: null,
      needs_input: true,
    },
  ],
};

export const createFromLibraryExample: JsonObject = {
  library_template: 'delivery_on_its_way',
  language: 'en_US',
  name: 'parcel_update',
  buttons: [{ type: 'url', url: 'https://shop.example/parcels/{{1}}', example: 'https://shop.example/parcels/A-17' }],
};
