import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip, createGzip } from 'node:zlib';
import { BackupUnusable, type RowFile, type TableEntry } from '#backups/domain/manifest';
import { RowDigest } from '#backups/domain/row-digest';
import type { Archive } from '#blobs/archive';

/** Half the time of the default, and a tenth more bytes. */
const COMPRESSION = { level: 3 };
/** Of a file before it is compressed: a bucket takes 5 GiB at most, and what is on its way to one waits on the local disk. */
export const FILE_BYTES = 256 * 1024 * 1024;

/** The rows of a table on their way into files. */
export interface TableSource {
  readonly table: string;
  readonly columns: readonly string[];
  readonly portions: AsyncIterable<readonly string[]>;
}

/** Writes the rows of a table, as fast as the archive takes them, with constant memory. */
export async function writeTable(
  archive: Archive,
  folder: string,
  { table, columns, portions }: TableSource,
  fileBytes = FILE_BYTES,
): Promise<TableEntry> {
  const digest = new RowDigest();
  const source = new Portions(portions);
  const files: RowFile[] = [];
  while (await source.hasMore()) {
    const name = `${folder}/tables/${table}.${String(files.length + 1).padStart(4, '0')}.ndjson.gz`;
    files.push(await writeFile(archive, name, source.upTo(fileBytes, digest)));
  }
  return { columns, rows: digest.rows, digest: digest.hex, files };
}

/** Portions that several files take from, one after the other. */
class Portions {
  readonly #source: AsyncIterator<readonly string[]>;
  #next: IteratorResult<readonly string[]> | null = null;

  constructor(portions: AsyncIterable<readonly string[]>) {
    this.#source = portions[Symbol.asyncIterator]();
  }

  async hasMore(): Promise<boolean> {
    this.#next ??= await this.#source.next();
    return this.#next.done !== true;
  }

  /** Adds up what it gives in `digest`. */
  async *upTo(bytes: number, digest: RowDigest): AsyncGenerator<readonly string[]> {
    for (let given = 0; given < bytes && (await this.hasMore()); ) {
      const portion: readonly string[] = this.#next?.value ?? [];
      this.#next = null;
      for (const line of portion) {
        digest.add(line);
        given += line.length;
      }
      yield portion;
    }
  }
}

async function writeFile(archive: Archive, name: string, portions: AsyncIterable<readonly string[]>): Promise<RowFile> {
  const hash = createHash('sha256');
  const counts = { rows: 0, bytes: 0 };
  async function* texts(): AsyncGenerator<Buffer> {
    for await (const portion of portions) {
      counts.rows += portion.length;
      yield Buffer.from(portion.map((line) => `${line}\n`).join(''));
    }
  }
  const gzip = createGzip(COMPRESSION);
  const compressing = pipeline(Readable.from(texts()), gzip);
  // Its failure reaches the archive through the stream; here it must only not be unheard.
  compressing.catch(() => undefined);
  await archive.write(name, hashed(gzip, hash, counts));
  await compressing;
  return { name, ...counts, sha256: hash.digest('hex') };
}

/** Passes bytes on, hashed and counted. */
async function* hashed(
  source: AsyncIterable<Uint8Array>,
  hash: Hash,
  counts: { bytes: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    hash.update(chunk);
    counts.bytes += chunk.length;
    yield chunk;
  }
}

/** Lines of one insert. */
const PORTION_BYTES = 1024 * 1024;
const PORTION_ROWS = 500;

/**
 * The rows of a table out of its files, in portions. Only at the end of each file is it known whether it is what was written:
 * whoever uses the rows must be able to take that back.
 * @throws BackupUnusable when a file is missing, or has other rows than were written
 */
export async function* readTable(
  archive: Archive,
  table: string,
  entry: TableEntry,
): AsyncGenerator<readonly string[]> {
  const digest = new RowDigest();
  for (const file of entry.files) {
    for await (const portion of readFile(archive, file)) {
      for (const line of portion) digest.add(line);
      yield portion;
    }
  }
  if (digest.rows !== entry.rows || digest.hex !== entry.digest)
    throw new BackupUnusable(`The table ${table} of the backup does not have the rows that its manifest counts.`);
}

async function* readFile(archive: Archive, { name, rows, sha256 }: RowFile): AsyncGenerator<readonly string[]> {
  const stored = await archive.read(name);
  if (stored === null) throw new BackupUnusable(`${name} is missing from the backup.`);
  const hash = createHash('sha256');
  const gunzip = createGunzip();
  const reading = pipeline(hashed(stored, hash, { bytes: 0 }), gunzip);
  // Its failure reaches the reader through the stream; here it must only not be unheard.
  reading.catch(() => undefined);
  let read = 0;
  try {
    for await (const portion of portionsOf(gunzip)) {
      read += portion.length;
      yield portion;
    }
    await reading;
  } catch (error) {
    throw isOfZlib(error) ? damaged(name) : error;
  } finally {
    stored.destroy();
  }
  if (read !== rows || hash.digest('hex') !== sha256) throw damaged(name);
}

async function* portionsOf(source: AsyncIterable<Buffer>): AsyncGenerator<readonly string[]> {
  let portion: string[] = [];
  let bytes = 0;
  for await (const line of linesOf(source)) {
    portion.push(line);
    bytes += line.length;
    if (bytes < PORTION_BYTES && portion.length < PORTION_ROWS) continue;
    yield portion;
    portion = [];
    bytes = 0;
  }
  if (portion.length > 0) yield portion;
}

/** Lines end at a newline and nowhere else: texts of customers have other characters that some take for the end of one. */
async function* linesOf(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of source) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  rest += decoder.end();
  if (rest !== '') yield rest;
}

function damaged(name: string): BackupUnusable {
  return new BackupUnusable(`${name} is damaged: it is not what was written.`);
}

function isOfZlib(error: unknown): boolean {
  return String((error as { readonly code?: unknown }).code).startsWith('Z_');
}
