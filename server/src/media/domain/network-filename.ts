import { baseMimeType } from './media.ts';

const OFFICE = 'application/vnd.openxmlformats-officedocument.';

/** The endings of names that fit a type of the network, the usual one first. */
const ENDINGS: ReadonlyMap<string, readonly [string, ...string[]]> = new Map([
  ['application/msword', ['doc']],
  ['application/pdf', ['pdf']],
  ['application/vnd.ms-excel', ['xls']],
  ['application/vnd.ms-powerpoint', ['ppt']],
  [`${OFFICE}presentationml.presentation`, ['pptx']],
  [`${OFFICE}spreadsheetml.sheet`, ['xlsx']],
  [`${OFFICE}wordprocessingml.document`, ['docx']],
  ['audio/aac', ['aac']],
  ['audio/amr', ['amr']],
  ['audio/mp4', ['m4a', 'mp4']],
  ['audio/mpeg', ['mp3']],
  ['audio/ogg', ['ogg', 'oga', 'opus']],
  ['image/jpeg', ['jpg', 'jpeg']],
  ['image/png', ['png']],
  ['image/webp', ['webp']],
  ['video/3gpp', ['3gp', '3gpp']],
  ['video/mp4', ['mp4', 'm4v']],
]);
const KNOWN: ReadonlySet<string> = new Set([...ENDINGS.values()].flat());
const ENDING = /\.([^.]+)$/;

/**
 * The name under which a file is sent to the network, which refuses an ending that contradicts the type: the caller's,
 * with the ending replaced where it is another type's, and added where no known one is there. Texts have many.
 */
export function networkFilename(filename: string | null, mimeType: string): string | null {
  const fitting = ENDINGS.get(baseMimeType(mimeType));
  if (filename === null || fitting === undefined) return filename;
  const ending = ENDING.exec(filename)?.[1]?.toLowerCase() ?? '';
  if (fitting.includes(ending)) return filename;
  const stem = KNOWN.has(ending) ? filename.replace(ENDING, '') : filename;
  return `${stem}.${fitting[0]}`;
}
