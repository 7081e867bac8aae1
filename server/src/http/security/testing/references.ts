import type { JsonObject, JsonValue } from '#core/json';
import { makeFlow } from '#testing/test-flows';
import { freshPhone, type TestTenant } from '#testing/test-tenant';
import { freshUserId } from '#testing/user-ids';
import { answering, TAGGED, text } from './calls.ts';
import { figureFilters } from './figure-calls.ts';
import { templateReferences } from './template-references.ts';
import { type ResourceName, SSO_CONNECTION } from './world.ts';

/** A place of a body that names a resource of the tenant. */
export interface BodyReference {
  readonly names: ResourceName;
  /** A body that is accepted when the id at this place is the caller's own; of a form, its fields. */
  readonly body: (id: string) => JsonObject;
  /** What its owner is answered, when that is not what the table of calls says. */
  readonly status?: number;
  /** What the first item of a list of outcomes says to its owner: it is about something else. */
  readonly itemError?: string;
}

/** Ids of customers and of the network's catalogue, and names that the caller gives to buttons and rows. */
const notOurs = [
  'contacts[].phones[].wa_id',
  'interactive.action.buttons[].reply.id',
  'interactive.action.cards[].action.buttons[].quick_reply.id',
  'interactive.action.sections[].rows[].id',
  'interactive.action.parameters.flow_id',
  'interactive.action.catalog_id',
  'interactive.action.product_retailer_id',
  'interactive.action.sections[].product_items[].product_retailer_id',
  'interactive.action.parameters.thumbnail_product_retailer_id',
];

const kinds = ['image', 'video', 'document'] as const;
type Kind = (typeof kinds)[number];
const idNames = ['media_id', 'id'] as const;

function template(components: JsonValue): JsonObject {
  return { ...withoutBody, type: 'template', template: { name: 'order_ready', language: 'en_US', components } };
}

function interactive(content: JsonObject): JsonObject {
  return { ...withoutBody, type: 'interactive', interactive: { body: { text: 'Here' }, ...content } };
}

/** The agent or team of conversations; the conversations of a bulk change are nobody's. */
const assignmentReferences: Readonly<Record<string, BodyReference>> = {
  assignee_id: { names: 'agent', body: (id) => ({ assignee_id: id }) },
  team_id: { names: 'team', body: (id) => ({ team_id: id }) },
};
const cannedReplyReferences: Readonly<Record<string, BodyReference>> = {
  media_ids: { names: 'image', body: (id) => ({ shortcut: freshPhone(), text: 'Hello', media_ids: [id] }) },
  team_ids: { names: 'team', body: (id) => ({ shortcut: freshPhone(), text: 'Hello', team_ids: [id] }) },
};
const NO_CONVERSATION = 'The resource does not exist.';

function manyTo(change: JsonObject): JsonObject {
  return { ids: ['0190a6f2-0000-7000-8000-00000000dead'], change };
}

function noneTo(change: JsonObject): JsonObject {
  return { when: TAGGED, expected: 0, change };
}

const { body: _body, ...withoutBody } = text;
const headerOf = (kind: Kind, source: JsonObject) => ({ type: 'header', parameters: [{ type: kind, [kind]: source }] });
const buttons = { buttons: [{ type: 'reply', reply: { id: 'yes', title: 'Yes' } }] };

/** Every place of one kind of media and one spelling of its id. */
function mediaReferences(kind: Kind, name: (typeof idNames)[number]): readonly (readonly [string, BodyReference])[] {
  const inCards = (id: string) => [
    { type: 'carousel', cards: [{ card_index: 0, components: [headerOf(kind, { [name]: id })] }] },
  ];
  const card = (source: JsonObject, index: number) => ({
    card_index: index,
    type: 'button',
    header: { type: kind, [kind]: source },
    body: { text: 'This one' },
    action: { buttons: [{ type: 'quick_reply', quick_reply: { id: `b${index}`, title: 'Take it' } }] },
  });
  const twoCards = (id: string) => ({ cards: [card({ [name]: id }, 0), card({ link: 'https://shop.example/a' }, 1)] });
  const header = (id: string) => ({ type: kind, [kind]: { [name]: id } });
  const places: Record<string, (id: string) => JsonObject> = {
    [`template.components[].parameters[].${kind}.${name}`]: (id) => template([headerOf(kind, { [name]: id })]),
    [`template.components[].cards[].components[].parameters[].${kind}.${name}`]: (id) => template(inCards(id)),
    [`interactive.header.${kind}.${name}`]: (id) =>
      interactive({ type: 'button', header: header(id), action: buttons }),
    ...(kind === 'document'
      ? {}
      : {
          [`interactive.action.cards[].header.${kind}.${name}`]: (id) =>
            interactive({ type: 'carousel', action: twoCards(id) }),
        }),
  };
  return Object.entries(places).map(([place, body]) => [place, { names: kind, body }]);
}

