import type { JsonValue } from '#core/json';
import type { Components } from '#http/openapi-components';
import { eventUnion, exampleEvent } from './event-catalogue.ts';

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

/**
 * What webhook endpoints are posted, for the section `webhooks` of the document: one entry for events of every type, because one
 * endpoint takes them all, and they differ in their bodies alone.
 */
export function documentWebhooks({ show }: Components): Record<string, unknown> {
  return { event: { post: documentWebhook(show(eventUnion())) } };
}

function documentWebhook(schema: JsonValue): Record<string, unknown> {
  return {
    operationId: 'on-event',
    summary: 'Something happened',
    description:
      'Posts an event to every webhook endpoint that takes its type. `type` says what happened and what `data` is: each type has a schema of its own.',
    parameters: headers.map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
      example: examples[name],
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema, example: exampleEvent('message.delivered') } },
    },
    responses: {
      '2XX': {
        description:
          'Accepted. After any other response, the event is posted again later, not before Retry-After; 410 disables the endpoint.',
      },
    },
  };
}
