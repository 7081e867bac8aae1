/** Scalar's program for the browser, from the package that is installed: it never comes from another address. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** The program in the form that a browser asked for. */
export interface Bundle {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly encoding: 'gzip' | null;
}

interface Packed {
  readonly gzipped: Buffer;
  readonly sha256: string;
}

/**
 * Reads the program when it is first asked for: 3.5 MB, of which 1 MB stays in memory, packed. Browsers that take no
 * gzip are few, so they get it from the disk each time.
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
    const { gzipped, sha256 } = await packed();
    // Two forms are two representations, so each has a tag of its own (RFC 9110, 8.8.3).
    if (takesGzip(acceptEncoding)) return { bytes: gzipped, etag: `"${sha256}-gzip"`, encoding: 'gzip' };
    return { bytes: await readFile(file), etag: `"${sha256}"`, encoding: null };
  };
}

function installedFile(): string {
  const entry = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
  return join(dirname(entry), 'js', 'standalone.js');
}

async function pack(file: string): Promise<Packed> {
  const bytes = await readFile(file);
  return { gzipped: await promisify(gzip)(bytes), sha256: createHash('sha256').update(bytes).digest('hex') };
}

function takesGzip(acceptEncoding = ''): boolean {
  const [, weight = '1'] = /(?:^|,)\s*gzip\s*(?:;\s*q=([\d.]+))?\s*(?:,|$)/i.exec(acceptEncoding) ?? ['', '0'];
  return Number(weight) > 0;
}
