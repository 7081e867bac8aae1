import { pollUntil } from '../harness/pause.ts';
import { PHONE_NUMBER_ID } from '../harness/server.ts';
import { type FuzzAnswer, type FuzzRequest, sendRequest } from './request.ts';

/** What exists before the first request, so that not every id is a stranger's. */
export interface KnownIds {
  readonly messages: readonly string[];
  readonly inbound: readonly string[];
  readonly media: readonly string[];
  readonly uploads: readonly string[];
  readonly keys: readonly string[];
  readonly contacts: readonly string[];
  /** Parts of other contacts, which can be parted again. */
  readonly merged: readonly string[];
  readonly attributes: readonly string[];
  readonly segments: readonly string[];
  readonly views: readonly string[];
  readonly bulkChanges: readonly string[];
  readonly cannedReplies: readonly string[];
  readonly suggestions: readonly string[];
  readonly rules: readonly string[];
  readonly numbers: readonly string[];
  /** Of the number. */
  readonly qrCodes: readonly string[];
  readonly endpoints: readonly string[];
  /** Of the first endpoint. */
  readonly deliveries: readonly string[];
  readonly events: readonly string[];
  readonly accounts: readonly string[];
  /** The first of them, as the network names it. */
  readonly networkAccount: string;
  /** Drafts of that account. */
  readonly flows: readonly string[];
  readonly campaigns: readonly string[];
  /** Files of recipients. */
  readonly campaignImports: readonly string[];
  readonly agents: readonly string[];
  readonly teams: readonly string[];
  readonly hours: readonly string[];
  readonly conversations: readonly string[];
}

/** Ids that this parameter of a path like this may name, by the beginning of the path; the longest wins. */
export function idsForPath(known: KnownIds, path: string, name: string): readonly string[] {
  if (name === 'delivery_id') return known.deliveries;
  if (name === 'code') return known.qrCodes;
  if (name === 'phone_number_id') return known.numbers;
  if (path.startsWith('/v1/messages/')) return [...known.messages, ...known.inbound];
  if (path.startsWith('/v1/media/resumable/')) return known.uploads;
  if (path.startsWith('/v1/media/')) return known.media;
  if (path.endsWith('/unmerge')) return known.merged;
  if (path.startsWith('/v1/contacts/')) return known.contacts;
  if (path.startsWith('/v1/contact-attributes/')) return known.attributes;
  if (path.startsWith('/v1/segments/')) return known.segments;
  if (path.startsWith('/v1/views/')) return known.views;
  if (path.startsWith('/v1/bulk-changes/')) return known.bulkChanges;
  if (path.startsWith('/v1/canned-replies/')) return known.cannedReplies;
  if (path.startsWith('/v1/suggestions/')) return known.suggestions;
  if (path.startsWith('/v1/api-keys/')) return known.keys;
  if (path.startsWith('/v1/conversations/')) return known.conversations;
  if (path.startsWith('/v1/chatbot-rules/')) return known.rules;
  if (path.startsWith('/v1/flows/')) return known.flows;
  if (path.startsWith('/v1/phone-numbers/')) return known.numbers;
  if (name === 'id' && path.includes('/deliveries/')) return known.endpoints.slice(0, 1);
  if (path.startsWith('/v1/webhook-endpoints/')) return known.endpoints;
  if (path.startsWith('/v1/events/')) return known.events;
  if (path.startsWith('/v1/accounts/')) return known.accounts;
  if (path.startsWith('/v1/campaign-imports/')) return known.campaignImports;
  if (path.startsWith('/v1/campaigns/')) return known.campaigns;
  if (path.startsWith('/v1/agents/')) return known.agents;
  if (path.startsWith('/v1/teams/')) return known.teams;
  if (path.startsWith('/v1/business-hours/')) return known.hours;
  if (path.endsWith('/oauth/url')) return ['platform'];
  return [];
}

const OF_EACH = 4;
const CAMPAIGN = { name: 'fuzz', template: { name: 'order_shipped', language: 'en' } };
/** It can be published. */
const FLOW = {
  categories: ['other'],
  flow_json: {
    version: '7.2',
    screens: [{ id: 'A', terminal: true, layout: { type: 'SingleColumnLayout', children: [{ type: 'Footer' }] } }],
  },
};
const ACTIVE = { field: 'contact.status', value: 'active' };
const OPEN = { field: 'conversation.status', value: 'open' };
/** Matches nothing that is written. */
const RULE = {
  name: 'fuzz',
  trigger: { on: 'message.received' },
  when: { field: 'text', value: 'never' },
  // biome-ignore lint/suspicious/noThenProperty: a rule reads when … then
  then: [{ action: 'note', body: 'seen' }],
};
const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex');
const BOUNDARY = 'fuzz-0123456789';

