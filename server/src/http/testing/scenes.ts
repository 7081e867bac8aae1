import { addPhoneNumber } from '#accounts/actions/add-number';
import { contactExampleId } from '#contacts/http/schemas/contact';
import type { PhoneNumberId } from '#core/ids';
import { jpegBytes, uploadFile } from '#testing/media/test-media';
import { makeCampaign } from '#testing/test-campaign';
import { recordEvents } from '#testing/test-events';
import { beginTopUp } from '#testing/test-payments';
import type { Answer, TestService } from '#testing/test-service';
import { freshPhone, type TestTenant } from '#testing/test-tenant';
import { bulkChangeScenes, tagConversation } from './bulk-change-scenes.ts';
import { businessScenes } from './business-scenes.ts';
import { bodyOf, type Call, headersFor } from './calls.ts';
import type { Described, DescribedBody } from './described.ts';
import { flowScenes } from './flow-scenes.ts';
import { inboxScenes } from './inbox-scenes.ts';
import { linkingTargets } from './linking-scenes.ts';
import { simplePreludes } from './simple-preludes.ts';
import { madeSegment, viewScenes, withoutViews } from './view-scenes.ts';

/** Who acts, and where. */
export interface Stage {
  readonly kit: TestService;
  readonly tenant: TestTenant;
}

/** Makes what the path of an operation names, in a state in which the operation succeeds. Returns its id; several with a / between. */
export type Scene = (stage: Stage) => Promise<string>;

/**
 * One for each operation with an id in its path. An operation that is missing here fails the tests of the examples:
 * add the scene together with the operation.
 */
const scenes: Readonly<Record<string, Scene>> = {
  ...viewScenes,
  ...bulkChangeScenes,
  getMessage: waitingMessage,
  getMessageTrace: waitingMessage,
  cancelMessage: waitingMessage,
  resendMessage: failedMessage,
  markMessageRead: inboundMessage,
  getConversation: openConversation,
  updateConversation: openConversation,
  listConversationMessages: openConversation,
  replyInConversation: answerableConversation,
  listConversationEvents: openConversation,
  assignConversation: openConversation,
  snoozeConversation: openConversation,
  resolveConversation: openConversation,
  reopenConversation: resolvedConversation,
  readConversation: openConversation,
  tagConversation: openConversation,
  leaseConversation: openConversation,
  releaseConversation: openConversation,
  ...inboxScenes,
  getMedia: uploadedMedia,
  getMediaContent: uploadedMedia,
  deleteMedia: uploadedMedia,
  getResumableUpload: begunUpload,
  patchResumableUpload: begunUpload,
  deleteResumableUpload: begunUpload,
  getTemplate: (stage) => madeTemplate(stage),
  updateTemplate: (stage) => madeTemplate(stage),
  deleteTemplate: (stage) => madeTemplate(stage),
  submitTemplate: (stage) => madeTemplate(stage),
  previewTemplate: (stage) => madeTemplate(stage),
  listTemplateHistory: (stage) => madeTemplate(stage),
  getTopUp: async ({ tenant }) => (await beginTopUp(tenant, 5000)).id,
  getPhoneNumber: addedNumber,
  updatePhoneNumber: addedNumber,
  syncPhoneNumber: addedNumber,
  deletePhoneNumber: addedNumber,
  ...businessScenes,
  ...flowScenes,
  getEvent: recordedEvent,
  getWebhookEndpoint: addedEndpoint,
  updateWebhookEndpoint: addedEndpoint,
  deleteWebhookEndpoint: addedEndpoint,
  rotateWebhookSecret: addedEndpoint,
  testWebhookEndpoint: addedEndpoint,
  listWebhookDeliveries: addedEndpoint,
  recoverWebhookEndpoint: addedEndpoint,
  resendWebhookDelivery: queuedDelivery,
  getContact: madeContact,
  updateContact: madeContact,
  deleteContact: madeContact,
  updateContactTags: madeContact,
  blockContact: madeContact,
  unblockContact: madeContact,
  setContactConsent: madeContact,
  listContactMessages: madeContact,
  listContactTimeline: madeContact,
  listContactConsents: madeContact,
  listContactMerges: madeContact,
  mergeContact: madeContact,
  unmergeContact: mergedContact,
  getContactAttribute: madeAttribute,
  updateContactAttribute: madeAttribute,
  deleteContactAttribute: madeAttribute,
  getImport: madeImport,
  getImportErrors: madeImport,
  getSegment: madeSegment,
  updateSegment: madeSegment,
  deleteSegment: madeSegment,
  getCannedReply: madeCannedReply,
  updateCannedReply: madeCannedReply,
  fillCannedReply: madeCannedReply,
  deleteCannedReply: madeCannedReply,
  getAgent: (stage) => addedAgent(stage),
  updateAgent: (stage) => addedAgent(stage),
  deleteAgent: (stage) => addedAgent(stage),
  inviteAgent: (stage) => addedAgent(stage),
  withdrawInvitation: invitedAgent,
  listAgentSessions: (stage) => addedAgent(stage),
  endAgentSessions: (stage) => addedAgent(stage),
  setAgentPresence: (stage) => addedAgent(stage),
  getTeam: addedTeam,
  updateTeam: addedTeam,
  deleteTeam: addedTeam,
  getBusinessHours: addedHours,
  updateBusinessHours: addedHours,
  deleteBusinessHours: addedHours,
  getBusinessHoursState: addedHours,
  getAssignmentLog: async (stage) => (await customerWrote(stage)).conversation_id,
  getChatbotRule: (stage) => madeRule(stage),
  updateChatbotRule: (stage) => madeRule(stage),
  deleteChatbotRule: (stage) => madeRule(stage),
  getApiKey: (stage) => madeKey(stage),
  rotateApiKey: (stage) => madeKey(stage),
  revokeApiKey: (stage) => madeKey(stage),
  getCampaign: ({ kit, tenant }) => makeCampaign(kit, tenant),
  updateCampaign: ({ kit, tenant }) => makeCampaign(kit, tenant),
  deleteCampaign: ({ kit, tenant }) => makeCampaign(kit, tenant),
  addCampaignRecipients: ({ kit, tenant }) => makeCampaign(kit, tenant),
  listCampaignRecipients: ({ kit, tenant }) => makeCampaign(kit, tenant),
  createCampaignImport: ({ kit, tenant }) => makeCampaign(kit, tenant),
  getCampaignImport: madeCampaignImport,
  getCampaignImportErrors: madeCampaignImport,
  preflightCampaign: ({ kit, tenant }) => makeCampaign(kit, tenant),
  retryCampaign: ({ kit, tenant }) => makeCampaign(kit, tenant, 'paused'),
  startCampaign: ({ kit, tenant }) => makeCampaign(kit, tenant),
  pauseCampaign: ({ kit, tenant }) => makeCampaign(kit, tenant, 'running'),
  resumeCampaign: ({ kit, tenant }) => makeCampaign(kit, tenant, 'paused'),
  cancelCampaign: ({ kit, tenant }) => makeCampaign(kit, tenant),
};

