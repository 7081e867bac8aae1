import { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import { parseAnswer } from '#core/network/network-answer';
import { type TransferFailure, transferFailure } from '#core/network/transfer-failure';
import { bytesMs, EXCHANGE_MS } from '#core/network/transfer-time';
import { MAX_NETWORK_BYTES } from '#media/domain/media';
import type { Config } from '#runtime/config';
import { makeNameLookup } from '#runtime/name-lookup';
import { formHead, formTail } from './media-form.ts';

/** Bytes to hand to the network. */
export interface MediaUpload {
  readonly phoneNumberId: string;
  /** Access token of the number's account; null: that of the settings. */
  readonly token: string | null;
  readonly mimeType: string;
  readonly filename: string | null;
  /** Bytes. */
  readonly size: number;
  /** Consumed once. */
  readonly bytes: Readable;
}

/** Where the network keeps media, for the next five minutes. */
export interface MediaLocation {
  readonly url: string;
  readonly mimeType: string | null;
  /** As the network wrote it: hex here, base64 in callbacks. */
  readonly sha256: string | null;
}

/** Media of a customer at the network. */
export interface WantedMedia {
  readonly networkMediaId: string;
  /** The number that the media must belong to. */
  readonly phoneNumberId: string;
  /** Access token of the number's account; null: that of the settings. */
  readonly token: string | null;
}

type Failed = { readonly kind: 'failed'; readonly failure: TransferFailure };
export type UploadOutcome = { readonly kind: 'uploaded'; readonly networkMediaId: string } | Failed;
export type LocateOutcome = { readonly kind: 'located'; readonly location: MediaLocation } | Failed;
export type DownloadOutcome = { readonly kind: 'bytes'; readonly body: Readable } | Failed;

/** The media part of the network's interface. Tries once, never rejects: what fails is an outcome too. */
export interface MediaClient {
  upload(upload: MediaUpload): Promise<UploadOutcome>;
  locate(wanted: WantedMedia): Promise<LocateOutcome>;
  /**
   * The body may still break, and breaks when the deadline is over; its reader checks the hash.
   * @param token null: that of the settings
   * @param deadlineMs for the whole download, its body included
   */
  download(url: string, token: string | null, deadlineMs: number): Promise<DownloadOutcome>;
  close(): Promise<void>;
}

/** Apart from the connections of sends, so that large files never make a message wait. */
const CONNECTIONS = 32;
const CONNECT_TIMEOUT_MS = 5_000;
const LOOK_UP_MS = 15_000;
const MAX_ANSWER_BYTES = 256 * 1024;
const MAX_WORD_CHARACTERS = 200;
/** Ids are part of a path; the network's are digits. */
const NETWORK_ID = /^[A-Za-z0-9_-]{1,128}$/;

/** @param exchangeMs what each call may take besides its bytes */
export function makeMediaClient(config: Config, exchangeMs = EXCHANGE_MS): MediaClient {
  return new HttpMediaClient(config, exchangeMs);
}

class HttpMediaClient implements MediaClient {
  readonly #config: Config;
  readonly #base: URL;
  readonly #agent: Agent;
  readonly #exchangeMs: number;

  constructor(config: Config, exchangeMs: number) {
    this.#exchangeMs = exchangeMs;
    this.#config = config;
    this.#base = new URL(config.networkUrl);
    this.#agent = new Agent({
      connections: CONNECTIONS,
      pipelining: 1,
      connect: { timeout: CONNECT_TIMEOUT_MS, lookup: makeNameLookup(config) },
      // The deadline of each exchange is the only one.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  async upload({ phoneNumberId, token, mimeType, filename, size, bytes }: MediaUpload): Promise<UploadOutcome> {
    const boundary = `postrider-${crypto.randomUUID()}`;
    const head = formHead(boundary, { mimeType, filename });
    const tail = formTail(boundary);
    const headers = {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + size + tail.length),
    };
    const body = Readable.from(joined(head, bytes, tail), { objectMode: false });
    const request = { method: 'POST', path: `/${phoneNumberId}/media`, token, headers, body, size } as const;
    return this.#ask<UploadOutcome>(request, ({ id }) =>
      typeof id === 'string' && NETWORK_ID.test(id) ? { kind: 'uploaded', networkMediaId: id } : null,
    ).finally(() => bytes.destroy());
  }

  async locate({ networkMediaId, phoneNumberId, token }: WantedMedia): Promise<LocateOutcome> {
    if (!NETWORK_ID.test(networkMediaId)) return unfit('The callback names no usable id of the media.');
    const path = `/${networkMediaId}?phone_number_id=${encodeURIComponent(phoneNumberId)}`;
    return this.#ask<LocateOutcome>({ method: 'GET', path, token }, ({ url, mime_type: mimeType, sha256 }) => {
      if (typeof url !== 'string') return null;
      return { kind: 'located', location: { url, mimeType: wordOf(mimeType), sha256: wordOf(sha256) } };
    });
  }

  async download(url: string, token: string | null, deadlineMs: number): Promise<DownloadOutcome> {
    const address = this.#allowed(url);
    if (address === null) return unfit('The network named an address outside of MESSAGING_MEDIA_HOSTS.');
    try {
      const answer = await this.#agent.request({
        origin: address.origin,
        path: address.pathname + address.search,
        method: 'GET',
        headers: { authorization: this.#bearer(token), 'user-agent': 'curl/8' },
        signal: AbortSignal.timeout(deadlineMs),
      });
      if (answer.statusCode === 200) return sized(answer);
      await answer.body.dump();
      // "expired/invalid → 404": the next try asks for a fresh address.
      return failed({ kind: 'unreachable', reason: `The download was answered with HTTP ${answer.statusCode}.` });
    } catch (error) {
      return failed(unreachable(error));
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  /** Our token is sent along, so only to the network itself: its own address, or one of its file hosts over HTTPS. */
  #allowed(text: string): URL | null {
    if (!URL.canParse(text)) return null;
    const url = new URL(text);
    if (url.username !== '' || url.password !== '') return null;
    if (url.origin === this.#base.origin) return url;
    const hosts = this.#config.mediaHosts.split(',').map((host) => host.trim().toLowerCase());
    return url.protocol === 'https:' && url.port === '' && hosts.includes(url.hostname) ? url : null;
  }

  #bearer(token: string | null): string {
    return `Bearer ${token ?? this.#config.networkToken}`;
  }

  /** A lease is held during a lookup, so it ends early. */
  #deadlineMs({ method, size = 0 }: { readonly method: 'GET' | 'POST'; readonly size?: number }): number {
    return method === 'GET' ? Math.min(LOOK_UP_MS, this.#exchangeMs) : this.#exchangeMs + bytesMs(size);
  }

  /** @param read the part of a success that is wanted; null when it is not there */
  async #ask<Outcome>(
    request: {
      readonly method: 'GET' | 'POST';
      readonly path: string;
      readonly token: string | null;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: Readable;
      /** Bytes of the body. */
      readonly size?: number;
    },
    read: (answer: Readonly<Record<string, unknown>>) => Outcome | null,
  ): Promise<Outcome | Failed> {
    const prefix = `${this.#base.pathname.replace(/\/$/, '')}/${this.#config.networkVersion}`;
    try {
      const answer = await this.#agent.request({
        origin: this.#base.origin,
        method: request.method,
        path: prefix + request.path,
        headers: { ...request.headers, authorization: this.#bearer(request.token) },
        body: request.body ?? null,
        signal: AbortSignal.timeout(this.#deadlineMs(request)),
      });
      const text = await limitedText(answer.body);
      const outcome = answer.statusCode === 200 ? read(parseAnswer(text)) : null;
      return outcome ?? failed(transferFailure(answer.statusCode, text, answer.headers['retry-after']));
    } catch (error) {
      return failed(unreachable(error));
    }
  }
}

async function* joined(head: Buffer, bytes: Readable, tail: Buffer): AsyncGenerator<Uint8Array> {
  yield head;
  yield* bytes as AsyncIterable<Uint8Array>;
  yield tail;
}

/** An announced length beyond the network's own limit is not even begun. */
function sized(answer: Dispatcher.ResponseData): DownloadOutcome {
  const length = Number(answer.headers['content-length'] ?? 0);
  if (length <= MAX_NETWORK_BYTES) return { kind: 'bytes', body: answer.body };
  answer.body.on('error', () => undefined).destroy();
  return unfit(`The media has ${length} bytes.`);
}

async function limitedText(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new Error('The answer does not end.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A type or a digest. */
function wordOf(value: unknown): string | null {
  return typeof value === 'string' && value.length <= MAX_WORD_CHARACTERS ? value : null;
}

function unreachable(error: unknown): TransferFailure {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  const why = typeof code === 'string' ? code : String(message);
  return { kind: 'unreachable', reason: `The network could not be reached (${why}).` };
}

function failed(failure: TransferFailure): Failed {
  return { kind: 'failed', failure };
}

function unfit(reason: string): Failed {
  return failed({ kind: 'unfit', reason });
}
