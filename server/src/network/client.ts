import { Pool } from 'undici';
import type { SendEdge } from '#core/network/marketing-messages';
import type { SendReadReceipt } from '#messages/domain/read-receipt';
import type { Config } from '#runtime/config';
import { makeNameLookup } from '#runtime/name-lookup';
import { OUTSIDE_AT_ONCE } from '#runtime/outside';
import { classifyAnswer, classifyFailure, type SendOutcome } from './classify.ts';
import { exchange } from './exchange.ts';
import { classifyReceipt, readReceiptBody } from './read-receipt.ts';

/** What a send needs to know. */
export interface NetworkSend {
  readonly phoneNumberId: string;
  readonly edge: SendEdge;
  /** The body as the network wants it; see messageBody. */
  readonly body: string;
  /** Access token of the number's account; null: that of the settings. */
  readonly token: string | null;
  /** Goes along as the header "traceparent"; null: traces are off. */
  readonly traceParent?: string | null;
}

/** Client of the messaging network's Graph-like HTTP interface. */
export interface NetworkClient {
  /** Sends once; never retries automatically. Never rejects: an unknown result is an outcome too. */
  send(send: NetworkSend): Promise<SendOutcome>;
  /** Marks an inbound message as read. Never rejects. */
  markRead: SendReadReceipt;
  close(): Promise<void>;
}

/** Responses are under 1 KB; a longer body is cut off. */
const MAX_ANSWER_BYTES = 256 * 1024;
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
    // The deadline of each exchange is the only one.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: Math.min(5_000, config.networkTimeoutMs), lookup: makeNameLookup(config) },
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxResponseSize: MAX_ANSWER_BYTES,
  };
  const pool = new Pool(base.origin, { ...common, connections: config.sendConcurrency });
  // Separate connections: a send that waited behind a read receipt would leave after its lease was checked.
  const receipts = new Pool(base.origin, { ...common, connections: OUTSIDE_AT_ONCE });
  const shared = headersOf(config.networkToken);
  return {
    send: async ({ phoneNumberId, edge, body, token, traceParent = null }) => {
      try {
        const path = `${prefix}/${phoneNumberId}/${edge}`;
        const own = token === null ? shared : headersOf(token);
        const headers = traceParent === null ? own : { ...own, traceparent: traceParent };
        const answer = await exchange(pool, { method: 'POST', path, headers, body }, config.networkTimeoutMs);
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
        const answer = await exchange(receipts, { method: 'POST', path, headers, body }, config.networkTimeoutMs);
        if (isSuccess(answer.status)) return { kind: 'done' };
        return classifyReceipt(classifyAnswer(answer.status, answer.text, undefined));
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

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
