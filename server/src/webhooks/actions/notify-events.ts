import type { DeliveryId, NotifierId } from '#core/ids';
import type { Database } from '#database/database';
import { faultKind } from '#database/pg-errors';
import { TenantCommits } from '#database/tenant-commits';
import { withEvents } from '#events/actions/with-events';
import type { StoredEvent } from '#events/domain/event';
import { readEvents } from '#events/store/events';
import type { Runtime } from '#runtime/runtime';
import { isFor, marksFor, orderKeyOf, typesFor, type WebhookEndpoint } from '#webhooks/domain/webhook';
import { FAILING_LIMIT_MS } from '#webhooks/domain/webhook-schedule';
import {
  clearLog,
  giveUpDeliveries,
  insertDeliveries,
  type SettledDelivery,
  settleDeliveries,
} from '#webhooks/store/webhook-deliveries';
import { type EndpointKey, lockEndpoint, updateEndpoint } from '#webhooks/store/webhook-endpoints';
import {
  type BehindLane,
  type BehindRow,
  claimFailing,
  type EndpointLaneKey,
  type EndpointLaneRow,
  lockTaken,
  MAX_LOOK_BACK,
  markFailing,
  markTaken,
  type PassableLane,
  readLanesBehind,
} from '#webhooks/store/webhook-lanes';

/** Events that one transaction takes for an endpoint: short, and enough to keep its connections busy. */
const TAKE_AT_ONCE = 100;

/** What an endpoint was given to deliver. */
export interface TakenEvents {
  readonly events: readonly StoredEvent[];
  readonly more: boolean;
}

const NOTHING: TakenEvents = { events: [], more: false };

/**
 * Enqueues the next events for an endpoint and notes how far it has come, in one transaction: whenever a process dies,
 * no event is left out and none is enqueued twice.
 * @returns the events, and whether there may be more
 */
export function takeEvents(rt: Runtime, db: Database, lane: EndpointLaneKey): Promise<TakenEvents> {
  const { tenantId } = lane;
  return db.transaction(async (tx) => {
    const taken = await lockTaken(tx, lane);
    // The newest event is read before the events: all up to it are then read, whatever is recorded in the meantime.
    if (taken === null || taken.lastSeq <= taken.takenSeq) return NOTHING;
    const { takenSeq: after, lastSeq, types, ordering } = taken;
    const read = await readEvents(tx, { tenantId, after, types: typesFor(types), limit: TAKE_AT_ONCE });
    const events = read.filter((event) => isFor(lane.endpointId, event));
    const deliveries = events.map(({ id, sequence, type, data }) => ({
      deliveryId: rt.newId<DeliveryId>(),
      eventId: id,
      sequence,
      type,
      body: null,
      orderKey: orderKeyOf(ordering, data),
    }));
    await insertDeliveries(tx, lane, deliveries, rt.clock.now());
    const isFull = read.length === TAKE_AT_ONCE;
    const last = read.at(-1)?.sequence ?? 0;
    await markTaken(tx, lane, isFull ? last : Math.max(lastSeq, last));
    return { events, more: isFull };
  });
}

/** What attempts made of deliveries, and of their endpoints. */
export interface SettledAttempt {
  readonly settled: SettledDelivery;
  readonly lane: EndpointLaneKey;
}

/** Writes what attempts made of deliveries; two statements, each of which can be repeated. */
async function settleAttempts(rt: Runtime, db: Database, attempts: readonly SettledAttempt[]): Promise<void> {
  const nowMs = rt.clock.now();
  const settled = attempts.map((one) => one.settled);
  await settleDeliveries(db, settled, nowMs);
  // The last attempt of each endpoint counts.
  const last = new Map(attempts.map((one) => [one.lane.endpointId, one]));
  const lanes = [...last.values()].map(({ lane, settled }) => ({ ...lane, failing: settled.attempt.error !== null }));
  await markFailing(db, lanes, nowMs);
}

/** Writes attempts in groups; one that the database refuses for what it holds fails alone. */
export type AttemptCommits = Pick<TenantCommits<SettledAttempt, undefined>, 'add'>;

export function makeAttemptCommits(
  rt: Runtime,
  db: Database,
  limits: { readonly maxBatch: number; readonly maxQueued: number },
): AttemptCommits {
  return new TenantCommits<SettledAttempt, undefined>({
    ...limits,
    clock: rt.clock,
    isShared: db.kind === 'postgres',
    name: 'webhook_attempts',
    maxInFlight: 1,
    tenantOf: ({ lane }) => lane.tenantId,
    write: async (attempts) => {
      await settleAttempts(rt, db, attempts);
      return attempts.map(() => undefined);
    },
    onBatch: (rows) => rt.metrics.batchRows.observe({ batch: 'webhook_attempts' }, rows),
    onFailure: (error, rows) => {
      rt.metrics.storageFailures.inc({ batch: 'webhook_attempts' });
      // A row that is refused for its content is reported when it is alone.
      if (faultKind(error) !== 'row') rt.log.warn({ error: (error as Error).message, rows }, 'webhook.settle_failed');
    },
  });
}

