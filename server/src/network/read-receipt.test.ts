import { expect, test } from 'vitest';
import { classifyAnswer } from './classify.ts';
import { classifyReceipt, readReceiptBody } from './read-receipt.ts';

const receipt = { phoneNumberId: '200', networkMessageId: 'wamid.A', token: null, typing: false };

test('a receipt is what the network wants, with the typing indicator only when asked for', () => {
  const plain = { messaging_product: 'whatsapp', status: 'read', message_id: 'wamid.A' };
  expect(JSON.parse(readReceiptBody(receipt))).toEqual(plain);
  expect(JSON.parse(readReceiptBody({ ...receipt, typing: true }))).toEqual({
    ...plain,
    typing_indicator: { type: 'text' },
  });
});

test.each([
  [400, 131009, 'refused'],
  [401, 190, 'refused'],
  [400, 130429, 'unreachable'],
  [500, 131000, 'unreachable'],
  [503, 2, 'unreachable'],
])('HTTP %i with the code %i is %s', (status, code, kind) => {
  const answer = classifyAnswer(status, JSON.stringify({ error: { code } }), undefined);
  expect(classifyReceipt(answer).kind).toBe(kind);
});

test('an answer that cannot be read is worth another try', () => {
  expect(classifyReceipt(classifyAnswer(502, '<html>', undefined))).toEqual({ kind: 'unreachable' });
});
