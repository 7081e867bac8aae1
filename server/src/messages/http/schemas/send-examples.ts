import type { JsonObject, JsonValue } from '#core/json';

const to = '447700900123';

function interactive<const T extends JsonObject>(summary: string, interactive: T) {
  return { summary, value: { to, type: 'interactive', interactive } } as const;
}

/** Bodies of `POST /v1/messages` as the documentation shows them. A test sends each one. */
export const sendExamples = {
  text: { summary: 'A text message', value: { to: '+44 7700 900123', body: 'Your parcel leaves today.' } },
  oneTimeCode: {
    summary: 'A one-time code that expires after five minutes',
    value: { to, body: 'Your code is 481 516.', priority: 'high', ttl_s: 300, client_ref: 'login-8812' },
  },
  scheduled: {
    summary: 'Part of a campaign, sent later',
    value: {
      to,
      body: 'Our shop opens at nine.',
      campaign_name: 'spring opening',
      send_at: '2030-03-01T08:00:00Z',
    },
  },
  template: {
    summary: 'A template with named values',
    value: {
      to,
      type: 'template',
      template: { name: 'order_ready', language: 'en_US', variables: { first_name: 'Ada', order_no: 'A-17' } },
    },
  },
  templateByPosition: {
    summary: 'A template with values by position',
    value: { to, type: 'template', template: { name: 'order_ready', language: 'en', variables: ['Ada', 'A-17'] } },
  },
  templateWithComponents: {
    summary: 'A template with a header and buttons',
    value: {
      to,
      type: 'template',
      template: {
        name: 'order_ready',
        language: 'en_US',
        components: [
          { type: 'header', parameters: [{ type: 'image', image: { link: 'https://shop.example/a.png' } }] },
          { type: 'body', parameters: [{ type: 'text', text: 'Ada' }] },
          { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'A-17' }] },
        ],
      },
    },
  },
  image: {
    summary: 'An image from a URL',
    value: { to, type: 'image', media: { link: 'https://shop.example/parcel.jpg', caption: 'Your parcel' } },
  },
  video: { summary: 'A video', value: { to, type: 'video', media: { link: 'https://shop.example/clip.mp4' } } },
  audio: {
    summary: 'A voice message',
    value: { to, type: 'audio', media: { link: 'https://shop.example/note.ogg', voice: true } },
  },
  document: {
    summary: 'A document with a filename',
    value: { to, type: 'document', media: { link: 'https://shop.example/42.pdf', filename: 'Invoice 42.pdf' } },
  },
  sticker: { summary: 'A sticker', value: { to, type: 'sticker', media: { link: 'https://shop.example/hi.webp' } } },
  location: {
    summary: 'A location',
    value: {
      to,
      type: 'location',
      location: { latitude: 51.5033, longitude: -0.1196, name: 'Shop', address: '1 Riverside, London' },
    },
  },
  contacts: {
    summary: 'A contact card',
    value: {
      to,
      type: 'contacts',
      contacts: [
        {
          name: { formatted_name: 'Ada Obi', first_name: 'Ada', last_name: 'Obi' },
          phones: [{ phone: '+44 7700 900124', type: 'WORK', wa_id: '447700900124' }],
        },
      ],
    },
  },
  reaction: {
    summary: "A reaction to a customer's message",
    value: { to, type: 'reaction', reaction: { message_id: 'wamid.HBgMNDQ3NzAwOTAwMTI0', emoji: '👍' } },
  },
  buttons: interactive('A question with buttons', {
    type: 'button',
    body: { text: 'Shall we deliver tomorrow?' },
    action: {
      buttons: [
        { type: 'reply', reply: { id: 'yes', title: 'Yes' } },
        { type: 'reply', reply: { id: 'no', title: 'Another day' } },
      ],
    },
  }),
  list: interactive('A list to choose from', {
    type: 'list',
    header: { type: 'text', text: 'Delivery' },
    body: { text: 'Pick a slot' },
    footer: { text: 'Times are local' },
    action: {
      button: 'Slots',
      sections: [{ title: 'Tomorrow', rows: [{ id: 's-am', title: 'Morning', description: '8 to 12' }] }],
    },
  }),
  link: interactive('A button that opens a URL', {
    type: 'cta_url',
    body: { text: 'Follow your parcel' },
    action: { name: 'cta_url', parameters: { display_text: 'Track', url: 'https://shop.example/t/42' } },
  }),
  askForLocation: interactive("A request for the customer's location", {
    type: 'location_request_message',
    body: { text: 'Where are you?' },
    action: { name: 'send_location' },
  }),
} as const satisfies Record<string, { summary: string; value: JsonValue }>;
