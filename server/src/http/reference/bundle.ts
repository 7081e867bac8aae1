/** Scalar's program for the browser, from the package that is installed: it never comes from another address. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** The program in the form that a browser asked for. */
export interface Bundle {
  readonly length: number;
  readonly etag: string;
  readonly encoding: 'gzip' | null;
  /** The bytes; a stream must be read or destroyed. */
  readonly open: () => Buffer | Readable;
}

interface Packed {
  readonly gzipped: Buffer;
  readonly sha256: string;
  readonly length: number;
}

/**
 * Reads the program when it is first asked for: 3.5 MB, of which 1 MB stays in memory, packed. Browsers that take no
 * gzip are few, so they get it from the disk, as a stream: many slow readers must not fill the memory.
 * @param file of the program, for tests
 */
export function makeBundle(file: string = installedFile()): (acceptEncoding: string | undefined) => Promise<Bundle> {
  let packing: Promise<Packed> | null = null;
  const packed = (): Promise<Packed> => {
    packing ??= pack(file).catch((error: unknown) => {
      packing = null;
      throw error;
    });
    return packing;
  };
  return async (acceptEncoding) => {
    const { gzipped, sha256, length } = await packed();
    // Two forms are two representations, so each has a tag of its own (RFC 9110, 8.8.3).
    if (!takesGzip(acceptEncoding)) {
      return { length, etag: `"${sha256}"`, encoding: null, open: () => createReadStream(file) };
    }
    return { length: gzipped.length, etag: `"${sha256}-gzip"`, encoding: 'gzip', open: () => gzipped };
  };
}

function installedFile(): string {
  const entry = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
  return join(dirname(entry), 'js', 'standalone.js');
}

async function pack(file: string): Promise<Packed> {
  const bytes = await readFile(file);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { gzipped: await promisify(gzip)(bytes), sha256, length: bytes.length };
}

/** Whether a client that sends this Accept-Encoding takes gzip. */
export function takesGzip(acceptEncoding = ''): boolean {
  const [, weight = '1'] = /(?:^|,)\s*gzip\s*(?:;\s*q=([\d.]+))?\s*(?:,|$)/i.exec(acceptEncoding) ?? ['', '0'];
  return Number(weight) > 0;
}