/** What has to be gone before the example of a body can be made again. */
const preludes: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  createContact: async ({ tenant }) => {
    const [known] = (await tenant.call('GET', '/v1/contacts?phone=447700900123')).body.data;
    if (known) expectStatus(await tenant.call('DELETE', `/v1/contacts/${known.id}`), 200);
  },
  mergeContact: async (stage) => {
    const { db } = stage.kit.service;
    const values = [stage.tenant.tenantId, '0190a6f2-8c20-7a10-8f00-0a1b2c3d4e81'];
    const forget = (table: string, column: string) =>
      db.run(
        { name: `test_forget_${table}`, text: `delete from ${table} where tenant_id = $1 and ${column} = $2` },
        values,
      );
    await forget('contact_merges', 'merged_id');
    await forget('contacts', 'contact_id');
    const text = 'update contacts set contact_id = $2 where tenant_id = $1 and contact_id = $3';
    await db.run({ name: 'test_name_contact', text }, [...values, await madeContact(stage)]);
  },
  createConversation: nameContact,
  createImport: nameMedia,
  createCampaignImport: nameMedia,
  setNumberPicture: nameMedia,
  createView: withoutViews,
  createBulkChange: tagConversation,
  fillCannedReply: nameContact,
  orderChatbotRules: nameRules,
  ...simplePreludes,
};

/** A call of an operation that succeeds, with this example as its body. */
export async function readyCall(stage: Stage, operation: Described, body: DescribedBody | null): Promise<Call> {
  const parts = bodyOf(body);
  await preludes[operation.id]?.(stage);
  const headers = { ...parts.headers, ...headersFor(operation, body) };
  return { method: operation.method, target: await targetOf(stage, operation), headers, body: parts.body };
}

async function targetOf(stage: Stage, { id, path }: Described): Promise<string> {
  const linking = linkingTargets[id];
  if (linking) return linking(stage);
  if (!path.includes('{')) return path;
  const scene = scenes[id];
  if (!scene) throw new Error(`There is no scene for ${id}: add it in http/testing/scenes.ts.`);
  const ids = (await scene(stage)).split('/');
  return path.replace(/\{\w+\}/g, () => ids.shift() ?? '');
}

export async function waitingMessage({ kit, tenant }: Stage): Promise<string> {
  const later = new Date(kit.rt.clock.now() + 3_600_000).toISOString();
  return tenant.send(freshPhone(), { send_at: later });
}

