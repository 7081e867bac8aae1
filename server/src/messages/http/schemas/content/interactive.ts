import Type, { type TSchema, type TUnsafe } from 'typebox';
import type { JsonObject } from '#core/json';
import { named } from '#http/schemas/fields';
import { alikeCards } from '#messages/domain/cards';
import { fewLineBreaks, interactiveLimits } from '#messages/domain/interactive';
import {
  AddressAction,
  ButtonAction,
  CallPermissionAction,
  CardAction,
  CatalogAction,
  ContactRequestAction,
  CtaUrlAction,
  FlowAction,
  ListAction,
  LocationRequestAction,
  ProductAction,
  ProductListAction,
  VoiceCallAction,
} from './interactive-actions.ts';
import { NestedDocument, NestedMedia } from './media.ts';
import { byType, fields, listOfMany, only, words } from './parts.ts';

const limits = interactiveLimits;
const textHeader = fields(
  { type: only('text'), text: words(limits.headerText, 'The heading.') },
  named('TextHeader', 'A heading.'),
);
const imageHeader = fields({ type: only('image'), image: NestedMedia }, named('ImageHeader', 'An image.'));
const videoHeader = fields({ type: only('video'), video: NestedMedia }, named('VideoHeader', 'A video.'));
const documentHeader = fields(
  { type: only('document'), document: NestedDocument },
  named('DocumentHeader', 'A document.'),
);
const anyHeader = byType(
  [textHeader, imageHeader, videoHeader, documentHeader],
  named('InteractiveHeader', 'What stands above the text.'),
);

const bodyOf = (max: number) => fields({ text: words(max, 'The text.') }, 'The text of the message.');
const body = fields({ text: words(limits.body, 'The text.') }, named('InteractiveBody', 'The text of the message.'));
const footer = Type.Optional(
  fields({ text: words(limits.footer, 'The line.') }, named('InteractiveFooter', 'A line below the text.')),
);
const header = Type.Optional(anyHeader);

/** A kind with everything around its action. */
function framed<const T extends string>(type: T, action: TSchema) {
  return fields({ type: only(type), header, body, footer, action }, `An interactive message of the kind ${type}.`);
}

/** A kind that takes a text and nothing around it. */
function plain<const T extends string>(type: T, action: TSchema) {
  return fields({ type: only(type), body, footer, action }, `An interactive message of the kind ${type}.`);
}

const list = fields(
  {
    type: only('list'),
    header: Type.Optional(textHeader),
    body: bodyOf(limits.listBody),
    footer,
    action: ListAction,
  },
  'A list to choose from.',
);
const product = fields(
  { type: only('product'), body: Type.Optional(body), footer, action: ProductAction },
  'One product of the catalogue; it has no header.',
);
const productList = fields(
  { type: only('product_list'), header: textHeader, body, footer, action: ProductListAction },
  'Several products of the catalogue.',
);

const Card = fields(
  {
    card_index: Type.Integer({
      minimum: 0,
      maximum: limits.cards - 1,
      description: 'Its place; each card has its own.',
    }),
    type: Type.Optional(Type.Unsafe({ type: 'string', enum: ['cta_url', 'button'], description: 'Kind of the card.' })),
    header: byType([imageHeader, videoHeader], named('CardHeader', 'The picture of the card.')),
    body: Type.Optional(bodyOf(limits.cardBody)),
    action: CardAction,
  },
  named('InteractiveCard', 'A card.'),
  fewLineBreaks,
);
const carousel = fields(
  {
    type: only('carousel'),
    body,
    action: fields(
      { cards: listOfMany(Card, { min: limits.fewestCards, max: limits.cards }, 'The cards.') },
      'Cards side by side.',
      alikeCards,
    ),
  },
  'Cards side by side.',
);

/** Every kind of interactive message, in the network's own shape. */
export const Interactive: TUnsafe<JsonObject> = byType(
  [
    framed('button', ButtonAction),
    list,
    framed('cta_url', CtaUrlAction),
    framed('flow', FlowAction),
    plain('location_request_message', LocationRequestAction),
    product,
    productList,
    plain('catalog_message', CatalogAction),
    carousel,
    plain('address_message', AddressAction),
    plain('call_permission_request', CallPermissionAction),
    plain('voice_call', VoiceCallAction),
    plain('request_contact_info', ContactRequestAction),
  ],
  named('Interactive', 'The interactive message; type tells its kind.'),
);
