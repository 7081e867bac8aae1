/** Reads the Opus packets out of a WebM file, as browsers record it. */

export interface OpusTrack {
  /** What an Ogg file begins with (RFC 7845, 5.1): WebM carries the same bytes. */
  readonly head: Uint8Array;
  readonly packets: readonly Uint8Array[];
}

/** The file is no WebM recording with one track of Opus. */
export class NotOpus extends Error {
  override name = 'NotOpus';
}

/* The elements of Matroska (RFC 9559) that matter here. */
const SEGMENT = 0x18538067;
const TRACKS = 0x1654ae6b;
const TRACK_ENTRY = 0xae;
const CODEC_PRIVATE = 0x63a2;
const CLUSTER = 0x1f43b675;
const SIMPLE_BLOCK = 0xa3;
const BLOCK_GROUP = 0xa0;
const BLOCK = 0xa1;
const PARENTS: ReadonlySet<number> = new Set([SEGMENT, TRACKS, TRACK_ENTRY, CLUSTER, BLOCK_GROUP]);
/** Track number, time and flags of a block, for the first 127 tracks. */
const BLOCK_HEAD = 4;
const LACING = 0x06;
const OPUS_HEAD = 'OpusHead';

/** @throws NotOpus */
export function readWebm(bytes: Uint8Array): OpusTrack {
  const packets: Uint8Array[] = [];
  let head: Uint8Array | null = null;
  for (const { id, data } of elements(bytes)) {
    if (id === CODEC_PRIVATE) head = data;
    else if (id === SIMPLE_BLOCK || id === BLOCK) packets.push(packetOf(data));
  }
  if (head === null || new TextDecoder().decode(head.subarray(0, OPUS_HEAD.length)) !== OPUS_HEAD)
    throw new NotOpus('The recording has no track of Opus.');
  return { head, packets };
}

function packetOf(block: Uint8Array): Uint8Array {
  if (((block[BLOCK_HEAD - 1] ?? 0) & LACING) !== 0) throw new NotOpus('The recording has several packets in a block.');
  return block.subarray(BLOCK_HEAD);
}

interface Element {
  readonly id: number;
  readonly data: Uint8Array;
}

/** Every element that holds data, in order. Parents are walked through, also those whose size nobody knew in advance. */
function* elements(bytes: Uint8Array): Generator<Element> {
  let place = 0;
  while (place < bytes.length) {
    const id = readNumber(bytes, place, true);
    const size = readNumber(bytes, place + id.length, false);
    const start = place + id.length + size.length;
    if (PARENTS.has(id.value)) {
      place = start;
      continue;
    }
    if (start + size.value > bytes.length) return;
    yield { id: id.value, data: bytes.subarray(start, start + size.value) };
    place = start + size.value;
  }
}

const MARK = 0x80;
const BYTE = 256;

/** A number whose leading zeros say how many bytes it has. @param keepsMark whether the bit that ends them belongs to it */
function readNumber(bytes: Uint8Array, place: number, keepsMark: boolean) {
  const first = bytes[place] ?? 0;
  if (first === 0) throw new NotOpus('The recording is damaged.');
  const length = Math.clz32(first) - 23;
  let value = keepsMark ? first : first & ((MARK >> (length - 1)) - 1);
  for (let one = 1; one < length; one++) value = value * BYTE + (bytes[place + one] ?? 0);
  return { value, length };
}
