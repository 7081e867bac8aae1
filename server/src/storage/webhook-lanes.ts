import type { EndpointId, NotifierId, TenantId } from '#core/ids';
import type { SqlRunner, Statement } from './database.ts';

/** The lane of an enabled endpoint, as its possible owners see it. */
export interface EndpointLaneRow {
  readonly tenantId: TenantId;
  readonly endpointId: EndpointId;
  readonly ownerId: NotifierId | null;
  readonly epoch: number;
  /** Changes with everything that people change about the endpoint. */
  readonly version: number;
}

export interface EndpointLaneKey {
  readonly tenantId: TenantId;
  readonly endpointId: EndpointId;
  readonly epoch: number;
}

/** A notifier that others watch: dead or frozen when `beat` stands still. */
export interface NotifierRow {
  readonly notifierId: NotifierId;
  readonly beat: number;
}

const BEAT: Statement = {
  name: 'notifier_beat',
  text: `
insert into notifiers (notifier_id, beat, started_ms) values ($1, $2, $3)
on conflict (notifier_id) do update set beat = excluded.beat`,
};

/** Says "I am alive": one row per process. */
export async function beatNotifier(db: SqlRunner, { notifierId, beat }: NotifierRow, startedMs: number): Promise<void> {
  await db.run(BEAT, [notifierId, beat, startedMs]);
}

const LIST_NOTIFIERS: Statement = { name: 'notifier_list', text: 'select notifier_id, beat from notifiers' };

export async function listNotifiers(db: SqlRunner): Promise<readonly NotifierRow[]> {
  const { rows } = await db.run<{ notifier_id: NotifierId; beat: number }>(LIST_NOTIFIERS, []);
  return rows.map((row) => ({ notifierId: row.notifier_id, beat: row.beat }));
}

const REMOVE_NOTIFIER: Statement = {
  name: 'notifier_remove',
  text: 'delete from notifiers where notifier_id = $1 and ($2::bigint is null or beat = $2)',
};

/** Forgets a notifier: itself at shutdown, or a dead one whose beat still is the one that was seen standing still. */
export async function removeNotifier(db: SqlRunner, notifierId: NotifierId, beat: number | null): Promise<boolean> {
  return (await db.run(REMOVE_NOTIFIER, [notifierId, beat])).rowCount > 0;
}

/** All of them: where only one process can be, whoever stands in the table at its start is gone. */
export async function forgetNotifiers(db: SqlRunner): Promise<void> {
  await db.run({ name: 'notifier_forget', text: 'delete from notifiers' }, []);
}

const LIST_LANES: Statement = {
  name: 'webhook_lane_list',
  text: `
select l.tenant_id, l.endpoint_id, l.owner_id, l.epoch, e.version
from webhook_lanes l
join webhook_endpoints e on e.tenant_id = l.tenant_id and e.endpoint_id = l.endpoint_id
where e.disabled_reason is null`,
};

interface LaneSqlRow {
  readonly tenant_id: TenantId;
  readonly endpoint_id: EndpointId;
  readonly owner_id: NotifierId | null;
  readonly epoch: number;
  readonly version: number;
}

/** The lanes of all enabled endpoints of all tenants: read once a second by each notifier, to share them out. */
export async function listEndpointLanes(db: SqlRunner): Promise<readonly EndpointLaneRow[]> {
  const { rows } = await db.run<LaneSqlRow>(LIST_LANES, []);
  return rows.map((row) => ({
    tenantId: row.tenant_id,
    endpointId: row.endpoint_id,
    ownerId: row.owner_id,
    epoch: row.epoch,
    version: row.version,
  }));
}

const ACQUIRE: Statement = {
  name: 'webhook_lane_acquire',
  text: `
update webhook_lanes l set owner_id = $1, epoch = l.epoch + 1
from unnest($2::uuid[], $3::uuid[], $4::bigint[]) as t (tenant_id, endpoint_id, epoch)
where l.tenant_id = t.tenant_id and l.endpoint_id = t.endpoint_id and l.epoch = t.epoch
returning l.tenant_id, l.endpoint_id, l.epoch`,
};

/** Takes lanes whose epoch still is the one that was seen. Returns those taken, with the new epoch. */
export async function acquireEndpointLanes(
  db: SqlRunner,
  owner: NotifierId,
  lanes: readonly EndpointLaneKey[],
): Promise<readonly EndpointLaneKey[]> {
  const { rows } = await db.run<LaneSqlRow>(ACQUIRE, [owner, ...laneColumns(lanes)]);
  return rows.map((row) => ({ tenantId: row.tenant_id, endpointId: row.endpoint_id, epoch: row.epoch }));
}

const RELEASE: Statement = {
  name: 'webhook_lane_release',
  text: `
update webhook_lanes l set owner_id = null
from unnest($2::uuid[], $3::uuid[], $4::bigint[]) as t (tenant_id, endpoint_id, epoch)
where l.tenant_id = t.tenant_id and l.endpoint_id = t.endpoint_id and l.epoch = t.epoch and l.owner_id = $1`,
};

/** Gives lanes back, for a notifier that nothing of theirs is in flight any more. */
export async function releaseEndpointLanes(
  db: SqlRunner,
  owner: NotifierId,
  lanes: readonly EndpointLaneKey[],
): Promise<void> {
  await db.run(RELEASE, [owner, ...laneColumns(lanes)]);
}

