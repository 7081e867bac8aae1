import { INACTIVE_TENANTS } from '#access/store/tenant-states';
import type { EndpointId, NotifierId, TenantId } from '#core/ids';
import { columnsOf } from '#database/arrays';
import { type SqlRunner, statement } from '#database/database';
import { firstRow } from '#database/rows';
import { ADDRESS_SIGN, ADDRESSED, type EventType } from '#events/domain/event';
import type { EndpointOrdering } from '#webhooks/domain/webhook';
import type { EndpointKey } from './webhook-endpoints.ts';

/** The lane of an enabled endpoint, as its possible owners see it. */
export interface EndpointLaneRow {
  readonly tenantId: TenantId;
  readonly endpointId: EndpointId;
  readonly ownerId: NotifierId | null;
  readonly epoch: number;
  /** Changes with everything that people change about the endpoint. */
  readonly version: number;
}

export type EndpointLaneKey = Pick<EndpointLaneRow, 'tenantId' | 'endpointId' | 'epoch'>;

const LIST_LANES = statement('webhook_lane_list')`
select e.tenant_id, e.endpoint_id, o.owner_id, o.epoch, e.version
from webhook_endpoints e
join lane_owners o on o.tenant_id = e.tenant_id and o.lane_id = e.endpoint_id::text
where e.disabled_reason is null and e.tenant_id <> all(${INACTIVE_TENANTS})`;

/** The lanes of all enabled endpoints of all tenants: read once a second by each notifier, to share them out. */
export async function listEndpointLanes(db: SqlRunner): Promise<readonly EndpointLaneRow[]> {
  return (await db.run<EndpointLaneRow>(LIST_LANES, [])).rows;
}

/**
 * Events that a look reads back over at most: a lane that is further behind is asked to take, whatever stands there. A busy tenant records as many in a
 * few seconds, and taking costs each of its lanes as much as a look at all of them.
 */
export const MAX_LOOK_BACK = 10_000;

/**
 * Lanes and their owners are named by each other in both ways, so that either is found by its whole key: by its tenant alone, each lane would be compared
 * with all others of that tenant. The pages of a tenant are read once for all its lanes. The limit takes nothing away, as each page holds an event; without
 * it the planner may walk all pages instead.
 */
const READ_BEHIND = statement('webhook_lane_read_behind')`
select t.tenant_id, t.last_seq, t.lanes, coalesce((
  select json_object_agg(told.type, told.last_seq) from (
    select type, max(p.last_seq) as last_seq
    from (
      select p.types, p.last_seq from event_pages p
      where p.tenant_id = t.tenant_id and p.last_seq > t.since_seq
      order by p.last_seq limit $3
    ) p
    cross join unnest(p.types) as type
    where type <> '${ADDRESSED}'
      or not exists (select from unnest(p.types) as mark where starts_with(mark, '${ADDRESSED}${ADDRESS_SIGN}'))
    group by type
  ) told), '{}') as told
from (
  select tenant_id, coalesce(max(last_seq), 0) as last_seq,
    json_agg(json_build_object('endpointId', endpoint_id, 'types', types, 'takenSeq', taken_seq, 'hasDue', has_due)) as lanes,
    min(taken_seq) filter (where types is not null and last_seq - taken_seq between 1 and $3) as since_seq
  from (
    select l.tenant_id, l.endpoint_id, l.taken_seq, e.types, h.last_seq,
      exists (select 1 from webhook_deliveries d
        where d.tenant_id = l.tenant_id and d.endpoint_id = l.endpoint_id and d.state = 'pending' and d.due_ms <= $2)
        as has_due
    from lane_owners o
    join webhook_lanes l on l.tenant_id = o.tenant_id and l.endpoint_id = o.lane_id::uuid and o.lane_id = l.endpoint_id::text
    join webhook_endpoints e on e.tenant_id = l.tenant_id and e.endpoint_id = l.endpoint_id
    left join event_heads h on h.tenant_id = l.tenant_id
    where o.owner_id = $1 and e.disabled_reason is null and l.tenant_id <> all(${INACTIVE_TENANTS})
  ) l
  where last_seq > taken_seq or has_due
  group by tenant_id
) t`;

/** Lanes of one tenant, and what was told since the one that is furthest behind. */
export interface BehindRow {
  readonly tenantId: TenantId;
  /** Number of the tenant's newest event. */
  readonly lastSeq: number;
  readonly lanes: readonly BehindLane[];
  /** The last page on which each mark (`marksOf`) stands, of those that were looked at. */
  readonly told: Readonly<Record<string, number>>;
}

/** A lane that has not taken all events of its tenant, or where a delivery is due. */
export interface BehindLane {
  readonly endpointId: EndpointId;
  /** Null: it wants all types. */
  readonly types: readonly EventType[] | null;
  readonly takenSeq: number;
  readonly hasDue: boolean;
}

/** Lanes of one owner, over its tenants, that are behind or have deliveries due. */
export async function readLanesBehind(db: SqlRunner, owner: NotifierId, nowMs: number): Promise<readonly BehindRow[]> {
  return (await db.run<BehindRow>(READ_BEHIND, [owner, nowMs, MAX_LOOK_BACK])).rows;
}

/** A lane for which nothing waits up to a number. */
export interface PassableLane extends EndpointKey {
  readonly passedSeq: number;
}

