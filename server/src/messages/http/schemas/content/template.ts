import Type, { type TUnsafe } from 'typebox';
import { named, PATTERN_SENTENCE, RULES } from '#http/schemas/fields';
import {
  goodComponents,
  goodVariables,
  type TemplateFields,
  type TemplateVariables,
  templateLimits,
  variablesOrComponents,
} from '#templates/domain/content';
import { Location } from './location.ts';
import { NestedDocument, NestedMedia } from './media.ts';
import { byType, fields, listOfMany, only, words } from './parts.ts';

const limits = templateLimits;
const open = (description: string) => Type.Unsafe({ type: 'object', additionalProperties: true, description });
const text = words(limits.text, 'The value.');
/** What the network formats itself where it can; otherwise it shows `fallback_value`. */
const formatted = (description: string) =>
  Type.Unsafe({
    type: 'object',
    required: ['fallback_value'],
    properties: { fallback_value: words(limits.text, 'What is shown.') },
    additionalProperties: true,
    description,
  });

const parameterName = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: limits.parameterName,
    pattern: '^[a-z][a-z0-9_]*$',
    [PATTERN_SENTENCE]: 'must be a lower-case letter, then letters, digits and _',
    description: 'Name of the variable, for templates with named ones.',
  }),
);

/** A parameter of a component, in the network's own shape. */
const Parameter = byType(
  [
    fields({ type: only('text'), parameter_name: parameterName, text }, 'A text.'),
    fields(
      {
        type: only('currency'),
        parameter_name: parameterName,
        currency: formatted('fallback_value, code, amount_1000.'),
      },
      'An amount.',
    ),
    fields(
      { type: only('date_time'), parameter_name: parameterName, date_time: formatted('fallback_value.') },
      'A time.',
    ),
    fields({ type: only('image'), image: NestedMedia }, 'An image.'),
    fields({ type: only('video'), video: NestedMedia }, 'A video.'),
    fields({ type: only('document'), document: NestedDocument }, 'A document.'),
    fields({ type: only('location'), location: Location }, 'A place.'),
    fields(
      { type: only('payload'), payload: words(limits.quickReplyPayload, 'Comes back.') },
      'Payload of a quick reply.',
    ),
    fields({ type: only('coupon_code'), coupon_code: words(limits.couponCode, 'The code.') }, 'A code to copy.'),
    fields({ type: only('action'), action: open('Of a catalogue or a flow.') }, 'What a button does.'),
    fields({ type: only('product'), product: open('catalog_id, product_retailer_id.') }, 'A product.'),
    fields(
      { type: only('limited_time_offer'), limited_time_offer: open('expiration_time_ms.') },
      'When the offer ends.',
    ),
  ],
  named('TemplateParameter', 'A value for the template.'),
);
const parameters = Type.Optional(listOfMany(Parameter, { min: 0, max: limits.parameters }, 'Its values.'));
const buttonKinds = ['quick_reply', 'url', 'copy_code', 'catalog', 'mpm', 'spm', 'flow', 'voice_call', 'order_details'];
const button = {
  sub_type: Type.Optional(Type.Unsafe({ type: 'string', enum: buttonKinds, description: 'Kind of the button.' })),
  index: Type.Optional(
    Type.Unsafe({
      type: ['string', 'integer'],
      pattern: '^[0-9]$',
      [PATTERN_SENTENCE]: 'must be the place of the button, from 0',
      minimum: 0,
      maximum: 9,
      description: 'Place of the button, from 0.',
    }),
  ),
};

const CardComponent = fields(
  {
    type: Type.Unsafe({ type: 'string', enum: ['header', 'body', 'button'], description: 'Which part of the card.' }),
    ...button,
    parameters,
  },
  named('TemplateCardComponent', 'A part of a card.'),
);
const Card = fields(
  {
    card_index: Type.Integer({ minimum: 0, maximum: limits.cards - 1, description: 'Its place, from 0.' }),
    components: Type.Array(CardComponent, {
      maxItems: limits.components,
      description: 'Its parts.',
      [RULES]: [goodComponents],
    }),
  },
  named('TemplateCard', 'A card.'),
);
const componentTypes = ['header', 'body', 'button', 'carousel', 'limited_time_offer', 'order_status'];
const Component = fields(
  {
    type: Type.Unsafe({ type: 'string', enum: componentTypes, description: 'Which part of the template.' }),
    ...button,
    parameters,
    cards: Type.Optional(listOfMany(Card, { min: 1, max: limits.cards }, 'Of a carousel.')),
  },
  named('TemplateComponent', 'A part of the template.'),
);

const template = {
  name: Type.String({
    minLength: 1,
    maxLength: limits.name,
    pattern: '^[a-z0-9_]+$',
    [PATTERN_SENTENCE]: 'must be made of lower-case letters, digits and _',
    description: 'Name of the template.',
  }),
  language: Type.String({
    minLength: 2,
    maxLength: limits.language,
    pattern: '^[a-z]{2,3}(?:[_-][A-Za-z0-9]+)*$',
    [PATTERN_SENTENCE]: 'must be a language code such as en or en_US',
    description: 'Language of the template, exactly as it was approved: en_US.',
  }),
  variables: Type.Optional(
    Type.Unsafe<TemplateVariables>({
      type: ['object', 'array'],
      items: {},
      additionalProperties: true,
      maxItems: limits.variables,
      maxProperties: limits.variables,
      description: 'Values of the body: {"order_id": "42"} by name, or ["42"] by position.',
      [RULES]: [goodVariables],
    }),
  ),
  components: Type.Optional(
    Type.Array(Component, {
      maxItems: limits.components,
      description: "Instead of variables: header, body, buttons and cards in the network's own shape.",
      [RULES]: [goodComponents],
    }),
  ),
};

/** A message made from an approved template. */
export const TemplateMessageContent: TUnsafe<TemplateFields> = Type.Unsafe<TemplateFields>(
  fields(template, named('TemplateContent', 'The template and its values.'), variablesOrComponents),
);
