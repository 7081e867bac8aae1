import { EVENT_TYPES, type EventType } from '#core/event';
import type { JsonObject } from '#core/json';
import { EVENT_API_VERSION } from '#core/wire-event';
import { agentEvents } from './schemas/events/agents.ts';
import { auditEvents } from './schemas/events/audit.ts';
import { billingEvents } from './schemas/events/billing.ts';
import { campaignEvents } from './schemas/events/campaign.ts';
import { contactEvents } from './schemas/events/contact.ts';
import { conversationEvents } from './schemas/events/conversation.ts';
import type { EventDescription } from './schemas/events/description.ts';
import { endpointEvents } from './schemas/events/endpoint.ts';
import { messageEvents } from './schemas/events/message.ts';
import { numberEvents } from './schemas/events/number.ts';
import { ruleEvents } from './schemas/events/rule.ts';
import { subscriptionEvents } from './schemas/events/subscription.ts';
import { templateEvents } from './schemas/events/templates.ts';

/** Each family of events; a type stands in one of them. */
const families: readonly Partial<Record<EventType, EventDescription>>[] = [
  messageEvents,
  conversationEvents,
  agentEvents,
  ruleEvents,
  contactEvents,
  campaignEvents,
  templateEvents,
  numberEvents,
  subscriptionEvents,
  billingEvents,
  endpointEvents,
  auditEvents,
];

const described: Partial<Record<EventType, EventDescription>> = Object.assign({}, ...families);

export const eventTypes = Object.keys(EVENT_TYPES) as readonly EventType[];

/** What events of a type carry. @throws Error for a type that nobody has described: a test sees to it that none is */
export function describeEvent(type: EventType): EventDescription {
  const description = described[type];
  if (description === undefined) throw new Error(`${type} has no schema in http/schemas/events/.`);
  return description;
}

/** An event of this type as it leaves, made up. */
export function exampleEvent(type: EventType): JsonObject {
  return {
    id: '0190a6f2-9a00-7d54-9b3a-000000000007',
    sequence: 7,
    type,
    api_version: EVENT_API_VERSION,
    timestamp: '2030-01-01T09:00:02.310Z',
    data: describeEvent(type).example as JsonObject,
  };
}

/** The JSON Schema (draft 2020-12) of a whole event of this type, with its example. */
export function eventSchema(type: EventType): JsonObject {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: type,
    description: EVENT_TYPES[type],
    type: 'object',
    properties: {
      id: { type: 'string', format: 'uuid', description: 'Identifier of the event; the webhook-id of its deliveries.' },
      sequence: {
        type: 'integer',
        minimum: 1,
        description: 'Its number among the events of the tenant, without gaps.',
      },
      type: { const: type },
      api_version: { type: 'string', description: 'Version of the envelope.' },
      timestamp: { type: 'string', format: 'date-time', description: 'When it was recorded.' },
      data: describeEvent(type).data,
    },
    required: ['id', 'sequence', 'type', 'api_version', 'timestamp', 'data'],
    examples: [exampleEvent(type)],
  };
  // Through text: leaves out every hidden mark of the schema library, and our own annotations.
  const text = JSON.stringify(schema, (key, value) => (key.startsWith('x-') ? undefined : value));
  return JSON.parse(text) as JsonObject;
}
