import type { MediaMessageType } from '#media/domain/media';
import {
  box,
  compoundFile,
  frames,
  hex,
  id3Tag,
  isoFile,
  joined,
  jpegFile,
  latin1,
  long,
  matroskaFile,
  mediaData,
  movie,
  officeFile,
  oggFile,
  opusHead,
  pdfFile,
  pngFile,
  riffFile,
  utf16,
  zipFile,
} from './media-bytes.ts';

/** A file as people upload it, and what must become of it. */
export interface CorpusFile {
  readonly label: string;
  readonly filename: string;
  /** Content type of the part; the one that says nothing when left out. */
  readonly type?: string;
  /** The field `mime_type`. */
  readonly field?: string;
  readonly bytes: Buffer;
  readonly expected: Stored | Refused;
}

export interface Stored {
  readonly mimeType: string;
  /** The one message type that the network takes it for; null for none. */
  readonly as: MediaMessageType | null;
  /** The network has not said whether it takes such a file: the test does not send it. */
  readonly unreported?: boolean;
}

export interface Refused {
  readonly path: string;
}

const OPUS = 'audio/ogg; codecs=opus';
const OFFICE = 'application/vnd.openxmlformats-officedocument.';
const DOCX = `${OFFICE}wordprocessingml.document`;
const XLSX = `${OFFICE}spreadsheetml.sheet`;
const PPTX = `${OFFICE}presentationml.presentation`;
const UNKNOWN = 'application/octet-stream';

const takenAs = (as: MediaMessageType, mimeType: string): Stored => ({ mimeType, as });
const keptOnly = (mimeType: string): Stored => ({ mimeType, as: null });

type Row = readonly [label: string, filename: string, type: string, bytes: Buffer, expected: Stored | Refused];
const file = ([label, filename, type, bytes, expected]: Row): CorpusFile => ({
  label,
  filename,
  type,
  bytes,
  expected,
});

const voiceNote = oggFile(opusHead());
const audioInMp4 = isoFile('mp42', 'mp42isom', movie('soun', 'mp4a'), mediaData());

