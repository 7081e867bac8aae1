import Type, { type TSchema, type TUnsafe } from 'typebox';
import type { JsonObject } from '#core/json';
import { anyObject, choiceOf, type Description, named } from '#http/schemas/fields';
import { alikeCards, cardAction } from '#messages/domain/cards';
import {
  distinctButtons,
  fewLineBreaks,
  interactiveLimits,
  listSections,
  oneFlow,
  productSections,
} from '#messages/domain/interactive';
import { NestedDocument, NestedMedia } from './media.ts';
import { address, byType, fields, listOfMany, matching, oneLine, only, trimmed, words } from './parts.ts';

/*
 * `action` of each kind of interactive message, in the network's own shape and within its limits.
 */
const limits = interactiveLimits;
const name = (description: string) => words(limits.name, description);

const reply = fields(
  {
    id: trimmed(limits.buttonId, 'ID returned when the button is pressed.'),
    title: oneLine(limits.buttonTitle, 'Label of the button.'),
  },
  named('ButtonContent', 'The button.'),
);
const Button = fields({ type: only('reply'), reply }, named('ReplyButton', 'A button.'));
const ButtonAction = fields(
  { buttons: listOfMany(Button, { min: 1, max: limits.buttons }, 'The buttons.') },
  named('ReplyButtonsAction', 'Up to three buttons.'),
  distinctButtons,
);

const Row = fields(
  {
    id: words(limits.rowId, 'ID returned when the row is chosen.'),
    title: words(limits.rowTitle, 'Title of the row.'),
    description: Type.Optional(words(limits.rowDescription, 'A line below the title.')),
  },
  named('ListRow', 'A row.'),
);
const title = Type.Optional(words(limits.sectionTitle, 'Heading; required when there are several sections.'));
const ListSection = fields(
  { title, rows: listOfMany(Row, { min: 1, max: limits.rows }, 'The rows.') },
  named('ListSection', 'A section of the list.'),
);
const ListAction = fields(
  {
    button: oneLine(limits.listButton, 'Label of the button that opens the list.'),
    sections: listOfMany(ListSection, { min: 1, max: limits.sections }, 'Sections, with at most ten rows in total.'),
  },
  named('ListAction', 'A list to choose from.'),
  listSections,
);

const opening = fields(
  {
    display_text: oneLine(limits.displayText, 'Label of the button.'),
    url: address(limits.url, 'URL to open.'),
  },
  named('CtaUrlParameters', 'The button.'),
);
const CtaUrlAction = fields({ name: only('cta_url'), parameters: opening }, 'A button that opens a URL.');

const QuickReply = fields({ type: only('quick_reply'), quick_reply: reply }, 'A button.');
/** One object, because nothing in it tells the two kinds apart by itself: `cardAction` does. */
const CardAction = fields(
  {
    name: Type.Optional(only('cta_url', 'Used with parameters.')),
    parameters: Type.Optional(opening),
    buttons: Type.Optional(listOfMany(QuickReply, { min: 1, max: limits.buttons }, 'The buttons.')),
  },
  'Either a button that opens a URL (name and parameters) or reply buttons; the same kind and number in all cards.',
  cardAction,
);

const FlowParameters = fields(
  {
    flow_message_version: only('3'),
    flow_id: Type.Optional(name('ID of the flow.')),
    flow_name: Type.Optional(name('Name of the flow.')),
    flow_cta: Type.String({
      minLength: 1,
      maxLength: limits.flowCta,
      ...matching('^\\P{Extended_Pictographic}*$', 'must not contain an emoji'),
      description: 'Label of the button.',
    }),
    flow_token: Type.Optional(words(limits.flowToken, 'Returned with the answer.')),
    mode: Type.Optional(choiceOf(['draft', 'published'], 'Default: published.')),
    flow_action: Type.Optional(choiceOf(['navigate', 'data_exchange'], 'Default: navigate.')),
    flow_action_payload: Type.Optional(
      fields(
        {
          screen: Type.Optional(name('First screen.')),
          data: Type.Optional(
            Type.Unsafe({ type: 'object', minProperties: 1, additionalProperties: true, description: 'Its data.' }),
          ),
        },
        'Where the flow starts.',
      ),
    ),
  },
  'The flow.',
  oneFlow,
);
const FlowAction = fields({ name: only('flow'), parameters: FlowParameters }, 'A form to fill in.');