const PASS = statement('webhook_lane_pass')`
update webhook_lanes l set taken_seq = t.passed_seq
from unnest($2::uuid[], $3::uuid[], $4::bigint[]) as t (tenant_id, endpoint_id, passed_seq)
join lane_owners o on o.tenant_id = t.tenant_id and o.lane_id = t.endpoint_id::text
where l.tenant_id = t.tenant_id and l.endpoint_id = t.endpoint_id and o.owner_id = $1 and l.taken_seq < t.passed_seq`;

/**
 * Notes that lanes need not look again at what they do not want. That nothing up to a number was wanted stays true, whatever
 * happened since the look: a lane that took meanwhile is not moved back, and types that were chosen meanwhile count from a
 * later number.
 */
export async function passEvents(db: SqlRunner, owner: NotifierId, lanes: readonly PassableLane[]): Promise<void> {
  await db.run(PASS, [owner, ...columnsOf(lanes, 'tenantId', 'endpointId', 'passedSeq')]);
}

const PASS_TO_WANTED = statement('webhook_lane_pass_to_wanted')`
update webhook_lanes l set taken_seq = greatest(l.taken_seq, coalesce(
  (select p.first_seq - 1 from event_pages p
    where p.tenant_id = l.tenant_id and p.last_seq > l.taken_seq and p.types && $3::text[]
    order by p.last_seq limit 1),
  (select h.last_seq from event_heads h where h.tenant_id = l.tenant_id)))
where l.tenant_id = $1 and l.endpoint_id = $2`;

/**
 * Passes over what an endpoint does not want, up to what it does: before it wants other types, so that it gets those from now
 * on. Until the end of the transaction nothing is taken for it.
 */
export async function passToWanted(
  tx: SqlRunner,
  { tenantId, endpointId }: EndpointKey,
  types: readonly EventType[],
): Promise<void> {
  await tx.run(PASS_TO_WANTED, [tenantId, endpointId, types]);
}

/** The owner is locked too: who takes the lane over waits until what was taken is committed. */
const LOCK_TAKEN = statement('webhook_lane_lock_taken')`
select l.taken_seq from webhook_lanes l
join lane_owners o on o.tenant_id = l.tenant_id and o.lane_id = l.endpoint_id::text
where l.tenant_id = $1 and l.endpoint_id = $2 and o.epoch = $3
for update of l for share of o`;

/** In a statement after the lock: who waited for a change of the types reads the new ones. */
const READ_WANTED = statement('webhook_lane_read_wanted')`
select e.types, e.ordering, coalesce(h.last_seq, 0) as last_seq
from webhook_endpoints e
left join event_heads h on h.tenant_id = e.tenant_id
where e.tenant_id = $1 and e.endpoint_id = $2 and e.disabled_reason is null`;

export interface TakenRow {
  readonly takenSeq: number;
  /** Number of the tenant's newest event. */
  readonly lastSeq: number;
  readonly types: readonly EventType[] | null;
  readonly ordering: EndpointOrdering;
}

/** How far an endpoint has come, for its owner alone; null when the lane is another's by now, or disabled. */
export async function lockTaken(
  tx: SqlRunner,
  { tenantId, endpointId, epoch }: EndpointLaneKey,
): Promise<TakenRow | null> {
  const lane = await firstRow(tx.run<{ takenSeq: number }>(LOCK_TAKEN, [tenantId, endpointId, epoch]));
  if (lane === null) return null;
  const wanted = await firstRow(tx.run<Omit<TakenRow, 'takenSeq'>>(READ_WANTED, [tenantId, endpointId]));
  return wanted && { ...lane, ...wanted };
}

const MARK_TAKEN = statement('webhook_lane_mark_taken')`
update webhook_lanes set taken_seq = greatest(taken_seq, $3) where tenant_id = $1 and endpoint_id = $2`;

export async function markTaken(tx: SqlRunner, { tenantId, endpointId }: EndpointKey, takenSeq: number): Promise<void> {
  await tx.run(MARK_TAKEN, [tenantId, endpointId, takenSeq]);
}

const CLAIM_FAILING = statement('webhook_lane_claim_failing')`
update webhook_lanes set failing_told_ms = $3
where tenant_id = $1 and endpoint_id = $2 and failing_since_ms is not null and failing_told_ms is null
returning failing_since_ms`;

/** Since when an endpoint fails, for whoever tells of it first; null: it was told, or the endpoint answers again. */
export async function claimFailing(
  tx: SqlRunner,
  { tenantId, endpointId }: EndpointKey,
  nowMs: number,
): Promise<number | null> {
  const lane = await firstRow(tx.run<{ failingSinceMs: number }>(CLAIM_FAILING, [tenantId, endpointId, nowMs]));
  return lane?.failingSinceMs ?? null;
}

const MARK_FAILING = statement('webhook_lane_mark_failing')`
update webhook_lanes l set
  failing_since_ms = case when t.failing then $4::bigint end, failing_told_ms = null
from unnest($1::uuid[], $2::uuid[], $3::boolean[]) as t (tenant_id, endpoint_id, failing)
where l.tenant_id = t.tenant_id and l.endpoint_id = t.endpoint_id and (l.failing_since_ms is not null) <> t.failing
returning l.tenant_id, l.endpoint_id, l.failing_since_ms`;

/** Notes for endpoints of several tenants whether their last attempt failed. */
export async function markFailing(
  db: SqlRunner,
  lanes: readonly (EndpointKey & { readonly failing: boolean })[],
  nowMs: number,
): Promise<void> {
  await db.run(MARK_FAILING, [...columnsOf(lanes, 'tenantId', 'endpointId', 'failing'), nowMs]);
}
