/** A message of each type, as the words describe them. `media` is the id of an uploaded picture. */
export function messagesOfEachType(ids: {
  readonly picture: string;
  readonly sticker: string;
  readonly video: string;
  readonly audio: string;
  readonly document: string;
  readonly answered: string;
}): readonly (readonly [what: string, message: { readonly type: string } & Record<string, unknown>])[] {
  const interactive = (content: object) => ({
    type: 'interactive',
    interactive: { body: { text: 'Well?' }, ...content },
  });
  return [
    ['a text', { type: 'text', body: 'Hello 👋', preview_url: true }],
    ['an answer to a message', { type: 'text', body: 'Thanks', reply_to: ids.answered }],
    ['a template by names', { type: 'template', template: template({ variables: { order_id: '42' } }) }],
    ['a template by position', { type: 'template', template: template({ variables: ['42'] }) }],
    [
      'a template by components',
      {
        type: 'template',
        template: template({ components: [{ type: 'body', parameters: [{ type: 'text', text: '42' }] }] }),
      },
    ],
    ['an uploaded image', { type: 'image', media: { media_id: ids.picture, caption: 'Yours' } }],
    ['an image by its address', { type: 'image', media: { link: 'https://shop.example/a.jpg' } }],
    ['a video', { type: 'video', media: { media_id: ids.video, caption: 'Look' } }],
    ['a recording', { type: 'audio', media: { media_id: ids.audio } }],
    ['a document', { type: 'document', media: { media_id: ids.document, filename: 'Invoice.pdf', caption: 'Due' } }],
    ['a sticker', { type: 'sticker', media: { media_id: ids.sticker } }],
    ['a place', { type: 'location', location: { latitude: 52.5, longitude: 13.4, name: 'Shop', address: 'Road 1' } }],
    [
      'contact cards',
      {
        type: 'contacts',
        contacts: [{ name: { formatted_name: 'Ada Obi', first_name: 'Ada' }, phones: [{ phone: '+447700900124' }] }],
      },
    ],
    ['a reaction', { type: 'reaction', reaction: { message_id: ids.answered, emoji: '👍' } }],
    [
      'buttons',
      interactive({ type: 'button', action: { buttons: [{ type: 'reply', reply: { id: 'y', title: 'Yes' } }] } }),
    ],
    [
      'a list',
      interactive({
        type: 'list',
        action: { button: 'Choose', sections: [{ title: 'All', rows: [{ id: '1', title: 'One' }] }] },
      }),
    ],
    [
      'a button with an address',
      interactive({
        type: 'cta_url',
        action: { name: 'cta_url', parameters: { display_text: 'Open', url: 'https://shop.example' } },
      }),
    ],
    [
      'a flow',
      interactive({
        type: 'flow',
        action: {
          name: 'flow',
          parameters: { flow_message_version: '3', flow_id: '1', flow_cta: 'Begin', flow_token: 't' },
        },
      }),
    ],
    ['a question for the place', interactive({ type: 'location_request_message', action: { name: 'send_location' } })],
  ];
}

function template(values: object): object {
  return { name: 'order_ready', language: 'en_US', ...values };
}
