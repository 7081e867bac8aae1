import type { Period } from '#core/calendar';
import type { TenantId } from '#core/ids';
import { plainArray } from '#database/arrays';
import { type SqlRunner, statement } from '#database/database';
import { firstRow } from '#database/rows';
import { type MessageDimension, type MessageMeasure, QUARTER_MS } from '#events/domain/message-sums';
import { MESSAGE_SUMS, type SumQuery, sumReader } from './analytics-sums.ts';

/** A report of messages: of all, or of those with one key in one dimension. */
export type ReportQuery = SumQuery<MessageDimension>;
export type ReportScope = ReportQuery['scope'];

export const STEPS = ['hour', 'day', 'week', 'month'] as const;
export type Step = (typeof STEPS)[number];

export const { readPeriods, readTotals, readSeries, readBreakdown } = sumReader<MessageDimension, MessageMeasure>(
  MESSAGE_SUMS,
);

const LOCAL_TIME = statement('analytics_local_time')`
select (extract(epoch from $1::timestamp at time zone $2) * 1000)::bigint as ms`;

/** @param local `2026-11-21` or `2026-11-21T10:00:00` on the clocks of the zone @returns milliseconds since 1970 */
export async function localTimeMs(db: SqlRunner, local: string, timeZone: string): Promise<number> {
  return (await firstRow(db.run<{ ms: number }>(LOCAL_TIME, [local, timeZone])))?.ms ?? Number.NaN;
}

/** Hours have the same length everywhere; longer steps are what the calendar and the clocks of the zone make them. */
const STEP_STARTS = statement('analytics_step_starts')`
with bounds as (
  select to_timestamp($1::bigint / 1000.0) as first, to_timestamp($2::bigint / 1000.0) as last
), starts as (
  select case when $4 = 'hour' then g else null end as at from bounds, generate_series(
    date_trunc('hour', first at time zone $3) at time zone $3, last, interval '1 hour') g where $4 = 'hour'
  union all
  select g at time zone $3 from bounds, generate_series(
    date_trunc($4, first at time zone $3), last at time zone $3, ('1 ' || $4)::interval) g where $4 <> 'hour'
)
select (extract(epoch from at) * 1000)::bigint as start_ms from starts, bounds where at < last order by at`;

/** Where the steps of a period begin on the clocks of a zone; the first may begin before the period does. */
export async function stepStarts(
  db: SqlRunner,
  { period, step, timeZone }: { readonly period: Period; readonly step: Step; readonly timeZone: string },
): Promise<readonly number[]> {
  const { rows } = await db.run<{ startMs: number }>(STEP_STARTS, [period.startMs, period.endMs, timeZone, step]);
  return rows.map((row) => row.startMs);
}

/**
 * Within a stretch wall clocks run as time does: the hour of the week is a division, not a question for the time of
 * each row. 1970 began on a Thursday, 72 hours (288 quarters) after a Monday. Whole numbers of four bytes: this runs for
 * each of 8,640 rows of 90 days.
 */
const HEATMAP = statement('analytics_heatmap')`
select slot / 24 + 1 as weekday, slot % 24 as hour, sum(accepted)::bigint as accepted,
  sum(received)::bigint as received
from (
  select (m.quarter + z.ahead + 288) / 4 % 168 as slot, m.accepted, m.received
  from unnest($4::integer[], $5::integer[], $6::integer[]) as z (first, behind, ahead)
  join analytics_messages m on m.tenant_id = $1 and m.dimension = $2 and m.key = $3 and m.quarter >= z.first and m.quarter < z.behind
) t
group by slot
order by slot`;

export interface HeatmapCell {
  /** 1 is Monday. */
  readonly weekday: number;
  readonly hour: number;
  readonly accepted: number;
  readonly received: number;
}

/** A time in which the clocks of a zone are not changed. */
export interface ClockStretch extends Period {
  /** What they are ahead of UTC. */
  readonly offsetMs: number;
}

/** Messages by weekday and hour on wall clocks; hours without any are left out. @param stretches what the period consists of */
export async function readHeatmap(
  db: SqlRunner,
  { tenantId, scope }: Omit<ReportQuery, 'period'>,
  stretches: readonly ClockStretch[],
): Promise<readonly HeatmapCell[]> {
  const parameters = [
    ...[tenantId, scope.dimension, scope.key],
    plainArray(stretches.map(({ startMs }) => Math.ceil(startMs / QUARTER_MS))),
    plainArray(stretches.map(({ endMs }) => Math.ceil(endMs / QUARTER_MS))),
    // A row counts where its quarter begins: of offsets of a finer measure, the quarters are what matters.
    plainArray(stretches.map(({ offsetMs }) => Math.floor(offsetMs / QUARTER_MS))),
  ];
  return (await db.run<HeatmapCell>(HEATMAP, parameters)).rows;
}

const FRESHNESS = statement('analytics_freshness')`
select c.as_of_ms, coalesce(h.last_seq, 0) <= coalesce(c.last_seq, 0) as complete
from (select $1::uuid as tenant_id) t
left join event_heads h on h.tenant_id = t.tenant_id
left join analytics_cursors c on c.tenant_id = t.tenant_id`;

/** How far the sums of a tenant follow what happened. `asOfMs` null: nothing was added yet. */
export interface Freshness {
  readonly asOfMs: number | null;
  /** Everything that happened is in the sums. */
  readonly complete: boolean;
}

export async function readFreshness(db: SqlRunner, tenantId: TenantId): Promise<Freshness> {
  return (await firstRow(db.run<Freshness>(FRESHNESS, [tenantId]))) ?? { asOfMs: null, complete: true };
}
