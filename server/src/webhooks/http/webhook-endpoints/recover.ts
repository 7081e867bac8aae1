import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { parseRfc3339 } from '#http/validation/rfc3339';
import { recoverDeliveries } from '#webhooks/actions/repeat-deliveries';
import {
  disabledEndpointExample,
  EndpointIdParams,
  RecoverEndpoint,
  RecoveredView,
} from '#webhooks/http/schemas/webhook-endpoint';

export const recoverWebhookEndpointRoute = defineOperation({
  method: 'POST',
  path: '/v1/webhook-endpoints/:id/recover',
  operationId: 'recoverWebhookEndpoint',
  summary: 'Redeliver missed events',
  description:
    'Queues the events of a period again: those that were given up, or those that were never tried because the endpoint was disabled. At most 10,000 per request.',
  tag: 'Events',
  scope: 'webhooks:write',
  params: EndpointIdParams,
  body: RecoverEndpoint,
  bodyExamples: {
    failed: { summary: 'What was given up', value: { since: '2030-01-01T00:00:00Z', only: 'failed' } },
    count: {
      summary: 'Count what was never tried',
      value: { since: '2030-01-01T00:00:00Z', until: '2030-01-02T00:00:00Z', only: 'missing', dry_run: true },
    },
  },
  takesIdempotencyKey: true,
  answer: {
    status: 200,
    description: 'The number of events that are delivered again.',
    schema: RecoveredView,
    example: { matched: 42, dry_run: false, has_more: false },
    headers: ['Idempotent-Replayed'],
  },
  errors: ['not_found', 'conflict'],
  errorExamples: [disabledEndpointExample],
  handle: ({ rt, db }) => {
    return async (request) => {
      const { tenantId } = principalOf(request);
      const { since, until, only = 'failed', dry_run: dryRun = false } = request.body;
      const wish = {
        tenantId,
        endpointId: request.params.id.toLowerCase(),
        sinceMs: parseRfc3339(since) ?? 0,
        untilMs: until === undefined ? rt.clock.now() + 1 : (parseRfc3339(until) ?? 0),
        only,
        dryRun,
      };
      const { matched, hasMore } = await recoverDeliveries(rt, db, wish);
      return { matched, dry_run: dryRun, has_more: hasMore };
    };
  },
});
