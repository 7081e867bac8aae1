import { open } from 'node:fs/promises';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import { type Dispatcher, Pool } from 'undici';
import { bytesMs } from '#core/network/transfer-time';
import { BlobStoreUnavailable, type ByteRange } from './blob-store.ts';
import { asUnavailable, type StagedFile } from './staging-folder.ts';

/** Where the bucket is and how to enter it. */
export interface S3Settings {
  /** `https://s3.eu-central-1.amazonaws.com`, or the address of any server that speaks the same protocol. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Finds the address of the server by its name. */
  readonly lookup: LookupFunction;
  /** The prefix of every key: `postrider/`. May be empty. */
  readonly prefix: string;
  /** What a call may take besides the bytes of a blob, in milliseconds; 30,000 when absent. */
  readonly exchangeMs?: number;
}

const CONNECTIONS = 32;
const CONNECT_TIMEOUT_MS = 5_000;
/** What a call may take besides the bytes of a blob. */
const EXCHANGE_MS = 30_000;
/** Who reads a blob may be slow itself: a phone on a bad line. */
const LEAST_READ_BYTES_PER_MS = 8;
/** An answer that carries no blob is an error message of a few hundred bytes. */
const MAX_ERROR_BYTES = 64 * 1024;
/** "UNSIGNED-PAYLOAD" would do over TLS; an empty body has this hash and costs nothing to name. */
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  readonly key: string;
  readonly query?: URLSearchParams;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readable;
  readonly sha256?: string;
  /** Ends the exchange; absent: it ends when a call without a blob must. */
  readonly signal?: AbortSignal;
}

/** The calls of a bucket, under names that begin with the prefix of the settings. */
export class S3Client {
  readonly #settings: S3Settings;
  readonly #pool: Pool;
  readonly #exchangeMs: number;

  constructor(settings: S3Settings) {
    this.#settings = settings;
    this.#pool = new Pool(new URL(settings.endpoint).origin, {
      connections: CONNECTIONS,
      pipelining: 1,
      connect: { timeout: CONNECT_TIMEOUT_MS, lookup: settings.lookup },
      // The deadline of each exchange is the only one.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#exchangeMs = settings.exchangeMs ?? EXCHANGE_MS;
  }

  /** @param path of the file whose bytes these are */
  async put(key: string, path: string, { size, sha256 }: Pick<StagedFile, 'size' | 'sha256'>): Promise<void> {
    const file = await open(path, 'r').catch((error: unknown) => Promise.reject(asUnavailable(error)));
    const body = file.createReadStream();
    const headers = { 'content-length': String(size) };
    try {
      const signal = AbortSignal.timeout(this.#exchangeMs + bytesMs(size));
      const answer = await this.#send({ method: 'PUT', key, headers, body, sha256, signal });
      if (answer.statusCode !== 200) throw await refusal('PUT', answer);
      await drained(answer);
    } finally {
      body.destroy();
    }
  }

  async get(key: string, range: ByteRange | undefined): Promise<Readable | null> {
    const headers: Record<string, string> = range ? { range: `bytes=${range.first}-${range.last}` } : {};
    const { signal, extend, clear } = deadline(this.#exchangeMs);
    const answer = await this.#send({ method: 'GET', key, headers, signal }).catch((error: unknown) => {
      clear();
      throw error;
    });
    answer.body.once('close', clear);
    if (answer.statusCode === 404) return this.#absent(answer);
    if (answer.statusCode !== (range ? 206 : 200)) throw await refusal('GET', answer);
    extend(Number(answer.headers['content-length'] ?? 0) / LEAST_READ_BYTES_PER_MS);
    return answer.body;
  }

  async size(key: string): Promise<number | null> {
    const answer = await this.#send({ method: 'HEAD', key });
    if (answer.statusCode === 404) return this.#absent(answer);
    if (answer.statusCode !== 200) throw await refusal('HEAD', answer);
    await drained(answer);
    return Number(answer.headers['content-length']);
  }

  async remove(key: string): Promise<void> {
    const answer = await this.#send({ method: 'DELETE', key });
    if (![200, 204, 404].includes(answer.statusCode)) throw await refusal('DELETE', answer);
    await drained(answer);
  }

