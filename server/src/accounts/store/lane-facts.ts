import { type LaneFacts, MOST_AHEAD } from '#accounts/domain/lane-wait';
import type { TenantId } from '#core/ids';
import { queueState } from '#core/queue-state';
import { type SqlRunner, statement } from '#database/database';

/** The greatest id: a place behind everything that is due by its time. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Each count walks the index of the lane, and stops at a limit: whatever waits, this is a read of bounded cost. It locks nothing. */
const LANE_FACTS = statement('lane_facts')`
select n.status = 'paused' as is_paused, n.rate_per_second,
  d.dispatcher_id is not null as has_sender, d.outage_ms is not null as has_outage,
  array(
    select (select count(*) from (
      select from send_queue s
      where s.tenant_id = n.tenant_id and s.phone_number_id = n.phone_number_id and s.state = ${queueState.ready} and s.priority = p.priority
        and (s.due_ms, s.message_id) < (case when p.priority = $3 then $4::bigint else $6::bigint end,
          case when p.priority = $3 then $5::uuid else '${LAST_ID}'::uuid end)
      limit ${MOST_AHEAD + 1}
    ) c)::integer
    from (values (0::smallint), (1::smallint), (2::smallint)) as p (priority) order by p.priority
  ) as before
from phone_numbers n
left join lane_owners l on l.tenant_id = n.tenant_id and l.lane_id = n.phone_number_id
left join dispatchers d on d.dispatcher_id = l.owner_id
where n.tenant_id = $1 and n.phone_number_id = $2`;

/** A place in the queue of a sending number. */
export interface LanePlace {
  readonly tenantId: TenantId;
  readonly phoneNumberId: string;
  /** Rank of its priority, its time, and its id among those of the same time. */
  readonly priority: number;
  readonly dueMs: number;
  readonly messageId: string;
  /** By when messages of other priorities must be due to go before it. */
  readonly byMs: number;
}

/** What is known of the lane, seen from a place in it; null when the number is not there. */
export async function findLaneFacts(db: SqlRunner, place: LanePlace): Promise<LaneFacts | null> {
  const { tenantId, phoneNumberId, priority, dueMs, messageId, byMs } = place;
  const { rows } = await db.run<LaneFacts>(LANE_FACTS, [
    tenantId,
    phoneNumberId,
    priority,
    dueMs,
    messageId,
    Math.max(dueMs, byMs),
  ]);
  return rows[0] ?? null;
}

/** The same, seen from behind everything that is due. */
export function findWholeLane(
  db: SqlRunner,
  { tenantId, phoneNumberId }: Pick<LanePlace, 'tenantId' | 'phoneNumberId'>,
  nowMs: number,
): Promise<LaneFacts | null> {
  return findLaneFacts(db, {
    ...{ tenantId, phoneNumberId },
    priority: 0,
    dueMs: nowMs,
    messageId: LAST_ID,
    byMs: nowMs,
  });
}
