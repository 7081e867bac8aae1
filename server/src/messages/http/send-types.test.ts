import { describe, expect, test } from 'vitest';
import { fakeApi } from '#http/testing/fake-api';
import { post } from '#http/testing/post-message';
import { mediaTypes } from '#media/domain/media-content';
import { messageTypes } from '#messages/domain/content';

const api = fakeApi();
const to = '447700900123';
const id = '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01';

const interactive = (fields: object) => ({ to, type: 'interactive', interactive: fields });
const button = (key: string, title: string) => ({ type: 'reply', reply: { id: key, title } });
const buttons = (...list: readonly object[]) =>
  interactive({ type: 'button', body: { text: 'A' }, action: { buttons: list } });
const rows = (count: number, from = 0) =>
  Array.from({ length: count }, (_row, index) => ({ id: `r${from + index}`, title: 'R' }));
const sections = (...list: readonly object[]) =>
  interactive({ type: 'list', body: { text: 'A' }, action: { button: 'B', sections: list } });
const template = (fields: object) => ({ to, type: 'template', template: { name: 'a', language: 'en', ...fields } });
const media = (type: string, fields: object) => ({ to, type, media: fields });
const component = (fields: object) => template({ components: [fields] });
const card = (body: object) => ({ name: { formatted_name: 'Ada', first_name: 'Ada' }, ...body });

type Case = readonly [label: string, body: object, ...faults: (readonly [path: string, sentence: string])[]];

const mediaCases: readonly Case[] = [
  ['a media that is missing', { to, type: 'image' }, ['media', 'media is required.']],
  ['no source', media('image', {}), ['media', 'media needs exactly one of media_id, link.']],
  [
    'two sources',
    media('image', { media_id: id, link: 'https://a.example' }),
    ['media', 'media needs exactly one of media_id, link.'],
  ],
  [
    'a caption of audio',
    media('audio', { media_id: id, caption: 'x' }),
    ['media.caption', 'media.caption is not a known field here.'],
  ],
  [
    'a caption of a sticker',
    media('sticker', { media_id: id, caption: 'x' }),
    ['media.caption', 'media.caption is not a known field here.'],
  ],
  [
    'a file name of an image',
    media('image', { media_id: id, filename: 'x' }),
    ['media.filename', 'media.filename is not a known field here.'],
  ],
  [
    'a caption of 1025',
    media('video', { media_id: id, caption: 'x'.repeat(1025) }),
    ['media.caption', 'media.caption has 1025 characters; it may have at most 1024.'],
  ],
  [
    'an address that is none',
    media('image', { link: 'ftp://a.example/b' }),
    ['media.link', 'media.link must be an address that begins with http:// or https://.'],
  ],
  [
    'a media_id of the network',
    media('image', { media_id: '900100200300' }),
    ['media.media_id', `media.media_id must be a UUID, for example ${id}.`],
  ],
];

const plainCases: readonly Case[] = [
  [
    'a type that does not exist, and another fault',
    { to, type: 'gif', ttl_s: 0 },
    ['type', `type must be one of ${messageTypes.join(', ')}.`],
    ['ttl_s', 'ttl_s must be a whole number from 1 to 2592000.'],
  ],
  [
    'a body beside another type',
    { to, type: 'location', body: 'x' },
    ['body', 'body is not a known field here.'],
    ['location', 'location is required.'],
  ],
  [
    'a place off the map',
    { to, type: 'location', location: { latitude: 91, longitude: -181 } },
    ['location.latitude', 'location.latitude must be a number from -90 to 90.'],
    ['location.longitude', 'location.longitude must be a number from -180 to 180.'],
  ],
  ['no card', { to, type: 'contacts', contacts: [] }, ['contacts', 'contacts must not be empty.']],
  [
    'a name without parts',
    { to, type: 'contacts', contacts: [card({}), { name: { formatted_name: 'Ada' } }] },
    ['contacts[1].name', 'contacts[1].name needs at least one of first_name'],
  ],
  [
    '258 cards',
    { to, type: 'contacts', contacts: Array.from({ length: 258 }, () => card({})) },
    ['contacts', 'contacts has 258 entries; it may have at most 257.'],
  ],
  [
    'a birthday in words',
    { to, type: 'contacts', contacts: [card({ birthday: 'in May' })] },
    ['contacts[0].birthday', 'contacts[0].birthday must be a day, for example 1990-01-31.'],
  ],
  [
    'a reaction without an emoji',
    { to, type: 'reaction', reaction: { message_id: id } },
    ['reaction.emoji', 'reaction.emoji is required.'],
  ],
  [
    'a reaction that answers',
    { to, type: 'reaction', reaction: { message_id: id, emoji: '👍' }, reply_to: id },
    ['reply_to', 'reply_to is not a known field here.'],
  ],
];

