import { request } from 'undici';
import { pause } from '../harness/pause.ts';
import type { MoveStage } from './prove-moves.ts';

/** A tenant that sends. */
export interface Sender {
  readonly tenantId: string;
  readonly apiKey: string;
  readonly serverUrl: string;
  readonly place: number;
  /** The ids of what was accepted. */
  readonly accepted: Set<string>;
}

/** A tenant that sends until it is stopped. */
export interface Sending {
  readonly accepted: ReadonlySet<string>;
  /** How many requests were answered 503, and repeated. */
  refusals(): number;
  /** Accepted messages that the tenant does not have. */
  missing(): Promise<readonly string[]>;
  /** What the service says of those of these messages that are this tenant's. */
  storyOf(ids: readonly string[]): Promise<readonly string[]>;
  /** @throws what broke it off */
  stop(): Promise<void>;
}

const FIRST_NUMBER = 100_000_000_001_000;
const EVERY_MS = 100;
const BATCH = 500;

export async function addSender({ operate, serverUrl }: MoveStage, place: number): Promise<Sender> {
  const { id } = (await operate(['tenants', 'create', `mover ${place}`, '--cell', 'main'])) as { readonly id: string };
  const { key } = (await operate(['keys', 'create', '--tenant', id, '--name', 'proof'])) as { readonly key: string };
  const number = String(FIRST_NUMBER + place);
  await operate(['numbers', 'add', number, '--phone', `+1555${number.slice(-7)}`, '--tenant', id]);
  return { tenantId: id, apiKey: key, serverUrl, place, accepted: new Set() };
}

const messageTo = (n: number) => ({
  type: 'template',
  to: `+1555${String(n).padStart(7, '0')}`,
  template: { name: 'order_shipped', language: 'en' },
});

/** Has so many messages accepted before anything else. */
export async function fillUp(sender: Sender, messages: number): Promise<void> {
  for (let sent = 0; sent < messages; sent += BATCH) {
    const some = Array.from({ length: Math.min(BATCH, messages - sent) }, (_, index) => messageTo(sent + index));
    const { statusCode, body } = await post(
      sender,
      '/v1/messages/batch',
      { messages: some },
      `fill-${sender.place}-${sent}`,
    );
    const text = await body.text();
    if (statusCode >= 300) throw new Error(`A batch was answered with ${statusCode}: ${text.slice(0, 300)}`);
    const { data } = JSON.parse(text) as { readonly data: readonly { readonly message?: { readonly id: string } }[] };
    for (const { message } of data) {
      if (message === undefined) throw new Error(`A message of a batch was refused: ${text.slice(0, 300)}`);
      sender.accepted.add(message.id);
    }
  }
}

/** Sends again and again, each message with a key of its own, and repeats what is answered 503. */
export function keepSending(sender: Sender): Sending {
  const state = { isOver: false, refusals: 0 };
  const done = send(sender, state);
  done.catch(() => undefined);
  return {
    accepted: sender.accepted,
    refusals: () => state.refusals,
    missing: () => missingOf(sender),
    storyOf: (ids) => storyOf(sender, ids),
    stop: async () => {
      state.isOver = true;
      await done;
    },
  };
}

async function send(sender: Sender, state: { isOver: boolean; refusals: number }): Promise<void> {
  for (let n = 0; !state.isOver; n += 1) {
    for (;;) {
      const { statusCode, body } = await post(sender, '/v1/messages', messageTo(n), `send-${sender.place}-${n}`);
      const text = await body.text();
      if (statusCode === 202) {
        sender.accepted.add((JSON.parse(text) as { readonly id: string }).id);
        break;
      }
      if (statusCode !== 503) throw new Error(`A message was answered with ${statusCode}: ${text.slice(0, 300)}`);
      state.refusals += 1;
      await pause(EVERY_MS);
    }
    await pause(EVERY_MS);
  }
}

function post({ serverUrl, apiKey }: Sender, path: string, body: unknown, key: string) {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'idempotency-key': key };
  return request(serverUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function missingOf({ serverUrl, apiKey, accepted }: Sender): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const id of accepted) {
    const answer = await request(`${serverUrl}/v1/messages/${id}`, { headers: { authorization: `Bearer ${apiKey}` } });
    await answer.body.dump();
    if (answer.statusCode !== 200) missing.push(id);
  }
  return missing;
}

/** Of so many messages. */
const MOST_STORIES = 5;

async function storyOf({ serverUrl, apiKey, accepted }: Sender, ids: readonly string[]): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const id of ids.filter((one) => accepted.has(one)).slice(0, MOST_STORIES)) {
    for (const path of [`/v1/messages/${id}`, `/v1/messages/${id}/trace`]) {
      const answer = await request(serverUrl + path, { headers: { authorization: `Bearer ${apiKey}` } });
      lines.push(`not sent: ${path}: ${answer.statusCode} ${await answer.body.text()}`);
    }
  }
  return lines;
}
