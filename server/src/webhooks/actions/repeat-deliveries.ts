import { ApiProblem, requireFound } from '#core/errors';
import type { DeliveryId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Database, SqlRunner, Transaction } from '#database/database';
import type { EventType, StoredEvent } from '#events/domain/event';
import { firstSequenceSince, readEvents } from '#events/store/events';
import type { Runtime } from '#runtime/runtime';
import { EXAMPLE_FIELD, exampleCallback } from '#webhooks/domain/network-callback';
import {
  isFor,
  orderKeyOf,
  typesFor,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookState,
} from '#webhooks/domain/webhook';
import {
  deliveriesEndedBetween,
  findDelivery,
  insertDeliveries,
  knownEvents,
  type NewDelivery,
  requeueDeliveries,
} from '#webhooks/store/webhook-deliveries';
import { type EndpointKey, lockEndpoint } from '#webhooks/store/webhook-endpoints';
import { requireEndpoint } from './manage-endpoints.ts';

/** The refusal of sending to an endpoint that is switched off. */
export const ENDPOINT_DISABLED = 'This endpoint is disabled. Enable it first.';

interface DeliveryRequest {
  readonly tenantId: TenantId;
  readonly endpointId: string;
}

/**
 * Enqueues a made-up event for an endpoint, whatever types it wants; for one of the format `network` a made-up callback. It is in no feed.
 * @param request.event as it leaves, but for its id and time
 * @throws ApiProblem not_found, conflict when the endpoint is disabled
 */
export function sendExample(
  rt: Runtime,
  db: Database,
  request: DeliveryRequest & { readonly type: EventType; readonly event: JsonObject },
): Promise<WebhookDelivery> {
  const { tenantId } = request;
  return thenNotify(
    rt,
    tenantId,
    db.transaction(async (tx) => {
      const endpoint = await requireEnabled(tx, request);
      const [eventId, deliveryId, nowMs] = [rt.newId<string>(), rt.newId<DeliveryId>(), rt.clock.now()];
      const made =
        endpoint.format === 'network' ? exampleOfNetwork(nowMs, eventId) : exampleOf(request, nowMs, eventId);
      const example: NewDelivery = { deliveryId, eventId, sequence: null, ...made, orderKey: null };
      await insertDeliveries(tx, endpoint, [example], nowMs);
      return requireDelivery(tx, endpoint, deliveryId);
    }),
  );
}

type Example = Pick<NewDelivery, 'type'> & { readonly body: string };

function exampleOf(
  { type, event }: { readonly type: EventType; readonly event: JsonObject },
  nowMs: number,
  id: string,
): Example {
  const timestamp = new Date(nowMs).toISOString();
  return { type, body: JSON.stringify({ ...event, id, sequence: 0, timestamp }) };
}

function exampleOfNetwork(nowMs: number, id: string): Example {
  return { type: EXAMPLE_FIELD, body: exampleCallback(nowMs, id) };
}

/**
 * Delivers once more, with the same webhook-id and a whole schedule of attempts.
 * @throws ApiProblem not_found, conflict when the endpoint is disabled
 */
export function resendDelivery(
  rt: Runtime,
  db: Database,
  request: DeliveryRequest & { readonly deliveryId: string },
): Promise<WebhookDelivery> {
  const { tenantId, deliveryId } = request;
  return thenNotify(
    rt,
    tenantId,
    db.transaction(async (tx) => {
      const found = await requireEndpoint(tx, tenantId, request.endpointId);
      const delivery = await requireDelivery(tx, found, deliveryId);
      const endpoint = await requireEnabled(tx, request);
      await requeueDeliveries(tx, endpoint, [delivery.deliveryId], rt.clock.now());
      return requireDelivery(tx, endpoint, deliveryId);
    }),
  );
}

/** Which events to deliver again: `missing` have no delivery, for example of a time when the endpoint was disabled. */
export type RecoverKind = 'failed' | 'missing' | 'all';

export interface RecoverRequest extends DeliveryRequest {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly only: RecoverKind;
  /** Counts, and changes nothing. */
  readonly dryRun: boolean;
}

export interface Recovered {
  readonly matched: number;
  /** Whether the limit of one call was reached: ask again, what was queued no longer counts. */
  readonly hasMore: boolean;
}

/** Rows of one transaction. */
const CHUNK = 500;
/** Deliveries that one call queues: a receiver that was away must not be flooded. */
const MAX_RECOVERED = 10_000;
const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Delivers again what an endpoint did not get (or all), in short transactions: after a crash ask again.
 * @throws ApiProblem not_found, conflict when the endpoint is disabled
 */
