import { INACTIVE_TENANTS } from '#access/store/tenant-states';
import type { AccountId, DispatcherId, PhoneNumberId, TenantId } from '#core/ids';
import type { SqlRunner, Statement } from '#database/database';

/** A lane as its possible owners see it. */
export interface LaneRow {
  readonly tenantId: TenantId;
  readonly phoneNumberId: PhoneNumberId;
  readonly ownerId: DispatcherId | null;
  readonly epoch: number;
  readonly paused: boolean;
  readonly ratePerSecond: number | null;
  /** The linked account whose token the number uses; null: the token of the settings. */
  readonly accountId: AccountId | null;
}

/** A dispatcher that others watch: dead or frozen when `beat` stands still. */
export interface DispatcherRow {
  readonly dispatcherId: DispatcherId;
  readonly beat: number;
}

const DISPATCHER_BEAT: Statement = {
  name: 'dispatcher_beat',
  text: `
insert into dispatchers (dispatcher_id, beat, started_ms) values ($1, $2, $3)
on conflict (dispatcher_id) do update set beat = excluded.beat`,
};

/** Says "I am alive": one row per process, whatever the number of its lanes. The process counts its beats itself. */
export async function beatDispatcher(
  db: SqlRunner,
  { dispatcherId, beat }: DispatcherRow,
  startedMs: number,
): Promise<void> {
  await db.run(DISPATCHER_BEAT, [dispatcherId, beat, startedMs]);
}

const LIST_DISPATCHERS: Statement = { name: 'dispatcher_list', text: 'select dispatcher_id, beat from dispatchers' };

export async function listDispatchers(db: SqlRunner): Promise<readonly DispatcherRow[]> {
  const { rows } = await db.run<{ dispatcher_id: DispatcherId; beat: number }>(LIST_DISPATCHERS, []);
  return rows.map((row) => ({ dispatcherId: row.dispatcher_id, beat: Number(row.beat) }));
}

const REMOVE_DISPATCHER: Statement = {
  name: 'dispatcher_remove',
  text: 'delete from dispatchers where dispatcher_id = $1 and ($2::bigint is null or beat = $2)',
};

/** Forgets a dispatcher: itself at shutdown, or a dead one whose beat still is the one that was seen standing still. */
export async function removeDispatcher(
  db: SqlRunner,
  dispatcherId: DispatcherId,
  beat: number | null,
): Promise<boolean> {
  return (await db.run(REMOVE_DISPATCHER, [dispatcherId, beat])).rowCount > 0;
}

/** All of them: where only one process can be, whoever stands in the table at its start is gone. */
export async function forgetDispatchers(db: SqlRunner): Promise<void> {
  await db.run({ name: 'dispatcher_forget', text: 'delete from dispatchers' }, []);
}

const SET_OUTAGE: Statement = {
  name: 'dispatcher_outage',
  text: 'update dispatchers set outage_ms = $2, outage_reason = $3 where dispatcher_id = $1',
};

/** A dispatcher that sends nothing because the network does not answer. */
export interface OutageRow {
  /** Null: it sends. */
  readonly sinceMs: number | null;
  readonly reason: string | null;
}

export async function setOutage(
  db: SqlRunner,
  dispatcherId: DispatcherId,
  { sinceMs, reason }: OutageRow,
): Promise<void> {
  await db.run(SET_OUTAGE, [dispatcherId, sinceMs, reason]);
}

const LIST_OUTAGES: Statement = {
  name: 'dispatcher_outages',
  text: 'select outage_ms, outage_reason from dispatchers where outage_ms is not null order by outage_ms',
};

/** The dispatchers that send nothing because the network does not answer, the longest outage first. */
export async function listOutages(db: SqlRunner): Promise<readonly OutageRow[]> {
  const { rows } = await db.run<{ outage_ms: number; outage_reason: string }>(LIST_OUTAGES, []);
  return rows.map((row) => ({ sinceMs: Number(row.outage_ms), reason: row.outage_reason }));
}

