/** Writes Opus packets as an Ogg file (RFC 3533, RFC 7845): what the network takes for a voice note. */
import type { OpusTrack } from './webm-opus.ts';

const HEADER = 27;
const MAX_SEGMENTS = 255;
const SEGMENT = 255;
const FIRST = 2;
const LAST = 4;
/** Opus counts in samples of 48 kHz, whatever was recorded. */
const SAMPLES_PER_MS = 48;
/** About a second in each page. */
const PACKETS_PER_PAGE = 50;
const SERIAL = 1;

/** The file. @returns nothing but pages, in order */
export function writeOgg({ head, packets }: OpusTrack): Uint8Array {
  const pages = [page({ flags: FIRST, samples: 0, number: 0, packets: [head] })];
  pages.push(page({ flags: 0, samples: 0, number: 1, packets: [tags()] }));
  let samples = 0;
  for (let place = 0; place < packets.length; ) {
    const part: Uint8Array[] = [];
    let segments = 0;
    for (let next = packets[place]; next !== undefined && part.length < PACKETS_PER_PAGE; next = packets[place]) {
      segments += Math.floor(next.length / SEGMENT) + 1;
      if (segments > MAX_SEGMENTS && part.length > 0) break;
      part.push(next);
      samples += samplesOf(next);
      place += 1;
    }
    pages.push(page({ flags: place === packets.length ? LAST : 0, samples, number: pages.length, packets: part }));
  }
  return joined(pages);
}

function tags(): Uint8Array {
  const vendor = new TextEncoder().encode('postrider');
  const bytes = new Uint8Array(8 + 4 + vendor.length + 4);
  bytes.set(new TextEncoder().encode('OpusTags'));
  new DataView(bytes.buffer).setUint32(8, vendor.length, true);
  bytes.set(vendor, 12);
  return bytes;
}

/** The length of a packet, which its first byte says (RFC 6716, 3.1). */
export function samplesOf(packet: Uint8Array): number {
  const [first = 0, second = 0] = packet;
  const config = first >> 3;
  const frames = [1, 2, 2, second & 0x3f][first & 3] ?? 1;
  return frames * frameMs(config) * SAMPLES_PER_MS;
}

function frameMs(config: number): number {
  if (config < 12) return [10, 20, 40, 60][config & 3] ?? 20;
  if (config < 16) return [10, 20][config & 1] ?? 20;
  return [2.5, 5, 10, 20][config & 3] ?? 20;
}

interface Page {
  readonly flags: number;
  readonly samples: number;
  readonly number: number;
  readonly packets: readonly Uint8Array[];
}

function page({ flags, samples, number, packets }: Page): Uint8Array {
  const lacing = packets.flatMap(({ length }) => [
    ...Array.from({ length: Math.floor(length / SEGMENT) }, () => SEGMENT),
    length % SEGMENT,
  ]);
  const header = new Uint8Array(HEADER + lacing.length);
  const view = new DataView(header.buffer);
  header.set(new TextEncoder().encode('OggS'));
  header[5] = flags;
  view.setBigUint64(6, BigInt(Math.round(samples)), true);
  view.setUint32(14, SERIAL, true);
  view.setUint32(18, number, true);
  header[26] = lacing.length;
  header.set(lacing, HEADER);
  const bytes = joined([header, ...packets]);
  new DataView(bytes.buffer).setUint32(22, checksum(bytes), true);
  return bytes;
}

const POLYNOMIAL = 0x04c11db7;

/** The checksum of Ogg: CRC-32 without reflection, beginning with zero. */
export function checksum(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) sum = sum < 0 ? (sum << 1) ^ POLYNOMIAL : sum << 1;
  }
  return sum >>> 0;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}
