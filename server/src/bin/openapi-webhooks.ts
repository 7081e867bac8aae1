import type { JsonValue } from '#core/json';
import { EVENT_TYPES, type EventType, eventTypes } from '#events/domain/event';
import type { Components } from '#http/openapi-components';
import { eventSchema, exampleEvent } from './event-catalogue.ts';

const headers = [
  ['webhook-id', 'Identifier of the event, the same in each attempt: what came already can be passed over.'],
  ['webhook-timestamp', 'When the attempt was made, in seconds since 1970. Refuse what is older than five minutes.'],
  ['webhook-signature', 'v1, and the HMAC-SHA256 in base64 of id.timestamp.body; several while secrets are rotated.'],
] as const;
const examples: Readonly<Record<(typeof headers)[number][0], string>> = {
  'webhook-id': '0190a6f2-9a00-7d54-9b3a-000000000007',
  'webhook-timestamp': '1893488402',
  'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
};

/** What webhook endpoints are posted, for the section `webhooks` of the document: one entry for each type of event. */
export function documentWebhooks({ show }: Components): Record<string, unknown> {
  return Object.fromEntries(eventTypes.map((type) => [type, { post: documentWebhook(type, show(eventSchema(type))) }]));
}

function documentWebhook(type: EventType, schema: JsonValue): Record<string, unknown> {
  return {
    operationId: `on-${type.replaceAll('.', '-')}`,
    summary: type,
    description: EVENT_TYPES[type],
    tags: ['Events'],
    security: [],
    parameters: headers.map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
      example: examples[name],
    })),
    requestBody: { required: true, content: { 'application/json': { schema, example: exampleEvent(type) } } },
    responses: {
      '2XX': { description: 'Taken. Anything else is a failure, and the event is posted again later.' },
      410: { description: 'No more of these: the endpoint is disabled.' },
      429: { description: 'Slower, please. Retry-After is honoured, as it is with 502, 503 and 504.' },
    },
  };
}
