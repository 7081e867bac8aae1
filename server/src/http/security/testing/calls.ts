import type { JsonObject } from '#core/json';
import { type Described, described } from '#http/testing/described';
import { jpegBytes } from '#testing/media/test-media';
import { EXAMPLE_AGENTS } from '#testing/test-agents';
import { type Answer, callApi, type TestService } from '#testing/test-service';
import { freshPhone, type TestTenant } from '#testing/test-tenant';
import { figureCalls } from './figure-calls.ts';
import { flowCalls } from './flow-calls.ts';
import { numberCalls } from './number-calls.ts';
import { templateCalls } from './template-calls.ts';
import { make, PIECE, type ResourceName, SSO_CONNECTION } from './world.ts';

/**
 * How each operation is called so that it succeeds. Whoever adds an operation adds a row: without it the suite fails,
 * and with it the operation is in every test of this folder.
 */
export interface CallPlan {
  /** What each parameter of the path names. */
  readonly names?: Readonly<Record<string, ResourceName>>;
  /** What must be there without being named: a tenant has one of it. */
  readonly needs?: ResourceName;
  /** Parameters of the path that name nobody's property. */
  readonly fixed?: Readonly<Record<string, string>>;
  readonly json?: JsonObject;
  /** Another such body each time, where a second call with the same one is answered otherwise. */
  readonly freshJson?: () => JsonObject;
  /** Whether it takes a form with a file. */
  readonly form?: boolean;
  readonly bytes?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Query of every call. */
  readonly search?: string;
  /** What its owner is answered. */
  readonly status: number;
}

const platform = { platform: 'platform' };
const tus = { 'tus-resumable': '1.0.0' };
const piece = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
const conversation = { names: { id: 'conversation' } } as const;
export const NOBODYS = '0190a6f2-0000-7000-8000-00000000dead';
const agent = { 'x-agent-id': EXAMPLE_AGENTS[0] };
const later = { send_at: new Date(Date.now() + 3_600_000).toISOString() };
export const text: JsonObject = { to: '447700900123', body: 'Hello', ...later };
const sendable = { name: 'order_shipped', language: 'en' };
/** No conversation is. */
export const TAGGED: JsonObject = { field: 'conversation.tags', value: 'nothing' };
/** A rule that answers what nobody writes. */
export const answering: JsonObject = {
  name: 'made',
  trigger: { on: 'message.received' },
  when: { field: 'text', value: 'never' },
  // biome-ignore lint/suspicious/noThenProperty: a rule reads when … then
  then: [{ action: 'reply', type: 'text', body: 'Hello' }],
};

