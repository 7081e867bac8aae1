import type { DispatcherId, PhoneNumberId, TenantId } from '#core/ids';
import { queueState } from '#core/queue-state';
import { type SqlRunner, statement } from '#database/database';
import { NEWEST_STATUS } from './callback-health.ts';
import type { QueueKey } from './send-queue.ts';

/*
 * What is due in the queue of messages owed a send, over the lanes of a dispatcher: looks that its loops repeat, and that
 * change nothing. Each hops over the index from lane to lane, so that it costs what waits and not what there is.
 */

/*
 * Lanes that have any row, found by hopping over the index from one to the next: this costs what waits, not what is owned.
 * The first is none.
 */
const QUEUED_LANES = `
with recursive queued as (
  select '00000000-0000-0000-0000-000000000000'::uuid as tenant_id, ''::text collate "C" as phone_number_id
  union all
  select n.tenant_id, n.phone_number_id from queued q cross join lateral (
    select s.tenant_id, s.phone_number_id from send_queue s
    where (s.tenant_id, s.phone_number_id) > (q.tenant_id, q.phone_number_id)
    order by s.tenant_id, s.phone_number_id limit 1
  ) n
)`;
/*
 * The lane of a queued row when it is ours ($1). The limit keeps it a look by key: joined, PostgreSQL would read all lanes for
 * the few that have anything, because it cannot know how few they are.
 */
const OWN_LANE = `
cross join lateral (
  select o.tenant_id, o.lane_id as phone_number_id from lane_owners o
  where o.tenant_id = queued.tenant_id and o.lane_id = queued.phone_number_id and o.owner_id = $1
  limit 1
) l`;
const QUEUE_LANES = statement('queue_lanes')`${QUEUED_LANES} select tenant_id, phone_number_id from queued`;

/** Lanes with rows in the queue, whoever owns them. */
export async function findQueuedLanes(db: SqlRunner): Promise<DueLanes['lanes']> {
  return (await db.run<DueLanes['lanes'][number]>(QUEUE_LANES, [])).rows;
}

/**
 * The newest status of a number is asked for once per lane, and only where some wait has ended: that is what the first
 * lateral part is for.
 */
const UNKNOWN_DUE = statement('queue_unknown_due')`${QUEUED_LANES}
select q.*, t.unknown_resends
from queued ${OWN_LANE}
join tenants t on t.tenant_id = l.tenant_id
cross join lateral (
  select ${NEWEST_STATUS} as status_ms from send_queue s
  where s.tenant_id = l.tenant_id and s.phone_number_id = l.phone_number_id and s.state = ${queueState.unknown} and s.due_ms <= $2
  limit 1
) h
cross join lateral (
  select s.tenant_id, s.message_id, s.expires_ms, s.resends from send_queue s
  where s.tenant_id = l.tenant_id and s.phone_number_id = l.phone_number_id and s.state = ${queueState.unknown} and s.due_ms <= $2
    and (s.expires_ms <= $3 or s.resends >= t.unknown_resends or s.epoch <= 0 or ($4 and h.status_ms >= s.due_ms - $5::bigint))
  limit 500
) q`;

export interface UnknownDue extends QueueKey {
  readonly expiresMs: number;
  readonly resends: number;
  /** How many its tenant allows. */
  readonly unknownResends: number;
}

export interface UnknownDueQuery {
  readonly owner: DispatcherId;
  /** Waits that ended by then are over. */
  readonly overMs: number;
  readonly nowMs: number;
  /** False: nothing may be repeated at present. */
  readonly mayRepeat: boolean;
  /** How long each waits for a status. */
  readonly waitMs: number;
}

/**
 * Unknown rows about which there is something to decide: their wait is over, no status has settled them, and they have
 * expired, have used up their repetitions, were released by the operator (`held-messages.ts` gives them an epoch of 0 or less),
 * or may be repeated because statuses of their number came in since.
 */
export async function findUnknownSends(db: SqlRunner, query: UnknownDueQuery): Promise<readonly UnknownDue[]> {
  const { owner, overMs, nowMs, mayRepeat, waitMs } = query;
  return (await db.run<UnknownDue>(UNKNOWN_DUE, [owner, overMs, nowMs, mayRepeat, waitMs])).rows;
}

/*
 * Not `exists`: with statistics at hand PostgreSQL expects to find some row soon and walks the whole queue, which it does
 * to its end for a priority that has none. The order asks for the head of the index.
 */
const hasDue = (priority: number): string => `
  (select true from send_queue s where s.tenant_id = l.tenant_id and s.phone_number_id = l.phone_number_id
    and s.state = ${queueState.ready} and s.priority = ${priority} and s.due_ms <= $2 order by s.due_ms limit 1)`;
const DUE_LANES = statement('queue_due_lanes')`${QUEUED_LANES}
select l.tenant_id, l.phone_number_id from queued ${OWN_LANE}
where ${[0, 1, 2].map(hasDue).join(' or ')}
union all select null, null where not exists (select from queued where phone_number_id <> '')`;

export interface DueLanes {
  readonly lanes: readonly { readonly tenantId: TenantId; readonly phoneNumberId: PhoneNumberId }[];
  /** No lane of anybody has a row: nothing can become due before something is accepted. */
  readonly isQueueEmpty: boolean;
}

/** Own lanes with work due: what the poll asks, so that nothing depends on a wake-up arriving. */
export async function findDueLanes(db: SqlRunner, owner: DispatcherId, nowMs: number): Promise<DueLanes> {
  const { rows } = await db.run<{ tenantId: TenantId | null; phoneNumberId: PhoneNumberId }>(DUE_LANES, [owner, nowMs]);
  const lanes = rows.flatMap(({ tenantId, phoneNumberId }) => (tenantId === null ? [] : [{ tenantId, phoneNumberId }]));
  return { lanes, isQueueEmpty: lanes.length < rows.length };
}

const QUEUE_EXPIRED = statement('queue_expired')`
select s.tenant_id, s.message_id, s.resends from lane_owners l
join send_queue s on s.tenant_id = l.tenant_id and s.phone_number_id = l.lane_id
where l.owner_id = $1 and l.lane_id = any($2::text[]) and s.state = ${queueState.ready} and s.expires_ms <= $3
limit 1000`;

export interface ExpiredRow extends QueueKey {
  readonly resends: number;
}

export interface ExpiredQuery {
  readonly owner: DispatcherId;
  readonly phoneNumberIds: readonly PhoneNumberId[];
  readonly nowMs: number;
}

/** Expired ready rows of lanes that do not send now (paused): swept now and then, so that their tenants learn of it. */
export async function findExpired(db: SqlRunner, query: ExpiredQuery): Promise<readonly ExpiredRow[]> {
  return (await db.run<ExpiredRow>(QUEUE_EXPIRED, [query.owner, query.phoneNumberIds, query.nowMs])).rows;
}
