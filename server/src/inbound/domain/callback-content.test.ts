import { expect, test } from 'vitest';
import type { JsonObject } from '#core/json';
import { readContent } from './callback-content.ts';

function message(parts: JsonObject): JsonObject {
  return { from: '15550002222', id: 'wamid.IN', timestamp: '1790000000', ...parts };
}

const media = { mime_type: 'image/jpeg', sha256: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=', id: '910920930' };
const card = { name: { formatted_name: 'Ada Obi' }, phones: [{ phone: '+1 555', type: 'CELL' }] };
test.each([
  ['text', { body: 'Hi' }, 'Hi'],
  ['image', { ...media, caption: 'Look' }, 'Look'],
  ['video', media, null],
  ['document', { ...media, filename: 'a.pdf', caption: 'The bill' }, 'The bill'],
  ['audio', { ...media, voice: true }, null],
  ['sticker', { ...media, animated: false }, null],
  ['location', { latitude: 1.5, longitude: 2, name: 'Office', address: '1 Main St' }, 'Office'],
  ['location', { latitude: 1.5, longitude: 2, address: '1 Main St' }, '1 Main St'],
  ['location', { latitude: 1.5, longitude: 2 }, null],
  ['button', { payload: 'p', text: 'Yes' }, 'Yes'],
  ['interactive', { type: 'button_reply', button_reply: { id: 'b', title: 'Yes' } }, 'Yes'],
  ['interactive', { type: 'list_reply', list_reply: { id: 'r', title: 'Morning', description: '8 to 12' } }, 'Morning'],
  ['interactive', { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: '[1]' } }, 'Sent'],
  ['interactive', { type: 'call_permission_reply', call_permission_reply: { response: 'accept' } }, null],
  ['order', { catalog_id: '1', text: 'Two please', product_items: [] }, 'Two please'],
  [
    'system',
    { body: 'Ada changed her number', wa_id: '15550003333', type: 'user_changed_number' },
    'Ada changed her number',
  ],
])('%s is read with its object verbatim (%j)', (type, content, body) => {
  expect(readContent(message({ type, [type]: content }))).toMatchObject({ type, body, content });
});

test('shared contacts are a list on the wire and an object here', () => {
  const item = readContent(message({ type: 'contacts', contacts: [card, card] }));
  expect(item).toMatchObject({ type: 'contacts', body: 'Ada Obi, Ada Obi', content: { contacts: [card, card] } });
});

test('the old type voice is an audio message', () => {
  const item = readContent(message({ type: 'voice', voice: media }));
  expect(item).toMatchObject({ type: 'audio', content: media });
});

test.each([
  [
    'a declared unsupported one',
    { type: 'unsupported', unsupported: { type: 'poll_creation' }, errors: [{ code: 131051 }] },
  ],
  ['a type of the future', { type: 'hologram', hologram: { id: '1' } }],
  ['an interactive answer without its object', { type: 'interactive' }],
  ['a text without a body', { type: 'text', text: {} }],
  ['a message without a type', {}],
  ['a type named like a member of every object', { type: 'constructor' }],
])('%s is unsupported and kept whole', (_label, parts) => {
  const raw = message(parts);
  expect(readContent(raw)).toMatchObject({ type: 'unsupported', body: null, content: raw });
});

test.each([
  ['an emoji', { message_id: 'wamid.OLD', emoji: '👍' }, '👍'],
  ['an emptied emoji', { message_id: 'wamid.OLD', emoji: '' }, null],
  ['no emoji', { message_id: 'wamid.OLD' }, null],
])('a reaction with %s names the message it is about', (_label, reaction, body) => {
  const item = readContent(message({ type: 'reaction', reaction }));
  expect(item).toMatchObject({ type: 'reaction', body, context: { quoted: { id: 'wamid.OLD' } } });
});

test('a reply names the message it answers, a forwarded message none', () => {
  const text = { type: 'text', text: { body: 'Hi' } };
  const reply = readContent(message({ ...text, context: { from: '1', id: 'wamid.OUT' } }));
  const forwarded = readContent(message({ ...text, context: { forwarded: true } }));
  expect(reply.context?.quoted?.id).toBe('wamid.OUT');
  expect(forwarded.context?.quoted).toBeNull();
});

test.each([
  ['nothing', { type: 'text', text: { body: 'Hi' } }, null],
  [
    'the quoted message',
    { type: 'text', text: { body: 'Hi' }, context: { from: '15550001111', id: 'wamid.OUT' } },
    { quoted: { id: 'wamid.OUT', from: '15550001111' } },
  ],
  [
    'the message of a reaction, not what stands in its context',
    { type: 'reaction', reaction: { message_id: 'wamid.OLD', emoji: '👍' }, context: { from: '1', id: 'wamid.OUT' } },
    { quoted: { id: 'wamid.OLD', from: null } },
  ],
  [
    'a forwarded message',
    { type: 'text', text: { body: 'Hi' }, context: { forwarded: true } },
    { forwarded: 'forwarded' },
  ],
  [
    'one that was forwarded many times',
    { type: 'text', text: { body: 'Hi' }, context: { forwarded: true, frequently_forwarded: true } },
    { forwarded: 'frequently_forwarded' },
  ],
  [
    'a product',
    {
      type: 'text',
      text: { body: 'Is it there?' },
      context: { from: '1', id: 'wamid.CATALOG', referred_product: { catalog_id: 7, product_retailer_id: 'mug' } },
    },
    { quoted: { id: 'wamid.CATALOG', from: '1' }, product: { catalogId: '7', retailerId: 'mug' } },
  ],
  [
    'an error beside a picture',
    {
      type: 'image',
      image: media,
      errors: [{ code: 131052, title: 'x', error_data: { details: 'It is too large.' } }],
    },
    { error: { code: 131052, message: 'It is too large.' } },
  ],
  ['malformed parts', { type: 'text', text: { body: 'Hi' }, context: [1], errors: ['x'] }, null],
])('what a message refers to is read: %s', (_label, parts, read) => {
  const { context } = readContent(message(parts as JsonObject));
  const none = { quoted: null, forwarded: null, product: null, error: null };
  expect(context).toEqual(read && { ...none, ...read });
});

test.each([
  ['text', { body: 'Hi' }, true],
  ['order', { catalog_id: '1', product_items: [] }, true],
  ['unsupported', { type: 'poll_creation' }, true],
  ['reaction', { message_id: 'wamid.OLD', emoji: '👍' }, true],
  ['reaction', { message_id: 'wamid.OLD', emoji: '' }, false],
  ['reaction', { message_id: 'wamid.OLD' }, false],
  ['system', { body: 'Ada changed her number', type: 'user_changed_number' }, false],
  ['request_welcome', {}, false],
])('only what a customer says opens the window: %s (%j) → %s', (type, content, opensWindow) => {
  expect(readContent(message({ type, [type]: content })).opensWindow).toBe(opensWindow);
});