const sounds: readonly Row[] = [
  ['a voice note', 'voice.ogg', OPUS, voiceNote, takenAs('audio', OPUS)],
  ['a voice note as audio/opus', 'voice.opus', 'audio/opus', voiceNote, takenAs('audio', OPUS)],
  ['a voice note as audio/ogg', 'voice.oga', 'audio/ogg', voiceNote, takenAs('audio', OPUS)],
  ['a voice note of which nothing is said', 'blob', UNKNOWN, voiceNote, takenAs('audio', OPUS)],
  ['a voice note that says MP3', 'voice.mp3', 'audio/mpeg', voiceNote, takenAs('audio', OPUS)],
  ['Vorbis in Ogg', 'song.ogg', 'audio/ogg', oggFile(joined(hex('01'), 'vorbis')), keptOnly('audio/ogg')],
  ['Vorbis that says Opus', 'song.ogg', OPUS, oggFile(joined(hex('01'), 'vorbis')), keptOnly('audio/ogg')],
  ['FLAC in Ogg', 'song.oga', 'audio/ogg', oggFile(joined(hex('7f'), 'FLAC', hex('01'))), keptOnly('audio/ogg')],
  ['Speex in Ogg', 'song.spx', 'audio/ogg', oggFile(latin1('Speex   1.2')), keptOnly('audio/ogg')],
  ['Ogg that ends in its header', 'cut.ogg', OPUS, voiceNote.subarray(0, 20), keptOnly(UNKNOWN)],
  ['a recording of a browser', 'rec.webm', 'audio/webm', matroskaFile('webm', 'A_OPUS'), keptOnly('audio/webm')],
  ['M4A', 'song.m4a', 'audio/x-m4a', isoFile('M4A ', 'M4A isom', movie('soun', 'mp4a')), takenAs('audio', 'audio/mp4')],
  ['M4A that says nothing', 'song.m4a', UNKNOWN, isoFile('M4A ', 'M4A mp42'), takenAs('audio', 'audio/mp4')],
  ['an audio book', 'book.m4b', 'audio/mp4', isoFile('M4B ', 'M4B isom'), takenAs('audio', 'audio/mp4')],
  ['sound in a plain MP4', 'rec.m4a', 'audio/mp4', audioInMp4, takenAs('audio', 'audio/mp4')],
  ['sound in a plain MP4 as audio/m4a', 'rec.m4a', 'audio/m4a', audioInMp4, takenAs('audio', 'audio/mp4')],
  ['AAC of MPEG-4', 'a.aac', 'audio/aac', frames('fff1 5080'), takenAs('audio', 'audio/aac')],
  ['AAC of MPEG-2 as audio/x-aac', 'a.aac', 'audio/x-aac', frames('fff9 5080'), takenAs('audio', 'audio/aac')],
  [
    'AMR',
    'call.amr',
    'audio/amr',
    joined('#!AMR\n', hex('3c91171604'), Buffer.alloc(60)),
    takenAs('audio', 'audio/amr'),
  ],
  ['MP3', 'song.mp3', 'audio/mpeg', frames('fffb 9064'), takenAs('audio', 'audio/mpeg')],
  ['MP3 as audio/mp3', 'song.mp3', 'audio/mp3', frames('fff3 4064'), takenAs('audio', 'audio/mpeg')],
  ['MP3 with ID3', 'song.mp3', UNKNOWN, joined(id3Tag(100), frames('fffb 9064')), takenAs('audio', 'audio/mpeg')],
  [
    'MP3 with a gap after ID3',
    'song.mp3',
    'audio/mp3',
    joined(id3Tag(100), Buffer.alloc(64), frames('fffb 9064')),
    takenAs('audio', 'audio/mpeg'),
  ],
  [
    'MP3 whose picture fills its first bytes',
    'song.mp3',
    UNKNOWN,
    id3Tag(16_000).subarray(0, 9_000),
    takenAs('audio', 'audio/mpeg'),
  ],
  ['WAV', 'a.wav', 'audio/wav', riffFile('WAVE', 'fmt ', hex('10000000 0100 0100')), keptOnly('audio/wav')],
  ['WAV that says MP3', 'a.mp3', 'audio/mpeg', riffFile('WAVE', 'fmt '), keptOnly('audio/wav')],
  ['FLAC', 'a.flac', 'audio/flac', joined('fLaC', hex('00000022'), Buffer.alloc(34)), keptOnly('audio/flac')],
  ['MIDI', 'a.mid', 'audio/midi', joined('MThd', hex('00000006 0001 0001 0060')), keptOnly('audio/midi')],
  ['a song that is words', 'song.mp3', 'audio/mpeg', long('La la la. '), keptOnly(UNKNOWN)],
];

const films: readonly Row[] = [
  [
    'MP4',
    'a.mp4',
    'video/mp4',
    isoFile('isom', 'isomavc1', movie('vide', 'avc1'), mediaData()),
    takenAs('video', 'video/mp4'),
  ],
  [
    'MP4 of brand avc1',
    'a.mp4',
    UNKNOWN,
    isoFile('avc1', 'avc1mp42', movie('vide', 'avc1')),
    takenAs('video', 'video/mp4'),
  ],
  [
    'MP4 whose index is at its end',
    'a.mp4',
    'video/mp4',
    isoFile('mp42', 'mp42', mediaData(), movie('vide', 'avc1')),
    takenAs('video', 'video/mp4'),
  ],
  // Which codec is inside says the index, which may lie behind all else: the network judges it.
  ['MP4 of HEVC', 'a.mp4', 'video/mp4', isoFile('isom', 'hvc1', movie('vide', 'hvc1')), takenAs('video', 'video/mp4')],
  [
    'a fragmented MP4',
    'a.mp4',
    'video/mp4',
    isoFile('iso5', 'iso5dash', box('moof', Buffer.alloc(40))),
    takenAs('video', 'video/mp4'),
  ],
  ['M4V', 'a.m4v', 'video/x-m4v', isoFile('M4V ', 'M4V mp42', movie('vide', 'avc1')), takenAs('video', 'video/mp4')],
  [
    'a film that says it is a picture',
    'a.jpg',
    'image/jpeg',
    isoFile('isom', 'isom', movie('vide', 'avc1')),
    takenAs('video', 'video/mp4'),
  ],
  ['an upper-case type', 'A.MP4', 'VIDEO/MP4', isoFile('mp41', 'mp41', mediaData()), takenAs('video', 'video/mp4')],
  ['3GP', 'a.3gp', 'video/3gpp', isoFile('3gp5', '3gp5isom', movie('vide', 's263')), takenAs('video', 'video/3gpp')],
  ['3GP2', 'a.3g2', 'video/3gpp2', isoFile('3g2a', '3g2a'), keptOnly('video/3gpp2')],
  [
    'QuickTime',
    'IMG_1.MOV',
    'video/quicktime',
    isoFile('qt  ', 'qt  ', movie('vide', 'hvc1')),
    keptOnly('video/quicktime'),
  ],
  [
    'QuickTime that says MP4',
    'IMG_1.mp4',
    'video/mp4',
    isoFile('qt  ', 'qt  ', mediaData()),
    keptOnly('video/quicktime'),
  ],
  [
    'a film of old without a brand',
    'old.mov',
    'video/mp4',
    joined(movie('vide', 'avc1'), mediaData()),
    keptOnly('video/quicktime'),
  ],
  ['a piece of a stream', 'seg.m4s', 'video/mp4', joined(box('styp', 'msdh'), mediaData()), keptOnly(UNKNOWN)],
  ['an MP4 that ends in its header', 'cut.mp4', 'video/mp4', hex('00000018 6674'), keptOnly(UNKNOWN)],
  ['WebM of VP8', 'a.webm', 'video/webm', matroskaFile('webm', 'V_VP8'), keptOnly('video/webm')],
  ['WebM of VP9 that says MP4', 'a.mp4', 'video/mp4', matroskaFile('webm', 'V_VP9'), keptOnly('video/webm')],
  ['Matroska', 'a.mkv', 'video/x-matroska', matroskaFile('matroska', 'V_MPEG4'), keptOnly('video/matroska')],
  ['AVI', 'a.avi', 'video/mp4', riffFile('AVI ', 'LIST'), keptOnly('video/vnd.avi')],
];