const sendReferences: Readonly<Record<string, BodyReference>> = {
  reply_to: { names: 'inbound', body: (id) => ({ ...text, reply_to: id }) },
  phone_number_id: { names: 'number', body: (id) => ({ ...text, phone_number_id: id }) },
  'reaction.message_id': {
    names: 'inbound',
    body: (id) => ({ ...withoutBody, type: 'reaction', reaction: { message_id: id, emoji: '👍' } }),
  },
  'media.media_id': { names: 'image', body: (id) => ({ ...withoutBody, type: 'image', media: { media_id: id } }) },
  ...Object.fromEntries(kinds.flatMap((kind) => idNames.flatMap((name) => mediaReferences(kind, name)))),
};

const campaignDraft = { name: 'made', template: { name: 'order_ready', language: 'en_US' } };
/** A draft names what the messages made from it would. */
const campaignReferences: Readonly<Record<string, BodyReference>> = {
  phone_number_id: { names: 'number', body: (id) => ({ ...campaignDraft, phone_number_id: id }) },
  'audience.segment_id': { names: 'segment', body: (id) => ({ ...campaignDraft, audience: { segment_id: id } }) },
  ...Object.fromEntries(
    Object.entries(sendReferences)
      .filter(([place]) => place.startsWith('template.'))
      .map(([place, { names, body }]) => [
        place,
        { names, body: (id: string) => ({ ...campaignDraft, template: body(id).template }) },
      ]),
  ),
};

/** The same message as the first of a conversation. */
function begun({ to = null, phone_number_id: number = null, ...message }: JsonObject): JsonObject {
  return { to, ...(number === null ? {} : { phone_number_id: number }), message };
}

function withoutRecipient({ to: _to, ...reply }: JsonObject): JsonObject {
  return reply;
}

const teamReferences: Readonly<Record<string, BodyReference>> = {
  business_hours_id: { names: 'hours', body: (id) => ({ name: 'Support', business_hours_id: id }) },
  overflow_team_id: { names: 'team', body: (id) => ({ name: 'Support', overflow_team_id: id }) },
};