const buttonCases: readonly Case[] = [
  [
    'a kind that is missing',
    interactive({ body: { text: 'A' } }),
    ['interactive.type', 'interactive.type is required.'],
  ],
  [
    'a kind that does not exist',
    interactive({ type: 'poll' }),
    ['interactive.type', 'interactive.type must be one of button, list, cta_url'],
  ],
  [
    'two faults of one button, and a text that is too long',
    interactive({
      type: 'button',
      body: { text: 'x'.repeat(1025) },
      action: { buttons: [button('a', 'A'), { type: 'reply', reply: { id: ' b', title: 'x'.repeat(21) } }] },
    }),
    ['interactive.body.text', 'interactive.body.text has 1025 characters; it may have at most 1024.'],
    [
      'interactive.action.buttons[1].reply.id',
      'interactive.action.buttons[1].reply.id must not begin or end with a space.',
    ],
    [
      'interactive.action.buttons[1].reply.title',
      'interactive.action.buttons[1].reply.title has 21 characters; it may have at most 20.',
    ],
  ],
  [
    'four buttons',
    buttons(button('a', 'A'), button('b', 'B'), button('c', 'C'), button('d', 'D')),
    ['interactive.action.buttons', 'interactive.action.buttons has 4 entries; it may have at most 3.'],
  ],
  [
    'equal buttons',
    buttons(button('a', 'A'), button('a', 'A')),
    [
      'interactive.action.buttons[1].reply.id',
      'interactive.action.buttons[1].reply.id must differ from the id of another button.',
    ],
    [
      'interactive.action.buttons[1].reply.title',
      'interactive.action.buttons[1].reply.title must differ from the title of another button.',
    ],
  ],
  [
    'a title of two lines',
    buttons(button('a', 'A\nB')),
    ['interactive.action.buttons[0].reply.title', 'interactive.action.buttons[0].reply.title must be on one line.'],
  ],
  [
    'a header without its media',
    interactive({
      type: 'button',
      header: { type: 'image', image: {} },
      body: { text: 'A' },
      action: { buttons: [button('a', 'A')] },
    }),
    ['interactive.header.image', 'interactive.header.image needs exactly one of media_id, id, link.'],
  ],
];

const otherInteractiveCases: readonly Case[] = [
  [
    'eleven rows over two sections',
    sections({ title: 'A', rows: rows(6) }, { title: 'B', rows: rows(5, 6) }),
    ['interactive.action.sections', 'interactive.action.sections have 11 rows in total; they may have at most 10.'],
  ],
  [
    'a section without a title among several, and equal rows',
    sections({ title: 'A', rows: rows(1) }, { rows: rows(1) }),
    [
      'interactive.action.sections[1].rows[0].id',
      'interactive.action.sections[1].rows[0].id must differ from the id of another row.',
    ],
    [
      'interactive.action.sections[1].title',
      'interactive.action.sections[1].title is required when there are several sections.',
    ],
  ],
  [
    'an image above a list',
    interactive({
      type: 'list',
      header: { type: 'image', image: { media_id: id } },
      body: { text: 'A' },
      action: { button: 'B', sections: [{ rows: rows(1) }] },
    }),
    ['interactive.header.type', 'interactive.header.type must be "text".'],
    ['interactive.header.text', 'interactive.header.text is required.'],
    ['interactive.header.image', 'interactive.header.image is not a known field here.'],
  ],
  [
    'a link that leads nowhere',
    interactive({
      type: 'cta_url',
      body: { text: 'A' },
      action: { name: 'cta_url', parameters: { display_text: 'A', url: 'x' } },
    }),
    ['interactive.action.parameters.url', 'interactive.action.parameters.url must be an address'],
  ],
  [
    'a flow by id and by name',
    interactive({
      type: 'flow',
      body: { text: 'A' },
      action: {
        name: 'flow',
        parameters: { flow_message_version: '3', flow_id: '1', flow_name: 'a', flow_cta: 'Go 🚀' },
      },
    }),
    ['interactive.action.parameters', 'interactive.action.parameters needs exactly one of flow_id, flow_name.'],
    ['interactive.action.parameters.flow_cta', 'interactive.action.parameters.flow_cta must not contain an emoji.'],
  ],
  [
    'a product with a header',
    interactive({
      type: 'product',
      header: { type: 'text', text: 'A' },
      action: { catalog_id: '1', product_retailer_id: '2' },
    }),
    ['interactive.header', 'interactive.header is not a known field here.'],
  ],
  [
    'a carousel of one card',
    interactive({
      type: 'carousel',
      body: { text: 'A' },
      action: {
        cards: [{ header: { type: 'image', image: { media_id: id } }, body: { text: 'a\nb\nc\nd' }, action: {} }],
      },
    }),
    ['interactive.action.cards', 'interactive.action.cards has 1 entries; it needs at least 2.'],
    ['interactive.action.cards[0].card_index', 'interactive.action.cards[0].card_index is required.'],
    [
      'interactive.action.cards[0].action',
      'interactive.action.cards[0].action needs exactly one of parameters, buttons.',
    ],
    ['interactive.action.cards[0].body.text', 'interactive.action.cards[0].body.text may have at most 2 line breaks.'],
  ],
];

