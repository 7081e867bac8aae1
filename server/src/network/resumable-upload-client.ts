import type { Readable } from 'node:stream';
import { Pool } from 'undici';
import { parseAnswer } from '#core/network/network-answer';
import { type TransferFailure, transferFailure } from '#core/network/transfer-failure';
import { bytesMs, EXCHANGE_MS } from '#core/network/transfer-time';
import type { Config } from '#runtime/config';
import { makeNameLookup } from '#runtime/name-lookup';
import { exchange } from './exchange.ts';

/** A file that the network shall give a handle for. */
export interface SessionFile {
  readonly size: number;
  readonly mimeType: string;
  readonly filename: string | null;
}

/** A piece of it. */
export interface SessionPiece {
  readonly session: string;
  readonly offset: number;
  /** Bytes from `offset` to the end. */
  readonly length: number;
  readonly bytes: Readable;
}

type Failed = { readonly failure: TransferFailure };

/** The network's resumable upload. Tries once, never rejects: what fails is an outcome too. */
export interface SessionClient {
  begin(file: SessionFile): Promise<{ readonly session: string } | Failed>;
  /** How many bytes the network has kept. */
  offsetOf(session: string): Promise<{ readonly offset: number } | Failed>;
  send(piece: SessionPiece): Promise<{ readonly handle: string } | Failed>;
  close(): Promise<void>;
}

const CONNECTIONS = 4;
const CONNECT_TIMEOUT_MS = 5_000;
/** The id is used verbatim as path and query, so it may hold nothing that leads elsewhere. */
const SESSION = /^upload:[\w:.+=~-]{1,1000}(\?sig=[\w.~=%+-]{1,400})?$/;
const MAX_HANDLE_CHARACTERS = 8_000;
const MAX_ANSWER_BYTES = 256 * 1024;

/** @param exchangeMs what each call may take besides its bytes */
export function makeResumableUploadClient(config: Config, exchangeMs = EXCHANGE_MS): SessionClient {
  const base = new URL(config.networkUrl);
  const prefix = `${base.pathname.replace(/\/$/, '')}/${config.networkVersion}`;
  const pool = new Pool(base.origin, {
    connections: CONNECTIONS,
    pipelining: 1,
    connect: { timeout: CONNECT_TIMEOUT_MS, lookup: makeNameLookup(config) },
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: MAX_ANSWER_BYTES,
  });
  // "Authorization: OAuth <token>": this part of the network wants its own word for the scheme.
  const authorization = `OAuth ${config.networkToken}`;
  const ask = async <Outcome>(request: AskRequest, read: (answer: Answer) => Outcome | null) => {
    try {
      const { method, path, headers = {}, body = null, size = 0 } = request;
      const options = { method, path: `${prefix}/${path}`, headers: { ...headers, authorization }, body };
      const { status, text, retryAfter } = await exchange(pool, options, exchangeMs + bytesMs(size));
      const outcome = status === 200 ? read(parseAnswer(text)) : null;
      return outcome ?? { failure: transferFailure(status, text, retryAfter) };
    } catch (error) {
      const reason = `The network could not be reached (${(error as { code?: string }).code ?? (error as Error).message}).`;
      return { failure: { kind: 'unreachable', reason } as const };
    }
  };
  return {
    begin: ({ size, mimeType, filename }) => {
      const query = new URLSearchParams({ file_length: String(size), file_type: mimeType });
      if (filename !== null) query.set('file_name', filename);
      return ask({ method: 'POST', path: `${config.appId}/uploads?${query}` }, ({ id }) =>
        typeof id === 'string' && SESSION.test(id) ? { session: id } : null,
      );
    },
    offsetOf: (session) =>
      ask({ method: 'GET', path: session }, ({ file_offset: text }) => {
        const offset = Number(text);
        return Number.isSafeInteger(offset) && offset >= 0 ? { offset } : null;
      }),
    send: ({ session, offset, length, bytes }) => {
      const headers = { file_offset: String(offset), 'content-length': String(length) };
      return ask({ method: 'POST', path: session, headers, body: bytes, size: length }, ({ h }) =>
        typeof h === 'string' && h !== '' && h.length <= MAX_HANDLE_CHARACTERS ? { handle: h } : null,
      ).finally(() => bytes.destroy());
    },
    close: () => pool.destroy(),
  };
}

type Answer = Readonly<Record<string, unknown>>;

interface AskRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readable;
  /** Bytes of the body. */
  readonly size?: number;
}
