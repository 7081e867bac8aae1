import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { type StoredEvent, wireEvent } from '#events/domain/event';
import { findEvent } from '#events/store/events';
import type { Runtime } from '#runtime/runtime';
import type { WebhookAttempt, WebhookEndpoint } from '#webhooks/domain/webhook';
import { readWebhookRetryAfter } from '#webhooks/domain/webhook-schedule';
import type { OpenedEndpoint, ReadyDelivery } from './endpoint-lane.ts';
import type { Posted, WebhookPoster } from './post.ts';
import { type SignRequest, signAsNetwork, signWebhook } from './sign.ts';
import { beginWebhook } from './webhook-step.ts';

/** "15 to 30 seconds", says the specification of Standard Webhooks. */
const TIMEOUT_MS = 15_000;

export interface AttemptDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly poster: WebhookPoster;
}

/** An attempt that was made. */
export interface MadeAttempt {
  readonly attempt: WebhookAttempt;
  /** Of the trace that it belongs to; absent: traces are off. */
  readonly traceId?: string;
  readonly retryAfterMs: number | null;
}

/**
 * Posts one delivery once. The same event has the same webhook-id in every attempt, in any process.
 * @param stopped ends it when the process stops
 * @returns null when it was ended: nothing is known, and the delivery stays due
 */
export async function attemptDelivery(
  { rt, db, poster }: AttemptDeps,
  delivery: ReadyDelivery,
  { endpoint, secretsAt }: OpenedEndpoint,
  stopped: AbortSignal,
): Promise<MadeAttempt | null> {
  const atMs = rt.clock.now();
  const beganMs = rt.clock.monotonic();
  const made = (posted: Posted): MadeAttempt => {
    const { status, error, detail, response } = posted;
    const durationMs = Math.round(rt.clock.monotonic() - beganMs);
    const attempt = { atMs, durationMs, status, error, detail, response };
    return { attempt, retryAfterMs: readWebhookRetryAfter(posted.retryAfter, rt.clock.now()) };
  };
  const secrets = secretsAt(atMs);
  if (secrets === null) return made(unsent('secret_unreadable', 'The secret cannot be decrypted here.'));
  const event = await eventOf(db, endpoint.tenantId, delivery);
  const body = event === null ? delivery.body : JSON.stringify(wireEvent(event));
  if (body === null) return made(unsent('event_expired', 'The event is no longer kept.'));
  const step = await beginWebhook({ rt, db }, { tenantId: endpoint.tenantId, event, delivery });
  const signed = signedHeaders(endpoint, { id: delivery.eventId, nowMs: atMs, body, secrets });
  const ended = new AbortController();
  const end = (): void => ended.abort();
  const cancel = rt.clock.after(TIMEOUT_MS, end);
  stopped.addEventListener('abort', end, { once: true });
  if (stopped.aborted) end();
  try {
    const headers = { ...signed, ...(step && { traceparent: step.traceParent }) };
    const posted = await poster.post({ url: endpoint.url, headers, body, signal: ended.signal });
    step?.end(posted.status === null ? {} : { 'http.response.status_code': posted.status }, posted.error ?? undefined);
    if (stopped.aborted && posted.error === 'timeout') return null;
    return { ...made(posted), ...(step && { traceId: step.traceId }) };
  } finally {
    cancel();
    stopped.removeEventListener('abort', end);
  }
}

/** What both formats have is the id, by which a receiver can tell a repetition. */
function signedHeaders({ format }: WebhookEndpoint, request: SignRequest): Readonly<Record<string, string>> {
  if (format === 'postrider') return { ...signWebhook(request) };
  const [newest = ''] = request.secrets;
  return { 'webhook-id': request.id, ...signAsNetwork(request.body, newest) };
}

/** @returns null for what holds its own body, and when the event is gone */
async function eventOf(
  db: Database,
  tenantId: TenantId,
  { sequence, eventId, event: known }: ReadyDelivery,
): Promise<StoredEvent | null> {
  if (sequence === null) return null;
  const event = known ?? (await findEvent(db, tenantId, sequence));
  return event?.id === eventId ? event : null;
}

function unsent(error: 'secret_unreadable' | 'event_expired', detail: string): Posted {
  return { status: null, error, detail, response: null, retryAfter: undefined };
}
