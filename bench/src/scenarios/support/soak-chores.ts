import { request } from 'undici';
import { ask } from '../../harness/ask.ts';
import { pause } from '../../harness/pause.ts';
import { API_KEY, PHONE_NUMBER_ID } from '../../harness/server.ts';
import type { Stage } from '../../harness/stage.ts';

/** What one of them needs: the place, how many were done before it, and the address that takes webhooks. */
export interface Chore {
  readonly stage: Stage;
  readonly turn: number;
  readonly webhookUrl: string;
}

type DoChore = (chore: Chore) => Promise<unknown>;

const FIRST_CUSTOMER = 15_557_000_000;
const FIRST_NEW_PERSON = 15_558_000_000;
/** They write again and again: their conversations stay, those who write once come on top. */
const REGULARS = 500;
const FILE_BYTES = 256 * 1024;
const STREAM_MS = 300;
const LISTS = [
  ...['/v1/messages/outbound', '/v1/messages/inbound?limit=200', '/v1/conversations', '/v1/conversations/counts'],
  ...['/v1/contacts', '/v1/events?limit=200', '/v1/media', '/v1/webhook-endpoints', '/v1/audit-log', '/v1/usage'],
  ...['/v1/analytics/summary', '/v1/analytics/funnel', '/v1/phone-numbers', '/v1/templates', '/v1/openapi.json'],
];

/** Everything that a service does beside sending, one after the other. What one of them makes it removes, where the API can. */
export const CHORES: readonly DoChore[] = [
  customersWrite,
  readLists,
  sendWithKey,
  sendInBatch,
  scheduleAndCancel,
  followEvents,
  waitForEvents,
  replyToCustomer,
  keepContact,
  uploadAndRemove,
  issueAndRevokeKey,
  addAndRemoveEndpoint,
  addAndRemoveRule,
  askWithWrongKey,
];

async function customersWrite({ stage, turn }: Chore): Promise<void> {
  const people = [FIRST_CUSTOMER + (turn % REGULARS), FIRST_NEW_PERSON + turn];
  const messages = people.map((from) => ({
    from: String(from),
    text: 'Is it open today?',
    phone_number_id: PHONE_NUMBER_ID,
  }));
  await stage.simulator.control('POST', '/_sim/inbound', { messages });
}

async function readLists({ stage }: Chore): Promise<void> {
  for (const path of LISTS) await read(stage, path);
}

async function sendWithKey({ stage, turn }: Chore): Promise<void> {
  const headers = { 'idempotency-key': `soak-${turn}` };
  const body = { to: String(FIRST_NEW_PERSON + turn), body: 'Your code is 471 100.' };
  const [first, again] = [
    await post(stage, '/v1/messages', body, headers),
    await post(stage, '/v1/messages', body, headers),
  ];
  if (first.id !== again.id) throw new Error('A repeated request was answered with another message.');
  await read(stage, `/v1/messages/${first.id}`);
  await read(stage, `/v1/messages/${first.id}/trace`);
}

function sendInBatch({ stage, turn }: Chore): Promise<unknown> {
  const messages = Array.from({ length: 10 }, (_, place) => ({
    to: String(FIRST_NEW_PERSON + turn + place),
    body: 'Doors open at 7.',
  }));
  return post(stage, '/v1/messages/batch', { messages });
}

async function scheduleAndCancel({ stage, turn }: Chore): Promise<void> {
  const send_at = new Date(Date.now() + 3_600_000).toISOString();
  const { id } = await post(stage, '/v1/messages', { to: String(FIRST_NEW_PERSON + turn), body: 'Later.', send_at });
  await post(stage, `/v1/messages/${id}/cancel`);
}

/** Opens the stream of events and breaks it off. */
async function followEvents({ stage }: Chore): Promise<void> {
  const leave = new AbortController();
  const headers = { authorization: `Bearer ${API_KEY}` };
  const { body } = await request(`${stage.server.url}/v1/events/stream`, { headers, signal: leave.signal });
  body.on('error', () => undefined).resume();
  await pause(STREAM_MS);
  leave.abort();
}

