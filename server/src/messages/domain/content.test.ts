import { describe, expect, test } from 'vitest';
import { contentFromStored, type MessageContent, mediaRefs, networkPayload, storedContent } from './content.ts';

const ours = '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01';
const names = { media: new Map([[ours, '900100200300']]), target: null };

const cases: readonly (readonly [label: string, content: MessageContent, network: unknown])[] = [
  ['a text', { type: 'text', body: 'Hi', previewUrl: false }, { body: 'Hi' }],
  ['a text with a preview', { type: 'text', body: 'Hi', previewUrl: true }, { body: 'Hi', preview_url: true }],
  ['a media of ours', { type: 'image', media: { media_id: ours, caption: 'A' } }, { id: '900100200300', caption: 'A' }],
  [
    'a media by its address',
    { type: 'document', media: { link: 'https://a.example/b', filename: 'b.pdf' } },
    { link: 'https://a.example/b', filename: 'b.pdf' },
  ],
  ['a voice message', { type: 'audio', media: { media_id: ours, voice: true } }, { id: '900100200300', voice: true }],
  [
    'a place',
    { type: 'location', location: { latitude: 1.5, longitude: -2, name: 'A' } },
    { latitude: 1.5, longitude: -2, name: 'A' },
  ],
  [
    'contact cards',
    { type: 'contacts', contacts: [{ name: { formatted_name: 'Ada' } }] },
    [{ name: { formatted_name: 'Ada' } }],
  ],
  [
    'a reaction by the id of the network',
    { type: 'reaction', reaction: { message_id: 'wamid.A', emoji: '' } },
    { message_id: 'wamid.A', emoji: '' },
  ],
  [
    'a template without values',
    { type: 'template', template: { name: 'a', language: 'en' } },
    { name: 'a', language: { code: 'en' } },
  ],
  [
    'a template with named values',
    { type: 'template', template: { name: 'a', language: 'en_US', variables: { order_id: '42' } } },
    {
      name: 'a',
      language: { code: 'en_US' },
      components: [{ type: 'body', parameters: [{ type: 'text', parameter_name: 'order_id', text: '42' }] }],
    },
  ],
  [
    'a template with values by position',
    { type: 'template', template: { name: 'a', language: 'en', variables: ['1', '2'] } },
    {
      name: 'a',
      language: { code: 'en' },
      components: [
        {
          type: 'body',
          parameters: [
            { type: 'text', text: '1' },
            { type: 'text', text: '2' },
          ],
        },
      ],
    },
  ],
];

describe('a content', () => {
  test.each(cases)('%s becomes the object of the network', (_label, content, network) => {
    expect(networkPayload(content, names)).toEqual(network);
  });

  test.each(cases)('%s comes back from its stored form', (_label, content) => {
    const stored = JSON.parse(JSON.stringify(storedContent(content)));
    expect(contentFromStored(content.type, stored)).toEqual(content);
  });

  test('of a reaction to a message of ours is sent with the id of the network', () => {
    const content = { type: 'reaction', reaction: { message_id: ours, emoji: '👍' } } as const;
    expect(networkPayload(content, { ...names, target: 'wamid.B' })).toEqual({ message_id: 'wamid.B', emoji: '👍' });
  });
});

describe('media inside a content', () => {
  const header = { type: 'image', image: { media_id: ours } };
  const card = { header: { type: 'video', video: { id: ours } }, action: {} };
  const interactive: MessageContent = {
    type: 'interactive',
    interactive: { type: 'carousel', header, body: { text: 'A' }, action: { cards: [card] } },
  };
  const template: MessageContent = {
    type: 'template',
    template: {
      name: 'a',
      language: 'en',
      components: [
        { type: 'header', parameters: [{ type: 'document', document: { media_id: ours, filename: 'a.pdf' } }] },
        {
          type: 'carousel',
          cards: [
            {
              card_index: 0,
              components: [{ type: 'header', parameters: [{ type: 'image', image: { id: ours } }] }],
            },
          ],
        },
      ],
    },
  };

  test('is found at any depth, with its path and the type it is sent as', () => {
    expect([...mediaRefs(interactive), ...mediaRefs(template)]).toEqual([
      { path: 'body.interactive.header.image.media_id', mediaId: ours, as: 'image' },
      { path: 'body.interactive.action.cards[0].header.video.id', mediaId: ours, as: 'video' },
      { path: 'body.template.components[0].parameters[0].document.media_id', mediaId: ours, as: 'document' },
      { path: 'body.template.components[1].cards[0].components[0].parameters[0].image.id', mediaId: ours, as: 'image' },
    ]);
  });

  test('is sent under the id of the network, and nothing else changes', () => {
    const text = JSON.stringify([networkPayload(interactive, names), networkPayload(template, names)]);
    expect(text).not.toContain(ours);
    expect(networkPayload(interactive, names)).toEqual({
      type: 'carousel',
      header: { type: 'image', image: { id: '900100200300' } },
      body: { text: 'A' },
      action: { cards: [{ header: { type: 'video', video: { id: '900100200300' } }, action: {} }] },
    });
  });

  test('data of a flow that resembles media is left alone', () => {
    const data = { image: { id: ours } };
    const flow: MessageContent = {
      type: 'interactive',
      interactive: { type: 'flow', body: { text: 'A' }, action: { parameters: { flow_action_payload: { data } } } },
    };
    expect(mediaRefs(flow)).toEqual([]);
    expect(networkPayload(flow, names)).toEqual(flow.interactive);
  });
});
