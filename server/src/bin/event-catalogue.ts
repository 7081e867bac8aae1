import Type from 'typebox';
import { auditEvents } from '#access/http/schemas/audit-events';
import { accountEvents } from '#accounts/http/schemas/account-events';
import { phoneNumberEvents } from '#accounts/http/schemas/number-events';
import { agentEvents } from '#agents/http/schemas/agent-events';
import { billingEvents } from '#billing/http/schemas/billing-events';
import { campaignEvents } from '#campaigns/http/schemas/campaign-events';
import { contactEvents } from '#contacts/http/schemas/contact-events';
import { conversationEvents } from '#conversations/http/schemas/conversation-events';
import { suggestionEvents } from '#conversations/http/schemas/suggestion';
import type { JsonObject } from '#core/json';
import { EVENT_API_VERSION, EVENT_TYPES, type EventType, eventTypes } from '#events/domain/event';
import { pascalCase } from '#http/openapi-components';
import type { EventDescription } from '#http/schemas/events/description';
import { named, time, uuid, withExample } from '#http/schemas/fields';
import { importEvents } from '#imports/http/schemas/contact-import';
import { mergeEvents } from '#merges/http/schemas/merge-events';
import { callEvents } from '#messages/http/schemas/call-events';
import { messageEvents } from '#messages/http/schemas/message-events';
import { ruleEvents } from '#rules/http/schemas/rule-events';
import { templateEvents } from '#templates/http/schemas/template-events';
import { endpointEvents } from '#webhooks/http/schemas/endpoint-events';

/** Each family of events; a type stands in one of them. */
const families: readonly Partial<Record<EventType, EventDescription>>[] = [
  messageEvents,
  callEvents,
  conversationEvents,
  suggestionEvents,
  agentEvents,
  ruleEvents,
  contactEvents,
  importEvents,
  mergeEvents,
  campaignEvents,
  templateEvents,
  accountEvents,
  phoneNumberEvents,
  billingEvents,
  endpointEvents,
  auditEvents,
];

const described: Partial<Record<EventType, EventDescription>> = Object.assign({}, ...families);

/** What events of a type carry. @throws Error for a type that nobody has described: a test sees to it that none is */
export function describeEvent(type: EventType): EventDescription {
  const description = described[type];
  if (description === undefined) throw new Error(`${type} has no schema in http/schemas/events/.`);
  return description;
}

const envelope = {
  id: '0190a6f2-9a00-7d54-9b3a-000000000007',
  sequence: 7,
  api_version: EVENT_API_VERSION,
  timestamp: '2030-01-01T09:00:02.310Z',
};

/** An event of this type as it leaves, made up. */
export function exampleEvent(type: EventType): JsonObject {
  const { id, sequence, ...when } = envelope;
  return { id, sequence, type, ...when, data: describeEvent(type).example as JsonObject };
}

const Envelope = Type.Object(
  {
    id: withExample(uuid('ID of the event; the webhook-id of its deliveries.'), envelope.id),
    sequence: withExample(
      Type.Integer({ minimum: 1, description: "Counts the tenant's events from 1, without gaps." }),
      envelope.sequence,
    ),
    api_version: withExample(Type.String({ description: 'Version of the envelope.' }), envelope.api_version),
    timestamp: withExample(time('When it was recorded.'), envelope.timestamp),
  },
  named('EventEnvelope', 'Fields that every event has.'),
);

/** The schema of a whole event of this type, under a name of its own: `MessageReceivedEvent`. */
export function eventSchema(type: EventType) {
  const { data } = describeEvent(type);
  const own = {
    type: 'object',
    properties: { type: { type: 'string', enum: [type] }, data },
    required: ['type', 'data'],
  };
  // Readers of the document show types by their titles, and no properties beside `allOf`.
  return {
    title: type,
    allOf: [Envelope, own],
    ...named(`${pascalCase(type)}Event`, EVENT_TYPES[type]),
  };
}

/** Every type of event, told apart by `type`. */
export function eventUnion() {
  return { oneOf: eventTypes.map(eventSchema), ...named('Event', 'Something that happened.') };
}
