import { topUpWallet } from '#billing/actions/manage-wallet';
import { insertTopUp } from '#billing/store/top-ups';
import type { DeliveryId, EndpointId, TopUpId } from '#core/ids';
import { insertNotifications } from '#notifications/store/notifications';
import { jpegBytes, postForm } from '#testing/media/test-media';
import { addSimulatedNumber, linkAccount, makeSimulatedAccount } from '#testing/peers/link-dialog';
import { addExampleAgents, EXAMPLE_AGENTS } from '#testing/test-agents';
import { blockCustomers } from '#testing/test-blocks';
import { makeBulkChange } from '#testing/test-bulk-changes';
import { makeCampaign } from '#testing/test-campaign';
import { recordEvents } from '#testing/test-events';
import { makeAnsweredFlow, makeFlow, publishFlow } from '#testing/test-flows';
import { type Answer, callApi, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { giveUpDeliveries, insertDeliveries } from '#webhooks/store/webhook-deliveries';

/** What a tenant can own, each with the way to make one. Nothing of it moves by itself afterwards. */
const makers = {
  /** A message that waits for its time. */
  queued: (_kit, tenant) => tenant.send(freshPhone(), { send_at: inAnHour() }),
  /** A message that failed, and can be sent again. */
  failed: async (_kit, tenant) => {
    const id = await tenant.send(freshPhone(), { send_at: inAnHour() });
    expectStatus(await tenant.call('POST', `/v1/messages/${id}/cancel`), 200);
    return id;
  },
  /** A message of a customer. */
  inbound: async (kit, tenant) => (await receive(kit, tenant)).id,
  conversation: async (kit, tenant) => (await receive(kit, tenant)).conversation_id,
  /** One with a draft of the first agent of the examples. */
  draftedConversation: async (kit, tenant) => {
    const { conversation_id: id } = await receive(kit, tenant);
    const agent = { 'x-agent-id': EXAMPLE_AGENTS[0] };
    expectStatus(await tenant.call('PUT', `/v1/conversations/${id}/draft`, { body: 'Hello' }, agent), 200);
    return id;
  },
  /** Two of the first agent of the examples; the newer one is returned. */
  drafts: async (kit, tenant): Promise<string> => {
    await makers.draftedConversation(kit, tenant);
    return makers.draftedConversation(kit, tenant);
  },
  /** One with two messages and two entries in its history. */
  busyConversation: async (kit, tenant) => {
    const { from, conversation_id: id } = await receive(kit, tenant);
    await receive(kit, tenant, from);
    expectStatus(await tenant.call('PATCH', `/v1/conversations/${id}`, { priority: 'high' }), 200);
    return id;
  },
  /** One with two messages. */
  talkingContact: async (kit, tenant) => {
    const { from, contact_id: id } = await receive(kit, tenant);
    await receive(kit, tenant, from);
    return id;
  },
  contact: async (_kit, tenant) => {
    const fields = { phone: freshPhone(), tags: ['VIP'], external_id: freshPhone() };
    const { id } = expectStatus(await tenant.call('POST', '/v1/contacts', fields), 201).body;
    expectStatus(
      await tenant.call('POST', `/v1/contacts/${id}/consent`, { marketing: 'granted', source: 'form' }),
      200,
    );
    return id;
  },
  /** One that is part of another. */
  mergedContact: async (_kit, tenant) => {
    const make = async () =>
      expectStatus(await tenant.call('POST', '/v1/contacts', { phone: freshPhone() }), 201).body.id;
    const [survivor, merged] = [await make(), await make()];
    expectStatus(await tenant.call('POST', `/v1/contacts/${survivor}/merge`, { contact_id: merged }), 200);
    return merged;
  },
  /** One that two others are part of. */
  mergingContact: async (_kit, tenant) => {
    const make = async () =>
      expectStatus(await tenant.call('POST', '/v1/contacts', { phone: freshPhone() }), 201).body.id;
    const survivor = await make();
    for (const contact_id of [await make(), await make()]) {
      expectStatus(await tenant.call('POST', `/v1/contacts/${survivor}/merge`, { contact_id }), 200);
    }
    return survivor;
  },
  attribute: async (kit, tenant) => {
    const key = `key_${kit.rt.newId<string>().replaceAll('-', '')}`;
    return expectStatus(await tenant.call('POST', '/v1/contact-attributes', { key, type: 'text' }), 201).body.id;
  },
  /** Of a file that is no table: it ends by itself. */
  import: async (kit, tenant) => {
    const media_id = await upload(kit, tenant, PDF, 'invoice.pdf');
    const { id } = expectStatus(await tenant.call('POST', '/v1/imports', { media_id }), 202).body;
    const read = async () => (await tenant.call('GET', `/v1/imports/${id}`)).body;
    await kit.until(read, ({ finished_at: end }) => end !== null, 'the import ends');
    return id;
  },
  /** Of a file that is no table: it ends by itself. */
  campaignImport: async (kit, tenant) => {
    const media_id = await upload(kit, tenant, PDF, 'invoice.pdf');
    const path = `/v1/campaigns/${await makeCampaign(kit, tenant)}/imports`;
    const { id } = expectStatus(await tenant.call('POST', path, { media_id }), 202).body;
    const read = async () => (await tenant.call('GET', `/v1/campaign-imports/${id}`)).body;
    await kit.until(read, ({ finished_at: end }) => end !== null, 'the import ends');
    return id;
  },
  segment: async (_kit, tenant) => {
    const when = { field: 'contact.status', value: 'active' };
    return expectStatus(await tenant.call('POST', '/v1/segments', { name: 'All', when }), 201).body.id;
  },
  bulkChange: ({ rt, service: { db } }, { tenantId }) => makeBulkChange({ rt, db, tenantId }, 'completed'),
  openBulkChange: ({ rt, service: { db } }, { tenantId }) => makeBulkChange({ rt, db, tenantId }, 'running'),
  view: async (_kit, tenant) => {
    const when = { field: 'conversation.status', value: 'open' };
    const view = { name: `View ${freshPhone()}`, when, shared: true };
    return expectStatus(await tenant.call('POST', '/v1/views', view), 201).body.id;
  },
  /** One with two suggestions. */
  suggestedConversation: async (kit, tenant) => {
    const { conversation_id: id } = await receive(kit, tenant);
    for (const body of ['Hi', 'Hello']) {
      expectStatus(await tenant.call('POST', `/v1/conversations/${id}/suggestions`, { body }), 201);
    }
    return id;
  },
  suggestion: async (kit, tenant) => {
    const { conversation_id: id } = await receive(kit, tenant);
    return expectStatus(await tenant.call('POST', `/v1/conversations/${id}/suggestions`, { body: 'Hi' }), 201).body.id;
  },
  cannedReply: async (_kit, tenant) => {
    const fields = { shortcut: freshPhone(), text: 'Hello' };
    return expectStatus(await tenant.call('POST', '/v1/canned-replies', fields), 201).body.id;
  },
  image: (kit, tenant) => upload(kit, tenant, jpegBytes(), 'parcel.jpg'),
  video: (kit, tenant) => upload(kit, tenant, MP4, 'clip.mp4'),
  document: (kit, tenant) => upload(kit, tenant, PDF, 'invoice.pdf'),
  /** An upload that has no bytes yet. */
  uploading: async (kit, tenant) => {
    const headers = { 'tus-resumable': '1.0.0', 'upload-length': String(PIECE.length), authorization: bearer(tenant) };
    const answer = await callApi(kit.service.url, 'POST', '/v1/media/resumable', undefined, headers);
    return (expectStatus(answer, 201).headers.get('location') ?? '').split('/').at(-1) ?? '';
  },
  rule: async (_kit, tenant) => expectStatus(await tenant.call('POST', '/v1/chatbot-rules', RULE), 201).body.id,
  key: async (_kit, tenant) => expectStatus(await tenant.call('POST', '/v1/api-keys', { name: 'made' }), 201).body.id,
  agent: async (_kit, tenant) => expectStatus(await tenant.call('POST', '/v1/agents', { name: 'Ana' }), 201).body.id,
  invitedAgent: async (_kit, tenant) => {
    const { id } = expectStatus(await tenant.call('POST', '/v1/agents', { name: 'Ana' }), 201).body;
    expectStatus(await tenant.call('POST', `/v1/agents/${id}/invitation`), 201);
    return id;
  },
  /** The one of the tenant. */
  ssoConnection: async (_kit, tenant) =>
    expectStatus(await tenant.call('PUT', '/v1/sso-connection', SSO_CONNECTION), 200).body.id,
  team: async (_kit, tenant) => expectStatus(await tenant.call('POST', '/v1/teams', { name: 'Support' }), 201).body.id,
  hours: async (_kit, tenant) => {
    const hours = { name: 'Shop', timezone: 'UTC', weekly: { mon: [['09:00', '17:00']] } };
    return expectStatus(await tenant.call('POST', '/v1/business-hours', hours), 201).body.id;
  },
  /** The number that it sends from. */
  number: async (_kit, tenant) => tenant.phoneNumberId,
  /** Of that number. */
  qrCode: async (_kit, { call, phoneNumberId: id }) =>
    expectStatus(await call('POST', `/v1/phone-numbers/${id}/qr-codes`, { message: 'Hello' }), 201).body.id,
  /** That number, for which the network blocks two customers. */
  blockingNumber: async (kit, tenant) => {
    const users = [(await receive(kit, tenant)).from, (await receive(kit, tenant)).from];
    return blockCustomers(kit, tenant.phoneNumberId, users);
  },
  account: async (kit, tenant) => (await link(kit, tenant)).account.id,
  /** A number of a linked account from which nothing was sent. */
  linkedNumber: async (kit, tenant) => (await link(kit, tenant)).phoneNumberId,
  /** A number that the network has added to a linked account since. */
  newNumber: async (kit, tenant) => addSimulatedNumber(kit, (await link(kit, tenant)).networkAccountId),
  campaign: (kit, tenant) => makeCampaign(kit, tenant),
  runningCampaign: (kit, tenant) => makeCampaign(kit, tenant, 'running'),
  pausedCampaign: (kit, tenant) => makeCampaign(kit, tenant, 'paused'),
  event: async (kit, tenant) => {
    await recordEvents(kit, tenant.tenantId);
    return (await tenant.call('GET', '/v1/events?limit=1000')).body.data.at(-1).id;
  },
  /** Of a type that nothing here records: nothing of it moves by itself. */
  endpoint: (_kit, tenant) => addEndpoint(tenant),
  /** One with two deliveries. */
  usedEndpoint: async (kit, tenant) => {
    const id = await addEndpoint(tenant);
    for (const _time of [1, 2]) await addDelivery(kit, tenant, id);
    return id;
  },
  /** A delivery of the newest endpoint. */
  delivery: async (kit, tenant) => {
    const { body } = await tenant.call('GET', '/v1/webhook-endpoints?limit=1');
    return addDelivery(kit, tenant, body.data[0]?.id ?? (await addEndpoint(tenant)));
  },
  /** An account at the network, by its id there. */
  networkAccount: async (kit, tenant) => (await link(kit, tenant)).networkAccountId,
  /** A draft in an account of its own; its name is this tenant's alone. */
  template: async (kit, tenant) => {
    const { networkAccountId } = await link(kit, tenant);
    const name = `of_${networkAccountId}`;
    const components = [{ type: 'BODY', text: 'We have moved.' }];
    const fields = { name, language: 'en', category: 'utility', components, network_account_id: networkAccountId };
    return expectStatus(await tenant.call('POST', '/v1/templates', fields), 201).body.id;
  },
  /** A draft in an account of its own, ready to be published. */
  flow: async (kit, tenant) => makeFlow(tenant, (await link(kit, tenant)).networkAccountId),
  publishedFlow: async (kit, tenant): Promise<string> => publishFlow(kit, tenant, await makers.flow(kit, tenant)),
  /** One with two answers. */
  answeredFlow: async (kit, tenant) =>
    makeAnsweredFlow(kit, tenant, [(await receive(kit, tenant)).id, (await receive(kit, tenant)).id]),
  /** A payment that nobody has made yet. */
  topUp: async ({ rt, service }, { tenantId }) => {
    const topUpId = rt.newId<TopUpId>();
    const nowMs = rt.clock.now();
    const asked = { amount: 5_000, currency: 'EUR', askMs: nowMs + 3_600_000, nowMs };
    await insertTopUp(service.db, { tenantId, topUpId, ...asked });
    return topUpId;
  },
} as const satisfies Record<string, (kit: TestService, tenant: TestTenant) => Promise<string>>;

/** Nobody signs in there. */
export const SSO_CONNECTION = {
  issuer: 'https://login.example.com',
  client_id: 'postrider',
  client_secret: 'a secret of the provider',
};

/** Matches every message and does nothing, so that decisions are there and change nothing. */
const RULE = {
  name: 'made',
  trigger: { on: 'message.received' },
  // biome-ignore lint/suspicious/noThenProperty: a rule reads when … then
  then: [{ action: 'stop' }],
};

export type ResourceName = keyof typeof makers;

/** The bytes that an upload of these tests is made of. */
export const PIECE = Buffer.from('%PDF-1.7\n%%EOF\n');
const PDF = PIECE;
const MP4 = Buffer.from('000000206674797069736f6d0000020069736f6d69736f32617663316d703431', 'hex');

/** Makes a resource of a tenant. @returns its id */
export function make(kit: TestService, tenant: TestTenant, name: ResourceName): Promise<string> {
  return makers[name](kit, tenant);
}

/** An id of the same form that nobody owns. */
export function missingLike(kit: TestService, id: string): string {
  if (/^\d+$/.test(id)) return '9'.repeat(id.length);
  return kit.rt.newId<string>();
}

/** A tenant with at least two items in each of its lists, so that each has a second page. */
export async function makeFullTenant(kit: TestService): Promise<TestTenant> {
  const tenant = await makeTestTenant(kit);
  await addExampleAgents(kit.rt, kit.service.db, tenant.tenantId);
  const lists: readonly ResourceName[] = [
    ...(['rule', 'queued', 'queued', 'inbound', 'inbound', 'image', 'video', 'key', 'key'] as const),
    ...(['account', 'account', 'campaign', 'campaign', 'event', 'event', 'endpoint', 'endpoint'] as const),
    ...(['template', 'template', 'flow', 'flow'] as const),
    ...(['contact', 'contact', 'attribute', 'attribute'] as const),
    ...(['segment', 'segment', 'cannedReply', 'cannedReply', 'view', 'view', 'bulkChange', 'bulkChange'] as const),
    ...(['agent', 'agent', 'invitedAgent', 'invitedAgent', 'team', 'team', 'hours', 'hours'] as const),
  ];
  for (const name of lists) await make(kit, tenant, name);
  for (const place of [1, 2]) await notify(kit, tenant, place);
  for (const description of ['first', 'second']) {
    await topUpWallet(kit.rt, kit.service.db, { tenantId: tenant.tenantId, amount: 1_000, description });
  }
  return tenant;
}

/** A notification of the first agent of the examples, as if it had followed from an event. */
async function notify({ rt, service: { db } }: TestService, { tenantId }: TestTenant, place: number): Promise<void> {
  const of = { conversationId: null, messageId: null, noteId: null, actor: null, sequence: 1_000_000 + place };
  const [agentId] = EXAMPLE_AGENTS;
  const one = {
    ...of,
    notificationId: rt.newId<string>(),
    agentId,
    kind: 'mentioned',
    createdMs: rt.clock.now(),
  } as const;
  await db.transaction((tx) => insertNotifications(tx, tenantId, [one]));
}

/** Everything that is stored of a tenant, by table: what a stranger must not change. One statement, since every test asks twice. */
export async function rowsOf(kit: TestService, tenant: TestTenant): Promise<Readonly<Record<string, string>>> {
  const { rows } = await kit.service.db.run<{ name: string; rows: string }>(
    { name: 'test_rows_of_tenant', text: await allRowsStatement(kit) },
    [tenant.tenantId],
  );
  return Object.fromEntries(
    rows.map(({ name, rows: text }) => [
      name,
      text
        .replace(/"last_used_ms": (\d+|null)/g, '"last_used_ms": 0')
        .replaceAll('"links_due": true', '"links_due": false'),
    ]),
  );
}

const statements = new WeakMap<TestService, Promise<string>>();

function allRowsStatement(kit: TestService): Promise<string> {
  const made = statements.get(kit) ?? writeAllRowsStatement(kit);
  statements.set(kit, made);
  return made;
}

async function writeAllRowsStatement(kit: TestService): Promise<string> {
  const tables = await kit.service.db.run<{ table_name: string }>(TENANT_TABLES, []);
  const ofTable = tables.rows
    .map(({ table_name: table }) => table)
    .filter((table) => !MOVING.has(table))
    .map(
      (table) => `select '${table}' as name, to_jsonb(t)::text as line from ${table} t where t.tenant_id = $1::uuid`,
    );
  return `select name, string_agg(line, chr(10) order by line) as rows from (${ofTable.join(' union all ')}) r group by name order by name`;
}

const TENANT_TABLES = {
  name: 'test_tenant_tables',
  text: `select c.table_name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.column_name = 'tenant_id' and c.table_schema = 'public' and t.table_type = 'BASE TABLE' order by 1`,
};
/** Owners of lanes change by themselves, entries of the audit log are sealed a moment later, and reports and notifications follow what happened. */
export const MOVING: ReadonlySet<string> = new Set([
  'lane_owners',
  'webhook_lanes',
  'analytics_cursors',
  'search_cursors',
  'search_documents',
  'search_portions',
  'notification_cursors',
  'notifications',
  'audit_heads',
  'audit_seals',
  'audit_unsealed',
  'analytics_messages',
  'analytics_conversations',
  'analytics_durations',
  'analytics_message_days',
  'analytics_conversation_days',
]);

async function addEndpoint(tenant: TestTenant): Promise<string> {
  const wish = { url: `https://shop.example/${freshPhone()}`, types: ['endpoint.disabled'] };
  return expectStatus(await tenant.call('POST', '/v1/webhook-endpoints', wish), 201).body.id;
}

/** A delivery that was given up. */
async function addDelivery({ rt, service: { db } }: TestService, tenant: TestTenant, id: string): Promise<string> {
  const [deliveryId, eventId, nowMs] = [rt.newId<DeliveryId>(), rt.newId<string>(), rt.clock.now()];
  const event = { deliveryId, eventId, sequence: null, type: 'message.received', body: '{}', orderKey: null } as const;
  const lane = { tenantId: tenant.tenantId, endpointId: id as EndpointId };
  await insertDeliveries(db, lane, [event], nowMs);
  await giveUpDeliveries(db, lane, nowMs);
  return deliveryId;
}

async function link(kit: TestService, tenant: TestTenant) {
  const simulated = await makeSimulatedAccount(kit);
  return { ...simulated, account: await linkAccount(tenant, simulated.networkAccountId) };
}

async function receive(kit: TestService, tenant: TestTenant, from = freshPhone()): Promise<Answer['body']> {
  const inbound = { phone_number_id: tenant.phoneNumberId, from, text: 'Hi' };
  const before = (await tenant.call('GET', `/v1/messages/inbound?from=${from}`)).body.data.length;
  expectStatus(await kit.simulate('POST', '/_sim/inbound', inbound), 200);
  const ask = async () => (await tenant.call('GET', `/v1/messages/inbound?from=${from}`)).body.data;
  const [message] = await kit.until(ask, (list) => list.length > before, 'the message of the customer is here');
  await judged(kit, tenant, message.id);
  return message;
}

/** Rules look at a message a moment after it was stored; nothing of it moves afterwards. */
async function judged(kit: TestService, tenant: TestTenant, messageId: string): Promise<void> {
  const rules = await tenant.call('GET', '/v1/chatbot-rules?enabled=true');
  if (rules.body.data.length === 0) return;
  const ask = async () => (await tenant.call('GET', `/v1/chatbot-rules/decisions?message_id=${messageId}`)).body.data;
  await kit.until(ask, (decisions) => decisions.length > 0, 'the message is judged');
}

async function upload(kit: TestService, tenant: TestTenant, bytes: Buffer, filename: string): Promise<string> {
  const form = new FormData();
  form.append('file', new File([new Uint8Array(bytes)], filename));
  return expectStatus(await postForm(kit, tenant.key, form), 200).body.media_id;
}

function expectStatus(answer: Answer, status: number): Answer {
  if (answer.status !== status) throw new Error(`Expected ${status}, got ${answer.status}: ${answer.text}`);
  return answer;
}

function inAnHour(): string {
  return new Date(Date.now() + 3_600_000).toISOString();
}

function bearer({ key }: TestTenant): string {
  return `Bearer ${key}`;
}
