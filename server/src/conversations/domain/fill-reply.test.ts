import { expect, test } from 'vitest';
import { askedFor, fillReply } from './fill-reply.ts';

const known = new Map([
  ['contact.name', 'Ada'],
  ['contact.attributes.city', '{{?order}}'],
]);
const fill = (text: string, values: Readonly<Record<string, string>> = {}) =>
  fillReply(text, (field) => known.get(field) ?? null, values);

test.each([
  ['Hello {{contact.name|there}}!', {}, 'Hello Ada!', []],
  ['Hello {{ contact.first_name | there }}!', {}, 'Hello there!', []],
  ['To {{contact.country}}', {}, 'To ', ['contact.country']],
  ['Order {{?order number}}, again {{? order number }}', { 'order number': ' 17 ' }, 'Order 17, again 17', []],
  ['Order {{?order number}} {{?order number}}', {}, 'Order  ', ['?order number']],
  ['Order {{?order number|yours}}', { 'order number': '  ' }, 'Order yours', []],
  ['{{contact.attributes.city}}', { order: '17' }, '{{?order}}', []],
  ['{{?toString}}{{toString}}', {}, '', ['?toString', 'toString']],
  ['A {brace} and {{', {}, 'A {brace} and {{', []],
])('%s', (text, values, filled, missing) => {
  expect(fill(text, values as Record<string, string>)).toEqual({ text: filled, missing });
});

test('what is asked for is named once, in the order of the text', () => {
  expect(askedFor('{{?b}} {{contact.name}} {{?a|x}} {{? b }}')).toEqual(['b', 'a']);
});