async function failedMessage(stage: Stage): Promise<string> {
  const id = await waitingMessage(stage);
  expectStatus(await stage.tenant.call('POST', `/v1/messages/${id}/cancel`), 200);
  return id;
}

export async function sentMessage({ tenant }: Stage): Promise<string> {
  const id = await tenant.send(freshPhone());
  await tenant.untilMessage(id, ({ status }) => status === 'sent', 'the message is sent');
  return id;
}

/** A message of a customer that the simulator knows of. */
async function inboundMessage(stage: Stage): Promise<string> {
  return (await customerWrote(stage)).id;
}

export async function openConversation(stage: Stage): Promise<string> {
  return (await customerWrote(stage)).conversation_id;
}

/** The customers of the simulator write today, the examples are of another year: their window is opened by hand. */
async function answerableConversation(stage: Stage): Promise<string> {
  const { rt, service } = stage.kit;
  const id = await openConversation(stage);
  const text = 'update conversations set window_expires_ms = $3 where tenant_id = $1 and conversation_id = $2';
  const untilMs = rt.clock.now() + 3_600_000;
  await service.db.run({ name: 'test_open_window', text }, [stage.tenant.tenantId, id, untilMs]);
  return id;
}

async function resolvedConversation(stage: Stage): Promise<string> {
  const id = await openConversation(stage);
  expectStatus(await stage.tenant.call('POST', `/v1/conversations/${id}/resolve`), 200);
  return id;
}

export async function customerWrote({ kit, tenant }: Stage, from = freshPhone()): Promise<Answer['body']> {
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from, text: 'Hi' });
  const list = await kit.until(
    () => tenant.call('GET', `/v1/messages/inbound?from=${from}`),
    ({ body }) => body.data.length === 1,
    'the message of the customer is stored',
  );
  return list.body.data[0];
}

export async function uploadedMedia({ kit, tenant }: Stage): Promise<string> {
  const answer = await uploadFile(kit, tenant.key, jpegBytes(2_000));
  return expectStatus(answer, 200).media_id;
}

/** An upload of as many bytes as the example of a piece has. */
async function begunUpload({ tenant }: Stage): Promise<string> {
  const headers = { 'tus-resumable': '1.0.0', 'upload-length': '11' };
  const answer = await tenant.call('POST', '/v1/media/resumable', undefined, headers);
  expectStatus(answer, 201);
  return String(answer.headers.get('location')).split('/').at(-1) ?? '';
}

/** A further number of the tenant, as an operator adds one. */
export async function addedNumber({ kit, tenant: { tenantId } }: Stage): Promise<string> {
  const phoneNumberId = freshPhone() as PhoneNumberId;
  const number = { tenantId, phoneNumberId, displayPhone: freshPhone(), name: null, ratePerSecond: null };
  await addPhoneNumber(kit.rt, kit.service.db, number);
  return phoneNumberId;
}

async function recordedEvent({ kit, tenant }: Stage): Promise<string> {
  await recordEvents(kit, tenant.tenantId);
  const { body } = await tenant.call('GET', '/v1/events?limit=1000');
  return body.data.at(-1).id;
}

/** Of those before it only the newest stays: every endpoint goes through all events that the examples bring about. */
export async function addedEndpoint({ tenant }: Stage): Promise<string> {
  const before: readonly { readonly id: string }[] = (await tenant.call('GET', '/v1/webhook-endpoints')).body.data;
  const older = before
    .map(({ id }) => id)
    .toSorted()
    .slice(0, -1);
  for (const id of older) expectStatus(await tenant.call('DELETE', `/v1/webhook-endpoints/${id}`), 200);
  const wish = { url: `https://shop.example/${freshPhone()}`, types: ['endpoint.disabled'] };
  return expectStatus(await tenant.call('POST', '/v1/webhook-endpoints', wish), 201).id;
}

async function queuedDelivery(stage: Stage): Promise<string> {
  const id = await addedEndpoint(stage);
  const example = { type: 'message.received' };
  const delivery = expectStatus(await stage.tenant.call('POST', `/v1/webhook-endpoints/${id}/test`, example), 202);
  return `${id}/${delivery.id}`;
}

/** A draft that the network would take. */
export async function madeTemplate({ kit, tenant }: Stage, fields: object = {}): Promise<string> {
  const name = `example_${kit.rt.newId().replaceAll('-', '_')}`;
  const draft = { name, language: 'en', category: 'utility', components: [{ type: 'BODY', text: 'We have moved.' }] };
  return expectStatus(await tenant.call('POST', '/v1/templates', { ...draft, ...fields }), 201).id;
}

/** One that is part of another, which was merged into nothing. */
async function mergedContact(stage: Stage): Promise<string> {
  const [survivor, merged] = [await madeContact(stage), await madeContact(stage)];
  const body = { contact_id: merged };
  expectStatus(await stage.tenant.call('POST', `/v1/contacts/${survivor}/merge`, body), 200);
  return merged;
}

