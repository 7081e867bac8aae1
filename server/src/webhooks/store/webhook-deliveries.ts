import { type DeliveryId, isUuid, type TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import { columnsOf } from '#database/arrays';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { firstRow, pageOf } from '#database/rows';
import type { EventType } from '#events/domain/event';
import type { WebhookAttempt, WebhookDelivery, WebhookState } from '#webhooks/domain/webhook';
import type { EndpointKey } from './webhook-endpoints.ts';

/** Attempts that the log of one delivery keeps: a whole schedule, and some by hand. */
const MAX_LOG = 20;

/** An event, or a callback of the network, that an endpoint is to get. */
export interface NewDelivery {
  readonly deliveryId: DeliveryId;
  readonly eventId: string;
  /** Null: an example, or a callback of the network, which `body` holds. */
  readonly sequence: number | null;
  /** The type of the event; of a callback of the network, its field. */
  readonly type: string;
  readonly body: string | null;
  readonly orderKey: string | null;
}

const WEBHOOK_DELIVERY_INSERT = statement('webhook_delivery_insert')`
insert into webhook_deliveries (tenant_id, delivery_id, endpoint_id, event_id, sequence, type, body, state, due_ms,
  order_key, created_ms, updated_ms)
select $1, t.delivery_id, $2, t.event_id, t.sequence, t.type, t.body, 'pending', $9::bigint, t.order_key, $9::bigint,
  $9::bigint
from unnest($3::uuid[], $4::uuid[], $5::bigint[], $6::text[], $7::text[], $8::text[])
  as t (delivery_id, event_id, sequence, type, body, order_key)
on conflict (tenant_id, endpoint_id, event_id) do nothing
returning delivery_id`;

/** Enqueues events for an endpoint, at once; what is enqueued already stays as it is. @returns how many are new */
export async function insertDeliveries(
  db: SqlRunner,
  { tenantId, endpointId }: EndpointKey,
  deliveries: readonly NewDelivery[],
  nowMs: number,
): Promise<number> {
  if (deliveries.length === 0) return 0;
  const columns = columnsOf(deliveries, 'deliveryId', 'eventId', 'sequence', 'type', 'body', 'orderKey');
  return (await db.run(WEBHOOK_DELIVERY_INSERT, [tenantId, endpointId, ...columns, nowMs])).rows.length;
}

/** What an attempt needs of a delivery that is due. */
export interface DueDelivery extends NewDelivery {
  readonly attempts: number;
  readonly blocksUntilMs: number | null;
}

/** In order: one waits while an earlier one of its key is pending, unless that failed for too long. */
const LOAD_DUE = statement('webhook_delivery_load_due')`
select d.delivery_id, d.event_id, d.sequence, d.type, d.body, d.attempts, d.order_key, d.blocks_until_ms
from webhook_deliveries d
where d.tenant_id = $1 and d.endpoint_id = $2 and d.state = 'pending' and d.due_ms <= $3
  and d.delivery_id <> all ($4::uuid[])
  and (d.order_key is null or not exists (
    select 1 from webhook_deliveries e
    where e.tenant_id = d.tenant_id and e.endpoint_id = d.endpoint_id and e.state = 'pending'
      and e.order_key = d.order_key and e.sequence < d.sequence
      and (e.blocks_until_ms is null or e.blocks_until_ms > $3)))
order by d.due_ms, d.sequence, d.delivery_id
limit $5`;

/** The next deliveries of an endpoint, without those in `except`: they are under way. */
export async function loadDueDeliveries(
  db: SqlRunner,
  { tenantId, endpointId }: EndpointKey,
  { except, limit, nowMs }: { readonly except: readonly DeliveryId[]; readonly limit: number; readonly nowMs: number },
): Promise<readonly DueDelivery[]> {
  return (await db.run<DueDelivery>(LOAD_DUE, [tenantId, endpointId, nowMs, [...except], limit])).rows;
}

/** What an attempt made of a delivery. */
export interface SettledDelivery {
  readonly tenantId: TenantId;
  readonly deliveryId: DeliveryId;
  readonly state: WebhookState;
  readonly attempts: number;
  /** Null unless pending. */
  readonly dueMs: number | null;
  readonly blocksUntilMs: number | null;
  readonly overtaken: boolean;
  readonly attempt: WebhookAttempt;
}

/** What is delivered stays so, whatever a notifier that was thought dead writes late. */
const WEBHOOK_DELIVERY_SETTLE = statement('webhook_delivery_settle')`
update webhook_deliveries d set state = t.state, attempts = t.attempts, due_ms = t.due_ms,
  blocks_until_ms = t.blocks_until_ms, overtaken = t.overtaken, updated_ms = $9::bigint,
  log = (case when jsonb_array_length(d.log) >= ${MAX_LOG} then d.log - 0 else d.log end) || t.entry::jsonb
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::integer[], $5::bigint[], $6::bigint[], $7::boolean[], $8::text[])
  as t (tenant_id, delivery_id, state, attempts, due_ms, blocks_until_ms, overtaken, entry)
where d.tenant_id = t.tenant_id and d.delivery_id = t.delivery_id and d.state = 'pending'`;

const SETTLED = ['tenantId', 'deliveryId', 'state', 'attempts', 'dueMs', 'blocksUntilMs', 'overtaken'] as const;

const CLEAR_LOG = statement('webhook_delivery_clear_log')`
update webhook_deliveries set log = '[]' where tenant_id = $1 and delivery_id = $2`;

/** Forgets the earlier attempts of a delivery. */
export async function clearLog(
  db: SqlRunner,
  { tenantId, deliveryId }: Pick<SettledDelivery, 'tenantId' | 'deliveryId'>,
): Promise<void> {
  await db.run(CLEAR_LOG, [tenantId, deliveryId]);
}

/** Writes what attempts made of deliveries of several tenants. */
export async function settleDeliveries(
  db: SqlRunner,
  settled: readonly SettledDelivery[],
  nowMs: number,
): Promise<void> {
  const entries = settled.map(({ attempt }) => JSON.stringify([attempt]));
  await db.run(WEBHOOK_DELIVERY_SETTLE, [...columnsOf(settled, ...SETTLED), entries, nowMs]);
}

const GIVE_UP = statement('webhook_delivery_give_up')`
update webhook_deliveries set state = 'failed', due_ms = null, updated_ms = $3
where tenant_id = $1 and endpoint_id = $2 and state = 'pending'`;

/** Nothing more of what is pending is attempted: its endpoint is disabled. */
export async function giveUpDeliveries(
  db: SqlRunner,
  { tenantId, endpointId }: EndpointKey,
  nowMs: number,
): Promise<void> {
  await db.run(GIVE_UP, [tenantId, endpointId, nowMs]);
}

const COLUMNS = `tenant_id, delivery_id, endpoint_id, event_id, sequence, type, state, attempts, due_ms, overtaken, log,
  created_ms, updated_ms`;

const WEBHOOK_DELIVERY_FIND = statement('webhook_delivery_find')`
select ${COLUMNS} from webhook_deliveries where tenant_id = $1 and endpoint_id = $2 and delivery_id = $3`;

/** One delivery of an endpoint; null when there is none. */
export async function findDelivery(
  db: SqlRunner,
  { tenantId, endpointId }: EndpointKey,
  deliveryId: string,
): Promise<WebhookDelivery | null> {
  if (!isUuid(deliveryId)) return null;
  return firstRow(db.run<WebhookDelivery>(WEBHOOK_DELIVERY_FIND, [tenantId, endpointId, deliveryId]));
}

const WEBHOOK_DELIVERY_LIST = statement('webhook_delivery_list')`
select ${COLUMNS} from webhook_deliveries
where tenant_id = $1 and endpoint_id = $2 and ($3::uuid is null or delivery_id < $3)
  and ($4::text is null or state = $4) and ($5::text is null or type = $5) and ($6::uuid is null or event_id = $6)
order by delivery_id desc offset $7 limit $8`;

export interface DeliveryFilter {
  readonly state?: WebhookState;
  readonly type?: EventType;
  readonly eventId?: string;
}

/** A page of the deliveries of an endpoint, newest first. */
export async function listDeliveriesPage(
  db: SqlRunner,
  { tenantId, endpointId }: EndpointKey,
  { state, type, eventId }: DeliveryFilter,
  { limit, offset, beforeId }: ListWindow,
): Promise<Page<WebhookDelivery>> {
  const filter = [state ?? null, type ?? null, eventId ?? null];
  const values = [tenantId, endpointId, beforeId, ...filter, offset, limit + 1];
  return pageOf((await db.run<WebhookDelivery>(WEBHOOK_DELIVERY_LIST, values)).rows, limit);
}

const WEBHOOK_DELIVERY_REQUEUE = statement('webhook_delivery_requeue')`
update webhook_deliveries set state = 'pending', attempts = 0, due_ms = $4, blocks_until_ms = null, overtaken = false,
  updated_ms = $4
where tenant_id = $1 and endpoint_id = $2 and delivery_id = any ($3::uuid[])`;

/** Begins the schedule anew, with the same webhook-id. */
export async function requeueDeliveries(
  tx: Transaction,
  { tenantId, endpointId }: EndpointKey,
  deliveryIds: readonly DeliveryId[],
  nowMs: number,
): Promise<void> {
  await tx.run(WEBHOOK_DELIVERY_REQUEUE, [tenantId, endpointId, [...deliveryIds], nowMs]);
}

const ENDED_BETWEEN = statement('webhook_delivery_ended_between')`
select delivery_id from webhook_deliveries
where tenant_id = $1 and endpoint_id = $2 and created_ms >= $3 and created_ms < $4 and state = any ($5::text[])
  and ($8 or sequence is not null) and delivery_id > $6
order by delivery_id limit $7`;

export interface EndedBetween {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly states: readonly WebhookState[];
  /** Only behind this one. */
  readonly afterId: string;
  readonly limit: number;
  /** Whether those count as well that hold what they deliver: the callbacks of the network. */
  readonly withBodies: boolean;
}

/** Deliveries of events, oldest first, that were enqueued in a time and ended in one of the states. */
export async function deliveriesEndedBetween(
  db: SqlRunner,
  { tenantId, endpointId }: EndpointKey,
  { sinceMs, untilMs, states, afterId, limit, withBodies }: EndedBetween,
): Promise<readonly DeliveryId[]> {
  const values = [tenantId, endpointId, sinceMs, untilMs, [...states], afterId, limit, withBodies];
  const { rows } = await db.run<{ deliveryId: DeliveryId }>(ENDED_BETWEEN, values);
  return rows.map((row) => row.deliveryId);
}

const WEBHOOK_DELIVERY_KNOWN = statement('webhook_delivery_known')`
select event_id from webhook_deliveries where tenant_id = $1 and endpoint_id = $2 and event_id = any ($3::uuid[])`;

/** Which of these events have a delivery at the endpoint. */
export async function knownEvents(
  db: SqlRunner,
  { tenantId, endpointId }: EndpointKey,
  eventIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await db.run<{ eventId: string }>(WEBHOOK_DELIVERY_KNOWN, [tenantId, endpointId, [...eventIds]]);
  return new Set(rows.map((row) => row.eventId));
}
