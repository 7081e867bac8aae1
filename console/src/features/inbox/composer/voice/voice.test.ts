import { expect, test } from 'vitest';
import { checksum, samplesOf, writeOgg } from './ogg-opus.ts';
import { NotOpus, readWebm } from './webm-opus.ts';

const ascii = (text: string): number[] => [...new TextEncoder().encode(text)];
const HEAD = [...ascii('OpusHead'), 1, 1, 0x38, 1, 0x80, 0xbb, 0, 0, 0, 0, 0];
/** 20 ms each: one frame of the configuration 31. */
const PACKETS = [[0xf8, 1, 2, 3], [0xf8, ...Array.from({ length: 300 }, (_, place) => place % 256)], [0xf8]];

const element = (id: number[], data: number[]): number[] => [
  ...id,
  0x40 | (data.length >> 8),
  data.length & 0xff,
  ...data,
];
const UNKNOWN_SIZE = [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
const block = (packet: number[], flags = 0x80) => element([0xa3], [0x81, 0, 0, flags, ...packet]);

/** A recording as Chromium writes it: segment and clusters have no known size. */
function webm(blocks: number[][], head = HEAD): Uint8Array {
  return new Uint8Array([
    ...element([0x1a, 0x45, 0xdf, 0xa3], [0x42, 0x82, 0x84, ...ascii('webm')]),
    ...[0x18, 0x53, 0x80, 0x67],
    ...UNKNOWN_SIZE,
    ...element([0x16, 0x54, 0xae, 0x6b], element([0xae], [...element([0xd7], [1]), ...element([0x63, 0xa2], head)])),
    ...[0x1f, 0x43, 0xb6, 0x75],
    ...UNKNOWN_SIZE,
    ...element([0xe7], [0]),
    ...blocks.flat(),
  ]);
}

/** The packets of an Ogg file, read page by page; its checksums are checked. */
function readOgg(file: Uint8Array) {
  const pages: { flags: number; samples: number; packets: number[][] }[] = [];
  for (let place = 0; place < file.length; ) {
    const view = new DataView(file.buffer, file.byteOffset + place);
    const count = view.getUint8(26);
    const lacing = [...file.subarray(place + 27, place + 27 + count)];
    const length = 27 + count + lacing.reduce((sum, one) => sum + one, 0);
    const whole = file.slice(place, place + length);
    const sum = view.getUint32(22, true);
    new DataView(whole.buffer).setUint32(22, 0, true);
    expect(checksum(whole)).toBe(sum);
    expect(view.getUint32(18, true)).toBe(pages.length);
    const packets: number[][] = [[]];
    let at = 27 + count;
    for (const one of lacing) {
      packets.at(-1)?.push(...whole.subarray(at, at + one));
      at += one;
      if (one < 255) packets.push([]);
    }
    pages.push({ flags: view.getUint8(5), samples: Number(view.getBigUint64(6, true)), packets: packets.slice(0, -1) });
    place += length;
  }
  return pages;
}

test('the checksum is that of Ogg', () => {
  // The check value of CRC-32 with this polynomial, no reflection, and zero at both ends.
  expect(checksum(new Uint8Array(ascii('123456789')))).toBe(0x89a1897f);
});

test('a recording is wrapped anew without a change of its packets', () => {
  const pages = readOgg(writeOgg(readWebm(webm(PACKETS.map((packet) => block(packet))))));
  expect(pages.map(({ flags, samples }) => [flags, samples])).toEqual([
    [2, 0],
    [0, 0],
    [4, 2_880],
  ]);
  expect(pages[0]?.packets).toEqual([HEAD]);
  expect(pages[1]?.packets[0]?.slice(0, 8)).toEqual(ascii('OpusTags'));
  expect(pages[2]?.packets).toEqual(PACKETS);
});

test('a long recording becomes many pages, and only the last one says that it is the last', () => {
  const pages = readOgg(writeOgg(readWebm(webm(Array.from({ length: 120 }, () => block([0xf8, 9]))))));
  expect(pages.map(({ flags }) => flags)).toEqual([2, 0, 0, 0, 4]);
  expect(pages.at(-1)?.samples).toBe(120 * 960);
});

test.each([
  [[0xf8], 960],
  [[0xf9], 1_920],
  [[0xfb, 3], 2_880],
  [[0xe0], 120],
  [[0x18], 2_880],
  [[0x60], 480],
])('the packet %j is %i samples long', (packet, samples) => {
  expect(samplesOf(new Uint8Array(packet))).toBe(samples);
});

test('what is no recording of Opus is refused', () => {
  expect(() => readWebm(new Uint8Array([0, 1, 2]))).toThrow(NotOpus);
  expect(() => readWebm(webm([], ascii('VorbisHd')))).toThrow(NotOpus);
  expect(() => readWebm(webm([block([1, 2], 0x82)]))).toThrow(NotOpus);
});
