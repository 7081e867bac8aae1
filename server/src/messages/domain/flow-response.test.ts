import { expect, test } from 'vitest';
import { readFlowResponse } from './flow-response.ts';

function answer(json: unknown, name: unknown = 'flow') {
  return { type: 'nfm_reply', nfm_reply: { name, body: 'Sent', response_json: json } as never };
}

test.each([
  ['an object, without its token', '{"flow_token":"t-1","rating":5}', 't-1', { rating: 5 }],
  ['an object of an address', '{"values":{"city":"Lagos"}}', null, { values: { city: 'Lagos' } }],
  ['a list', '[1]', null, [1]],
  ['null', 'null', null, null],
  ['text that is no JSON', '{"rating":', null, null],
  ['something that is no text', 7, null, null],
  ['NUL and half a surrogate pair', '{"a":"x\\u0000y\\ud800z"}', null, { a: 'xy\uFFFDz' }],
])('the answers of a form are data: %s', (_label, json, flowToken, data) => {
  expect(readFlowResponse('interactive', answer(json))).toEqual({ name: 'flow', flowToken, data });
});

test('nothing else is an answer of a form', () => {
  expect(readFlowResponse('text', { body: '{}' })).toBeNull();
  expect(readFlowResponse('interactive', { type: 'button_reply', button_reply: { title: 'Yes' } })).toBeNull();
});
