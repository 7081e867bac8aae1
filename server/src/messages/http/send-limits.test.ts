import { describe, expect, test } from 'vitest';
import { fakeApi } from '#http/testing/fake-api';
import { post } from '#http/testing/post-message';

/*
 * Every length and number that the network states for what a message carries: exactly so much is taken, one more is
 * refused under the path of the place that is too long.
 */
const api = fakeApi();
const to = '447700900123';
const link = 'https://a.example/b';

const x = (length: number): string => 'x'.repeat(length);
const many = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_item, index) => make(index));

const interactive = (fields: object) => ({ to, type: 'interactive', interactive: { body: { text: 'A' }, ...fields } });
const reply = (id: string, title: string) => ({ type: 'reply', reply: { id, title } });
const button = (id: string, title: string, around: object = {}) =>
  interactive({ type: 'button', action: { buttons: [reply(id, title)] }, ...around });
const list = (sections: readonly object[], around: object = {}, opens = 'Open') =>
  interactive({ type: 'list', action: { button: opens, sections }, ...around });
const rowOf = (fields: object) => list([{ rows: [{ id: 'r', title: 'R', ...fields }] }]);
const flow = (label: string) =>
  interactive({
    type: 'flow',
    action: { name: 'flow', parameters: { flow_message_version: '3', flow_id: '1', flow_cta: label } },
  });
const linkButton = (text: string) =>
  interactive({ type: 'cta_url', action: { name: 'cta_url', parameters: { display_text: text, url: link } } });
const products = (...counts: readonly number[]) =>
  interactive({
    type: 'product_list',
    header: { type: 'text', text: 'Shop' },
    action: {
      catalog_id: '1',
      sections: counts.map((count, index) => ({
        title: `S${index}`,
        product_items: many(count, (item) => ({ product_retailer_id: `p${item}` })),
      })),
    },
  });
const opening = (fields: object = {}) => ({
  name: 'cta_url',
  parameters: { display_text: 'Open', url: link, ...fields },
});
const cards = (count: number, text = 'A', action: object = opening()) =>
  interactive({
    type: 'carousel',
    action: {
      cards: many(count, (i) => ({
        card_index: i % 10,
        header: { type: 'image', image: { link } },
        body: { text },
        action,
      })),
    },
  });
const quickReply = (id: string, title: string) => ({ type: 'quick_reply', quick_reply: { id, title } });
const replyCards = (id: string, title: string) => cards(2, 'A', { buttons: [quickReply(id, title)] });
const media = (type: string, caption: string) => ({ to, type, media: { link, caption } });
const template = (fields: object) => ({ to, type: 'template', template: { name: 'a', language: 'en', ...fields } });
const component = (fields: object) => template({ components: [fields] });
const templateButton = (kind: string, parameter: object) =>
  component({ type: 'button', sub_type: kind, index: '0', parameters: [parameter] });
const contacts = (count: number) => ({
  to,
  type: 'contacts',
  contacts: many(count, () => ({ name: { formatted_name: 'Ada', first_name: 'Ada' } })),
});

type Limit = readonly [what: string, most: number, make: (size: number) => object, path: string];