async function waitForEvents({ stage }: Chore): Promise<void> {
  await read(stage, '/v1/events?wait=1&types=message.failed');
}

/** Who wrote last is answered, and the conversation is resolved. */
async function replyToCustomer({ stage }: Chore): Promise<void> {
  const { data } = await read(stage, '/v1/conversations?status=open&limit=1');
  const [conversation] = data as readonly { readonly id: string }[];
  if (conversation === undefined) return;
  await post(stage, `/v1/conversations/${conversation.id}/messages`, { body: 'We are open until 6.' });
  await post(stage, `/v1/conversations/${conversation.id}/resolve`);
}

async function keepContact({ stage, turn }: Chore): Promise<void> {
  const phone = `+${FIRST_NEW_PERSON + turn}`;
  const { id } = await post(stage, '/v1/contacts', { phone, name: `Person ${turn}`, tags: ['soak'] });
  await ask({ origin: stage.server.url, method: 'DELETE', path: `/v1/contacts/${id}` });
}

async function uploadAndRemove({ stage, turn }: Chore): Promise<void> {
  const form = new FormData();
  const bytes = Buffer.alloc(FILE_BYTES, `file ${turn} `);
  form.append('file', new File([bytes], 'a.bin', { type: 'application/octet-stream' }));
  const headers = { authorization: `Bearer ${API_KEY}` };
  const answer = await fetch(`${stage.server.url}/v1/media`, { method: 'POST', headers, body: form });
  const { media_id: id } = (await answer.json()) as { readonly media_id: string };
  await ask({ origin: stage.server.url, method: 'DELETE', path: `/v1/media/${id}` });
}

async function issueAndRevokeKey({ stage }: Chore): Promise<void> {
  const { id, key } = await post(stage, '/v1/api-keys', { name: 'soak', scopes: ['messages:read'] });
  await read(stage, '/v1/messages/outbound?limit=1', String(key));
  await ask({ origin: stage.server.url, method: 'DELETE', path: `/v1/api-keys/${id}` });
}

async function addAndRemoveEndpoint({ stage, webhookUrl, turn }: Chore): Promise<void> {
  const { id } = await post(stage, '/v1/webhook-endpoints', {
    url: `${webhookUrl}/${turn}`,
    types: ['message.failed'],
  });
  await post(stage, `/v1/webhook-endpoints/${id}/test`, { type: 'message.received' });
  await ask({ origin: stage.server.url, method: 'DELETE', path: `/v1/webhook-endpoints/${id}` });
}

async function addAndRemoveRule({ stage, turn }: Chore): Promise<void> {
  const { id } = await post(stage, '/v1/chatbot-rules', {
    name: `Opening hours ${turn}`,
    trigger: { on: 'message.received' },
    when: { field: 'text', match: 'word', value: 'open' },
    // biome-ignore lint/suspicious/noThenProperty: a rule is written with these words.
    then: [{ action: 'tag', add: ['hours'] }],
  });
  await ask({ origin: stage.server.url, method: 'DELETE', path: `/v1/chatbot-rules/${id}` });
}

async function askWithWrongKey({ stage, turn }: Chore): Promise<void> {
  const headers = { authorization: `Bearer pr_live_wrong${turn}` };
  const answer = await fetch(`${stage.server.url}/v1/messages/outbound`, { headers });
  await answer.arrayBuffer();
  if (answer.status !== 401) throw new Error(`A wrong key was answered with ${answer.status}.`);
}

async function read(stage: Stage, path: string, key = API_KEY): Promise<Record<string, unknown>> {
  const answer = await fetch(stage.server.url + path, { headers: { authorization: `Bearer ${key}` } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}

function post(
  { server }: Stage,
  path: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  return ask({ origin: server.url, method: 'POST', path, ...(body && { body }), ...(headers && { headers }) });
}