const templateCases: readonly Case[] = [
  [
    'values and components',
    template({ variables: ['a'], components: [] }),
    ['template', 'template accepts either variables or components, not both.'],
  ],
  ['a name with a space', template({ name: 'Order ready' }), ['template.name', 'template.name must be made of']],
  ['a language that is none', template({ language: 'English!' }), ['template.language', 'template.language must be a']],
  [
    'values that are no texts',
    template({ variables: { order_id: 42, 'Order id': 'x', note: 'a\nb' } }),
    ['template.variables.order_id', 'template.variables.order_id must be a string.'],
    ['template.variables.Order id', 'template.variables.Order id is not a name of a variable'],
    ['template.variables.note', 'template.variables.note must not contain a line break'],
  ],
  [
    'an empty value by position',
    template({ variables: ['a', ''] }),
    ['template.variables[1]', 'template.variables[1] must not be empty.'],
  ],
  [
    'a button that does not say which one it is',
    component({ type: 'button', parameters: [{ type: 'payload', payload: 'x' }] }),
    ['template.components[0].sub_type', 'template.components[0].sub_type is required for a button.'],
    ['template.components[0].index', 'template.components[0].index is required for a button.'],
  ],
  [
    'two bodies',
    template({ components: [{ type: 'body' }, { type: 'body' }] }),
    ['template.components[1].type', 'template.components[1].type must differ from the type of another component.'],
  ],
  [
    'a parameter of an unknown kind',
    component({ type: 'body', parameters: [{ type: 'number', number: 1 }] }),
    ['template.components[0].parameters[0].type', 'template.components[0].parameters[0].type must be one of text,'],
  ],
  [
    'a media of no source in a header',
    component({ type: 'header', parameters: [{ type: 'image', image: {} }] }),
    [
      'template.components[0].parameters[0].image',
      'template.components[0].parameters[0].image needs exactly one of media_id, id, link.',
    ],
  ],
];

describe('POST /v1/messages refuses with every fault and its path', () => {
  const cases = [...mediaCases, ...plainCases, ...buttonCases, ...otherInteractiveCases, ...templateCases];
  test.each(cases.map(([label, body, ...faults]) => ({ label, body, faults })))('$label', async ({ body, faults }) => {
    const answer = await post(api, body);
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'validation_failed']);
    const details: { path: string; message: string }[] = answer.json().details;
    expect(details.map(({ path }) => path).toSorted()).toEqual(faults.map(([path]) => `body.${path}`).toSorted());
    for (const [path, sentence] of faults) {
      expect(details.find((detail) => detail.path === `body.${path}`)?.message).toContain(sentence);
    }
    expect(api.accepted).toEqual([]);
  });
});

describe('POST /v1/messages hands on', () => {
  test('every type under its own name, media in one shape', async () => {
    const own = fakeApi();
    for (const type of mediaTypes) await post(own, media(type, { media_id: id }));
    expect(own.accepted.map(({ request }) => request.content)).toEqual(
      mediaTypes.map((type) => ({ type, media: { media_id: id } })),
    );
  });

  test('a reaction to a message of ours as what it names, one to a message of the network as it is', async () => {
    const own = fakeApi();
    await post(own, { to, type: 'reaction', reaction: { message_id: id.toUpperCase(), emoji: '👍' } });
    await post(own, { to, type: 'reaction', reaction: { message_id: 'wamid.ABC', emoji: '' } });
    expect(own.accepted.map(({ request }) => [request.content, request.replyTo])).toEqual([
      [{ type: 'reaction', reaction: { message_id: id, emoji: '👍' } }, id],
      [{ type: 'reaction', reaction: { message_id: 'wamid.ABC', emoji: '' } }, null],
    ]);
  });
});