const limits: readonly Limit[] = [
  ['characters of a text', 4096, (size) => ({ to, body: x(size) }), 'body'],
  ['characters below an image', 1024, (size) => media('image', x(size)), 'media.caption'],
  ['characters below a video', 1024, (size) => media('video', x(size)), 'media.caption'],
  ['characters below a document', 1024, (size) => media('document', x(size)), 'media.caption'],
  ['contact cards', 257, contacts, 'contacts'],
  [
    'characters above buttons',
    60,
    (size) => button('a', 'A', { header: { type: 'text', text: x(size) } }),
    'interactive.header.text',
  ],
  ['characters beside buttons', 1024, (size) => button('a', 'A', { body: { text: x(size) } }), 'interactive.body.text'],
  [
    'characters below buttons',
    60,
    (size) => button('a', 'A', { footer: { text: x(size) } }),
    'interactive.footer.text',
  ],
  [
    'buttons',
    3,
    (size) => interactive({ type: 'button', action: { buttons: many(size, (i) => reply(`b${i}`, `B${i}`)) } }),
    'interactive.action.buttons',
  ],
  ['characters of the id of a button', 256, (size) => button(x(size), 'A'), 'interactive.action.buttons[0].reply.id'],
  ['characters of a button', 20, (size) => button('a', x(size)), 'interactive.action.buttons[0].reply.title'],
  [
    'characters beside a list',
    4096,
    (size) => list([{ rows: [{ id: 'r', title: 'R' }] }], { body: { text: x(size) } }),
    'interactive.body.text',
  ],
  [
    'characters on what opens a list',
    20,
    (size) => list([{ rows: [{ id: 'r', title: 'R' }] }], {}, x(size)),
    'interactive.action.button',
  ],
  [
    'sections of a list',
    10,
    (size) => list(many(size, (i) => ({ title: `S${i}`, rows: [{ id: `r${i}`, title: 'R' }] }))),
    'interactive.action.sections',
  ],
  [
    'rows of a section',
    10,
    (size) => list([{ rows: many(size, (i) => ({ id: `r${i}`, title: 'R' })) }]),
    'interactive.action.sections[0].rows',
  ],
  [
    'characters above a section',
    24,
    (size) => list([{ title: x(size), rows: [{ id: 'r', title: 'R' }] }]),
    'interactive.action.sections[0].title',
  ],
  ['characters of the id of a row', 200, (size) => rowOf({ id: x(size) }), 'interactive.action.sections[0].rows[0].id'],
  ['characters of a row', 24, (size) => rowOf({ title: x(size) }), 'interactive.action.sections[0].rows[0].title'],
  [
    'characters below a row',
    72,
    (size) => rowOf({ description: x(size) }),
    'interactive.action.sections[0].rows[0].description',
  ],
  [
    'characters on a button that opens an address',
    20,
    (size) => linkButton(x(size)),
    'interactive.action.parameters.display_text',
  ],
  ['characters on a button that opens a flow', 30, (size) => flow(x(size)), 'interactive.action.parameters.flow_cta'],
  ['products over two sections', 30, (size) => products(10, size - 10), 'interactive.action.sections'],
  ['sections of products', 10, (size) => products(...many(size, () => 1)), 'interactive.action.sections'],
  ['cards side by side', 10, (size) => cards(size), 'interactive.action.cards'],
  ['characters of a card', 160, (size) => cards(2, x(size)), 'interactive.action.cards[0].body.text'],
  [
    'characters on a button of a card that opens an address',
    20,
    (size) => cards(2, 'A', opening({ display_text: x(size) })),
    'interactive.action.cards[0].action.parameters.display_text',
  ],
  [
    'characters of an address of a card',
    2000,
    (size) => cards(2, 'A', opening({ url: `https://a.example/${x(size - 18)}` })),
    'interactive.action.cards[1].action.parameters.url',
  ],
  [
    'buttons of a card',
    3,
    (size) => cards(2, 'A', { buttons: many(size, (i) => quickReply(`b${i}`, `B${i}`)) }),
    'interactive.action.cards[1].action.buttons',
  ],
  [
    'characters of the id of a button of a card',
    256,
    (size) => replyCards(x(size), 'A'),
    'interactive.action.cards[0].action.buttons[0].quick_reply.id',
  ],
  [
    'characters of a button of a card',
    20,
    (size) => replyCards('a', x(size)),
    'interactive.action.cards[0].action.buttons[0].quick_reply.title',
  ],
  ['characters of the name of a template', 512, (size) => template({ name: x(size) }), 'template.name'],
  ['characters of a value by position', 32_768, (size) => template({ variables: [x(size)] }), 'template.variables[0]'],
  [
    'characters of a parameter',
    32_768,
    (size) => component({ type: 'body', parameters: [{ type: 'text', text: x(size) }] }),
    'template.components[0].parameters[0].text',
  ],
  [
    'characters behind the address of a button',
    2000,
    (size) => templateButton('url', { type: 'text', text: x(size) }),
    'template.components[0].parameters[0].text',
  ],
  [
    'characters that come back from a quick reply',
    256,
    (size) => templateButton('quick_reply', { type: 'payload', payload: x(size) }),
    'template.components[0].parameters[0].payload',
  ],
  [
    'characters of a code to copy',
    15,
    (size) => templateButton('copy_code', { type: 'coupon_code', coupon_code: x(size) }),
    'template.components[0].parameters[0].coupon_code',
  ],
];

describe('POST /v1/messages takes so much, and names the place of what is too much', () => {
  test.each(limits)('%s: %i', async (_what, most, make, path) => {
    expect((await post(api, make(most))).json()).toMatchObject({ status: 'queued' });
    const refused = await post(api, make(most + 1));
    const { code, details }: { code: string; details: { path: string; message: string }[] } = refused.json();
    expect([refused.statusCode, code]).toEqual([400, 'validation_failed']);
    expect(details.map((detail) => detail.path)).toContain(`body.${path}`);
    expect(details[0]?.message).toContain(String(most));
  });

  test('a carousel has two cards at least', async () => {
    expect((await post(api, cards(2))).statusCode).toBe(202);
    expect((await post(api, cards(1))).json().details).toMatchObject([{ path: 'body.interactive.action.cards' }]);
  });

  test.each([
    ['four spaces in a row', 'a    b', 202],
    ['five spaces in a row', 'a     b', 400],
    ['a tab', 'a\tb', 400],
    ['a line break', 'a\nb', 400],
  ])('a value of a template with %s', async (_what, text, status) => {
    expect((await post(api, template({ variables: [text] }))).statusCode).toBe(status);
    const parameters = [{ type: 'text', text }];
    expect((await post(api, component({ type: 'body', parameters }))).statusCode).toBe(status);
  });

  test.each([
    ['currency', { code: 'EUR', amount_1000: 1000 }],
    ['date_time', {}],
  ])('a %s needs what is shown when it cannot be formatted', async (type, fields) => {
    const parameterOf = (value: object) => component({ type: 'body', parameters: [{ type, [type]: value }] });
    expect((await post(api, parameterOf({ ...fields, fallback_value: '1 €' }))).statusCode).toBe(202);
    expect((await post(api, parameterOf(fields))).json().details).toMatchObject([
      { path: `body.template.components[0].parameters[0].${type}.fallback_value` },
    ]);
  });
});