/** Per operation, the places of its body that name a resource. */
export const bodyReferences: Readonly<Record<string, Readonly<Record<string, BodyReference>>>> = {
  sendMessage: sendReferences,
  dryRunMessage: Object.fromEntries(
    Object.entries(sendReferences).map(([place, reference]) => [place, { ...reference, status: 200 }]),
  ),
  sendMessageBatch: Object.fromEntries(
    Object.entries(sendReferences).map(([place, { names, body }]) => [
      `messages[].${place}`,
      { names, body: (id: string) => ({ messages: [body(id)] }) },
    ]),
  ),
  setSsoConnection: {
    break_glass_agent_id: { names: 'agent', body: (id) => ({ ...SSO_CONNECTION, break_glass_agent_id: id }) },
  },
  createCampaign: campaignReferences,
  updateCampaign: campaignReferences,
  replyInConversation: Object.fromEntries(
    Object.entries(sendReferences)
      .filter(([place]) => place !== 'phone_number_id')
      .map(([place, { names, body }]) => [place, { names, body: (id: string) => withoutRecipient(body(id)) }]),
  ),
  createConversation: {
    contact_id: { names: 'contact', body: (id) => ({ contact_id: id, message: { body: 'Hello' } }), status: 201 },
    ...Object.fromEntries(
      Object.entries(sendReferences).map(([place, { names, body }]) => [
        place === 'phone_number_id' ? place : `message.${place}`,
        { names, body: (id: string) => begun(body(id)), status: 201 },
      ]),
    ),
  },
  setConversationDraft: { media_ids: { names: 'image', body: (id) => ({ body: 'Hello', media_ids: [id] }) } },
  updateConversations: {
    ids: { names: 'conversation', body: (id) => ({ ids: [id], change: { priority: 'high' } }) },
    'change.assignee_id': { names: 'agent', body: (id) => manyTo({ assignee_id: id }), itemError: NO_CONVERSATION },
    'change.team_id': { names: 'team', body: (id) => manyTo({ team_id: id }), itemError: NO_CONVERSATION },
  },
  createBulkChange: {
    ids: { names: 'conversation', body: (id) => ({ ids: [id], change: { priority: 'high' } }) },
    'change.assignee_id': { names: 'agent', body: (id) => noneTo({ assignee_id: id }) },
    'change.team_id': { names: 'team', body: (id) => noneTo({ team_id: id }) },
  },
  uploadMedia: { phone_number_id: { names: 'number', body: (id) => ({ phone_number_id: id }) } },
  createResumableUpload: { phone_number_id: { names: 'number', body: (id) => ({ phone_number_id: id }) } },
  ...templateReferences,
  createFlow: {
    network_account_id: {
      names: 'networkAccount',
      body: (id) => ({ name: 'made', categories: ['other'], network_account_id: id }),
      status: 201,
    },
    clone_flow_id: {
      names: 'flow',
      body: (id) => ({ name: `copy ${freshPhone()}`, categories: ['other'], clone_flow_id: id }),
      status: 201,
    },
  },
  createImport: { media_id: { names: 'document', body: (id) => ({ media_id: id }), status: 202 } },
  createCampaignImport: { media_id: { names: 'document', body: (id) => ({ media_id: id }), status: 202 } },
  setContactConsent: {
    message_id: { names: 'inbound', body: (id) => ({ marketing: 'granted', source: 'form', message_id: id }) },
  },
  mergeContact: { contact_id: { names: 'contact', body: (id) => ({ contact_id: id }), status: 200 } },
  updatePhoneNumber: { business_hours_id: { names: 'hours', body: (id) => ({ business_hours_id: id }) } },
  createTeam: teamReferences,
  updateTeam: teamReferences,
  createCannedReply: cannedReplyReferences,
  updateCannedReply: cannedReplyReferences,
  fillCannedReply: {
    contact_id: { names: 'contact', body: (id) => ({ contact_id: id }) },
    conversation_id: { names: 'conversation', body: (id) => ({ conversation_id: id }) },
  },
  updateConversation: assignmentReferences,
  assignConversation: assignmentReferences,
  createApiKey: {
    agent_id: { names: 'agent', body: (id) => ({ name: 'made', agent_id: id }) },
    phone_number_ids: { names: 'number', body: (id) => ({ name: 'made', phone_number_ids: [id] }) },
  },
  backtestChatbotRule: {
    replaces: { names: 'rule', body: (id) => ({ rule: answering, days: 1, replaces: id }) },
  },
  setNumberPicture: { media_id: { names: 'image', body: (id) => ({ media_id: id }), status: 200 } },
  addPhoneNumber: { phone_number_id: { names: 'newNumber', body: (id) => ({ phone_number_id: id }), status: 201 } },
};

/** Per operation, the places of its body that are called an id and name nothing of ours. */
export const foreignNames: Readonly<Record<string, readonly string[]>> = {
  setSsoConnection: ['client_id'],
  sendMessage: notOurs,
  dryRunMessage: notOurs,
  createAgent: ['external_id'],
  updateAgent: ['external_id'],
  sendMessageBatch: notOurs.map((place) => `messages[].${place}`),
  createContact: ['external_id', 'user_id'],
  updateContact: ['external_id', 'user_id'],
  // Those of other agents, and of other tenants, stay as they are.
  endAgentSessions: ['session_ids'],
  // Those of another agent stay as they are, without a word.
  readNotifications: ['ids'],
  // Compared with the newest message, which is the conversation's own.
  createConversation: notOurs.map((place) => `message.${place}`),
  // A canned reply that is gone must not hold up an answer: it is not counted.
  replyInConversation: [...notOurs, 'if_last_message_id', 'canned_reply_id'],
};