export async function madeContact({ tenant }: Stage): Promise<string> {
  return expectStatus(await tenant.call('POST', '/v1/contacts', { phone: freshPhone() }), 201).id;
}

async function madeAttribute({ kit, tenant }: Stage): Promise<string> {
  const key = `key_${kit.rt.newId().replaceAll('-', '')}`;
  return expectStatus(await tenant.call('POST', '/v1/contact-attributes', { key, type: 'text' }), 201).id;
}

async function madeImport(stage: Stage): Promise<string> {
  const body = { media_id: await uploadedMedia(stage) };
  return expectStatus(await stage.tenant.call('POST', '/v1/imports', body), 202).id;
}

/** The contact of the examples, with a number of its own. */
async function nameContact(stage: Stage): Promise<void> {
  const text = `with named as (update contacts set contact_id = $3 where tenant_id = $1 and contact_id = $2
      and not exists (select 1 from contacts where tenant_id = $1 and contact_id = $3) returning tenant_id)
    update contact_identities i set contact_id = $3 from named n where i.tenant_id = n.tenant_id and i.contact_id = $2`;
  const values = [stage.tenant.tenantId, await madeContact(stage), contactExampleId];
  await stage.kit.service.db.run({ name: 'test_name_example_contact', text }, values);
}

async function nameMedia(stage: Stage): Promise<void> {
  const text = `update media set media_id = $3 where tenant_id = $1 and media_id = $2
    and not exists (select 1 from media where tenant_id = $1 and media_id = $3)`;
  const values = [stage.tenant.tenantId, await uploadedMedia(stage), '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01'];
  await stage.kit.service.db.run({ name: 'test_name_media', text }, values);
}

async function madeCampaignImport(stage: Stage): Promise<string> {
  const path = `/v1/campaigns/${await makeCampaign(stage.kit, stage.tenant)}/imports`;
  return expectStatus(await stage.tenant.call('POST', path, { media_id: await uploadedMedia(stage) }), 202).id;
}

async function madeCannedReply({ tenant }: Stage): Promise<string> {
  const fields = { shortcut: freshPhone(), text: 'Hello' };
  return expectStatus(await tenant.call('POST', '/v1/canned-replies', fields), 201).id;
}

/** Answers what nobody writes. @param tests of the rule; it is off unless they hold */
export async function madeRule({ tenant }: Stage, fields: object = {}): Promise<string> {
  const rule = {
    name: 'made for an example',
    trigger: { on: 'message.received' },
    when: { field: 'text', value: 'never' },
    // biome-ignore lint/suspicious/noThenProperty: a rule reads when … then
    then: [{ action: 'reply', body: 'Hello' }],
    ...fields,
  };
  return expectStatus(await tenant.call('POST', '/v1/chatbot-rules', rule), 201).id;
}

/** The rules that the example of an order names, and no others. */
async function nameRules(stage: Stage): Promise<void> {
  const { tenantId } = stage.tenant;
  const run = (name: string, text: string, values: readonly string[]) =>
    stage.kit.service.db.run({ name: `test_${name}`, text }, [tenantId, ...values]);
  await run('forget_rules', 'delete from chatbot_rules where tenant_id = $1', []);
  for (const id of ['0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01', '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f02']) {
    const text = 'update chatbot_rules set rule_id = $3 where tenant_id = $1 and rule_id = $2';
    await run('name_rule', text, [await madeRule(stage), id]);
  }
}

export async function madeKey({ tenant }: Stage, fields: object = {}): Promise<string> {
  const answer = await tenant.call('POST', '/v1/api-keys', { name: 'made for an example', ...fields });
  return expectStatus(answer, 201).id;
}

async function invitedAgent(stage: Stage): Promise<string> {
  const id = await addedAgent(stage);
  expectStatus(await stage.tenant.call('POST', `/v1/agents/${id}/invitation`), 201);
  return id;
}

export async function addedAgent({ tenant }: Stage, fields: object = {}): Promise<string> {
  return expectStatus(await tenant.call('POST', '/v1/agents', { name: 'Ana', ...fields }), 201).id;
}

async function addedTeam({ tenant }: Stage): Promise<string> {
  return expectStatus(await tenant.call('POST', '/v1/teams', { name: 'Support' }), 201).id;
}

async function addedHours({ tenant }: Stage): Promise<string> {
  const hours = { name: 'Shop', timezone: 'UTC', weekly: { mon: [['09:00', '17:00']] } };
  return expectStatus(await tenant.call('POST', '/v1/business-hours', hours), 201).id;
}

export function expectStatus(answer: Answer, status: number): Answer['body'] {
  if (answer.status !== status) throw new Error(`Expected ${status}, got ${answer.status}: ${answer.text}`);
  return answer.body;
}
