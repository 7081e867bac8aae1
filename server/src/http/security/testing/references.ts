import type { JsonObject, JsonValue } from '#core/json';
import type { TestTenant } from '#testing/test-tenant';
import { text } from './calls.ts';
import type { ResourceName } from './world.ts';

/** A place of a body that names a resource of the tenant. */
export interface BodyReference {
  readonly names: ResourceName;
  /** A body that is accepted when the id at this place is the caller's own; of a form, its fields. */
  readonly body: (id: string) => JsonObject;
  /** What its owner is answered, when that is not what the table of calls says. */
  readonly status?: number;
}

/** Ids of customers and of the network's catalogue, and names that the caller gives to buttons and rows. */
const notOurs = [
  'contacts[].phones[].wa_id',
  'interactive.action.buttons[].reply.id',
  'interactive.action.sections[].rows[].id',
  'interactive.action.parameters.flow_id',
  'interactive.action.catalog_id',
  'interactive.action.product_retailer_id',
  'interactive.action.sections[].product_items[].product_retailer_id',
  'interactive.action.parameters.thumbnail_product_retailer_id',
];

const kinds = ['image', 'video', 'document'] as const;
type Kind = (typeof kinds)[number];
const idNames = ['media_id', 'id'] as const;

function template(components: JsonValue): JsonObject {
  return { ...withoutBody, type: 'template', template: { name: 'order_ready', language: 'en_US', components } };
}

function interactive(content: JsonObject): JsonObject {
  return { ...withoutBody, type: 'interactive', interactive: { body: { text: 'Here' }, ...content } };
}

const { body: _body, ...withoutBody } = text;
const headerOf = (kind: Kind, source: JsonObject) => ({ type: 'header', parameters: [{ type: kind, [kind]: source }] });
const buttons = { buttons: [{ type: 'reply', reply: { id: 'yes', title: 'Yes' } }] };

/** Every place of one kind of media and one spelling of its id. */
function mediaReferences(kind: Kind, name: (typeof idNames)[number]): readonly (readonly [string, BodyReference])[] {
  const inCards = (id: string) => [
    { type: 'carousel', cards: [{ card_index: 0, components: [headerOf(kind, { [name]: id })] }] },
  ];
  const card = (source: JsonObject, index: number) => ({
    card_index: index,
    type: 'button',
    header: { type: kind, [kind]: source },
    body: { text: 'This one' },
    action: { buttons: [{ type: 'quick_reply', quick_reply: { id: `b${index}`, title: 'Take it' } }] },
  });
  const twoCards = (id: string) => ({ cards: [card({ [name]: id }, 0), card({ link: 'https://shop.example/a' }, 1)] });
  const header = (id: string) => ({ type: kind, [kind]: { [name]: id } });
  const places: Record<string, (id: string) => JsonObject> = {
    [`template.components[].parameters[].${kind}.${name}`]: (id) => template([headerOf(kind, { [name]: id })]),
    [`template.components[].cards[].components[].parameters[].${kind}.${name}`]: (id) => template(inCards(id)),
    [`interactive.header.${kind}.${name}`]: (id) =>
      interactive({ type: 'button', header: header(id), action: buttons }),
    ...(kind === 'document'
      ? {}
      : {
          [`interactive.action.cards[].header.${kind}.${name}`]: (id) =>
            interactive({ type: 'carousel', action: twoCards(id) }),
        }),
  };
  return Object.entries(places).map(([place, body]) => [place, { names: kind, body }]);
}

const sendReferences: Readonly<Record<string, BodyReference>> = {
  reply_to: { names: 'inbound', body: (id) => ({ ...text, reply_to: id }) },
  phone_number_id: { names: 'number', body: (id) => ({ ...text, phone_number_id: id }) },
  'reaction.message_id': {
    names: 'inbound',
    body: (id) => ({ ...withoutBody, type: 'reaction', reaction: { message_id: id, emoji: '👍' } }),
  },
  'media.media_id': { names: 'image', body: (id) => ({ ...withoutBody, type: 'image', media: { media_id: id } }) },
  ...Object.fromEntries(kinds.flatMap((kind) => idNames.flatMap((name) => mediaReferences(kind, name)))),
};

/** Per operation, the places of its body that name a resource. */
export const bodyReferences: Readonly<Record<string, Readonly<Record<string, BodyReference>>>> = {
  sendMessage: sendReferences,
  sendMessageBatch: Object.fromEntries(
    Object.entries(sendReferences).map(([place, { names, body }]) => [
      `messages[].${place}`,
      { names, body: (id: string) => ({ messages: [body(id)] }) },
    ]),
  ),
  uploadMedia: { phone_number_id: { names: 'number', body: (id) => ({ phone_number_id: id }) } },
  createResumableUpload: { phone_number_id: { names: 'number', body: (id) => ({ phone_number_id: id }) } },
  addPhoneNumber: { phone_number_id: { names: 'newNumber', body: (id) => ({ phone_number_id: id }), status: 201 } },
};

/** Per operation, the places of its body that are called an id and name nothing of ours. */
export const foreignNames: Readonly<Record<string, readonly string[]>> = {
  sendMessage: notOurs,
  sendMessageBatch: notOurs.map((place) => `messages[].${place}`),
};

/** Per list and filter, a value that finds something of this tenant; null: the filter names nobody's property. */
export const filters: Readonly<Record<string, Readonly<Record<string, FilterValue | null>>>> = {
  listInboundMessages: {
    from: (tenant) => firstOf(tenant, '/v1/messages/inbound', 'from'),
    type: null,
    phone_number_id: async (tenant) => tenant.phoneNumberId,
    conversation_id: (tenant) => firstOf(tenant, '/v1/messages/inbound', 'conversation_id'),
  },
  listOutboundMessages: {
    to: (tenant) => firstOf(tenant, '/v1/messages/outbound', 'to'),
    campaign_name: async (tenant) => {
      await tenant.send('447700900123', { campaign_name: 'secret spring', ...laterOnly });
      return 'secret spring';
    },
    phone_number_id: async (tenant) => tenant.phoneNumberId,
    // No outbound message names a conversation yet: nothing to find by it.
    conversation_id: null,
  },
  listAuditLog: {
    key_id: (tenant) => firstOf(tenant, '/v1/audit-log', 'key_id'),
    target_id: (tenant) => firstOf(tenant, '/v1/audit-log', 'target_id'),
  },
  getUsage: { month: null },
  listPhoneNumbers: { account_id: (tenant) => firstOf(tenant, '/v1/accounts', 'id') },
  finishLink: { code: null, state: null, error: null, error_reason: null },
};

type FilterValue = (tenant: TestTenant) => Promise<string>;
const { send_at } = text;
const laterOnly = { send_at };

async function firstOf(tenant: TestTenant, path: string, field: string): Promise<string> {
  const { body } = await tenant.call('GET', `${path}?limit=1`);
  const [first] = body.data;
  const value = first[field] ?? first.actor?.[field];
  if (typeof value !== 'string') throw new Error(`The first item of ${path} has no ${field}: ${JSON.stringify(first)}`);
  return value;
}
