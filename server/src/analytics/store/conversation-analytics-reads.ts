import { decomposeRange } from '#analytics/domain/rollup-ranges';
import {
  type ConversationDimension,
  type ConversationMeasure,
  DURATIONS,
  type Duration,
  SPANS,
} from '#conversations/domain/conversation-tally';
import type { Period } from '#core/calendar';
import { type Histogram, sumHistograms } from '#core/duration-histogram';
import type { TenantId } from '#core/ids';
import { plainArray } from '#database/arrays';
import { camelName } from '#database/camel-case';
import { type SqlRunner, statement } from '#database/database';
import { CONVERSATION_SUMS, quartersOf, rangeColumns, type SumQuery, sumReader } from './analytics-sums.ts';

export type ConversationScope = SumQuery<ConversationDimension>['scope'];

export const {
  readTotals: readConversationTotals,
  readSeries: readConversationSeries,
  readBreakdown: readConversationBreakdown,
} = sumReader<ConversationDimension, ConversationMeasure>(CONVERSATION_SUMS);

/**
 * One range of the primary key for each key and span: `offset 0` keeps the planner from making a join of it, for which it read
 * the whole table when there were 50 keys.
 */
const HISTOGRAMS = statement('analytics_histograms')`
select k.key, r.sign, d.* from unnest($3::text[]) as k (key),
  unnest($4::smallint[], $5::integer[], $6::integer[], $7::integer[]) as r (span, first, behind, sign)
cross join lateral (
  select ${DURATIONS.join(', ')} from analytics_durations
  where tenant_id = $1 and dimension = $2 and key = k.key and span = r.span and quarter >= r.first and quarter < r.behind
  offset 0
) d`;

interface HistogramsRow {
  readonly key: string;
  readonly sign: 1 | -1;
  /** A column for each duration. */
  readonly [duration: string]: unknown;
}

export type Histograms = Readonly<Record<Duration, Histogram>>;

/** How long things took in a period, of each of these keys of a dimension; keys of which nothing is known are left out. */
export async function readHistograms(
  db: SqlRunner,
  query: {
    readonly tenantId: TenantId;
    readonly dimension: ConversationDimension;
    readonly keys: readonly string[];
    readonly period: Period;
  },
): Promise<ReadonlyMap<string, Histograms>> {
  const ranges = decomposeRange(quartersOf(query.period), SPANS);
  const { rows } = await db.run<HistogramsRow>(HISTOGRAMS, [
    query.tenantId,
    query.dimension,
    query.keys,
    ...rangeColumns(ranges),
    plainArray(ranges.map(({ sign }) => sign)),
  ]);
  const byKey = new Map<string, HistogramsRow[]>();
  for (const row of rows) {
    const group = byKey.get(row.key);
    if (group) group.push(row);
    else byKey.set(row.key, [row]);
  }
  return new Map([...byKey].map(([key, group]) => [key, histogramsOf(group)]));
}

function histogramsOf(rows: readonly HistogramsRow[]): Histograms {
  const sum = (duration: Duration) =>
    sumHistograms(rows.map((row) => ({ text: String(row[camelName(duration)]), sign: row.sign })));
  return Object.fromEntries(DURATIONS.map((duration) => [duration, sum(duration)])) as unknown as Histograms;
}
