import { deflateRawSync } from 'node:zlib';

/** Small files of many formats, made of the headers that real ones begin with. */

export const hex = (digits: string): Buffer => Buffer.from(digits.replaceAll(' ', ''), 'hex');
export const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
export const joined = (...parts: readonly (Buffer | string)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? latin1(part) : part)));

/** Stands for what follows a header. */
const BODY = Buffer.alloc(300, 0x5a);

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A box of the ISO base media format. */
export function box(type: string, ...content: readonly (Buffer | string)[]): Buffer {
  const bytes = joined(type, ...content);
  return joined(uint32(bytes.length + 4), bytes);
}

/** The box that names the brand, then others. */
export function isoFile(brand: string, compatible: string, ...boxes: readonly Buffer[]): Buffer {
  return joined(box('ftyp', brand, uint32(512), compatible), ...boxes);
}

/** A movie box with one track of this kind (`vide`, `soun`) and codec (`avc1`, `hvc1`, `mp4a`). */
export function movie(kind: string, codec: string): Buffer {
  const handler = box('hdlr', uint32(0), uint32(0), kind, Buffer.alloc(12));
  const samples = box('stbl', box('stsd', uint32(0), uint32(1), box(codec, Buffer.alloc(70))));
  return box('moov', box('mvhd', Buffer.alloc(100)), box('trak', box('mdia', handler, box('minf', samples))));
}

export const mediaData = (): Buffer => box('mdat', BODY);

/** The first page of an Ogg stream; what it begins with names the codec. */
export function oggFile(firstPacket: Buffer): Buffer {
  const head = joined('OggS', hex('00 02'), Buffer.alloc(8), hex('01000000 00000000 00000000 01'));
  return joined(head, Buffer.from([firstPacket.length]), firstPacket, BODY);
}

/** The header of Opus: version 1, one channel, 48 kHz. */
export const opusHead = (): Buffer => joined('OpusHead', hex('01 01 3801 80bb0000 0000 00'));

/** An element of EBML with a length of one byte. */
function ebml(id: string, content: Buffer | string): Buffer {
  const bytes = joined(content);
  return joined(hex(id), Buffer.from([0x80 | bytes.length]), bytes);
}

/** `webm` or `matroska`, with one track of this codec. */
export function matroskaFile(docType: string, codec: string): Buffer {
  const header = ebml('1a45dfa3', joined(ebml('4286', hex('01')), ebml('4282', docType), ebml('4287', hex('04'))));
  const tracks = ebml('1654ae6b', ebml('ae', joined(ebml('d7', hex('01')), ebml('86', codec))));
  return joined(header, ebml('18538067', tracks), BODY);
}

/** A file in one chunk format: `RIFF`, length, form, chunks. */
export function riffFile(form: string, ...chunks: readonly (Buffer | string)[]): Buffer {
  const content = joined(form, ...chunks, BODY);
  const length = uint32(content.length).reverse();
  return joined('RIFF', length, content);
}

/** A PNG picture of these chunks between its header and its end. */
export function pngFile(...chunks: readonly string[]): Buffer {
  const chunk = (type: string, content: Buffer): Buffer =>
    joined(uint32(content.length), type, content, Buffer.alloc(4));
  const header = chunk('IHDR', hex('00000001 00000001 08 06 00 00 00'));
  const inner = chunks.map((type) => chunk(type, Buffer.alloc(8)));
  return joined(hex('89504e470d0a1a0a'), header, ...inner, chunk('IEND', Buffer.alloc(0)));
}

/** A JPEG picture with this first segment. */
export function jpegFile(marker: string, content: string, ...more: readonly Buffer[]): Buffer {
  const length = Buffer.from([0, content.length + 2]);
  return joined(hex(`ffd8ff${marker}`), length, content, ...more, BODY, hex('ffd9'));
}

/** A sound of MPEG: this header of a frame, then what frames hold, twice. */
export function frames(header: string): Buffer {
  const frame = joined(hex(header), Buffer.alloc(413));
  return joined(frame, frame);
}

/** A tag of ID3 that holds this many bytes. */
export function id3Tag(bytes: number): Buffer {
  return joined('ID3', hex('03 00 00'), Buffer.from([0, 0, bytes >> 7, bytes & 0x7f]), Buffer.alloc(bytes));
}

/** A zip archive of these entries. */
export function zipFile(entries: Readonly<Record<string, string>>, stored = false): Buffer {
  const locals = Object.entries(entries).map(([name, text]) => {
    const content = stored ? Buffer.from(text) : deflateRawSync(text);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    head.writeUInt16LE(stored ? 0 : 8, 8);
    head.writeUInt32LE(content.length, 18);
    head.writeUInt32LE(text.length, 22);
    head.writeUInt16LE(name.length, 26);
    return joined(head, name, content);
  });
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  return joined(...locals, end);
}

/** An Office document of today whose main part is of this kind: `wordprocessingml.document`, … */
export function officeFile(kind: string): Buffer {
  const type = `application/vnd.openxmlformats-officedocument.${kind}.main+xml`;
  const list = `<?xml version="1.0"?><Types><Override PartName="/main.xml" ContentType="${type}"/></Types>`;
  return zipFile({ '[Content_Types].xml': list, '_rels/.rels': '<Relationships/>' });
}

/** An Office document of old: a compound file. Its first bytes do not tell which. */
export const compoundFile = (): Buffer =>
  joined(hex('d0cf11e0a1b11ae1'), Buffer.alloc(16), hex('3e00 0300 feff 0900'), Buffer.alloc(480));

export const pdfFile = (): Buffer =>
  joined('%PDF-1.4\n%', hex('e2e3cfd3'), '\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF\n');

export const utf16 = (text: string, order: 'le' | 'be'): Buffer => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};

/** `text` again and again, so that no window of the sniffer sees anything else. */
export const long = (text: string): Buffer => Buffer.from(text.repeat(200));
