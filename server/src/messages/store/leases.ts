import { INACTIVE_TENANTS } from '#access/store/tenant-states';
import type { AccountId, DispatcherId, PhoneNumberId, TenantId } from '#core/ids';
import { type SqlRunner, statement } from '#database/database';

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

const SET_OUTAGE = statement('dispatcher_outage')`
update dispatchers set outage_ms = $2, outage_reason = $3 where dispatcher_id = $1`;

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

const LIST_OUTAGES = statement('dispatcher_outages')`
select outage_ms as since_ms, outage_reason as reason from dispatchers where outage_ms is not null order by outage_ms`;

/** The dispatchers that send nothing because the network does not answer, the longest outage first. */
export async function listOutages(db: SqlRunner): Promise<readonly OutageRow[]> {
  return (await db.run<OutageRow>(LIST_OUTAGES, [])).rows;
}

const LIST_LANES = statement('lane_list')`
select n.tenant_id, n.phone_number_id, l.owner_id, l.epoch,
  n.status = 'paused' or n.removed_ms is not null or l.tenant_id = any(${INACTIVE_TENANTS}) as paused,
  n.rate_per_second, n.account_id
from lane_owners l
join phone_numbers n on n.tenant_id = l.tenant_id and n.phone_number_id = l.lane_id`;

/*
 * Whatever makes a lane look otherwise changes a number of it that only grows, its owner, or which tenants are not active: all
 * of them are added up where they are, which costs a tenth of reading them. Owners of webhook endpoints are among them: one that
 * changes costs a reading.
 */
const LANES_DIGEST = statement('lane_digest')`
select l.digest || '/' || n.digest || '/' || array_to_string(${INACTIVE_TENANTS}, ' ') as digest
from (select concat_ws(' ', count(*), sum(epoch), sum(hashtext(owner_id::text)::bigint)) as digest from lane_owners) l,
  (select concat_ws(' ', count(*), sum(version)) as digest from phone_numbers) n`;

/** Equal as long as `listLanes` would answer the same. */
export async function readLanesDigest(db: SqlRunner): Promise<string> {
  const { rows } = await db.run<{ digest: string }>(LANES_DIGEST, []);
  return rows[0]?.digest ?? '';
}

/** All lanes: read by each dispatcher when one has changed, to share them out and to learn of pauses and new rates. */
export async function listLanes(db: SqlRunner): Promise<readonly LaneRow[]> {
  return (await db.run<LaneRow>(LIST_LANES, [])).rows;
}

/** A lane under the epoch that was seen. */
export type NumberLaneKey = Pick<LaneRow, 'tenantId' | 'phoneNumberId' | 'epoch'>;
