/** Calls to the network's management paths: JSON in, JSON out, each tried once. */
import { Pool } from 'undici';
import type { Asked } from '#accounts/domain/account-network';
import { type AnsweredError, parseAnswer } from '#core/network/network-answer';
import { refusal, type TransferFailure, transferFailure } from '#core/network/transfer-failure';
import type { Config } from '#runtime/config';
import { makeNameLookup } from '#runtime/name-lookup';
import { exchange } from './exchange.ts';
import { type FormFile, wholeForm } from './media-form.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** In all, from the question to the last byte of its answer. Registering a number takes the network some seconds. */
export const GRAPH_DEADLINE_MS = 20_000;

/** An object of an answer, unchecked; its texts can be stored. */
export type Fields = Readonly<Record<string, unknown>>;

export interface Ask {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Behind the version, without a slash at its beginning. */
  readonly path: string;
  /** Null: the call itself identifies the caller. */
  readonly token: string | null;
  readonly body?: object;
  /** Finds a more exact refusal than the error of the answer, which may only say that there are some. */
  readonly refusalIn?: (answer: Fields) => AnsweredError | null;
  /** A file to send as a form, instead of a body. */
  readonly form?: FormFile;
}

/** Asks once, never rejects. @param read what is wanted of a success; null when it is not there */
export type Asker = <T>(ask: Ask, read: (answer: Fields) => T | null) => Promise<Asked<T>>;

interface GraphOptions {
  readonly connections: number;
  readonly maxAnswerBytes: number;
  /** For each call, from the question to the last byte of its answer. */
  readonly deadlineMs: number;
}

/** Opens the network's management paths. */
export function openGraph(
  config: Config,
  { connections, maxAnswerBytes, deadlineMs }: GraphOptions,
): { readonly ask: Asker; readonly close: () => Promise<void> } {
  const base = new URL(config.networkUrl);
  const pool = new Pool(base.origin, {
    connections,
    pipelining: 1,
    connect: { timeout: CONNECT_TIMEOUT_MS, lookup: makeNameLookup(config) },
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: maxAnswerBytes,
  });
  const prefix = `${base.pathname.replace(/\/$/, '')}/${config.networkVersion}`;
  return { ask: makeAsker(pool, prefix, deadlineMs), close: () => pool.destroy() };
}

function makeAsker(pool: Pool, prefix: string, deadlineMs: number): Asker {
  return async (ask, read) => {
    const authorization = ask.token === null ? {} : { authorization: `Bearer ${ask.token}` };
    const { type, body } = contentOf(ask);
    const content = type === null ? {} : { 'content-type': type };
    try {
      const request = {
        method: ask.method,
        path: `${prefix}/${ask.path}`,
        headers: { ...authorization, ...content },
        body,
      };
      const { status, text, retryAfter } = await exchange(pool, request, deadlineMs);
      const value = status === 200 ? read(parseAnswer(text)) : null;
      if (value !== null) return { ok: true, value };
      const exact = ask.refusalIn?.(parseAnswer(text)) ?? null;
      return failed(exact === null ? transferFailure(status, text, retryAfter) : refusal(exact, status, retryAfter));
    } catch (error) {
      // Only the code: a message could repeat the address, which contains the secret of the app.
      const { code } = error as { readonly code?: unknown };
      const why = typeof code === 'string' ? code : 'broken off';
      return failed({ kind: 'unreachable', reason: `The network could not be reached (${why}).` });
    }
  };
}

function contentOf({ body, form }: Ask): { readonly type: string | null; readonly body: string | Buffer | null } {
  if (form !== undefined) return wholeForm(form);
  return body === undefined ? { type: null, body: null } : { type: 'application/json', body: JSON.stringify(body) };
}

/** The outcome of an ask that came to nothing. */
export function failed(failure: TransferFailure): { readonly ok: false; readonly failure: TransferFailure } {
  return { ok: false, failure };
}

/** An object as it is, anything else as an empty one. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** The network's are far shorter. */
const MAX_CURSOR = 2_000;

/** Where the next page of a list begins; null on the last page, which has a cursor too but no `next`. */
export function afterIn(paging: unknown): string | null {
  const { cursors, next } = fieldsOf(paging);
  const { after } = fieldsOf(cursors);
  return typeof next === 'string' && typeof after === 'string' && after.length <= MAX_CURSOR ? after : null;
}
