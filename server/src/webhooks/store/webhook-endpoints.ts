import { deleteLane, insertLane } from '#accounts/store/lane-owners';
import { isUuid, type TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import type { SealedToken } from '#core/sealed-token';
import { type SqlRunner, type Statement, statement, type Transaction } from '#database/database';
import { firstRow, pageOf } from '#database/rows';
import type { EventType } from '#events/domain/event';
import type { WebhookEndpoint } from '#webhooks/domain/webhook';

const WEBHOOK_ENDPOINT_INSERT = statement('webhook_endpoint_insert')`
insert into webhook_endpoints (tenant_id, endpoint_id, url, description, types, ordering, disabled_reason, disabled_ms,
  secret_sealed, secret_key_id, created_ms, updated_ms, format)
values ($1, $2, $3, $4, $5::text[], $6, $7, $8, $9, $10, $11, $11, $12)`;

/** The endpoint begins with what happens from now on. */
const WEBHOOK_LANE_INSERT = statement('webhook_lane_insert')`
insert into webhook_lanes (tenant_id, endpoint_id, taken_seq)
select $1, $2, coalesce((select last_seq from event_heads where tenant_id = $1), 0)`;

/** Names an endpoint. */
export type EndpointKey = Pick<WebhookEndpoint, 'tenantId' | 'endpointId'>;

export type NewEndpoint = Omit<WebhookEndpoint, 'failingSinceMs' | 'oldSecret' | 'version' | 'updatedMs'>;

export async function insertEndpoint(tx: Transaction, endpoint: NewEndpoint): Promise<void> {
  const { tenantId, endpointId, url, description, types, ordering, disabledReason, disabledMs, secret } = endpoint;
  const texts = [tenantId, endpointId, url, description, types === null ? null : [...types], ordering];
  const { sealed, keyId } = secret;
  const state = [disabledReason, disabledMs, sealed, keyId, endpoint.createdMs, endpoint.format];
  await tx.run(WEBHOOK_ENDPOINT_INSERT, [...texts, ...state]);
  await tx.run(WEBHOOK_LANE_INSERT, [tenantId, endpointId]);
  await insertLane(tx, { tenantId, laneId: endpointId });
}

const LOCK_ADDITIONS = statement('webhook_endpoint_lock_additions')`
select tenant_id from tenants where tenant_id = $1 for no key update`;
const WEBHOOK_ENDPOINT_ADDRESSES = statement('webhook_endpoint_addresses')`
select endpoint_id, url from webhook_endpoints where tenant_id = $1`;

/** Where the endpoints of a tenant are; nobody else adds or moves one until the transaction ends. */
export async function lockAddresses(
  tx: Transaction,
  tenantId: TenantId,
): Promise<readonly Pick<WebhookEndpoint, 'endpointId' | 'url'>[]> {
  await tx.run(LOCK_ADDITIONS, [tenantId]);
  return (await tx.run<Pick<WebhookEndpoint, 'endpointId' | 'url'>>(WEBHOOK_ENDPOINT_ADDRESSES, [tenantId])).rows;
}

const NAMING_TYPE = statement('webhook_endpoint_naming_type')`
select distinct tenant_id from webhook_endpoints where tenant_id = any($1::uuid[]) and $2::text = any(types)`;

/** Which of these tenants have an endpoint, enabled or not, that names a type of events. */
export async function tenantsNamingType(
  db: SqlRunner,
  tenantIds: readonly TenantId[],
  type: EventType,
): Promise<ReadonlySet<TenantId>> {
  const { rows } = await db.run<{ readonly tenantId: TenantId }>(NAMING_TYPE, [tenantIds, type]);
  return new Set(rows.map((row) => row.tenantId));
}

const OF_NETWORK = statement('webhook_endpoint_of_network')`
select distinct tenant_id from webhook_endpoints
where tenant_id = any($1::uuid[]) and format = 'network' and disabled_reason is null`;

/** Which of these tenants have an enabled endpoint that gets the callbacks of the network. */
export async function tenantsHearingNetwork(
  db: SqlRunner,
  tenantIds: readonly TenantId[],
): Promise<ReadonlySet<TenantId>> {
  if (tenantIds.length === 0) return new Set();
  const { rows } = await db.run<{ readonly tenantId: TenantId }>(OF_NETWORK, [tenantIds]);
  return new Set(rows.map((row) => row.tenantId));
}

const HOLD_OF_NETWORK = statement('webhook_endpoint_hold_of_network')`
select tenant_id, endpoint_id, created_ms from webhook_endpoints
where tenant_id = $1 and format = 'network' and disabled_reason is null
order by endpoint_id for share`;

/** The enabled endpoints of a tenant that get the callbacks of the network; none is changed or deleted until the transaction ends. */
export async function holdNetworkEndpoints(
  tx: Transaction,
  tenantId: TenantId,
): Promise<readonly Pick<WebhookEndpoint, 'tenantId' | 'endpointId' | 'createdMs'>[]> {
  return (await tx.run<Pick<WebhookEndpoint, 'tenantId' | 'endpointId' | 'createdMs'>>(HOLD_OF_NETWORK, [tenantId]))
    .rows;
}

const COLUMNS = `e.tenant_id, e.endpoint_id, e.url, e.description, e.format, e.types, e.ordering, e.disabled_reason, e.disabled_ms,
  e.secret_sealed, e.secret_key_id, e.old_secret_sealed, e.old_secret_key_id, e.old_secret_until_ms, e.version,
  e.created_ms, e.updated_ms, l.failing_since_ms`;
const JOINED = `webhook_endpoints e
  join webhook_lanes l on l.tenant_id = e.tenant_id and l.endpoint_id = e.endpoint_id`;

const WEBHOOK_ENDPOINT_FIND = statement('webhook_endpoint_find')`
select ${COLUMNS} from ${JOINED} where e.tenant_id = $1 and e.endpoint_id = $2`;
const WEBHOOK_ENDPOINT_LOCK = statement('webhook_endpoint_lock')`${WEBHOOK_ENDPOINT_FIND.text} for update of e`;

/** One endpoint of a tenant; null when there is none, or it is another tenant's. */
export function findEndpoint(db: SqlRunner, tenantId: TenantId, endpointId: string): Promise<WebhookEndpoint | null> {
  return readOne(db, WEBHOOK_ENDPOINT_FIND, tenantId, endpointId);
}

/** The same, and nobody else changes it until the transaction ends. */
export function lockEndpoint(tx: Transaction, tenantId: TenantId, endpointId: string): Promise<WebhookEndpoint | null> {
  return readOne(tx, WEBHOOK_ENDPOINT_LOCK, tenantId, endpointId);
}

async function readOne(
  db: SqlRunner,
  statement: Statement,
  tenantId: TenantId,
  endpointId: string,
): Promise<WebhookEndpoint | null> {
  if (!isUuid(endpointId)) return null;
  const row = await firstRow(db.run<EndpointRow>(statement, [tenantId, endpointId]));
  return row && toEndpoint(row);
}

const WEBHOOK_ENDPOINT_LIST = statement('webhook_endpoint_list')`
select ${COLUMNS} from ${JOINED}
where e.tenant_id = $1 and ($2::uuid is null or e.endpoint_id < $2)
  and ($3::boolean is null or (e.disabled_reason is null) = $3)
order by e.endpoint_id desc offset $4 limit $5`;

export interface EndpointFilter {
  readonly enabled?: boolean;
}

/** A page of the endpoints of a tenant, newest first. */
export async function listEndpointsPage(
  db: SqlRunner,
  tenantId: TenantId,
  filter: EndpointFilter,
  { limit, offset, beforeId }: ListWindow,
): Promise<Page<WebhookEndpoint>> {
  const values = [tenantId, beforeId, filter.enabled ?? null, offset, limit + 1];
  const { rows } = await db.run<EndpointRow>(WEBHOOK_ENDPOINT_LIST, values);
  return pageOf(rows.map(toEndpoint), limit);
}

const WEBHOOK_ENDPOINT_UPDATE = statement('webhook_endpoint_update')`
update webhook_endpoints set url = $3, description = $4, types = $5::text[], ordering = $6, disabled_reason = $7,
  disabled_ms = $8::bigint, version = version + 1, updated_ms = $9
where tenant_id = $1 and endpoint_id = $2`;

/** Writes what people choose, and whether it is enabled. */
export async function updateEndpoint(tx: Transaction, endpoint: WebhookEndpoint, nowMs: number): Promise<void> {
  const { tenantId, endpointId, url, description, types, ordering, disabledReason, disabledMs } = endpoint;
  const wish = [url, description, types === null ? null : [...types], ordering];
  await tx.run(WEBHOOK_ENDPOINT_UPDATE, [tenantId, endpointId, ...wish, disabledReason, disabledMs, nowMs]);
}

const FORGET_FAILURES = statement('webhook_lane_restart')`
update webhook_lanes set failing_since_ms = null, failing_told_ms = null,
  taken_seq = greatest(taken_seq, coalesce((select last_seq from event_heads where tenant_id = $1), 0))
where tenant_id = $1 and endpoint_id = $2`;

/** An endpoint that is switched on again begins with what happens from now on; `recover` brings what it missed. */
export async function restartLane(tx: Transaction, { tenantId, endpointId }: EndpointKey): Promise<void> {
  await tx.run(FORGET_FAILURES, [tenantId, endpointId]);
}

const WEBHOOK_ENDPOINT_ROTATE = statement('webhook_endpoint_rotate')`
update webhook_endpoints set secret_sealed = $3, secret_key_id = $4,
  old_secret_sealed = case when $5::bigint is null then null else secret_sealed end,
  old_secret_key_id = case when $5::bigint is null then null else secret_key_id end,
  old_secret_until_ms = $5::bigint, version = version + 1, updated_ms = $6
where tenant_id = $1 and endpoint_id = $2`;

/** @param secret.oldUntilMs when the present secret stops to sign; null: now */
export async function rotateEndpointSecret(
  tx: Transaction,
  { tenantId, endpointId }: EndpointKey,
  { sealed, keyId, oldUntilMs, nowMs }: SealedToken & { readonly oldUntilMs: number | null; readonly nowMs: number },
): Promise<void> {
  await tx.run(WEBHOOK_ENDPOINT_ROTATE, [tenantId, endpointId, sealed, keyId, oldUntilMs, nowMs]);
}

const DELETE_DELIVERIES = statement('webhook_deliveries_delete')`
delete from webhook_deliveries where tenant_id = $1 and endpoint_id = $2`;
const DELETE_CURSOR = statement('webhook_lane_delete')`
delete from webhook_lanes where tenant_id = $1 and endpoint_id = $2`;
const WEBHOOK_ENDPOINT_DELETE = statement('webhook_endpoint_delete')`
delete from webhook_endpoints where tenant_id = $1 and endpoint_id = $2`;

/** Removes an endpoint with its deliveries. */
export async function deleteEndpoint(tx: Transaction, { tenantId, endpointId }: EndpointKey): Promise<void> {
  for (const statement of [DELETE_DELIVERIES, DELETE_CURSOR, WEBHOOK_ENDPOINT_DELETE])
    await tx.run(statement, [tenantId, endpointId]);
  await deleteLane(tx, { tenantId, laneId: endpointId });
}

type EndpointRow = Omit<WebhookEndpoint, 'secret' | 'oldSecret'> & {
  readonly secretSealed: string;
  readonly secretKeyId: string;
  readonly oldSecretSealed: string | null;
  readonly oldSecretKeyId: string | null;
  readonly oldSecretUntilMs: number | null;
};

function toEndpoint({ secretSealed: sealed, secretKeyId: keyId, ...row }: EndpointRow): WebhookEndpoint {
  const { oldSecretSealed: oldSealed, oldSecretKeyId: oldKeyId, oldSecretUntilMs: untilMs, ...same } = row;
  const oldSecret =
    oldSealed === null || untilMs === null ? null : { sealed: oldSealed, keyId: oldKeyId ?? '', untilMs };
  return { ...same, secret: { sealed, keyId }, oldSecret };
}