const LIST_LANES: Statement = {
  name: 'lane_list',
  text: `
select l.tenant_id, l.phone_number_id, l.owner_id, l.epoch,
  n.status = 'paused' or n.removed_ms is not null or l.tenant_id = any(${INACTIVE_TENANTS}) as paused,
  n.rate_per_second, n.account_id
from lanes l
join phone_numbers n on n.tenant_id = l.tenant_id and n.phone_number_id = l.phone_number_id`,
};

/*
 * Whatever makes a lane look otherwise changes a number of it that only grows, its owner, or which tenants are not active: all
 * of them are added up where they are, which costs a tenth of reading them.
 */
const LANES_DIGEST: Statement = {
  name: 'lane_digest',
  text: `
select l.digest || '/' || n.digest || '/' || array_to_string(${INACTIVE_TENANTS}, ' ') as digest
from (select concat_ws(' ', count(*), sum(epoch), sum(hashtext(owner_id::text)::bigint)) as digest from lanes) l,
  (select concat_ws(' ', count(*), sum(version)) as digest from phone_numbers) n`,
};

/** Equal as long as `listLanes` would answer the same. */
export async function readLanesDigest(db: SqlRunner): Promise<string> {
  const { rows } = await db.run<{ digest: string }>(LANES_DIGEST, []);
  return rows[0]?.digest ?? '';
}

interface LaneSqlRow {
  readonly tenant_id: TenantId;
  readonly phone_number_id: PhoneNumberId;
  readonly owner_id: DispatcherId | null;
  readonly epoch: number;
  readonly paused: boolean;
  readonly rate_per_second: number | null;
  readonly account_id: AccountId | null;
}

/** All lanes: read by each dispatcher when one has changed, to share them out and to learn of pauses and new rates. */
export async function listLanes(db: SqlRunner): Promise<readonly LaneRow[]> {
  const { rows } = await db.run<LaneSqlRow>(LIST_LANES, []);
  return rows.map((row) => ({
    tenantId: row.tenant_id,
    phoneNumberId: row.phone_number_id,
    ownerId: row.owner_id,
    epoch: Number(row.epoch),
    paused: row.paused,
    ratePerSecond: row.rate_per_second,
    accountId: row.account_id,
  }));
}

const ACQUIRE_LANES: Statement = {
  name: 'lane_acquire',
  text: `
update lanes l set owner_id = $1, epoch = l.epoch + 1
from unnest($2::uuid[], $3::text[], $4::bigint[]) as t (tenant_id, phone_number_id, epoch)
where l.tenant_id = t.tenant_id and l.phone_number_id = t.phone_number_id and l.epoch = t.epoch
returning l.tenant_id, l.phone_number_id, l.epoch`,
};

export interface LaneKey {
  readonly tenantId: TenantId;
  readonly phoneNumberId: PhoneNumberId;
  readonly epoch: number;
}

/** Takes lanes whose epoch still is the one that was seen: of two takers one wins. Returns those taken, with the new epoch. */
export async function acquireLanes(
  db: SqlRunner,
  owner: DispatcherId,
  lanes: readonly LaneKey[],
): Promise<readonly LaneKey[]> {
  const { rows } = await db.run<LaneSqlRow>(ACQUIRE_LANES, [owner, ...laneColumns(lanes)]);
  return rows.map((row) => ({ tenantId: row.tenant_id, phoneNumberId: row.phone_number_id, epoch: Number(row.epoch) }));
}

const RELEASE_LANES: Statement = {
  name: 'lane_release',
  text: `
update lanes l set owner_id = null
from unnest($2::uuid[], $3::text[], $4::bigint[]) as t (tenant_id, phone_number_id, epoch)
where l.tenant_id = t.tenant_id and l.phone_number_id = t.phone_number_id and l.epoch = t.epoch and l.owner_id = $1`,
};

/** Gives lanes back, for a dispatcher that nothing of theirs is in flight any more. */
export async function releaseLanes(db: SqlRunner, owner: DispatcherId, lanes: readonly LaneKey[]): Promise<void> {
  await db.run(RELEASE_LANES, [owner, ...laneColumns(lanes)]);
}

function laneColumns(lanes: readonly LaneKey[]): readonly unknown[] {
  return [lanes.map((lane) => lane.tenantId), lanes.map((lane) => lane.phoneNumberId), lanes.map((lane) => lane.epoch)];
}
