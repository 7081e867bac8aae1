import { expect, test } from 'vitest';
import { yieldsHandle } from './resumable-upload.ts';

test.each([
  ['application/pdf', true],
  ['image/jpeg', true],
  ['image/jpg', true],
  ['image/png', true],
  ['video/mp4', true],
  ['Video/MP4; codecs="avc1"', true],
  ['image/gif', false],
  ['image/webp', false],
  ['video/3gpp', false],
  ['audio/mpeg', false],
  ['text/plain', false],
  ['application/octet-stream', false],
])('the network gives a handle for %s: %s', (mimeType, expected) => {
  expect(yieldsHandle(mimeType)).toBe(expected);
});
