import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { isJsonObject, type JsonObject, parseSafeJson, toSafeJson } from '#core/json';
import { plainCell } from '#core/text/csv';
import type { FileRow, ImportFormat } from '#imports/domain/import';

/** A longer row is a quote that was never closed. */
const MAX_ROW_CHARACTERS = 100_000;
const DELIMITERS = [',', ';', '\t'] as const;

/**
 * The rows of a file, one at a time with flat memory.
 * @throws Error with a sentence when the file cannot be read on (a quote that is never closed)
 */
export function readRows(file: Readable, format: ImportFormat): AsyncIterable<FileRow> {
  return format === 'csv' ? readTable(file) : readLines(file);
}

async function* readLines(file: Readable): AsyncIterable<FileRow> {
  for await (const line of createInterface({ input: file, crlfDelay: Number.POSITIVE_INFINITY })) {
    const text = line.replace(/^\uFEFF/, '').trim();
    if (text !== '') yield readLine(text);
  }
}

function readLine(text: string): FileRow {
  if (text.length > MAX_ROW_CHARACTERS) return { wrong: `The line is longer than ${MAX_ROW_CHARACTERS} characters.` };
  try {
    const value = parseSafeJson(text);
    return isJsonObject(value) ? { values: flat(value) } : { wrong: 'The line is not a JSON object.' };
  } catch {
    return { wrong: 'The line is not JSON.' };
  }
}

/** `attributes` and `consent` may be objects, as the API has them. */
function flat(values: ReturnType<typeof toSafeJson> & object) {
  const { attributes, consent, ...rest } = values as Record<string, ReturnType<typeof toSafeJson>>;
  return {
    ...rest,
    ...(isJsonObject(consent) && consent.marketing !== undefined ? { marketing: consent.marketing } : {}),
    ...(isJsonObject(attributes)
      ? Object.fromEntries(Object.entries(attributes).map(([key, value]) => [`attributes.${key}`, value]))
      : {}),
  };
}

async function* readTable(file: Readable): AsyncIterable<FileRow> {
  const { delimiter, whole } = await sniffDelimiter(file);
  const options = { bom: true, columns: true, delimiter, relax_column_count: true, skip_empty_lines: true } as const;
  const rows = whole.pipe(parse({ ...options, max_record_size: MAX_ROW_CHARACTERS }));
  // A pipe does not hand on what its source fails with.
  whole.once('error', (error) => rows.destroy(error));
  for await (const row of rows) {
    const values = toSafeJson(row);
    yield isJsonObject(values) ? { values: plain(values) } : { wrong: 'The row cannot be read.' };
  }
}

/** Cells without the apostrophe that kept them from being formulas. */
function plain(values: JsonObject): JsonObject {
  const cells = Object.entries(values).map(([column, cell]) => [
    column,
    typeof cell === 'string' ? plainCell(cell) : cell,
  ]);
  return Object.fromEntries(cells);
}

/** The delimiter that the first line has most of. Spreadsheets of half the world write semicolons. */
async function sniffDelimiter(file: Readable): Promise<{ readonly delimiter: string; readonly whole: Readable }> {
  const chunks = file[Symbol.asyncIterator]();
  const first = await chunks.next();
  const head = first.done ? Buffer.alloc(0) : Buffer.from(first.value);
  const [line = ''] = head.toString('utf8').split(/\r?\n/, 1);
  const counted = DELIMITERS.map((delimiter) => ({ delimiter, count: line.split(delimiter).length }));
  const [best] = counted.toSorted((left, right) => right.count - left.count);
  return { delimiter: best?.delimiter ?? ',', whole: Readable.from(again(head, chunks), { objectMode: false }) };
}

async function* again(head: Buffer, rest: AsyncIterator<unknown>): AsyncIterable<Buffer> {
  if (head.length > 0) yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value as Buffer;
}
