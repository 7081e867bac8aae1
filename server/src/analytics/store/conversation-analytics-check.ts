import { CONVERSATION_MEASURES, DURATIONS } from '#conversations/domain/conversation-tally';
import type { Period } from '#core/calendar';
import type { TenantId } from '#core/ids';
import { type SqlRunner, statement } from '#database/database';
import { firstRow } from '#database/rows';
import { DAY_QUARTERS, QUARTER_MS } from '#events/domain/message-sums';

/** What is stored of one key on one day. */
export interface StoredConversationDay {
  readonly dimension: string;
  readonly key: string;
  /** First quarter of the day, UTC. */
  readonly quarter: number;
  /** In the order of CONVERSATION_MEASURES. */
  readonly counts: readonly number[];
  /** As `writeHistogram` writes them, in the order of DURATIONS. */
  readonly histograms: readonly string[];
}

export interface StoredConversationDays {
  /** Number of the last event that is in the sums. */
  readonly upTo: number;
  readonly days: readonly StoredConversationDay[];
}

// One statement, so one moment: sums, histograms and the cursor between them.
const ANALYTICS_CONVERSATION_CHECK = statement('analytics_conversation_check')`
with days as (
  select dimension, key, quarter, array[${CONVERSATION_MEASURES.map((name) => `coalesce(c.${name}, 0)`).join(', ')}] as counts,
    array[${DURATIONS.map((name) => `coalesce(d.${name}, '[]')`).join(', ')}] as histograms
  from (
    select * from analytics_conversation_days where tenant_id = $1 and quarter >= $2::integer and quarter < $3::integer
  ) c full join (
    select * from analytics_durations
    where tenant_id = $1 and span = ${DAY_QUARTERS} and quarter >= $2::integer and quarter < $3::integer
  ) d using (dimension, key, quarter)
)
select coalesce((select last_seq from analytics_cursors where tenant_id = $1), 0) as up_to,
  coalesce((select json_agg(days) from days), '[]') as days`;

/** The sums of a tenant's conversations by whole days of UTC. */
export async function readConversationDays(
  db: SqlRunner,
  tenantId: TenantId,
  { startMs, endMs }: Period,
): Promise<StoredConversationDays> {
  const values = [tenantId, startMs / QUARTER_MS, endMs / QUARTER_MS];
  const stored = await firstRow(db.run<StoredConversationDays>(ANALYTICS_CONVERSATION_CHECK, values));
  return stored ?? { upTo: 0, days: [] };
}
