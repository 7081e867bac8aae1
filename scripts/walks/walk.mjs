import assert from 'node:assert/strict';
import { setTimeout as rest } from 'node:timers/promises';

/*
 * What somebody does with a service that was just started, whichever way: the same for all of them.
 */

/** Messages that are on their way while the service is killed. */
const MESSAGES = 40;
const AT_ONCE = 8;
/** So many have been answered when it is killed. */
const BEFORE_THE_KILL = 15;
const LOOK_MS = 100;

/** This recipient of the simulator gets and reads everything. */
const READER = '99900000001';

/**
 * A service that runs: where, the keys of two tenants, what the first one sends, and how often the network got it.
 * @typedef {{ base: string, key: string, otherKey: string, messageTo: (phone: string) => object,
 *   arrivalsOf: (phone: string) => number, kill: () => Promise<void>, restart: () => Promise<void> }} Service
 */

/**
 * Walks through a running service.
 * @param {Service} service
 * @param {(text: string) => void} say
 * @throws AssertionError at the first thing that is not as it should be
 */
export async function walk(service, say) {
  await sendAndSee(service, 'walk-first');
  say('a message was sent and delivered');
  await sendBadly(service);
  await lookFromElsewhere(service);
  say('bad input, a wrong key and the ID of a message of another tenant were refused');
  say(await killAndCount(service));
}

/** Sends a message and sees it delivered. */
export async function sendAndSee(service, idempotencyKey) {
  const { status, text, body } = await post(service, service.messageTo(READER), idempotencyKey);
  assert.equal(status, 202, text);
  const isThere = ({ body: { delivery } }) => ['delivered', 'read'].includes(delivery.state);
  await until(() => read(service, body.id), isThere);
}

/** Bad input gets a sentence, and leaves nothing behind. */
async function sendBadly(service) {
  const before = await count(service);
  for (const message of [{ to: 'nobody', body: 'Hi' }, { to: READER }, { to: READER, body: 'Hi', type: 'pigeon' }]) {
    const { status, text, body } = await post(service, message);
    assert.equal(status, 400, text);
    assert.match(JSON.stringify(body), /\w+ \w+ .*\./, 'the answer has a sentence');
  }
  assert.equal(await count(service), before);
}

/** A wrong key is refused; of another tenant's message nothing can be learned, not even that it exists. */
async function lookFromElsewhere(service) {
  const { body } = await post(service, service.messageTo(READER), 'walk-seen');
  assert.equal((await read({ ...service, key: 'pr_live_wrong' }, body.id)).status, 401);
  const other = { ...service, key: service.otherKey };
  const [theirs, nobodys] = [await read(other, body.id), await read(other, crypto.randomUUID())];
  assert.equal(theirs.status, 404, theirs.text);
  assert.deepEqual(withoutRequest(theirs.body), withoutRequest(nobodys.body));
}

/** What is different in every answer. */
function withoutRequest(body) {
  return JSON.parse(JSON.stringify(body, (key, value) => (key === 'request_id' ? undefined : value)));
}

/**
 * Sends many messages, kills the service while it sends them, starts it again, and sends them again with the same idempotency keys, as a
 * client does that got no answer: each is sent, and reaches the network once. Where the network's answer was lost and no status came, a message
 * is sent once more and says so. @returns what to say of it
 */
async function killAndCount(service) {
  const phones = Array.from({ length: MESSAGES }, (_, n) => `4477009${String(10_000 + n).slice(-5)}`);
  const answered = new Map();
  let killed = null;
  let announced = 0;
  await each(phones, async (phone) => {
    const answer = await post(service, service.messageTo(phone), `walk-${phone}`).catch(() => null);
    if (answer?.status === 202) answered.set(phone, answer.body.id);
    if (answered.size >= BEFORE_THE_KILL) killed ??= service.kill();
  });
  assert.ok(killed, 'it was killed');
  await killed;
  const killedMs = performance.now();
  await service.restart();
  const seconds = ((performance.now() - killedMs) / 1000).toFixed(1);
  // All of them, before one is waited for: a message of unknown outcome is repeated only after a status of another one.
  await each(phones, async (phone) => {
    const again = await until(
      () => post(service, service.messageTo(phone), `walk-${phone}`),
      ({ status }) => status === 202,
    );
    const id = answered.get(phone) ?? again.body.id;
    assert.equal(again.body.id, id, 'the same key is the same message');
    answered.set(phone, id);
  });
  await each(phones, async (phone) => {
    const { body } = await untilSent(service, answered.get(phone));
    const arrivals = service.arrivalsOf(phone);
    assert.ok(
      arrivals === 1 || (arrivals === 2 && body.delivery.possible_duplicate),
      `${phone} got ${arrivals} messages`,
    );
    if (arrivals === 2) announced += 1;
  });
  const once =
    announced === 0 ? 'once each' : `once each, but for ${announced} whose answer was lost, and which say so`;
  return `killed while it sent, it was back after ${seconds} s: all ${MESSAGES} messages reached the network, ${once}`;
}

/** The network has taken it. */
function untilSent(service, id) {
  return until(
    () => read(service, id),
    ({ body }) => body.status === 'sent',
  );
}

/** How many messages the tenant has. */
async function count(service) {
  const { body } = await get(`${service.base}/v1/messages/outbound?limit=200`, service.key);
  return body.data.length;
}

function read({ base, key }, id) {
  return get(`${base}/v1/messages/${id}`, key);
}

function get(url, key) {
  return ask(url, { headers: { authorization: `Bearer ${key}` } });
}

function post({ base, key }, message, idempotencyKey) {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
  };
  return ask(`${base}/v1/messages`, { method: 'POST', headers, body: JSON.stringify(message) });
}

async function ask(url, options) {
  const answer = await fetch(url, options);
  const text = await answer.text();
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    text,
    body: JSON.parse(text || 'null'),
  };
}

/** What is waited for at this moment: the last answer to each look. */
const seenLast = new Set();

/** Looks again until what was asked for is as it should be; the time of the whole walk bounds it. */
async function until(look, isDone) {
  const last = { status: 0, text: 'no answer yet' };
  seenLast.add(last);
  try {
    for (;;) {
      const seen = await look().catch((error) => ({ status: 0, text: String(error), body: {} }));
      if (seen.status > 0 && seen.status < 500 && isDone(seen)) return seen;
      Object.assign(last, { status: seen.status, text: seen.text });
      await rest(LOOK_MS);
    }
  } finally {
    seenLast.delete(last);
  }
}

/** Ends the waiting of a walk that failed. @returns for each thing it still waited for, what was seen last */
export function stillWaiting() {
  const lines = [...seenLast].map(({ status, text }) => `still waiting, last seen: ${status} ${text}`);
  seenLast.clear();
  return lines;
}

/** Some at a time. */
async function each(items, work) {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
