import { Pool } from 'undici';
import { pause } from '../harness/pause.ts';
import { API_KEY } from '../harness/server.ts';
import type { Simulator } from '../harness/simulator.ts';
import type { Random } from '../random.ts';
import type { ClientInbound, ClientMessage } from './evidence.ts';

/** The caller's own record of what was promised to it. */
export interface ClientLog {
  readonly messages: ClientMessage[];
  readonly inbound: ClientInbound[];
}

export interface ClientSpec {
  readonly serverUrl: string;
  readonly simulator: Simulator;
  readonly phoneNumberIds: readonly string[];
  readonly random: Random;
  /** Distinguishes the rounds in references and keys. */
  readonly round: number;
  readonly log: ClientLog;
}

/** Posts per second that do not wait for each other. */
const RATE = 110;
/** Callers that post one after the other, each to a different recipient. */
const STREAMS = 6;
const KEYED_SHARE = 0.4;
/** Of the messages outside of streams, so many are to be sent later, each at a time within these seconds. */
const LATER_SHARE = 0.05;
const LATEST_S = 5;
const CONTACTS = 12;
const INBOUND_EVERY_MS = 80;
const FIRST_RECIPIENT = 15_551_000_000;
const FIRST_CONTACT = 15_559_000_000;
/** An answer that takes longer is none; it must be longer than a frozen server stays frozen. */
const ANSWER_TIMEOUT_MS = 5_000;
const REPEAT_AFTER_MS = 150;
/** A key is repeated until it is answered: the service must be back by then. */
const GIVE_UP_AFTER_MS = 60_000;
/** Not much faster than a recipient is served, one message after the other, by a network that is slow: rounds would never end. */
const STREAM_PAUSE_MS = 80;

/** Loads the service while `going`; resolves when everything that must be answered has been. */
export async function runClient(spec: ClientSpec, going: () => boolean): Promise<void> {
  const pool = new Pool(spec.serverUrl, {
    connections: 48,
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
    connectTimeout: 2_000,
  });
  const caller: Caller = { ...spec, pool, going, count: 0 };
  const streams = Array.from({ length: STREAMS }, (_, stream) => runStream(caller, stream));
  await Promise.all([runArrivals(caller), runInbound(caller), ...streams]);
  await pool.destroy();
}

interface Caller extends ClientSpec {
  readonly pool: Pool;
  readonly going: () => boolean;
  count: number;
}

/** Posts at fixed moments, whatever happens to earlier posts. */
async function runArrivals(caller: Caller): Promise<void> {
  const running: Promise<void>[] = [];
  while (caller.going()) {
    running.push(postOne(caller, null));
    await pause(1000 / RATE);
  }
  await Promise.all(running);
}

async function runStream(caller: Caller, stream: number): Promise<void> {
  while (caller.going()) {
    await postOne(caller, stream);
    await pause(STREAM_PAUSE_MS);
  }
}

async function postOne(caller: Caller, stream: number | null): Promise<void> {
  const { random, phoneNumberIds, round, log } = caller;
  const clientRef = `r${round}-${caller.count++}`;
  const keyed = random.next() < KEYED_SHARE;
  const phoneNumberId =
    stream === null ? random.pick(phoneNumberIds) : (phoneNumberIds[stream % phoneNumberIds.length] ?? '');
  const to = String(FIRST_RECIPIENT + (stream ?? 1_000 + random.between(0, 999_999)));
  const answers: { status: number; id: string | null }[] = [];
  const isLater = stream === null && random.next() < LATER_SHARE;
  const sendAtMs = isLater ? Date.now() + random.between(1_000, LATEST_S * 1000) : null;
  const name = stream === null ? null : `stream ${stream} of round ${round}`;
  const message: ClientMessage = {
    clientRef,
    to,
    phoneNumberId,
    key: keyed ? `key-${clientRef}` : null,
    stream: name,
    sendAtMs,
    answers,
  };
  const giveUpMs = performance.now() + GIVE_UP_AFTER_MS;
  do {
    answers.push(await post(caller.pool, message));
    if (answers.at(-1)?.status === 202 || !keyed) break;
    await pause(REPEAT_AFTER_MS);
  } while (performance.now() < giveUpMs);
  // Recorded when it ended: within a stream this is the order of the acceptances.
  log.messages.push(message);
}

async function post(
  pool: Pool,
  { to, clientRef, phoneNumberId, key, sendAtMs }: ClientMessage,
): Promise<{ status: number; id: string | null }> {
  const headers = {
    authorization: `Bearer ${API_KEY}`,
    'content-type': 'application/json',
    ...(key === null ? {} : { 'idempotency-key': key }),
  };
  const body = JSON.stringify({
    to,
    body: `Message ${clientRef}`,
    client_ref: clientRef,
    phone_number_id: phoneNumberId,
    ...(sendAtMs === null ? {} : { send_at: new Date(sendAtMs).toISOString() }),
  });
  try {
    const answer = await pool.request({ method: 'POST', path: '/v1/messages', headers, body });
    const { id } = (await answer.body.json()) as { id?: string };
    return { status: answer.statusCode, id: id ?? null };
  } catch {
    return { status: 0, id: null };
  }
}

/** Customers write; the network holds what they wrote until we have taken it. */
async function runInbound({ simulator, random, phoneNumberIds, going, log }: Caller): Promise<void> {
  while (going()) {
    const from = String(FIRST_CONTACT + random.between(0, CONTACTS - 1));
    const message = { from, text: 'Where is my order?', phone_number_id: random.pick(phoneNumberIds) };
    const { id } = await simulator.control<{ id: string }>('POST', '/_sim/inbound', message);
    log.inbound.push({ networkId: id });
    await pause(INBOUND_EVERY_MS);
  }
}