const catalogId = name('The catalog.');
const retailerId = name('The product in the catalog.');
const ProductAction = fields({ catalog_id: catalogId, product_retailer_id: retailerId }, 'One product.');
const ProductSection = fields(
  {
    title,
    product_items: listOfMany(
      fields({ product_retailer_id: retailerId }, 'A product.'),
      { min: 1, max: limits.products },
      'Its products.',
    ),
  },
  'A section of products.',
);
const ProductListAction = fields(
  {
    catalog_id: catalogId,
    sections: listOfMany(
      ProductSection,
      { min: 1, max: limits.sections },
      'Sections, with at most 30 products in total.',
    ),
  },
  'Several products.',
  productSections,
);
const CatalogAction = fields(
  {
    name: only('catalog_message'),
    parameters: Type.Optional(
      fields({ thumbnail_product_retailer_id: retailerId }, 'The product whose image is shown.'),
    ),
  },
  'The whole catalog.',
);

const LocationRequestAction = fields({ name: only('send_location') }, 'Asks for a location.');
const CallPermissionAction = fields({ name: only('call_permission_request') }, 'Asks for permission to call.');
const ContactRequestAction = fields({ name: only('request_contact_info') }, 'Asks for a contact card.');
const AddressAction = fields(
  {
    name: only('address_message'),
    parameters: anyObject('The form: country, values, saved_addresses, validation_errors.'),
  },
  'Asks for a postal address.',
);
const VoiceCallAction = fields(
  {
    name: only('voice_call'),
    parameters: Type.Optional(
      fields(
        {
          display_text: Type.Optional(oneLine(limits.displayText, 'Label of the button.')),
          ttl_minutes: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 43_200, description: 'Minutes that the button works.' }),
          ),
          payload: Type.Optional(words(limits.flowToken, 'Returned with the call.')),
        },
        'The button.',
      ),
    ),
  },
  'A button that calls the business.',
);

/*
 * The kinds, with what stands around the action.
 */
const textHeader = fields(
  { type: only('text'), text: words(limits.headerText, 'Text of the header.') },
  named('TextHeader', 'A text header.'),
);
const imageHeader = fields({ type: only('image'), image: NestedMedia }, named('ImageHeader', 'An image.'));
const videoHeader = fields({ type: only('video'), video: NestedMedia }, named('VideoHeader', 'A video.'));
const documentHeader = fields(
  { type: only('document'), document: NestedDocument },
  named('DocumentHeader', 'A document.'),
);
const anyHeader = byType(
  [textHeader, imageHeader, videoHeader, documentHeader],
  named('InteractiveHeader', 'Header above the text.'),
);

const bodyOf = (max: number, description: Description = 'The text of the message.') =>
  fields({ text: words(max, 'The text.') }, description);
const body = bodyOf(limits.body, named('InteractiveBody', 'The text of the message.'));
const footer = Type.Optional(
  fields({ text: words(limits.footer, 'The line.') }, named('InteractiveFooter', 'A line below the text.')),
);
const header = Type.Optional(anyHeader);

/** A kind with everything around its action. */
function framed<const T extends string>(type: T, action: TSchema) {
  return fields({ type: only(type), header, body, footer, action }, `An interactive message of type ${type}.`);
}

/** A kind that takes a text and nothing around it. */
function plain<const T extends string>(type: T, action: TSchema) {
  return fields({ type: only(type), body, footer, action }, `An interactive message of type ${type}.`);
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
  'One product of the catalog. It has no header.',
);
const productList = fields(
  { type: only('product_list'), header: textHeader, body, footer, action: ProductListAction },
  'Several products of the catalog.',
);

const Card = fields(
  {
    card_index: Type.Integer({
      minimum: 0,
      maximum: limits.cards - 1,
      description: 'Position of the card; unique.',
    }),
    type: Type.Optional(choiceOf(['cta_url', 'button'], 'Kind of the card.')),
    header: byType([imageHeader, videoHeader], named('CardHeader', 'Image or video of the card.')),
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
      'Cards shown side by side.',
      alikeCards,
    ),
  },
  'Cards shown side by side.',
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
  named('Interactive', 'The interactive message; type determines its kind.'),
);