const pictures: readonly Row[] = [
  [
    'JPEG of JFIF',
    'a.jpg',
    'image/jpeg',
    jpegFile('e0', 'JFIF\0\x01\x01\0\0\x01\0\x01\0\0'),
    takenAs('image', 'image/jpeg'),
  ],
  ['JPEG as image/jpg', 'a.jpg', 'image/jpg', jpegFile('e0', 'JFIF\0\x01\x01'), takenAs('image', 'image/jpeg')],
  ['JPEG of a camera', 'DSC.JPG', UNKNOWN, jpegFile('e1', 'Exif\0\0MM\0*\0\0\0\x08'), takenAs('image', 'image/jpeg')],
  ['a progressive JPEG', 'a.jpeg', 'image/pjpeg', jpegFile('db', '\0', hex('ffc2')), takenAs('image', 'image/jpeg')],
  ['JPEG that says PNG', 'a.png', 'image/png', jpegFile('e0', 'JFIF\0'), takenAs('image', 'image/jpeg')],
  ['JPEG that says PDF', 'a.pdf', 'application/pdf', jpegFile('e0', 'JFIF\0'), takenAs('image', 'image/jpeg')],
  ['PNG', 'a.png', 'image/png', pngFile('IDAT'), takenAs('image', 'image/png')],
  ['PNG that says JPEG', 'a.jpg', 'image/jpeg', pngFile('sRGB', 'IDAT'), takenAs('image', 'image/png')],
  ['PNG that moves', 'a.png', 'image/png', pngFile('acTL', 'IDAT'), takenAs('image', 'image/png')],
  ['PNG that ends in its header', 'cut.png', 'image/png', pngFile().subarray(0, 12), keptOnly(UNKNOWN)],
  ['HEIC', 'IMG_1.HEIC', 'image/heic', isoFile('heic', 'mif1heic'), keptOnly('image/heic')],
  ['HEIC that says JPEG', 'IMG_1.jpg', 'image/jpeg', isoFile('heic', 'mif1'), keptOnly('image/heic')],
  ['HEIF', 'IMG_1.heif', UNKNOWN, isoFile('mif1', 'mif1heic'), keptOnly('image/heif')],
  ['AVIF', 'a.avif', 'image/avif', isoFile('avif', 'mif1avif'), keptOnly('image/avif')],
  ['GIF', 'a.gif', 'image/gif', joined('GIF89a', hex('0100 0100 80 00 00')), keptOnly('image/gif')],
  ['GIF that says PNG', 'a.png', 'image/png', joined('GIF87a', hex('0100 0100 80 00 00')), keptOnly('image/gif')],
  ['WebP', 'a.webp', 'image/webp', riffFile('WEBP', 'VP8 ', hex('0a000000')), takenAs('sticker', 'image/webp')],
  [
    'WebP that moves',
    'a.webp',
    'image/webp',
    riffFile('WEBP', 'VP8X', hex('0a000000 02')),
    takenAs('sticker', 'image/webp'),
  ],
  [
    'WebP that says PNG',
    'a.png',
    'image/png',
    riffFile('WEBP', 'VP8L', hex('0a000000')),
    takenAs('sticker', 'image/webp'),
  ],
  ['BMP', 'a.bmp', 'image/bmp', joined('BM', hex('46000000 00000000 36000000 28000000')), keptOnly('image/bmp')],
  ['TIFF', 'a.tif', 'image/tiff', joined('II', hex('2a00 08000000 0000 00000000')), keptOnly('image/tiff')],
  ['SVG', 'a.svg', 'image/svg+xml', long('<svg xmlns="http://www.w3.org/2000/svg"/>'), keptOnly('image/svg+xml')],
  ['HTML that says JPEG', 'a.jpg', 'image/jpeg', long('<!doctype html><script>alert(1)</script>'), keptOnly(UNKNOWN)],
  ['an error page that says PNG', 'a.png', 'image/png', long('{"error":"not found"}'), keptOnly(UNKNOWN)],
  ['one byte that says JPEG', 'a.jpg', 'image/jpeg', hex('ff'), keptOnly(UNKNOWN)],
  ['an empty picture', 'a.jpg', 'image/jpeg', Buffer.alloc(0), { path: 'body.file' }],
];

