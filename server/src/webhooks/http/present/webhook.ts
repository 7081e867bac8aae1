import type { JsonObject } from '#core/json';
import { formatRfc3339 } from '#http/validation/rfc3339';
import type { MadeEndpoint } from '#webhooks/actions/manage-endpoints';
import type { WebhookAttempt, WebhookDelivery, WebhookEndpoint } from '#webhooks/domain/webhook';

/** An endpoint as the API shows it: never its secret. */
export function presentEndpoint(endpoint: WebhookEndpoint): JsonObject {
  return {
    id: endpoint.endpointId,
    url: endpoint.url,
    description: endpoint.description,
    types: endpoint.types === null ? null : [...endpoint.types],
    ordering: endpoint.ordering,
    enabled: endpoint.disabledReason === null,
    disabled_reason: endpoint.disabledReason,
    disabled_at: timeOrNull(endpoint.disabledMs),
    failing_since: timeOrNull(endpoint.failingSinceMs),
    old_secret_until: timeOrNull(endpoint.oldSecret?.untilMs ?? null),
    version: endpoint.version,
    created_at: formatRfc3339(endpoint.createdMs),
    updated_at: formatRfc3339(endpoint.updatedMs),
  };
}

/** The one answer that shows the secret. */
export function presentMadeEndpoint({ endpoint, secret }: MadeEndpoint): JsonObject {
  return { secret, ...presentEndpoint(endpoint) };
}

/** What is kept for repetitions: the same without the secret, which must not lie in the database. */
export function presentKeptEndpoint({ endpoint }: MadeEndpoint): JsonObject {
  return { secret: null, ...presentEndpoint(endpoint) };
}

export function presentDelivery(delivery: WebhookDelivery): JsonObject {
  return {
    id: delivery.deliveryId,
    endpoint_id: delivery.endpointId,
    event_id: delivery.eventId,
    sequence: delivery.sequence,
    type: delivery.type,
    state: delivery.state,
    attempts: delivery.attempts,
    next_attempt_at: timeOrNull(delivery.dueMs),
    overtaken: delivery.overtaken,
    log: delivery.log.map(presentAttempt),
    created_at: formatRfc3339(delivery.createdMs),
    updated_at: formatRfc3339(delivery.updatedMs),
  };
}

function presentAttempt(attempt: WebhookAttempt): JsonObject {
  return {
    at: formatRfc3339(attempt.atMs),
    duration_ms: attempt.durationMs,
    status: attempt.status,
    error: attempt.error,
    detail: attempt.detail,
    response: attempt.response,
  };
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : formatRfc3339(ms);
}