const reportTimes = { from: null, to: null, timezone: null };
/** A number or a name that nobody has counts nothing, like that of another tenant: each tenant has sums of its own. */
const reportFilters = { ...reportTimes, phone_number_id: null, type: null, template: null, campaign_name: null };
const conversationReport = { ...reportTimes, phone_number_id: null, agent_id: null, team_id: null, tag: null };
const summaryFilters = { ...reportFilters, ...conversationReport };

const contactFilters: Readonly<Record<string, FilterValue | null>> = {
  phone: (tenant) => firstOf(tenant, '/v1/contacts', 'phone'),
  user_id: async (tenant) => (await tenant.call('POST', '/v1/contacts', { user_id: freshUserId() })).body.user_id,
  external_id: async (tenant) => {
    const fields = { phone: freshPhone(), external_id: freshPhone() };
    return (await tenant.call('POST', '/v1/contacts', fields)).body.external_id;
  },
  segment_id: async (tenant) => {
    const when = { field: 'contact.status', value: 'active' };
    await tenant.call('POST', '/v1/contacts', { phone: freshPhone() });
    return (await tenant.call('POST', '/v1/segments', { name: 'All', when })).body.id;
  },
  tag: null,
  q: null,
};

const inboundFilters: Readonly<Record<string, FilterValue | null>> = {
  from: (tenant) => firstOf(tenant, '/v1/messages/inbound', 'from'),
  type: null,
  phone_number_id: async (tenant) => tenant.phoneNumberId,
  conversation_id: (tenant) => firstOf(tenant, '/v1/messages/inbound', 'conversation_id'),
  contact_id: (tenant) => firstOf(tenant, '/v1/messages/inbound', 'contact_id'),
};

const outboundFilters: Readonly<Record<string, FilterValue | null>> = {
  to: (tenant) => firstOf(tenant, '/v1/messages/outbound', 'to'),
  campaign_name: async (tenant) => {
    await tenant.send('447700900123', { campaign_name: 'secret spring', ...laterOnly });
    return 'secret spring';
  },
  client_ref: async (tenant) => {
    await tenant.send('447700900123', { client_ref: 'secret order', ...laterOnly });
    return 'secret order';
  },
  phone_number_id: async (tenant) => tenant.phoneNumberId,
  conversation_id: async (tenant) => {
    const id = await firstOf(tenant, '/v1/conversations', 'id');
    await tenant.call('POST', `/v1/conversations/${id}/messages`, { body: 'Hello', ...laterOnly });
    return id;
  },
  contact_id: async (tenant) => {
    const id = await firstOf(tenant, '/v1/conversations', 'id');
    await tenant.call('POST', `/v1/conversations/${id}/messages`, { body: 'Hello', ...laterOnly });
    return (await tenant.call('GET', `/v1/conversations/${id}`)).body.contact_id;
  },
};