/** Writes an attempt over a log that cannot be added to. */
export async function restartLog(rt: Runtime, db: Database, { settled }: SettledAttempt): Promise<void> {
  await clearLog(db, settled);
  await settleDeliveries(db, [settled], rt.clock.now());
}

/** Records the event that nothing gets through to an endpoint of the tenant: once, until something does. */
export function emitFailing(
  rt: Runtime,
  db: Database,
  { tenantId, endpointId, url }: Pick<WebhookEndpoint, 'tenantId' | 'endpointId' | 'url'>,
): Promise<void> {
  return withEvents(rt, db, async (tx, events) => {
    const sinceMs = await claimFailing(tx, { tenantId, endpointId }, rt.clock.now());
    if (sinceMs === null) return;
    const [failingSince, disabledFrom] = [sinceMs, sinceMs + FAILING_LIMIT_MS].map((ms) => new Date(ms).toISOString());
    const data = { id: endpointId, url, failing_since: failingSince ?? null, disabled_from: disabledFrom ?? null };
    events.add({ tenantId, type: 'endpoint.failing', data });
  });
}

/**
 * Disables an endpoint and records the event: nothing pending is attempted any more.
 * @returns false when it was disabled already, or is gone
 */
export function disableEndpoint(
  rt: Runtime,
  db: Database,
  lane: EndpointKey,
  reason: 'gone' | 'failing',
): Promise<boolean> {
  return withEvents(rt, db, async (tx, events) => {
    const endpoint = await lockEndpoint(tx, lane.tenantId, lane.endpointId);
    if (endpoint === null || endpoint.disabledReason !== null) return false;
    const nowMs = rt.clock.now();
    await updateEndpoint(tx, { ...endpoint, disabledReason: reason, disabledMs: nowMs }, nowMs);
    await giveUpDeliveries(tx, lane, nowMs);
    const { endpointId, url, failingSinceMs } = endpoint;
    const failingSince = failingSinceMs === null ? null : new Date(failingSinceMs).toISOString();
    const data = {
      id: endpointId,
      url,
      reason,
      failing_since: failingSince,
      disabled_at: new Date(nowMs).toISOString(),
    };
    events.add({ tenantId: lane.tenantId, type: 'endpoint.disabled', data });
    return true;
  });
}

/** A lane with work. */
export interface DueEndpointLane extends Pick<EndpointLaneRow, 'tenantId' | 'endpointId'> {
  /** Whether events that the endpoint wants wait to be taken; else only deliveries are due. */
  readonly hasEvents: boolean;
}

/** What the lanes of an owner have to do. */
export interface DueEndpoints {
  readonly due: readonly DueEndpointLane[];
  /** Lanes that want nothing of what they are behind by. */
  readonly passable: readonly PassableLane[];
}

export interface PollInput {
  readonly owner: NotifierId;
  readonly nowMs: number;
  /** Events that a lane must be behind by to be reported as passable. */
  readonly minLag: number;
}

/** Reads in one statement what all lanes of an owner have to do. Nothing is taken, and nothing passed over. */
export async function findDueEndpoints(db: Database, { owner, nowMs, minLag }: PollInput): Promise<DueEndpoints> {
  const rows = await readLanesBehind(db, owner, nowMs);
  const lanes = rows.flatMap((row) => row.lanes.map((lane) => evaluateLane(lane, row)));
  return {
    due: lanes.filter(({ hasEvents, hasDue }) => hasEvents || hasDue),
    passable: lanes.filter(({ hasEvents, lag }) => !hasEvents && lag >= minLag),
  };
}

interface EvaluatedLane extends DueEndpointLane, PassableLane {
  readonly hasDue: boolean;
  readonly lag: number;
}

function evaluateLane({ endpointId, types, takenSeq, hasDue }: BehindLane, row: BehindRow): EvaluatedLane {
  const { tenantId, lastSeq, told } = row;
  const lag = lastSeq - takenSeq;
  const watched = marksFor(types, endpointId);
  const hears = watched === null || lag > MAX_LOOK_BACK || watched.some((mark) => (told[mark] ?? 0) > takenSeq);
  return { tenantId, endpointId, hasDue, lag, hasEvents: lag > 0 && hears, passedSeq: lastSeq };
}