export const calls: Readonly<Record<string, CallPlan>> = {
  sendMessage: { json: text, status: 202 },
  dryRunMessage: { json: text, status: 200 },
  sendMessageBatch: { json: { messages: [text] }, status: 200 },
  getMessage: { names: { id: 'queued' }, status: 200 },
  getMessageTrace: { names: { id: 'queued' }, status: 200 },
  cancelMessage: { names: { id: 'queued' }, status: 200 },
  resendMessage: { names: { id: 'failed' }, status: 202 },
  markMessageRead: { names: { id: 'inbound' }, json: { typing: true }, status: 200 },
  listMessages: { status: 200 },
  listContactMessages: { names: { id: 'talkingContact' }, status: 200 },
  listContactTimeline: { names: { id: 'talkingContact' }, status: 200 },
  listInboundMessages: { status: 200 },
  listOutboundMessages: { status: 200 },
  uploadMedia: { form: true, status: 200 },
  listMedia: { status: 200 },
  getMedia: { names: { id: 'image' }, status: 200 },
  getMediaContent: { names: { id: 'image' }, status: 200 },
  deleteMedia: { names: { id: 'image' }, status: 200 },
  createResumableUpload: { form: true, status: 200 },
  getResumableUpload: { names: { id: 'uploading' }, status: 200 },
  patchResumableUpload: { names: { id: 'uploading' }, bytes: PIECE, headers: piece, status: 204 },
  deleteResumableUpload: { names: { id: 'uploading' }, headers: tus, status: 204 },
  listEvents: { status: 200 },
  streamEvents: { search: '?for=1', status: 200 },
  getEvent: { names: { id: 'event' }, status: 200 },
  listWebhookEndpoints: { status: 200 },
  createWebhookEndpoint: {
    get json() {
      return { url: `https://shop.example/${freshPhone()}`, types: ['endpoint.disabled'] };
    },
    status: 201,
  },
  getWebhookEndpoint: { names: { id: 'endpoint' }, status: 200 },
  updateWebhookEndpoint: { names: { id: 'endpoint' }, json: { description: 'made' }, status: 200 },
  deleteWebhookEndpoint: { names: { id: 'endpoint' }, status: 200 },
  rotateWebhookSecret: { names: { id: 'endpoint' }, json: { overlap_s: 60 }, status: 200 },
  testWebhookEndpoint: { names: { id: 'endpoint' }, json: { type: 'message.received' }, status: 202 },
  listWebhookDeliveries: { names: { id: 'usedEndpoint' }, status: 200 },
  resendWebhookDelivery: { names: { id: 'endpoint', delivery_id: 'delivery' }, status: 202 },
  recoverWebhookEndpoint: { names: { id: 'endpoint' }, json: { since: '2030-01-01T00:00:00Z' }, status: 200 },
  listContacts: { status: 200 },
  exportContacts: { status: 200 },
  createContact: {
    get json() {
      return { phone: freshPhone() };
    },
    status: 201,
  },
  searchContacts: { json: { when: { field: 'contact.status', value: 'active' } }, status: 200 },
  getContact: { names: { id: 'contact' }, status: 200 },
  updateContact: { names: { id: 'contact' }, json: { name: 'Ada' }, status: 200 },
  deleteContact: { names: { id: 'contact' }, status: 200 },
  updateContactTags: { names: { id: 'contact' }, json: { add: ['VIP'] }, status: 200 },
  blockContact: { names: { id: 'contact' }, status: 200 },
  unblockContact: { names: { id: 'contact' }, status: 200 },
  setContactConsent: { names: { id: 'contact' }, json: { marketing: 'granted', source: 'form' }, status: 200 },
  listContactConsents: { names: { id: 'contact' }, status: 200 },
  // With a contact of nobody; one of its own stands in the table of references.
  mergeContact: { names: { id: 'contact' }, json: { contact_id: NOBODYS }, status: 400 },
  unmergeContact: { names: { id: 'mergedContact' }, status: 200 },
  listContactMerges: { names: { id: 'mergingContact' }, status: 200 },
  listContactAttributes: { status: 200 },
  getContactAttribute: { names: { id: 'attribute' }, status: 200 },
  updateContactAttribute: { names: { id: 'attribute' }, json: { label: 'Score' }, status: 200 },
  deleteContactAttribute: { names: { id: 'attribute' }, status: 200 },
  createContactAttribute: {
    get json() {
      return { key: `city_${freshPhone()}`, type: 'text' };
    },
    status: 201,
  },
  // A file of nobody; one of the tenant's own stands in the table of references.
  createImport: { json: { media_id: '0190a6f2-0000-7000-8000-00000000dead' }, status: 400 },
  getImport: { names: { id: 'import' }, status: 200 },
  getImportErrors: { names: { id: 'import' }, status: 200 },
  searchConversations: { json: { when: { field: 'conversation.status', value: 'open' } }, status: 200 },
  listViews: { status: 200 },
  countViews: { status: 200 },
  createView: {
    get json() {
      const when = { field: 'conversation.status', value: 'open' };
      return { name: `View ${freshPhone()}`, when, shared: true };
    },
    status: 201,
  },
  getView: { names: { id: 'view' }, status: 200 },
  updateView: {
    names: { id: 'view' },
    get json() {
      return { name: `View ${freshPhone()}` };
    },
    status: 200,
  },
  deleteView: { names: { id: 'view' }, status: 200 },
  createBulkChange: { json: { when: TAGGED, expected: 0, change: { priority: 'high' } }, status: 202 },
  previewBulkChange: { json: { when: TAGGED }, status: 200 },
  listBulkChanges: { status: 200 },
  getBulkChange: { names: { id: 'bulkChange' }, status: 200 },
  listBulkChangeItems: { names: { id: 'bulkChange' }, status: 200 },
  cancelBulkChange: { names: { id: 'openBulkChange' }, status: 200 },
  undoBulkChange: { names: { id: 'bulkChange' }, status: 202 },
  listSegments: { status: 200 },
  createSegment: { json: { name: 'VIP', when: { field: 'contact.tags', value: 'VIP' } }, status: 201 },
  getSegment: { names: { id: 'segment' }, status: 200 },
  updateSegment: { names: { id: 'segment' }, json: { name: 'Others' }, status: 200 },
  deleteSegment: { names: { id: 'segment' }, status: 200 },
  listCannedReplies: { status: 200 },
  createCannedReply: {
    get json() {
      return { shortcut: freshPhone(), text: 'Hello' };
    },
    status: 201,
  },
  getCannedReply: { names: { id: 'cannedReply' }, status: 200 },
  updateCannedReply: { names: { id: 'cannedReply' }, json: { text: 'Hello' }, status: 200 },
  fillCannedReply: { names: { id: 'cannedReply' }, json: {}, status: 200 },
  deleteCannedReply: { names: { id: 'cannedReply' }, status: 200 },
  listChatbotRules: { status: 200 },
  createChatbotRule: { json: answering, status: 201 },
  getChatbotRule: { names: { id: 'rule' }, status: 200 },
  updateChatbotRule: { names: { id: 'rule' }, json: { enabled: false }, status: 200 },
  deleteChatbotRule: { names: { id: 'rule' }, status: 200 },
  // Rules of nobody.
  orderChatbotRules: { json: { order: ['0190a6f2-0000-7000-8000-00000000dead'] }, status: 400 },
  testChatbotRules: { json: { given: { text: 'Hello' }, rule: answering }, status: 200 },
  backtestChatbotRule: { json: { rule: answering, days: 1 }, status: 200 },
  listRuleDecisions: { status: 200 },
  listApiKeys: { status: 200 },
  createApiKey: { json: { name: 'made' }, status: 201 },
  getApiKey: { names: { id: 'key' }, status: 200 },
  rotateApiKey: { names: { id: 'key' }, json: { overlap_s: 60 }, status: 201 },
  revokeApiKey: { names: { id: 'key' }, status: 200 },
  listAuditLog: { status: 200 },
  exportAuditLog: { status: 200 },
  createCampaign: { json: { name: 'made', template: sendable }, status: 201 },
  listCampaigns: { status: 200 },
  getCampaign: { names: { id: 'campaign' }, status: 200 },
  updateCampaign: { names: { id: 'campaign' }, json: { template: sendable }, status: 200 },
  deleteCampaign: { names: { id: 'campaign' }, status: 200 },
  addCampaignRecipients: { names: { id: 'campaign' }, json: { recipients: [{ to: '447700900123' }] }, status: 200 },
  // A file of nobody; one of the tenant's own stands in the table of references.
  createCampaignImport: {
    names: { id: 'campaign' },
    json: { media_id: '0190a6f2-0000-7000-8000-00000000dead' },
    status: 400,
  },
  getCampaignImport: { names: { id: 'campaignImport' }, status: 200 },
  getCampaignImportErrors: { names: { id: 'campaignImport' }, status: 200 },
  preflightCampaign: { names: { id: 'campaign' }, status: 200 },
  retryCampaign: { names: { id: 'pausedCampaign' }, json: { scope: 'failed' }, status: 200 },
  listCampaignRecipients: { names: { id: 'campaign' }, status: 200 },
  startCampaign: { names: { id: 'campaign' }, status: 200 },
  pauseCampaign: { names: { id: 'runningCampaign' }, status: 200 },
  resumeCampaign: { names: { id: 'pausedCampaign' }, status: 200 },
  cancelCampaign: { names: { id: 'campaign' }, status: 200 },
  getAnalyticsSummary: { status: 200 },
  getAnalyticsTimeseries: { status: 200 },
  getAnalyticsFunnel: { status: 200 },
  getAnalyticsErrors: { status: 200 },
  getAnalyticsHeatmap: { status: 200 },
  getAnalyticsResponseTimes: { status: 200 },
  getAnalyticsAgents: { status: 200 },
  getAnalyticsAuthors: { status: 200 },
  getSubscription: { status: 200 },
  getUsage: { status: 200 },
  getWallet: { status: 200 },
  getWalletPricing: { status: 200 },
  listWalletTransactions: { status: 200 },
  // No payment gateway is connected.
  topUpWallet: { json: { amount: 5_000, currency: 'EUR' }, status: 400 },
  getTopUp: { names: { id: 'topUp' }, status: 200 },
  ...templateCalls,
  ...figureCalls,
  ...flowCalls,
  listConversations: { status: 200 },
  countConversations: { status: 200 },
  updateConversations: { json: { ids: [NOBODYS], change: { priority: 'high' } }, status: 200 },
  getConversation: { ...conversation, status: 200 },
  updateConversation: { ...conversation, json: { priority: 'high' }, status: 200 },
  search: { search: '?q=hello', status: 200 },
  listConversationMessages: { names: { id: 'busyConversation' }, status: 200 },
  createConversation: {
    json: { to: '447700900123', message: { body: 'Hello', ...later } },
    freshJson: () => ({ to: freshPhone(), message: { body: 'Hello', ...later } }),
    status: 201,
  },
  replyInConversation: { ...conversation, json: { body: 'Hello', ...later }, status: 202 },
  listConversationEvents: { names: { id: 'busyConversation' }, status: 200 },
  assignConversation: { ...conversation, json: { team_id: null }, status: 200 },
  snoozeConversation: { ...conversation, json: { until: null }, status: 200 },
  resolveConversation: { ...conversation, status: 200 },
  reopenConversation: { ...conversation, status: 200 },
  readConversation: { ...conversation, status: 200 },
  tagConversation: { ...conversation, json: { add_tags: ['delivery'] }, status: 200 },
  leaseConversation: { ...conversation, headers: agent, status: 200 },
  releaseConversation: { ...conversation, headers: agent, status: 200 },
  listDrafts: { needs: 'drafts', headers: agent, status: 200 },
  getConversationDraft: { names: { id: 'draftedConversation' }, headers: agent, status: 200 },
  setConversationDraft: { ...conversation, headers: agent, json: { body: 'Hello' }, status: 200 },
  listSuggestions: { names: { id: 'suggestedConversation' }, status: 200 },
  createSuggestion: { ...conversation, json: { body: 'Hello' }, status: 201 },
  takeSuggestion: { names: { id: 'suggestion' }, headers: agent, status: 200 },
  discardSuggestion: { names: { id: 'suggestion' }, headers: agent, status: 200 },
  listNotifications: { headers: agent, status: 200 },
  readNotifications: { headers: agent, json: { before: '2030-01-01T09:05:00.000Z' }, status: 200 },
  setConversationSignal: { ...conversation, headers: agent, json: { viewing: true, writing: false }, status: 204 },
  deleteConversationDraft: { names: { id: 'draftedConversation' }, headers: agent, status: 200 },
  getLinkUrl: { fixed: platform, status: 200 },
  completeLink: { fixed: platform, status: 400 }, // Without the state that only the dialog gives.
  listAccounts: { status: 200 },
  getAccount: { names: { id: 'account' }, status: 200 },
  retryAccount: { names: { id: 'account' }, status: 200 },
  unlinkAccount: { names: { id: 'account' }, status: 200 },
  ...numberCalls,
  getRetention: { status: 200 },
  updateRetention: { json: { events_days: 7 }, status: 200 },
  listAgents: { status: 200 },
  createAgent: { json: { name: 'Ana' }, status: 201 },
  getAgent: { names: { id: 'agent' }, status: 200 },
  updateAgent: { names: { id: 'agent' }, json: { name: 'Bo' }, status: 200 },
  deleteAgent: { names: { id: 'agent' }, status: 200 },
  inviteAgent: { names: { id: 'agent' }, status: 201 },
  withdrawInvitation: { names: { id: 'invitedAgent' }, status: 200 },
  listPeople: { status: 200 },
  listAgentSessions: { names: { id: 'agent' }, status: 200 },
  endAgentSessions: { names: { id: 'agent' }, json: {}, status: 200 },
  testSsoConnection: { json: { issuer: SSO_CONNECTION.issuer }, status: 200 },
  getSsoConnection: { needs: 'ssoConnection', status: 200 },
  setSsoConnection: { json: SSO_CONNECTION, status: 200 },
  deleteSsoConnection: { needs: 'ssoConnection', status: 200 },
  setAgentPresence: { names: { id: 'agent' }, json: { availability: 'away' }, status: 200 },
  listTeams: { status: 200 },
  createTeam: { json: { name: 'Support' }, status: 201 },
  getTeam: { names: { id: 'team' }, status: 200 },
  updateTeam: { names: { id: 'team' }, json: { sticky: false }, status: 200 },
  deleteTeam: { names: { id: 'team' }, status: 200 },
  listBusinessHours: { status: 200 },
  createBusinessHours: { json: { name: 'Shop', timezone: 'UTC', weekly: {} }, status: 201 },
  getBusinessHours: { names: { id: 'hours' }, status: 200 },
  updateBusinessHours: { names: { id: 'hours' }, json: { timezone: 'Europe/Berlin' }, status: 200 },
  deleteBusinessHours: { names: { id: 'hours' }, status: 200 },
  getBusinessHoursState: { names: { id: 'hours' }, status: 200 },
  getAssignmentLog: { names: { id: 'conversation' }, status: 200 },
  getOpenApi: { status: 200 },
  getHealth: { status: 200 },
  getReadiness: { status: 200 },
  getMetrics: { status: 200 },
  getDocs: { status: 200 },
  getDocsScript: { status: 200 },
};

