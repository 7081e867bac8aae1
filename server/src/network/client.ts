import { type Dispatcher, Pool } from 'undici';
import type { TellRead } from '#core/read-receipt';
import type { Config } from '#runtime/config';
import { classifyAnswer, classifyFailure, type SendOutcome } from './classify.ts';
import { classifyReceipt, readReceiptBody } from './read-receipt.ts';

/** What a send needs to know. */
export interface NetworkSend {
  readonly phoneNumberId: string;
  /** The body as the network wants it; see messageBody. */
  readonly body: string;
  /** Access token of the number's account; null: that of the settings. */
  readonly token: string | null;
}

/** Client of the messaging network's Graph-like HTTP interface. */
export interface NetworkClient {
  /** Sends once; never repeats by itself. Never rejects: what is not known is an outcome too. */
  send(send: NetworkSend): Promise<SendOutcome>;
  /** Marks an inbound message as read. Never rejects. */
  markRead: TellRead;
  close(): Promise<void>;
}

/** Answers are under 1 KB; a body that goes on is cut off. */
const MAX_ANSWER_BYTES = 256 * 1024;
/** Read receipts have connections of their own: a send that waited behind one would leave after its lease was asked. */
const RECEIPT_CONNECTIONS = 8;
/** Below the network's own idle time, so that a connection is not closed under a request. */
const KEEP_ALIVE_MS = 4_000;

/**
 * undici's Pool, not fetch (50,000 against 5,900 requests/s in one process). No retries in the HTTP stack, no
 * redirects, no pipelining: one request per connection at a time, so that a broken connection concerns one message.
 */
export function makeNetworkClient(config: Config): NetworkClient {
  const base = new URL(config.networkUrl);
  const prefix = `${base.pathname.replace(/\/$/, '')}/${config.networkVersion}`;
  const common = {
    pipelining: 1,
    headersTimeout: config.networkTimeoutMs,
    bodyTimeout: config.networkTimeoutMs,
    connect: { timeout: Math.min(5_000, config.networkTimeoutMs) },
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxResponseSize: MAX_ANSWER_BYTES,
  };
  const pool = new Pool(base.origin, { ...common, connections: config.sendConcurrency });
  const receipts = new Pool(base.origin, { ...common, connections: RECEIPT_CONNECTIONS });
  const shared = headersOf(config.networkToken);
  return {
    send: async ({ phoneNumberId, body, token }) => {
      try {
        const path = `${prefix}/${phoneNumberId}/messages`;
        const headers = token === null ? shared : headersOf(token);
        const answer = await exchange(pool, { method: 'POST', path, headers, body });
        return classifyAnswer(answer.status, answer.text, answer.retryAfter);
      } catch (error) {
        return classifyFailure(error);
      }
    },
    markRead: async (receipt) => {
      try {
        const path = `${prefix}/${receipt.phoneNumberId}/messages`;
        const body = readReceiptBody(receipt);
        const headers = receipt.token === null ? shared : headersOf(receipt.token);
        const { statusCode, body: answer } = await receipts.request({ method: 'POST', path, headers, body });
        const text = await answer.text();
        return isSuccess(statusCode) ? { kind: 'done' } : classifyReceipt(classifyAnswer(statusCode, text, undefined));
      } catch (error) {
        return classifyReceipt(classifyFailure(error));
      }
    },
    close: async () => {
      await Promise.all([pool.destroy(), receipts.destroy()]);
    },
  };
}

function headersOf(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | string[] | undefined;
}

/** One request, its answer whole: without the stream that Pool.request makes for each body, which is never needed here. */
function exchange(pool: Pool, request: Dispatcher.DispatchOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let status = 0;
    let retryAfter: Answer['retryAfter'];
    pool.dispatch(request, {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, statusCode, headers) => {
        status = statusCode;
        retryAfter = headers['retry-after'];
      },
      onResponseData: (_controller, chunk) => void chunks.push(chunk),
      onResponseEnd: () => resolve({ status, retryAfter, text: textOf(chunks) }),
      onResponseError: (_controller, error) => reject(error),
    });
  });
}

/** An answer nearly always comes in one piece. */
function textOf(chunks: readonly Buffer[]): string {
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined ? first.toString('utf8') : Buffer.concat(chunks).toString('utf8');
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