function laneColumns(lanes: readonly EndpointLaneKey[]): readonly unknown[] {
  return [lanes.map((lane) => lane.tenantId), lanes.map((lane) => lane.endpointId), lanes.map((lane) => lane.epoch)];
}

/** Lanes of one owner, over its tenants, where events wait to be taken or a delivery is due. */
const LIST_DUE: Statement = {
  name: 'webhook_lane_list_due',
  text: `
select * from (
  select l.tenant_id, l.endpoint_id,
    exists (select 1 from event_heads h where h.tenant_id = l.tenant_id and h.last_seq > l.taken_seq) as has_events,
    exists (select 1 from webhook_deliveries d
      where d.tenant_id = l.tenant_id and d.endpoint_id = l.endpoint_id and d.state = 'pending' and d.due_ms <= $2)
      as has_due
  from webhook_lanes l
  join webhook_endpoints e on e.tenant_id = l.tenant_id and e.endpoint_id = l.endpoint_id
  where l.owner_id = $1 and e.disabled_reason is null) found
where has_events or has_due`,
};

/** A lane with work. */
export interface DueEndpointLane extends Pick<EndpointLaneRow, 'tenantId' | 'endpointId'> {
  /** Whether events wait to be taken; else only deliveries are due. */
  readonly hasEvents: boolean;
}

export async function listDueEndpointLanes(
  db: SqlRunner,
  owner: NotifierId,
  nowMs: number,
): Promise<readonly DueEndpointLane[]> {
  const { rows } = await db.run<LaneSqlRow & { readonly has_events: boolean }>(LIST_DUE, [owner, nowMs]);
  return rows.map((row) => ({ tenantId: row.tenant_id, endpointId: row.endpoint_id, hasEvents: row.has_events }));
}

const LOCK_TAKEN: Statement = {
  name: 'webhook_lane_lock_taken',
  text: `
select l.taken_seq, e.types, e.ordering
from webhook_lanes l
join webhook_endpoints e on e.tenant_id = l.tenant_id and e.endpoint_id = l.endpoint_id
where l.tenant_id = $1 and l.endpoint_id = $2 and l.epoch = $3 and e.disabled_reason is null
for update of l`,
};

export interface TakenRow<Type, Ordering> {
  readonly takenSeq: number;
  readonly types: readonly Type[] | null;
  readonly ordering: Ordering;
}

/** How far an endpoint has come, for its owner alone; null when the lane is another's by now, or disabled. */
export async function lockTaken<Type, Ordering>(
  tx: SqlRunner,
  { tenantId, endpointId, epoch }: EndpointLaneKey,
): Promise<TakenRow<Type, Ordering> | null> {
  const { rows } = await tx.run<{ taken_seq: number; types: readonly Type[] | null; ordering: Ordering }>(LOCK_TAKEN, [
    tenantId,
    endpointId,
    epoch,
  ]);
  const [row] = rows;
  return row === undefined ? null : { takenSeq: row.taken_seq, types: row.types, ordering: row.ordering };
}

const MARK_TAKEN: Statement = {
  name: 'webhook_lane_mark_taken',
  text: 'update webhook_lanes set taken_seq = greatest(taken_seq, $3) where tenant_id = $1 and endpoint_id = $2',
};

export async function markTaken(
  tx: SqlRunner,
  { tenantId, endpointId }: Pick<EndpointLaneKey, 'tenantId' | 'endpointId'>,
  takenSeq: number,
): Promise<void> {
  await tx.run(MARK_TAKEN, [tenantId, endpointId, takenSeq]);
}

const CLAIM_FAILING: Statement = {
  name: 'webhook_lane_claim_failing',
  text: `
update webhook_lanes set failing_told_ms = $3
where tenant_id = $1 and endpoint_id = $2 and failing_since_ms is not null and failing_told_ms is null
returning failing_since_ms`,
};

/** Since when an endpoint fails, for whoever tells of it first; null: it was told, or the endpoint answers again. */
export async function claimFailing(
  tx: SqlRunner,
  { tenantId, endpointId }: Pick<EndpointLaneKey, 'tenantId' | 'endpointId'>,
  nowMs: number,
): Promise<number | null> {
  const { rows } = await tx.run<{ failing_since_ms: number }>(CLAIM_FAILING, [tenantId, endpointId, nowMs]);
  return rows[0]?.failing_since_ms ?? null;
}

const MARK_FAILING: Statement = {
  name: 'webhook_lane_mark_failing',
  text: `
update webhook_lanes l set
  failing_since_ms = case when t.failing then coalesce(l.failing_since_ms, $4::bigint) end,
  failing_told_ms = case when t.failing then l.failing_told_ms end
from unnest($1::uuid[], $2::uuid[], $3::boolean[]) as t (tenant_id, endpoint_id, failing)
where l.tenant_id = t.tenant_id and l.endpoint_id = t.endpoint_id and (l.failing_since_ms is not null) <> t.failing
returning l.tenant_id, l.endpoint_id, l.failing_since_ms`,
};

/** Notes for endpoints of several tenants whether their last attempt failed. */
export async function markFailing(
  db: SqlRunner,
  lanes: readonly (Pick<EndpointLaneKey, 'tenantId' | 'endpointId'> & { readonly failing: boolean })[],
  nowMs: number,
): Promise<void> {
  await db.run(MARK_FAILING, [
    lanes.map((lane) => lane.tenantId),
    lanes.map((lane) => lane.endpointId),
    lanes.map((lane) => lane.failing),
    nowMs,
  ]);
}