/** The bytes of a form with one file. */
export function formOf(file: Buffer, fields: Readonly<Record<string, string>> = {}): Buffer {
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name.replace(/["\r\n]/g, '_')}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`;
  return Buffer.concat([Buffer.from(parts.join('') + head), file, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}

export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** A picture that differs by its number. */
export function pictureBytes(number: number): Buffer {
  return Buffer.concat([JPEG, Buffer.from(`picture ${number}`)]);
}

/** What others do to the service: customers, and a person at the network's dialog. */
export interface Others {
  readonly write: (text: string) => Promise<void>;
  /** @returns the address that the dialog leads back to */
  readonly allow: (dialogUrl: string) => Promise<string>;
}

/** Makes some of everything. @throws Error when the service does not play along */
export async function makeKnownIds(base: string, key: string, others: Others): Promise<KnownIds> {
  const authorization = `Bearer ${key}`;
  const call = async (request: FuzzRequest) => {
    const answer = await sendRequest(base, request);
    if (answer.status >= 300) throw new Error(`${request.method} ${request.path}: ${answer.status} ${answer.text}`);
    return answer;
  };
  const post = (path: string, value: unknown, headers = {}) =>
    call({
      method: 'POST',
      path,
      headers: { authorization, 'content-type': 'application/json', ...headers },
      body: Buffer.from(JSON.stringify(value)),
    });
  const idOf = ({ json }: { readonly json: unknown }, name = 'id') => String((json as Record<string, unknown>)[name]);
  const many = async (one: (index: number) => Promise<string>): Promise<readonly string[]> => {
    const ids: string[] = [];
    for (let index = 0; index < OF_EACH; index += 1) ids.push(await one(index));
    return ids;
  };
  const send_at = new Date(Date.now() + 3_600_000).toISOString();
  const form = { authorization, 'content-type': FORM_TYPE };
  const upload = { authorization, 'tus-resumable': '1.0.0', 'upload-length': '100' };
  const contact = async (index: number): Promise<string> =>
    idOf(await post('/v1/contacts', { phone: `4477009002${String(index).padStart(2, '0')}` }));
  const file = formOf(Buffer.from('phone\n447700900301\n'), { mime_type: 'text/csv' });
  const recipients = idOf(await call({ method: 'POST', path: '/v1/media', headers: form, body: file }), 'media_id');
  const account = await linkAccount(call, authorization, others.allow);
  const [networkAccount = ''] = (account.json as { readonly network_account_ids: readonly string[] })
    .network_account_ids;
  const received = await receiveSome(base, authorization, others.write);
  const conversations = [...new Set(received.map(({ conversation_id }) => conversation_id))];
  return {
    messages: await many(async () => idOf(await post('/v1/messages', { to: '447700900123', body: 'Hi', send_at }))),
    inbound: received.map(({ id }) => id),
    conversations,
    bulkChanges: await many(async (index) =>
      idOf(await post('/v1/bulk-changes', { ids: conversations, change: { add_tags: [`fuzz ${index}`] } })),
    ),
    media: await many(async (index) => {
      const body = formOf(pictureBytes(index));
      return idOf(await call({ method: 'POST', path: '/v1/media', headers: form, body }), 'media_id');
    }),
    uploads: await many(async () => {
      const answer = await call({ method: 'POST', path: '/v1/media/resumable', headers: upload, body: null });
      return answer.headers.location?.split('/').at(-1) ?? '';
    }),
    keys: await many(async () => idOf(await post('/v1/api-keys', { name: 'fuzz' }))),
    contacts: await many(contact),
    merged: await many(async (index) => {
      const [survivor, merged] = [await contact(10 + index), await contact(20 + index)];
      await post(`/v1/contacts/${survivor}/merge`, { contact_id: merged });
      return merged;
    }),
    attributes: await many(async (index) =>
      idOf(await post('/v1/contact-attributes', { key: `fuzz_${index}`, type: 'text' })),
    ),
    views: await many(async (index) =>
      idOf(await post('/v1/views', { name: `fuzz ${index}`, when: OPEN, shared: true })),
    ),
    segments: await many(async () => idOf(await post('/v1/segments', { name: 'All', when: ACTIVE }))),
    cannedReplies: await many(async (index) =>
      idOf(await post('/v1/canned-replies', { shortcut: `fuzz-${index}`, text: 'Hi' })),
    ),
    suggestions: await many(async (index) =>
      idOf(await post(`/v1/conversations/${conversations[index % conversations.length]}/suggestions`, { body: 'Hi' })),
    ),
    rules: await many(async () => idOf(await post('/v1/chatbot-rules', RULE))),
    numbers: [PHONE_NUMBER_ID],
    qrCodes: await many(async () =>
      idOf(await post(`/v1/phone-numbers/${PHONE_NUMBER_ID}/qr-codes`, { message: 'Hi' })),
    ),
    ...(await makeWebhooks(many, async (path, value) => idOf(await post(path, value)))),
    events: idsOf(
      (await call({ method: 'GET', path: '/v1/events?limit=4', headers: { authorization }, body: null })).json,
    ),
    campaigns: await many(async () => idOf(await post('/v1/campaigns', CAMPAIGN))),
    campaignImports: await many(async () => {
      const campaign = idOf(await post('/v1/campaigns', CAMPAIGN));
      return idOf(await post(`/v1/campaigns/${campaign}/imports`, { media_id: recipients }));
    }),
    accounts: [idOf(account)],
    networkAccount,
    flows: await many(async (index) =>
      idOf(await post('/v1/flows', { ...FLOW, name: `fuzz ${index}`, network_account_id: networkAccount })),
    ),
    agents: await many(async () => idOf(await post('/v1/agents', { name: 'fuzz' }))),
    teams: await many(async () => idOf(await post('/v1/teams', { name: 'fuzz' }))),
    hours: await many(async () =>
      idOf(await post('/v1/business-hours', { name: 'fuzz', timezone: 'UTC', weekly: { mon: [['09:00', '17:00']] } })),
    ),
  };
}

/** Endpoints that get nothing without a test event, and deliveries of the first. */
async function makeWebhooks(
  many: (one: (index: number) => Promise<string>) => Promise<readonly string[]>,
  post: (path: string, value: unknown) => Promise<string>,
): Promise<Pick<KnownIds, 'endpoints' | 'deliveries'>> {
  const wish = (index: number) => ({ url: `https://shop.example/${index}`, types: ['endpoint.disabled'] });
  const endpoints = await many((index) => post('/v1/webhook-endpoints', wish(index)));
  const example = { type: 'message.received' };
  const deliveries = await many(() => post(`/v1/webhook-endpoints/${endpoints[0]}/test`, example));
  return { endpoints, deliveries };
}

function idsOf(list: unknown): readonly string[] {
  return (list as { readonly data: readonly { readonly id: string }[] }).data.map(({ id }) => id);
}

/** Follows the way of a browser through the dialog and back. */
async function linkAccount(
  call: (request: FuzzRequest) => Promise<FuzzAnswer>,
  authorization: string,
  allow: Others['allow'],
): Promise<FuzzAnswer> {
  const dialog = await call({ method: 'GET', path: '/v1/meta/oauth/url', headers: { authorization }, body: null });
  const back = new URL(await allow((dialog.json as { readonly url: string }).url));
  return call({ method: 'GET', path: back.pathname + back.search, headers: {}, body: null });
}

const ARRIVE_WITHIN_MS = 60_000;

interface Received {
  readonly id: string;
  readonly conversation_id: string;
}

async function receiveSome(base: string, authorization: string, write: Others['write']): Promise<readonly Received[]> {
  for (let index = 0; index < OF_EACH; index += 1) await write(`Hi ${index}`);
  const list = { method: 'GET', path: '/v1/messages/inbound', headers: { authorization }, body: null };
  const probe = async (): Promise<readonly Received[] | null> => {
    const { json } = await sendRequest(base, list);
    const { data } = json as { readonly data: readonly Received[] };
    return data.length < OF_EACH ? null : data;
  };
  return pollUntil({
    what: 'the messages of customers do not arrive',
    everyMs: 20,
    timeoutMs: ARRIVE_WITHIN_MS,
    probe,
  });
}
