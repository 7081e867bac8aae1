import Type from 'typebox';
import { named, PATTERN_SENTENCE } from '#http/schemas/fields';
import { cardAction } from '#messages/domain/cards';
import {
  distinctButtons,
  interactiveLimits,
  listSections,
  oneFlow,
  productSections,
} from '#messages/domain/interactive';
import { address, fields, listOfMany, oneLine, only, trimmed, words } from './parts.ts';

/*
 * `action` of each kind of interactive message, in the network's own shape and within its limits.
 */
const limits = interactiveLimits;
const name = (description: string) => words(limits.name, description);
const open = (description: string) => Type.Unsafe({ type: 'object', additionalProperties: true, description });

const reply = fields(
  {
    id: trimmed(limits.buttonId, 'Comes back when the button is pressed.'),
    title: oneLine(limits.buttonTitle, 'What stands on the button.'),
  },
  'The button.',
);
const Button = fields({ type: only('reply'), reply }, named('ReplyButton', 'A button.'));
export const ButtonAction = fields(
  { buttons: listOfMany(Button, { min: 1, max: limits.buttons }, 'The buttons.') },
  named('ReplyButtonsAction', 'Up to three buttons.'),
  distinctButtons,
);

const Row = fields(
  {
    id: words(limits.rowId, 'Comes back when the row is chosen.'),
    title: words(limits.rowTitle, 'What is chosen.'),
    description: Type.Optional(words(limits.rowDescription, 'A line below the title.')),
  },
  named('ListRow', 'A row.'),
);
const title = Type.Optional(words(limits.sectionTitle, 'Heading; required when there are several sections.'));
const ListSection = fields(
  { title, rows: listOfMany(Row, { min: 1, max: limits.rows }, 'The rows.') },
  named('ListSection', 'A section of the list.'),
);
export const ListAction = fields(
  {
    button: oneLine(limits.listButton, 'What opens the list.'),
    sections: listOfMany(ListSection, { min: 1, max: limits.sections }, 'Sections, with ten rows altogether at most.'),
  },
  named('ListAction', 'A list to choose from.'),
  listSections,
);

const opening = fields(
  {
    display_text: oneLine(limits.displayText, 'What stands on the button.'),
    url: address(limits.url, 'Where it leads.'),
  },
  'The button.',
);
export const CtaUrlAction = fields({ name: only('cta_url'), parameters: opening }, 'A button that opens an address.');

const QuickReply = fields({ type: only('quick_reply'), quick_reply: reply }, 'A button.');
/** One object, because nothing in it tells the two kinds apart by itself: `cardAction` does. */
export const CardAction = fields(
  {
    name: Type.Optional(only('cta_url', 'With parameters.')),
    parameters: Type.Optional(opening),
    buttons: Type.Optional(listOfMany(QuickReply, { min: 1, max: limits.buttons }, 'The buttons.')),
  },
  'Either a button that opens an address (name and parameters), or buttons to answer with; of one kind and number in all cards.',
  cardAction,
);

const FlowParameters = fields(
  {
    flow_message_version: only('3'),
    flow_id: Type.Optional(name('The flow by its id.')),
    flow_name: Type.Optional(name('The flow by its name.')),
    flow_cta: Type.String({
      minLength: 1,
      maxLength: limits.flowCta,
      pattern: '^\\P{Extended_Pictographic}*$',
      [PATTERN_SENTENCE]: 'must not contain an emoji',
      description: 'What stands on the button.',
    }),
    flow_token: Type.Optional(words(limits.flowToken, 'Comes back with the answer.')),
    mode: Type.Optional(
      Type.Unsafe({ type: 'string', enum: ['draft', 'published'], description: 'Default published.' }),
    ),
    flow_action: Type.Optional(
      Type.Unsafe({ type: 'string', enum: ['navigate', 'data_exchange'], description: 'Default navigate.' }),
    ),
    flow_action_payload: Type.Optional(
      fields(
        {
          screen: Type.Optional(name('First screen.')),
          data: Type.Optional(
            Type.Unsafe({ type: 'object', minProperties: 1, additionalProperties: true, description: 'Its data.' }),
          ),
        },
        'Where the flow begins.',
      ),
    ),
  },
  'The flow.',
  oneFlow,
);
export const FlowAction = fields({ name: only('flow'), parameters: FlowParameters }, 'A form to fill in.');

const catalogId = name('The catalogue.');
const retailerId = name('The product in the catalogue.');
export const ProductAction = fields({ catalog_id: catalogId, product_retailer_id: retailerId }, 'One product.');
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
export const ProductListAction = fields(
  {
    catalog_id: catalogId,
    sections: listOfMany(ProductSection, { min: 1, max: limits.sections }, 'Sections, with 30 products at most.'),
  },
  'Several products.',
  productSections,
);
export const CatalogAction = fields(
  {
    name: only('catalog_message'),
    parameters: Type.Optional(
      fields({ thumbnail_product_retailer_id: retailerId }, 'The product whose picture is shown.'),
    ),
  },
  'The whole catalogue.',
);

export const LocationRequestAction = fields({ name: only('send_location') }, 'Asks for a location.');
export const CallPermissionAction = fields({ name: only('call_permission_request') }, 'Asks for leave to call.');
export const ContactRequestAction = fields({ name: only('request_contact_info') }, 'Asks for a contact card.');
export const AddressAction = fields(
  { name: only('address_message'), parameters: open('The form: country, values, saved_addresses, validation_errors.') },
  'Asks for a postal address.',
);
export const VoiceCallAction = fields(
  {
    name: only('voice_call'),
    parameters: Type.Optional(
      fields(
        {
          display_text: Type.Optional(oneLine(limits.displayText, 'What stands on the button.')),
          ttl_minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 43_200, description: 'How long it works.' })),
          payload: Type.Optional(words(limits.flowToken, 'Comes back with the call.')),
        },
        'The button.',
      ),
    ),
  },
  'A button that calls the business.',
);
