/** A grey JPEG of one pixel, made of its segments. */
const START = Buffer.from('ffd8', 'hex');
const COMMENT = [0xff, 0xfe];
const QUANTISATION = Buffer.concat([Buffer.from('ffdb004300', 'hex'), Buffer.alloc(64, 1)]);
const FRAME = Buffer.from('ffc0000b080001000101011100', 'hex');
// One code each: "no difference" for the mean, "end of block" for the rest.
const HUFFMAN_DC = Buffer.concat([Buffer.from('ffc400140001', 'hex'), Buffer.alloc(16)]);
const HUFFMAN_AC = Buffer.concat([Buffer.from('ffc400141001', 'hex'), Buffer.alloc(16)]);
const SCAN_AND_END = Buffer.from('ffda0008010100003f003fffd9', 'hex');

/** The picture with `comment` in it, so that different comments are different files. */
export function tinyPhoto(comment: string): Buffer {
  const text = Buffer.from(comment, 'utf8');
  const length = text.length + 2;
  const note = Buffer.from([...COMMENT, length >> 8, length & 0xff]);
  return Buffer.concat([START, note, text, QUANTISATION, FRAME, HUFFMAN_DC, HUFFMAN_AC, SCAN_AND_END]);
}