/** Per list and filter, a value that finds something of this tenant; null: the filter names nobody's property. */
export const filters: Readonly<Record<string, Readonly<Record<string, FilterValue | null>>>> = {
  listMessages: { ...outboundFilters, ...inboundFilters },
  listContactMessages: { type: null },
  listInboundMessages: inboundFilters,
  listOutboundMessages: outboundFilters,
  listContacts: contactFilters,
  exportContacts: contactFilters,
  listCannedReplies: { prefix: null },
  listConversations: {
    assignee: async (tenant) => {
      const [{ id }] = (await tenant.call('GET', '/v1/conversations?limit=1')).body.data;
      const agentId = await firstOf(tenant, '/v1/agents', 'id');
      await tenant.call('PATCH', `/v1/conversations/${id}`, { assignee_id: agentId });
      return agentId;
    },
    team: async (tenant) => {
      const [{ id }] = (await tenant.call('GET', '/v1/conversations?limit=1')).body.data;
      const teamId = await firstOf(tenant, '/v1/teams', 'id');
      await tenant.call('PATCH', `/v1/conversations/${id}`, { team_id: teamId });
      return teamId;
    },
    phone_number_id: async (tenant) => tenant.phoneNumberId,
    tag: async (tenant) => {
      const [{ id }] = (await tenant.call('GET', '/v1/conversations?limit=1')).body.data;
      await tenant.call('POST', `/v1/conversations/${id}/tags`, { add_tags: ['secret spring'] });
      return 'secret spring';
    },
    q: (tenant) => firstOf(tenant, '/v1/messages/inbound', 'from'),
    contact_id: (tenant) => firstOf(tenant, '/v1/conversations', 'contact_id'),
  },
  listConversationMessages: { after: null, around: null },
  // What a query of another tenant names is not found: the tests beside the route see to it.
  search: { q: null },
  listAuditLog: {
    key_id: (tenant) => firstOf(tenant, '/v1/audit-log', 'key_id'),
    // Nothing in these worlds was changed for an agent.
    agent_id: null,
    target_id: (tenant) => firstOf(tenant, '/v1/audit-log', 'target_id'),
  },
  // An event of another tenant is refused like one that nobody has: the tests beside the route see to it.
  listEvents: { after: null, types: null },
  streamEvents: { after: null, types: null },
  listWebhookDeliveries: { event_id: null },
  listCampaignRecipients: { reason: null },
  // The network has one library for all.
  listTemplateLibrary: { q: null, name: null, language: null, topic: null, use_case: null, industry: null },
  listTemplates: {
    language: null,
    name: (tenant) => firstOf(tenant, '/v1/templates', 'name'),
    q: (tenant) => firstOf(tenant, '/v1/templates', 'name'),
    network_account_id: (tenant) => firstOf(tenant, '/v1/templates', 'network_account_id'),
  },
  listFlows: {
    network_account_id: async (tenant) => {
      const id = await firstOf(tenant, '/v1/templates', 'network_account_id');
      await makeFlow(tenant, id);
      return id;
    },
  },
  listRuleDecisions: {
    message_id: (tenant) => firstOf(tenant, '/v1/chatbot-rules/decisions', 'message_id'),
    conversation_id: (tenant) => firstOf(tenant, '/v1/chatbot-rules/decisions', 'conversation_id'),
    rule_id: (tenant) => firstOf(tenant, '/v1/chatbot-rules', 'id'),
  },
  getUsage: { month: null },
  getAnalyticsSummary: summaryFilters,
  getAnalyticsTimeseries: summaryFilters,
  getAnalyticsFunnel: reportTimes,
  getAnalyticsErrors: reportTimes,
  getAnalyticsHeatmap: reportFilters,
  getAnalyticsResponseTimes: conversationReport,
  getAnalyticsAgents: reportTimes,
  getAnalyticsAuthors: reportTimes,
  ...figureFilters,
  listAgents: {
    team_id: async (tenant) => {
      const members = [await firstOf(tenant, '/v1/agents', 'id')];
      return (await tenant.call('POST', '/v1/teams', { name: 'Found', members })).body.id;
    },
    external_id: async (tenant) => {
      await tenant.call('POST', '/v1/agents', { name: 'Cy', external_id: 'crm-17' });
      return 'crm-17';
    },
  },
  listPhoneNumbers: { account_id: (tenant) => firstOf(tenant, '/v1/accounts', 'id') },
  completeLink: { code: null, state: null, error: null, error_reason: null },
};

type FilterValue = (tenant: TestTenant) => Promise<string>;
const { send_at } = text;
const laterOnly = { send_at };

async function firstOf(tenant: TestTenant, path: string, field: string): Promise<string> {
  const { body } = await tenant.call('GET', path === '/v1/chatbot-rules' ? path : `${path}?limit=1`);
  const [first] = body.data;
  const value = first[field] ?? first.actor?.[field];
  if (typeof value !== 'string') throw new Error(`The first item of ${path} has no ${field}: ${JSON.stringify(first)}`);
  return value;
}