const documents: readonly Row[] = [
  ['PDF', 'a.pdf', 'application/pdf', pdfFile(), takenAs('document', 'application/pdf')],
  ['PDF as application/x-pdf', 'a.pdf', 'application/x-pdf', pdfFile(), takenAs('document', 'application/pdf')],
  ['PDF that says text', 'a.txt', 'text/plain', pdfFile(), takenAs('document', 'application/pdf')],
  [
    'PDF after a byte order mark',
    'a.pdf',
    UNKNOWN,
    joined(hex('efbbbf'), pdfFile()),
    { ...takenAs('document', 'application/pdf'), unreported: true },
  ],
  [
    'PDF after a line',
    'a.pdf',
    'application/pdf',
    joined('\r\nHTTP/1.1 200 OK\r\n', pdfFile()),
    { ...takenAs('document', 'application/pdf'), unreported: true },
  ],
  ['a PDF that is words', 'a.pdf', 'application/pdf', long('Dear customer, '), keptOnly(UNKNOWN)],
  ['DOCX', 'a.docx', DOCX, officeFile('wordprocessingml.document'), takenAs('document', DOCX)],
  ['XLSX that says nothing', 'a.xlsx', UNKNOWN, officeFile('spreadsheetml.sheet'), takenAs('document', XLSX)],
  ['PPTX that says DOCX', 'a.docx', DOCX, officeFile('presentationml.presentation'), takenAs('document', PPTX)],
  [
    'DOCX whose list of parts comes late',
    'a.docx',
    DOCX,
    zipFile({ 'docProps/app.xml': '<Properties/>' }),
    takenAs('document', DOCX),
  ],
  ['DOC', 'a.doc', 'application/msword', compoundFile(), takenAs('document', 'application/msword')],
  ['XLS', 'a.xls', 'application/vnd.ms-excel', compoundFile(), takenAs('document', 'application/vnd.ms-excel')],
  [
    'PPT',
    'a.ppt',
    'application/vnd.ms-powerpoint',
    compoundFile(),
    takenAs('document', 'application/vnd.ms-powerpoint'),
  ],
  ['DOC of which nothing is said', 'a.doc', UNKNOWN, compoundFile(), keptOnly('application/x-cfb')],
  ['DOCX that is words', 'a.docx', DOCX, long('Dear customer, '), keptOnly(UNKNOWN)],
  ['CSV that says XLS', 'a.xls', 'application/vnd.ms-excel', long('a;b;c\n'), keptOnly(UNKNOWN)],
  [
    'ODT',
    'a.odt',
    'application/vnd.oasis.opendocument.text',
    zipFile({ mimetype: 'application/vnd.oasis.opendocument.text' }, true),
    keptOnly('application/vnd.oasis.opendocument.text'),
  ],
  ['RTF that says DOC', 'a.doc', 'application/msword', long('{\\rtf1\\ansi Hello}'), keptOnly('application/rtf')],
  ['ZIP', 'a.zip', 'application/zip', zipFile({ 'a.txt': 'Hello' }), keptOnly('application/zip')],
  ['ZIP that says PDF', 'a.pdf', 'application/pdf', zipFile({ 'a.txt': 'Hello' }), keptOnly('application/zip')],
  [
    'RAR',
    'a.rar',
    'application/vnd.rar',
    joined('Rar!', hex('1a0700cf907300000d')),
    keptOnly('application/x-rar-compressed'),
  ],
  [
    'a program that says PDF',
    'a.pdf',
    'application/pdf',
    joined('MZ', hex('90000300 00000400 0000ffff')),
    keptOnly('application/x-msdownload'),
  ],
];

