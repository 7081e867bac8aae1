/** The smallest files that look like what they claim to be, for tests. */
import { tinyPhoto } from '../inbound/photo.ts';

const MIB = 1024 * 1024;

export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
export const JPEG = tinyPhoto('test');
export const PDF = Buffer.from('%PDF-1.4\n%%EOF\n', 'latin1');
export const OPUS = Buffer.concat([Buffer.from('OggS'), Buffer.alloc(24), Buffer.from('OpusHead')]);
export const WEBP = Buffer.concat([Buffer.from('RIFF\x00\x00\x00\x00WEBPVP8X', 'latin1'), Buffer.alloc(16)]);

/** A file of exactly `bytes` bytes that begins as an MP4 video does. */
export function video(bytes: number): Buffer {
  const file = Buffer.alloc(bytes, 0x5a);
  file.write('\x00\x00\x00\x18ftypmp42', 0, 'latin1');
  return file;
}

export const SIXTEEN_MIB = 16 * MIB;
