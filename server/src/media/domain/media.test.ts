import { describe, expect, test } from 'vitest';
import { isAnimatedWebp, isMimeType, safeFilename, sendableAs } from './media.ts';
import { chooseMimeType, withCodec } from './media-type.ts';

const MB = 1024 * 1024;

describe('what media can be sent as', () => {
  test.each([
    ['image/jpeg', 5 * MB, ['image']],
    ['image/jpeg', 5 * MB + 1, []],
    ['image/png', 1, ['image']],
    ['image/gif', 1, []],
    ['image/webp', 100 * 1024, ['sticker']],
    ['image/webp', 100 * 1024 + 1, []],
    ['video/mp4', 16 * MB, ['video']],
    ['video/mp4', 16 * MB + 1, []],
    ['audio/ogg; codecs=opus', 1, ['audio']],
    ['audio/ogg;codecs="opus"', 1, ['audio']],
    ['audio/ogg; codecs=vorbis', 1, []],
    ['audio/ogg', 1, []],
    ['AUDIO/MPEG', 1, ['audio']],
    ['application/pdf', 100 * MB, ['document']],
    ['application/pdf', 100 * MB + 1, []],
    ['text/plain; charset=utf-8', 1, ['document']],
    ['application/octet-stream', 1, []],
  ])('%s of %i bytes: %j', (mimeType, size, expected) => {
    expect(sendableAs({ mimeType, size, animated: false })).toEqual(expected);
  });

  test('an animated sticker may have 500 KB', () => {
    const at = (size: number) => sendableAs({ mimeType: 'image/webp', size, animated: true });
    expect([at(500 * 1024), at(500 * 1024 + 1)]).toEqual([['sticker'], []]);
  });
});

describe('the type of media', () => {
  const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  test.each([
    ['the bytes decide', 'image/png', 'image/jpeg', 'image/png'],
    ['else the declared one', null, 'Text/Plain', 'text/plain'],
    ['else nothing is known', null, null, 'application/octet-stream'],
    ['an archive may be an Office document', 'application/zip', DOCX, DOCX],
    ['and nothing else', 'application/zip', 'image/png', 'application/zip'],
    ['a compound file may be an old one', 'application/x-cfb', 'application/msword', 'application/msword'],
    ['and nothing else', 'application/x-cfb', 'text/html', 'application/x-cfb'],
    ['names are those of the network', 'audio/x-m4a', null, 'audio/mp4'],
    ['declared ones too', null, 'audio/x-mp3', 'audio/mpeg'],
    ['a type that always shows itself, and did not, is unknown', null, 'image/jpeg', 'application/octet-stream'],
  ])('%s (%s, %s)', (_label, sniffed, declared, expected) => {
    const head = Uint8Array.of(0xff, 1, 2);
    expect(chooseMimeType({ sniffed, declared, head })).toBe(expected);
  });

  test('of a customer’s file is the declared one, with the codec that its bytes show', () => {
    const OPUS = 'audio/ogg; codecs=opus';
    expect(withCodec('audio/ogg', OPUS)).toBe(OPUS);
    expect(withCodec(OPUS, OPUS)).toBe(OPUS);
    expect(withCodec('audio/ogg', 'audio/ogg')).toBe('audio/ogg');
    expect(withCodec('image/jpeg', OPUS)).toBe('image/jpeg');
    expect(withCodec('image/jpeg', null)).toBe('image/jpeg');
  });

  test.each([
    ['image/jpeg', true],
    ['audio/ogg; codecs=opus', true],
    ['text/plain;charset="utf-8"', true],
    ['image', false],
    ['text/html\r\nx: y', false],
    ['a/b; c', false],
    [`a/${'b'.repeat(300)}`, false],
  ])('%j is valid in a header: %s', (text, expected) => {
    expect(isMimeType(text)).toBe(expected);
  });
});

test.each([
  ['parcel.jpg', 'parcel.jpg'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\me\\résumé.pdf', 'résumé.pdf'],
  ['two\r\nlines.txt', 'twolines.txt'],
  ['evil\u202Egpj.exe', 'evilgpj.exe'],
  ['\ud800.txt', '\ufffd.txt'],
  ['..', null],
  ['', null],
  [undefined, null],
])('the file name %j is kept as %j', (name, expected) => {
  expect(safeFilename(name)).toBe(expected);
});

test('a long file name is cut between characters', () => {
  expect(safeFilename('😀'.repeat(300))).toBe('😀'.repeat(200));
});

test('an animated WebP is distinguished from a still one', () => {
  const webp = (chunk: string, flags: number): Uint8Array =>
    Buffer.concat([Buffer.from(`RIFF0000WEBP${chunk}0000`), Buffer.from([flags, 0, 0, 0])]);
  expect([isAnimatedWebp(webp('VP8X', 0x02)), isAnimatedWebp(webp('VP8X', 0x10))]).toEqual([true, false]);
  expect([isAnimatedWebp(webp('VP8 ', 0x02)), isAnimatedWebp(Buffer.from('RIFF'))]).toEqual([false, false]);
});
