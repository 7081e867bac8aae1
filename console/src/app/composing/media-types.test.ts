import { expect, test } from 'vitest';
import { judgeFile, kindOf } from './media-types.ts';

const MIB = 1_024 * 1_024;

test.each([
  ['image/jpeg', 5 * MIB, { kind: 'image' }],
  ['image/jpeg', 5 * MIB + 1, { fault: 'size', kind: 'image', maxBytes: 5 * MIB }],
  ['audio/ogg; codecs=opus', 1, { kind: 'audio' }],
  ['application/pdf', 100 * MIB, { kind: 'document' }],
  ['application/pdf', 100 * MIB + 1, { fault: 'size', kind: 'document', maxBytes: 100 * MIB }],
  ['image/heic', 1, { fault: 'type', type: 'image/heic' }],
  ['', 1, { fault: 'type', type: '' }],
  ['text/plain', 0, { fault: 'empty' }],
])('a file of type "%s" with %i bytes is judged before it is uploaded', (type, size, judged) => {
  expect(judgeFile({ type, size })).toEqual(judged);
});

test('a file that may be sent as several kinds is sent as the one that shows most', () => {
  expect(kindOf(['document', 'image'])).toBe('image');
  expect(kindOf([])).toBeNull();
});
