import { expect, test } from 'vitest';
import type { JsonObject } from '#core/json';
import { summarizeInbound } from './inbound-summary.ts';

const item = { product_retailer_id: 'mug', quantity: 2, item_price: 9.5, currency: 'EUR' };

test.each<readonly [label: string, type: string, content: JsonObject, sentence: string | null]>([
  ['a text', 'text', { body: 'Hi' }, null],
  ['a picture', 'image', { id: '1' }, null],
  ['a poll', 'unsupported', { type: 'unsupported', unsupported: { type: 'poll_creation' } }, 'a poll'],
  ['a kind that nobody knows', 'unsupported', { type: 'unsupported', unsupported: { type: 'hat' } }, 'the kind hat'],
  ['an unnamed kind', 'unsupported', { type: 'unsupported', errors: [{ code: 131051 }] }, 'a kind that the network'],
  ['a type of the future', 'unsupported', { type: 'hologram', hologram: { id: '1' } }, 'the kind hologram'],
  ['an answer without its object', 'unsupported', { type: 'interactive' }, 'did not deliver what'],
  ['a type named like a member of every object', 'unsupported', { type: 'constructor' }, 'did not deliver what'],
  ['a greeting', 'unsupported', { type: 'request_welcome' }, 'opened the chat'],
  ['a removed reaction', 'reaction', { message_id: 'x', emoji: '' }, 'removed a reaction'],
  ['a reaction', 'reaction', { message_id: 'x', emoji: '👍' }, null],
  ['a notice with its own words', 'system', { body: 'Ada changed', type: 'user_changed_number' }, null],
  ['a notice without words', 'system', { type: 'customer_identity_changed' }, 'security code'],
  ['an order with words', 'order', { text: 'Two please', product_items: [item] }, null],
  ['an order', 'order', { text: '', product_items: [item, item] }, 'An order of 4 items, EUR 38.00.'],
  ['an order of one', 'order', { product_items: [{ ...item, quantity: 1 }] }, 'An order of 1 item, EUR 9.50.'],
  ['yen, which have no cents', 'order', { product_items: [{ ...item, currency: 'JPY' }] }, 'JPY 19.'],
  ['prices as text', 'order', { product_items: [{ ...item, item_price: '9.5', quantity: '2' }] }, 'EUR 19.00'],
  ['two currencies', 'order', { product_items: [item, { ...item, currency: 'USD' }] }, 'An order of 4 items.'],
  ['no price', 'order', { product_items: [{ quantity: 3, currency: 'EUR' }] }, 'An order of 3 items.'],
  ['an order of nothing', 'order', {}, 'An order of 0 items.'],
])('%s is summarized where it has no text (%s)', (_label, type, content, sentence) => {
  const summary = summarizeInbound(type, content);
  if (sentence === null) expect(summary).toBeNull();
  else expect(summary).toContain(sentence);
});