/** @throws Error for an operation without a row */
export function planOf(id: string): CallPlan {
  const plan = calls[id];
  if (plan === undefined) throw new Error(`${id} has no row in the table of calls.`);
  return plan;
}

/** @throws Error for an operation that the document does not have */
export function operationOf(id: string): Described {
  const operation = described.find((one) => one.id === id);
  if (operation === undefined) throw new Error(`The document has no operation ${id}.`);
  return operation;
}

/** The path of a call with these ids in it, or with what nobody owns. */
export function pathOf(operation: Described, ids: Readonly<Record<string, string>>, search = ''): string {
  const { names = {}, fixed = {}, search: always = '' } = planOf(operation.id);
  const path = operation.path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = ids[name] ?? fixed[name] ?? (names[name] && NOBODYS);
    if (value === undefined) throw new Error(`${operation.id} is called without ${name}.`);
    return encodeURIComponent(value);
  });
  return path + (search === '' || always === '' ? always + search : `${always}&${search.slice(1)}`);
}

/** A fresh resource of the tenant for each parameter of the path. */
export async function idsFor(
  kit: TestService,
  tenant: TestTenant,
  operation: Described,
): Promise<Readonly<Record<string, string>>> {
  const ids: Record<string, string> = {};
  const { names = {}, needs } = planOf(operation.id);
  if (needs !== undefined) await make(kit, tenant, needs);
  for (const [name, resource] of Object.entries(names)) {
    ids[name] = await make(kit, tenant, resource);
  }
  return ids;
}

