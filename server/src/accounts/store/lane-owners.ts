import type { TenantId } from '#core/ids';
import { columnsOf } from '#database/arrays';
import { type SqlRunner, type Statement, statement } from '#database/database';

/** What a lane leads to: a sending number, owned by a dispatcher, or a webhook endpoint, owned by a notifier. */
export type LaneKind = 'number' | 'endpoint';

/** A process that others watch: dead or frozen when `beat` stands still. */
export interface LaneOwner {
  readonly id: string;
  readonly beat: number;
}

/** A lane as its possible owners saw it. */
export interface LaneKey {
  readonly tenantId: TenantId;
  /** The number of the network, or the id of the endpoint. */
  readonly laneId: string;
  readonly epoch: number;
}

/** Where processes of a kind say that they live: one row each, whatever the number of their lanes. */
const OWNERS = {
  number: ownersIn('dispatchers', 'dispatcher'),
  endpoint: ownersIn('notifiers', 'notifier'),
} as const;

function ownersIn(table: string, role: string) {
  return {
    beat: statement(`${role}_beat`)`
insert into ${table} (${role}_id, beat, started_ms) values ($1, $2, $3)
on conflict (${role}_id) do update set beat = excluded.beat`,
    list: statement(`${role}_list`)`select ${role}_id as id, beat from ${table}`,
    remove: statement(`${role}_remove`)`
delete from ${table} where ${role}_id = $1 and ($2::bigint is null or beat = $2)`,
    forget: statement(`${role}_forget`)`delete from ${table}`,
  } satisfies Readonly<Record<string, Statement>>;
}

/** Says "I am alive". The process counts its beats itself. */
export async function beatOwner(
  db: SqlRunner,
  kind: LaneKind,
  { id, beat, startedMs }: LaneOwner & { readonly startedMs: number },
): Promise<void> {
  await db.run(OWNERS[kind].beat, [id, beat, startedMs]);
}

export async function listOwners(db: SqlRunner, kind: LaneKind): Promise<readonly LaneOwner[]> {
  return (await db.run<LaneOwner>(OWNERS[kind].list, [])).rows;
}

/** Forgets an owner: itself at shutdown, or a dead one whose beat still is the one that was seen standing still. */
export async function removeOwner(
  db: SqlRunner,
  kind: LaneKind,
  { id, beat }: { readonly id: string; readonly beat: number | null },
): Promise<boolean> {
  return (await db.run(OWNERS[kind].remove, [id, beat])).rowCount > 0;
}

/** All of them: where only one process can be, whoever stands in the table at its start is gone. */
export async function forgetOwners(db: SqlRunner, kind: LaneKind): Promise<void> {
  await db.run(OWNERS[kind].forget, []);
}

const LANE_INSERT = statement('lane_insert')`
insert into lane_owners (tenant_id, lane_id) values ($1, $2) on conflict do nothing`;

/** A lane that nobody owns yet; one that is there stays as it is. */
export async function insertLane(tx: SqlRunner, { tenantId, laneId }: Omit<LaneKey, 'epoch'>): Promise<void> {
  await tx.run(LANE_INSERT, [tenantId, laneId]);
}

const LANE_DELETE = statement('lane_delete')`delete from lane_owners where tenant_id = $1 and lane_id = $2`;

export async function deleteLane(tx: SqlRunner, { tenantId, laneId }: Omit<LaneKey, 'epoch'>): Promise<void> {
  await tx.run(LANE_DELETE, [tenantId, laneId]);
}

const LANE_ACQUIRE = statement('lane_acquire')`
update lane_owners l set owner_id = $1, epoch = l.epoch + 1
from unnest($2::uuid[], $3::text[], $4::bigint[]) as t (tenant_id, lane_id, epoch)
where l.tenant_id = t.tenant_id and l.lane_id = t.lane_id and l.epoch = t.epoch
returning l.tenant_id, l.lane_id, l.epoch`;

/** Takes lanes whose epoch still is the one that was seen: of two takers one wins. Returns those taken, with the new epoch. */
export async function acquireLanes(
  db: SqlRunner,
  owner: string,
  lanes: readonly LaneKey[],
): Promise<readonly LaneKey[]> {
  return (await db.run<LaneKey>(LANE_ACQUIRE, [owner, ...laneColumns(lanes)])).rows;
}

const LANE_RELEASE = statement('lane_release')`
update lane_owners l set owner_id = null
from unnest($2::uuid[], $3::text[], $4::bigint[]) as t (tenant_id, lane_id, epoch)
where l.tenant_id = t.tenant_id and l.lane_id = t.lane_id and l.epoch = t.epoch and l.owner_id = $1`;

/** Gives lanes back, for an owner that nothing of theirs is in flight any more. */
export async function releaseLanes(db: SqlRunner, owner: string, lanes: readonly LaneKey[]): Promise<void> {
  await db.run(LANE_RELEASE, [owner, ...laneColumns(lanes)]);
}

function laneColumns(lanes: readonly LaneKey[]): readonly unknown[] {
  return columnsOf(lanes, 'tenantId', 'laneId', 'epoch');
}
