import { expect, test } from 'vitest';
import { networkFilename } from './network-filename.ts';

test.each([
  ['an ending that fits stays', 'IMG_1.JPEG', 'image/jpeg', 'IMG_1.JPEG'],
  ['one of another type is put right', 'photo.jpg', 'image/png', 'photo.png'],
  ['a voice note keeps its own', 'voice.opus', 'audio/ogg; codecs=opus', 'voice.opus'],
  ['none gets one', 'blob', 'audio/ogg; codecs=opus', 'blob.ogg'],
  ['what only looks like one stays before it', 'report v1.2', 'application/pdf', 'report v1.2.pdf'],
  ['texts have any', 'notes.md', 'text/plain', 'notes.md'],
  ['a type that is not the network’s changes nothing', 'a.jpg', 'image/heic', 'a.jpg'],
  ['no name stays none', null, 'image/jpeg', null],
])('%s (%j as %s)', (_label, filename, mimeType, expected) => {
  expect(networkFilename(filename, mimeType)).toBe(expected);
});
