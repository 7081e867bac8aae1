import type { Period } from '#core/calendar';
import type { TenantId } from '#core/ids';
import { idFloor } from '#core/ids';
import { type SqlRunner, statement } from '#database/database';
import { idMadeMsSql } from '#database/id-time-sql';
import { firstRow } from '#database/rows';
import { DAY_QUARTERS, MESSAGE_MEASURES, type MessageDimension, QUARTER_MS } from '#events/domain/message-sums';

/** What messages themselves say. What category they were priced in, and which error counted first, is told by events alone. */
export const CHECKED_DIMENSIONS = [
  'all',
  'number',
  'type',
  'template',
  'campaign',
] as const satisfies MessageDimension[];

/** Days of one key whose sums are not what the messages say. */
export interface SumDrift {
  readonly dimension: string;
  readonly key: string;
  /** First quarter of the day, UTC. */
  readonly quarter: number;
  /** In the order of MESSAGE_MEASURES. */
  readonly sums: readonly number[];
  readonly facts: readonly number[];
}

export interface SumCheck {
  /** Whether every event is in the sums: if not, a drift may be one that is about to vanish. */
  readonly complete: boolean;
  /** Days of keys that were compared. */
  readonly checked: number;
  readonly drifts: readonly SumDrift[];
}

const MEASURES = MESSAGE_MEASURES.join(', ');
const DAY_MS = DAY_QUARTERS * QUARTER_MS;
/** A message counts on the day in its id, which may be a moment from its time. */
const DAY = `(${idMadeMsSql('m.message_id')} / ${DAY_MS} * ${DAY_QUARTERS})::integer`;

// One statement, so one moment: sums, messages and the cursor between them.
const COMPARE = statement('analytics_compare')`
with outbound as (
  select d.dimension, d.key, ${DAY} as quarter, count(*) as accepted,
    count(*) filter (where coalesce(m.accepted_ms, m.sent_ms, m.delivered_ms, m.read_ms) is not null) as sent,
    count(*) filter (where coalesce(m.delivered_ms, m.read_ms) is not null) as delivered,
    count(*) filter (where m.read_ms is not null) as read,
    count(*) filter (where m.status = 'failed') as failed,
    count(*) filter (where m.replied_ms is not null) as replied
  from outbound_messages m
  cross join lateral (values ('all', ''), ('number', m.phone_number_id), ('type', m.type), ('campaign', m.campaign_name),
    ('template', case when m.type = 'template' then m.content ->> 'name' end)) as d (dimension, key)
  where m.tenant_id = $1 and m.message_id >= $2::uuid and m.message_id < $3::uuid and d.key is not null and not m.is_past
  group by 1, 2, 3
), inbound as (
  select d.dimension, d.key, ${DAY} as quarter, count(*) as received
  from inbound_messages m
  cross join lateral (values ('all', ''), ('number', m.phone_number_id), ('type', m.type)) as d (dimension, key)
  where m.tenant_id = $1 and m.message_id >= $2::uuid and m.message_id < $3::uuid and m.type <> 'call' and not m.is_past
  group by 1, 2, 3
), facts as (
  select dimension, key, quarter, array[coalesce(accepted, 0), coalesce(sent, 0), coalesce(delivered, 0), coalesce(read, 0),
    coalesce(failed, 0), coalesce(replied, 0), coalesce(received, 0)] as counts
  from outbound full join inbound using (dimension, key, quarter)
), sums as (
  select dimension, key, quarter, array[${MEASURES}] as counts
  from analytics_message_days
  where tenant_id = $1 and dimension = any($4::text[]) and quarter >= $5::integer and quarter < $6::integer
), compared as (
  select dimension, key, quarter, coalesce(s.counts, array_fill(0::bigint, array[7])) as sums,
    coalesce(f.counts, array_fill(0::bigint, array[7])) as facts
  from sums s full join facts f using (dimension, key, quarter)
)
select
  coalesce((select last_seq from event_heads where tenant_id = $1), 0)
    = coalesce((select last_seq from analytics_cursors where tenant_id = $1), 0) as complete,
  (select count(*)::integer from compared) as checked,
  coalesce((select json_agg(d) from (
    select * from compared where sums <> facts order by quarter desc, dimension, key limit $7) d), '[]') as drifts`;

/** Compares the sums of whole days of UTC with the messages. @param limit of the drifts that are told */
export async function compareSums(
  db: SqlRunner,
  { tenantId, period, limit }: { readonly tenantId: TenantId; readonly period: Period; readonly limit: number },
): Promise<SumCheck> {
  const { startMs, endMs } = period;
  const quarters = [startMs / QUARTER_MS, endMs / QUARTER_MS];
  const values = [tenantId, idFloor(startMs), idFloor(endMs), [...CHECKED_DIMENSIONS], ...quarters, limit];
  return (await firstRow(db.run<SumCheck>(COMPARE, values))) ?? { complete: true, checked: 0, drifts: [] };
}