export async function recoverDeliveries(rt: Runtime, db: Database, request: RecoverRequest): Promise<Recovered> {
  const { tenantId, endpointId, only } = request;
  const endpoint = await requireEndpoint(db, tenantId, endpointId);
  if (endpoint.disabledReason !== null) throw new ApiProblem('conflict', { sentence: ENDPOINT_DISABLED });
  const states: readonly WebhookState[] = only === 'all' ? ['failed', 'delivered'] : ['failed'];
  // What has no delivery first: what it then queues is pending, and not found as ended.
  const missing = only === 'failed' ? 0 : await recoverMissing({ rt, db, endpoint, request }, MAX_RECOVERED);
  const left = MAX_RECOVERED - missing;
  const ended = only === 'missing' ? 0 : await recoverEnded({ rt, db, endpoint, request }, states, left);
  if (!request.dryRun && missing + ended > 0) rt.eventSignal.notify(new Set([tenantId]));
  return { matched: missing + ended, hasMore: missing + ended >= MAX_RECOVERED };
}

interface RecoverDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly endpoint: WebhookEndpoint;
  readonly request: RecoverRequest;
}

async function recoverEnded(
  { rt, db, endpoint, request }: RecoverDeps,
  states: readonly WebhookState[],
  limit: number,
): Promise<number> {
  const { sinceMs, untilMs, dryRun } = request;
  const span = { sinceMs, untilMs, states, withBodies: endpoint.format === 'network' };
  let [afterId, count]: [string, number] = [NO_ID, 0];
  while (count < limit) {
    const chunk = Math.min(CHUNK, limit - count);
    const ids = await db.transaction(async (tx) => {
      const found = await deliveriesEndedBetween(tx, endpoint, { ...span, afterId, limit: chunk });
      if (!dryRun) await requeueDeliveries(tx, endpoint, found, rt.clock.now());
      return found;
    });
    count += ids.length;
    const last = ids.at(-1);
    if (last === undefined || ids.length < chunk) break;
    afterId = last;
  }
  return count;
}

async function recoverMissing({ rt, db, endpoint, request }: RecoverDeps, limit: number): Promise<number> {
  const { tenantId, types } = endpoint;
  const { sinceMs, untilMs, dryRun } = request;
  let after = (await firstSequenceSince(db, tenantId, sinceMs)) - 1;
  let count = 0;
  while (count < limit) {
    const chunk = Math.min(CHUNK, limit - count);
    const events = await readEvents(db, { tenantId, after, types: typesFor(types), limit: chunk });
    const wanted = events.filter(
      (event) => event.recordedMs >= sinceMs && event.recordedMs < untilMs && isFor(endpoint.endpointId, event),
    );
    const ids = wanted.map(({ id }) => id);
    const known = await knownEvents(db, endpoint, ids);
    const missing = wanted.filter(({ id }) => !known.has(id));
    count += dryRun ? missing.length : await enqueue(rt, db, endpoint, missing);
    const last = events.at(-1);
    if (last === undefined || last.recordedMs >= untilMs) break;
    after = last.sequence;
  }
  return count;
}

function enqueue(
  rt: Runtime,
  db: Database,
  endpoint: WebhookEndpoint,
  events: readonly StoredEvent[],
): Promise<number> {
  const deliveries = events.map(({ id, sequence, type, data }) => {
    const orderKey = orderKeyOf(endpoint.ordering, data);
    return { deliveryId: rt.newId<DeliveryId>(), eventId: id, sequence, type, body: null, orderKey };
  });
  return db.transaction((tx) => insertDeliveries(tx, endpoint, deliveries, rt.clock.now()));
}

async function requireEnabled(tx: Transaction, { tenantId, endpointId }: DeliveryRequest): Promise<WebhookEndpoint> {
  const endpoint = requireFound(await lockEndpoint(tx, tenantId, endpointId));
  if (endpoint.disabledReason !== null) throw new ApiProblem('conflict', { sentence: ENDPOINT_DISABLED });
  return endpoint;
}

async function requireDelivery(db: SqlRunner, endpoint: EndpointKey, deliveryId: string): Promise<WebhookDelivery> {
  return requireFound(await findDelivery(db, endpoint, deliveryId));
}

/** Wakes the notifier when the change is committed, here and in other processes. */
async function thenNotify<T>(rt: Runtime, tenantId: TenantId, change: Promise<T>): Promise<T> {
  const result = await change;
  rt.eventSignal.notify(new Set([tenantId]));
  return result;
}