  /**
   * The names in a folder, that is, behind the prefix and `folder`.
   * @param depth children: folders, each ending in a slash, and files; all: every file below, with its whole name behind `folder`
   */
  async list(folder: string, depth: 'children' | 'all'): Promise<readonly string[]> {
    const start = this.#settings.prefix + folder;
    const names: string[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const query = new URLSearchParams({ 'list-type': '2', prefix: start });
      if (depth === 'children') query.set('delimiter', '/');
      if (after !== '') query.set('start-after', after);
      const page = await this.#textOf(query);
      const found = textsOf(page, /<(?:Key|CommonPrefixes>\s*<Prefix)>([^<]*)</g).toSorted();
      names.push(...found.map((name) => name.slice(start.length)));
      const last = found.at(-1) ?? '';
      // Behind everything in a folder, which stands for all of it.
      const next = last.endsWith('/') ? `${last}\u{10ffff}` : last;
      after = textsOf(page, /<IsTruncated>([^<]*)</g)[0] === 'true' && next > after ? next : null;
    }
    return names.filter((name) => name !== '');
  }

  async #textOf(query: URLSearchParams): Promise<string> {
    const answer = await this.#send({ method: 'GET', key: '', query });
    if (answer.statusCode !== 200) throw await refusal('GET', answer);
    return answer.body.text().catch((error: unknown) => Promise.reject(asUnavailable(error)));
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }

  async #absent(answer: Dispatcher.ResponseData): Promise<null> {
    await drained(answer);
    return null;
  }

  async #send({ method, key, query, headers = {}, body, sha256, signal }: S3Request): Promise<Dispatcher.ResponseData> {
    const { endpoint, bucket, prefix, region, accessKeyId, secretAccessKey } = this.#settings;
    const base = endpoint.replace(/\/+$/, '');
    const signer = new AwsV4Signer({
      method,
      url: query === undefined ? `${base}/${bucket}/${prefix}${key}` : `${base}/${bucket}?${query}`,
      headers: { ...headers, 'x-amz-content-sha256': sha256 ?? EMPTY_SHA256 },
      service: 's3',
      region,
      accessKeyId,
      secretAccessKey,
    });
    const signed = await signer.sign();
    try {
      return await this.#pool.request({
        method,
        path: signed.url.pathname + signed.url.search,
        headers: Object.fromEntries(signed.headers),
        body: body ?? null,
        signal: signal ?? AbortSignal.timeout(this.#exchangeMs),
      });
    } catch (error) {
      throw asUnavailable(error);
    }
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};

/** What the first group of a pattern finds in a page of XML. */
function textsOf(page: string, pattern: RegExp): readonly string[] {
  return [...page.matchAll(pattern)].map(([, text = '']) =>
    text.replace(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity),
  );
}

/** Reads an answer to its end, so that its connection can be used again. */
async function drained({ body }: Dispatcher.ResponseData): Promise<void> {
  await body.dump().catch((error: unknown) => Promise.reject(asUnavailable(error)));
}

/** A deadline that moves away once it is known how many bytes are to come. */
function deadline(ms: number) {
  const end = new AbortController();
  const over = (): void => end.abort(new BlobStoreUnavailable('The bucket took too long.'));
  let timer = setTimeout(over, ms);
  return {
    signal: end.signal,
    clear: () => clearTimeout(timer),
    extend: (moreMs: number) => {
      clearTimeout(timer);
      timer = setTimeout(over, ms + moreMs);
    },
  };
}

/** What the bucket said, for the log: it never reaches a caller. */
async function refusal(method: string, answer: Dispatcher.ResponseData): Promise<BlobStoreUnavailable> {
  const text = await answer.body.text().catch(() => '');
  const code = /<Code>([A-Za-z]{1,60})<\/Code>/.exec(text.slice(0, MAX_ERROR_BYTES))?.[1] ?? 'no code';
  return new BlobStoreUnavailable(`The bucket answered ${method} with ${answer.statusCode} (${code}).`);
}