export interface CallOptions {
  readonly ids?: Readonly<Record<string, string>>;
  readonly search?: string;
  /** Instead of the planned body; of a form, fields beside its file. */
  readonly json?: JsonObject;
  /** The file of a form; another one each time when it is left out. */
  readonly file?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls an operation as planned. @param key null: without one */
export async function perform(
  kit: TestService,
  key: string | null,
  operation: Described,
  { ids = {}, search = '', json, file = jpegBytes(), headers = {} }: CallOptions = {},
): Promise<Answer> {
  const plan = planOf(operation.id);
  const authorization = key === null ? {} : { authorization: `Bearer ${key}` };
  const all = { ...authorization, ...plan.headers, ...headers };
  const path = pathOf(operation, ids, search);
  if (plan.form) return sendForm(kit, path, all, { fields: json ?? {}, file });
  return callApi(kit.service.url, operation.method, path, plan.bytes ?? json ?? plan.json, all);
}

async function sendForm(
  kit: TestService,
  path: string,
  headers: Readonly<Record<string, string>>,
  { fields, file }: { readonly fields: JsonObject; readonly file: Buffer },
): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  form.append('file', new File([new Uint8Array(file)], 'parcel.jpg', { type: 'image/jpeg' }));
  const response = await fetch(kit.service.url + path, { method: 'POST', headers: { ...headers }, body: form });
  const answer = await response.text();
  return { status: response.status, headers: response.headers, text: answer, body: JSON.parse(answer) };
}
