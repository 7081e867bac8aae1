import Type, { type TUnsafe } from 'typebox';
import { productPolicies } from '#core/network/marketing-messages';
import { anyObject, choiceOf, named, RULES } from '#http/schemas/fields';
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
import { byType, fields, listOfMany, matching, only, words } from './parts.ts';

const limits = templateLimits;
const text = words(limits.text, 'The value.');
/** What the network formats itself where it can; otherwise it shows `fallback_value`. */
const formatted = (description: string) =>
  Type.Unsafe({
    type: 'object',
    required: ['fallback_value'],
    properties: { fallback_value: words(limits.text, 'Text shown.') },
    additionalProperties: true,
    description,
  });

const parameterName = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: limits.parameterName,
    ...matching('^[a-z][a-z0-9_]*$', 'must be a lower-case letter, then letters, digits and _'),
    ...named('TemplateParameterName', 'Name of the variable, if variables have names.'),
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
      { type: only('payload'), payload: words(limits.quickReplyPayload, 'Returned when the button is pressed.') },
      'Payload of a quick reply.',
    ),
    fields({ type: only('coupon_code'), coupon_code: words(limits.couponCode, 'The code.') }, 'A code to copy.'),
    fields({ type: only('action'), action: anyObject('For a catalog or a flow.') }, 'What a button does.'),
    fields({ type: only('product'), product: anyObject('catalog_id, product_retailer_id.') }, 'A product.'),
    fields(
      { type: only('limited_time_offer'), limited_time_offer: anyObject('expiration_time_ms.') },
      'When the offer ends.',
    ),
  ],
  named('TemplateValue', 'A value for the template.'),
);
const parameters = Type.Optional(listOfMany(Parameter, { min: 0, max: limits.parameters }, 'Its values.'));
const buttonKinds = ['quick_reply', 'url', 'copy_code', 'catalog', 'mpm', 'spm', 'flow', 'voice_call', 'order_details'];
const button = {
  sub_type: Type.Optional(choiceOf(buttonKinds, named('TemplateButtonKind', 'Kind of the button.'))),
  index: Type.Optional(
    Type.Unsafe({
      type: ['string', 'integer'],
      ...matching('^[0-9]$', 'must be the place of the button, from 0'),
      minimum: 0,
      maximum: 9,
      description: 'Position of the button, from 0.',
    }),
  ),
};

const CardComponent = fields(
  {
    type: choiceOf(['header', 'body', 'button'], 'Which part of the card.'),
    ...button,
    parameters,
  },
  named('TemplateCardComponent', 'A part of a card.'),
);
const Card = fields(
  {
    card_index: Type.Integer({ minimum: 0, maximum: limits.cards - 1, description: 'Position of the card, from 0.' }),
    components: Type.Array(CardComponent, {
      maxItems: limits.components,
      description: 'Parts of the card.',
      [RULES]: [goodComponents],
    }),
  },
  named('TemplateCard', 'A card.'),
);
const componentTypes = ['header', 'body', 'button', 'carousel', 'limited_time_offer', 'order_status'];
const Component = fields(
  {
    type: choiceOf(componentTypes, 'Which part of the template.'),
    ...button,
    parameters,
    cards: Type.Optional(listOfMany(Card, { min: 1, max: limits.cards }, 'Cards of a carousel.')),
  },
  named('TemplateComponent', 'A part of the template.'),
);

const MarketingMessages = fields(
  {
    product_policy: Type.Optional(
      choiceOf(
        productPolicies,
        'What the network does with a message that this API does not deliver: send it over the Cloud API, or fail it. Default: as the network decides.',
      ),
    ),
    message_activity_sharing: Type.Optional(
      Type.Boolean({
        description:
          'Whether the network may use what the recipient does with the message to improve delivery. Default: the setting of the account.',
      }),
    ),
  },
  named(
    'MarketingMessages',
    "Send the template over the network's Marketing Messages API instead of the Cloud API. For templates of the category marketing only; the account must have accepted its terms at the network.",
  ),
);

const template = {
  name: Type.String({
    minLength: 1,
    maxLength: limits.name,
    ...matching('^[a-z0-9_]+$', 'must be made of lower-case letters, digits and _'),
    description: 'Name of the template.',
  }),
  language: Type.String({
    minLength: 2,
    maxLength: limits.language,
    ...matching('^[a-z]{2,3}(?:[_-][A-Za-z0-9]+)*$', 'must be a language code such as en or en_US'),
    description: 'Language of the template, exactly as approved, such as en_US.',
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
      description: "Instead of variables: header, body, buttons and cards in the network's format.",
      [RULES]: [goodComponents],
    }),
  ),
  marketing_messages: Type.Optional(MarketingMessages),
};

/** A message made from an approved template. */
export const TemplateMessageContent: TUnsafe<TemplateFields> = Type.Unsafe<TemplateFields>(
  fields(template, named('TemplateContent', 'The template and its values.'), variablesOrComponents),
);
