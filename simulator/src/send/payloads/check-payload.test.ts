/** Tables of the network's types: what it takes, and the code it refuses the rest with. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../json.ts';
import { checkPayload } from './check-payload.ts';

const many = <T>(count: number, make: (i: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const LINK = { link: 'https://a.example/b' };

const interactive = (change: JsonObject): JsonObject => ({ body: { text: 'Body' }, ...change });
const button = (id: string, title = id): JsonObject => ({ type: 'reply', reply: { id, title } });
const buttons = (list: readonly JsonObject[], change: JsonObject = {}): JsonObject =>
  interactive({ type: 'button', action: { buttons: list }, ...change });
const carousel = (cards: readonly JsonObject[]): JsonObject =>
  interactive({
    type: 'carousel',
    action: { cards: cards.map((card, i) => ({ card_index: i, action: OPENS, ...card })) },
  });
const OPENS = { name: 'cta_url', parameters: { display_text: 'Open', url: 'https://shop.example' } };
const replies = (...ids: readonly string[]): JsonObject => ({
  buttons: ids.map((id) => ({ type: 'quick_reply', quick_reply: { id, title: id } })),
});
const row = (id: string, change: JsonObject = {}): JsonObject => ({ id, title: 'Row', ...change });
const list = (sections: readonly JsonObject[], change: JsonObject = {}): JsonObject =>
  interactive({ type: 'list', action: { button: 'Open', sections }, ...change });
const cta = (parameters: JsonObject): JsonObject =>
  interactive({ type: 'cta_url', action: { name: 'cta_url', parameters } });
const FLOW = { flow_message_version: '3', flow_id: '1', flow_cta: 'Begin' };
const flow = (change: JsonObject): JsonObject =>
  interactive({ type: 'flow', action: { name: 'flow', parameters: { ...FLOW, ...change } } });
const products = (count: number, change: JsonObject = {}): JsonObject =>
  interactive({
    type: 'product_list',
    header: { type: 'text', text: 'Shop' },
    action: {
      catalog_id: '1',
      sections: [{ title: 'All', product_items: many(count, (i) => ({ product_retailer_id: `p${i}` })) }],
    },
    ...change,
  });
const named = (type: string, name: string): JsonObject => interactive({ type, action: { name } });

const INTERACTIVE: readonly (readonly [string, JsonObject, number | null])[] = [
  [
    'three buttons with header and footer',
    buttons([button('a'), button('b'), button('c')], { header: { type: 'image', image: LINK }, footer: { text: 'f' } }),
    null,
  ],
  ['a button id of 256', buttons([button('i'.repeat(256), 'A')]), null],
  ['a button id of 257', buttons([button('i'.repeat(257), 'A')]), 100],
  ['a button title of 21', buttons([button('a', 't'.repeat(21))]), 100],
  ['two buttons with one title', buttons([button('a', 'T'), button('b', 'T')]), 131009],
  ['a button id that begins with a space', buttons([button(' a')]), 131009],
  ['a button title of two lines', buttons([button('a', 'x\ny')]), 131009],
  ['a body of 1025', buttons([button('a')], { body: { text: 'b'.repeat(1025) } }), 100],
  ['a footer of 61', buttons([button('a')], { footer: { text: 'f'.repeat(61) } }), 100],
  ['a header of 61', buttons([button('a')], { header: { type: 'text', text: 'h'.repeat(61) } }), 100],
  ['a header of an unknown type', buttons([button('a')], { header: { type: 'sticker', sticker: LINK } }), 131009],
  ['ten rows in ten sections', list(many(10, (i) => ({ title: `S${i}`, rows: [row(`r${i}`)] }))), null],
  ['a list body of 4096', list([{ rows: [row('a')] }], { body: { text: 'b'.repeat(4096) } }), null],
  ['a list body of 4097', list([{ rows: [row('a')] }], { body: { text: 'b'.repeat(4097) } }), 100],
  ['eleven rows', list([{ rows: many(11, (i) => row(`r${i}`)) }]), 131009],
  ['eleven sections', list(many(11, (i) => ({ title: `S${i}`, rows: [] }))), 131009],
  ['two sections without a title', list([{ rows: [row('a')] }, { rows: [row('b')] }]), 131008],
  ['a section title of 25', list([{ title: 't'.repeat(25), rows: [row('a')] }]), 100],
  ['a row id of 201', list([{ rows: [row('r'.repeat(201))] }]), 100],
  ['a row title of 25', list([{ rows: [row('a', { title: 't'.repeat(25) })] }]), 100],
  ['a row description of 73', list([{ rows: [row('a', { description: 'd'.repeat(73) })] }]), 100],
  ['two rows with one id', list([{ rows: [row('a'), row('a')] }]), 131009],
  ['a list with a picture above', list([{ rows: [row('a')] }], { header: { type: 'image', image: LINK } }), 131009],
  ['a link button', cta({ display_text: 'Open', url: 'https://a.example' }), null],
  ['a link button to nowhere', cta({ display_text: 'Open', url: 'a.example' }), 131009],
  ['a link button with 21 characters', cta({ display_text: 'x'.repeat(21), url: 'https://a.example' }), 100],
  ['a flow', flow({ flow_action: 'navigate', flow_action_payload: { screen: 'A', data: { a: 1 } } }), null],
  ['a flow of version 2', flow({ flow_message_version: '2' }), 131009],
  ['a flow by id and name', flow({ flow_name: 'n' }), 131009],
  ['a flow with empty data', flow({ flow_action_payload: { data: {} } }), 131009],
  ['a flow label of 31', flow({ flow_cta: 'x'.repeat(31) }), 100],
  ['one product without a body', { type: 'product', action: { catalog_id: '1', product_retailer_id: 'p' } }, null],
  ['thirty products', products(30), null],
  ['thirty-one products', products(31), 131009],
  ['products without a header', products(1, { header: undefined }), 131008],
  ['a catalogue', named('catalog_message', 'catalog_message'), null],
  ['a request for a place', named('location_request_message', 'send_location'), null],
  ['a request for a place by another name', named('location_request_message', 'location'), 131009],
  ['a request for a call', named('call_permission_request', 'call_permission_request'), null],
  ['two cards', carousel([{ body: { text: 'a' } }, { body: { text: 'b' } }]), null],
  ['two cards with buttons to answer', carousel([{ action: replies('a') }, { action: replies('b') }]), null],
  ['cards with one button and two', carousel([{ action: replies('a') }, { action: replies('b', 'c') }]), 131009],
  ['cards with buttons of two kinds', carousel([{ action: replies('a') }, {}]), 131009],
  ['a card with no button', carousel([{}, { action: {} }]), 131008],
  ['two cards at one place', carousel([{ card_index: 1 }, {}]), 131009],
  ['a card of four lines', carousel([{ body: { text: 'a' } }, { body: { text: 'a\nb\nc\nd' } }]), 131009],
  ['one card', interactive({ type: 'carousel', action: { cards: [{}] } }), 131009],
  ['an unknown kind', named('hologram', 'x'), 131009],
  ['no action', { type: 'button', body: { text: 'b' } }, 131008],
];

test.each(INTERACTIVE)('interactive with %s', (_label, payload, code) => {
  expect(checkPayload('interactive', { interactive: payload })?.code ?? null).toBe(code);
});

const NAME = { formatted_name: 'Ada Obi', first_name: 'Ada' };
const CONTACTS: readonly (readonly [string, readonly unknown[], number | null])[] = [
  [
    'everything a card can have',
    [
      {
        name: NAME,
        phones: [{ phone: '+1', type: 'CELL', wa_id: '1' }],
        emails: [{ email: 'a@b.example' }],
        addresses: [{ city: 'Berlin' }],
        urls: [{ url: 'https://a.example' }],
        org: { company: 'A' },
        birthday: '1990-02-28',
      },
    ],
    null,
  ],
  ['257 cards', many(257, () => ({ name: NAME })), null],
  ['258 cards', many(258, () => ({ name: NAME })), 100],
  ['only a formatted name', [{ name: { formatted_name: 'Ada' } }], 131008],
  ['a birthday of another form', [{ name: NAME, birthday: '28.2.1990' }], 131009],
  ['phones that are no array', [{ name: NAME, phones: '+1' }], 100],
  ['a misspelt member', [{ name: NAME, phonez: [] }], 100],
];

test.each(CONTACTS)('contacts with %s', (_label, contacts, code) => {
  expect(checkPayload('contacts', { contacts })?.code ?? null).toBe(code);
});

const OTHERS: readonly (readonly [string, string, JsonObject, number | null])[] = [
  ['a sticker with a caption', 'sticker', { ...LINK, caption: 'c' }, 100],
  ['an image with a file name', 'image', { ...LINK, filename: 'a.png' }, 100],
  ['a caption of 1025', 'document', { ...LINK, caption: 'c'.repeat(1025) }, 100],
  ['a voice that is no boolean', 'audio', { ...LINK, voice: 'yes' }, 100],
  ['a place with a name', 'location', { latitude: '52.5', longitude: 13.4, name: 'Here', address: 'There' }, null],
  ['a place without a longitude', 'location', { latitude: 1 }, 131008],
  ['a pin for 31 days', 'pin', { type: 'pin', message_id: 'wamid.X', expiration_days: 31 }, 131009],
  ['a pin', 'pin', { type: 'pin', message_id: 'wamid.X', expiration_days: 7 }, null],
];

test.each(OTHERS)('%s', (_label, type, payload, code) => {
  expect(checkPayload(type, { [type]: payload })?.code ?? null).toBe(code);
});

const body = (...parameters: readonly JsonObject[]): JsonObject => ({ components: [{ type: 'body', parameters }] });
const TEMPLATES: readonly (readonly [string, JsonObject, number | null])[] = [
  ['no components', {}, null],
  ['components in upper case', { components: [{ type: 'BODY', parameters: [{ type: 'TEXT', text: 'a' }] }] }, null],
  [
    'an index as number',
    { components: [{ type: 'button', sub_type: 'url', index: 0, parameters: [{ type: 'text', text: 'a' }] }] },
    null,
  ],
  ['a button without index', { components: [{ type: 'button', sub_type: 'url' }] }, 131008],
  ['an unknown sub type', { components: [{ type: 'button', sub_type: 'swipe', index: '0' }] }, 100],
  ['an unknown component', { components: [{ type: 'tail' }] }, 100],
  ['a parameter of unknown type', body({ type: 'smell' }), 132012],
  ['a parameter without its value', body({ type: 'text' }), 132012],
  ['a currency', body({ type: 'currency', currency: { fallback_value: '1 €', code: 'EUR', amount_1000: 1000 } }), null],
  ['a currency without a fallback', body({ type: 'currency', currency: {} }), 132012],
  ['a text of two lines', body({ type: 'text', text: 'a\nb' }), 132018],
  ['five spaces in a row', body({ type: 'text', text: 'a     b' }), 132018],
  ['a policy that is not deterministic', { language: { code: 'en', policy: 'fallback' } }, 131009],
  [
    'a coupon of 16',
    {
      components: [
        {
          type: 'button',
          sub_type: 'copy_code',
          index: '0',
          parameters: [{ type: 'coupon_code', coupon_code: 'x'.repeat(16) }],
        },
      ],
    },
    100,
  ],
];

test.each(TEMPLATES)('a template with %s', (_label, change, code) => {
  const template = { name: 'order_ready', language: { code: 'en' }, ...change };
  expect(checkPayload('template', { template })?.code ?? null).toBe(code);
});
