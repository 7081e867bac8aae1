import type { JsonValue } from '#core/json';
import { type EventType, eventTypes } from '#events/domain/event';
import type { Components } from '#http/openapi-components';
import { eventSchema } from './event-catalogue.ts';

const headers = [
  ['webhook-id', 'ID of the event, the same in each attempt: use it to skip duplicates.'],
  ['webhook-timestamp', 'Time of the attempt, in seconds since 1970. Reject attempts older than five minutes.'],
  ['webhook-signature', 'v1 and the base64 HMAC-SHA256 of id.timestamp.body; several while secrets are rotated.'],
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
    parameters: headers.map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
      example: examples[name],
    })),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': {
        description:
          'Accepted. After any other response, the event is posted again later, not before Retry-After; 410 disables the endpoint.',
      },
    },
  };
}