const texts: readonly Row[] = [
  ['text in UTF-8', 'a.txt', 'text/plain', Buffer.from('Grüße, 😀\n'), takenAs('document', 'text/plain')],
  ['text in Latin-1', 'a.txt', 'text/plain', latin1('Gr\xfc\xdfe\n'), takenAs('document', 'text/plain')],
  [
    'text in UTF-16',
    'a.txt',
    'text/plain',
    utf16('Grüße\n', 'le'),
    { ...takenAs('document', 'text/plain'), unreported: true },
  ],
  [
    'text in UTF-16, the other way round',
    'a.txt',
    'text/plain',
    utf16('Grüße\n', 'be'),
    { ...takenAs('document', 'text/plain'), unreported: true },
  ],
  [
    'text with a byte order mark',
    'a.txt',
    'text/plain',
    Buffer.from('\ufeffHello\n'),
    takenAs('document', 'text/plain'),
  ],
  [
    'text that begins like a bitmap',
    'cars.txt',
    'text/plain',
    Buffer.from('BMW;320;Blue\n'),
    takenAs('document', 'text/plain'),
  ],
  [
    'text that begins like a sound',
    'macs.txt',
    'text/plain',
    Buffer.from('MAC addresses of the office\n'),
    takenAs('document', 'text/plain'),
  ],
  [
    'text that begins like a GIF',
    'a.txt',
    'text/plain',
    Buffer.from('GIFTS FOR MUM\n'),
    takenAs('document', 'text/plain'),
  ],
  [
    'text that begins like a program',
    'a.txt',
    'text/plain',
    latin1('MZ 12: \xe4\n'),
    takenAs('document', 'text/plain'),
  ],
  ['text of which nothing is said', 'a.txt', UNKNOWN, Buffer.from('Hello\n'), keptOnly(UNKNOWN)],
  ['bytes that say text', 'a.txt', 'text/plain', hex('0001020304050607 08090a0b0c0d0e0f'), keptOnly(UNKNOWN)],
  ['CSV', 'a.csv', 'text/csv', long('a;b\n'), keptOnly('text/csv')],
  ['JSON', 'a.json', 'application/json', long('{"a":1}'), keptOnly('application/json')],
  ['HTML', 'a.html', 'text/html', long('<!doctype html><p>Hello'), keptOnly('text/html')],
  ['XML that says text', 'a.txt', 'text/plain', Buffer.from('<?xml version="1.0"?><a/>'), keptOnly('application/xml')],
];

/** What the field `mime_type` says counts before what the part says. */
const byField: readonly CorpusFile[] = [
  [
    'with parameters',
    'text/plain; charset=utf-8',
    Buffer.from('Hello'),
    takenAs('document', 'text/plain; charset=utf-8'),
  ],
  ['for a voice note', 'audio/opus', voiceNote, takenAs('audio', OPUS)],
  ['with a codec, for sound in a plain MP4', 'audio/x-m4a; codecs=mp4a', audioInMp4, takenAs('audio', 'audio/mp4')],
  ['in capitals', 'IMAGE/JPG', jpegFile('e0', 'JFIF\0'), takenAs('image', 'image/jpeg')],
  ['for an old document', 'application/vnd.ms-excel', compoundFile(), takenAs('document', 'application/vnd.ms-excel')],
  ['that is no type', 'picture', pngFile('IDAT'), { path: 'body.mime_type' }],
].map(([label, field, bytes, expected]) => ({
  label: `a field ${label}`,
  filename: 'upload',
  field,
  bytes,
  expected,
})) as readonly CorpusFile[];

export const mediaCorpus: readonly CorpusFile[] = [
  ...[...sounds, ...films, ...pictures, ...documents, ...texts].map(file),
  ...byField,
];
