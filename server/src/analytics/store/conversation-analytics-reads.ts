import { decomposeRange } from '#analytics/domain/rollup-ranges';
import {
  CONVERSATION_MEASURES,
  type ConversationCounts,
  type ConversationDimension,
  type ConversationMeasure,
  DURATIONS,
  type Duration,
  NO_CONVERSATIONS,
  SPANS,
} from '#conversations/domain/conversation-tally';
import type { Period } from '#core/calendar';
import { type Histogram, sumHistograms } from '#core/duration-histogram';
import type { TenantId } from '#core/ids';
import { plainArray } from '#database/arrays';
import type { SqlRunner, Statement } from '#database/database';
import { type BreakdownQuery, type BreakdownRow, funnelStepsOf, quartersOf, sumReader } from './analytics-sums.ts';

export interface ConversationScope {
  readonly dimension: ConversationDimension;
  readonly key: string;
}

export interface ConversationQuery {
  readonly tenantId: TenantId;
  readonly scope: ConversationScope;
  /** Whole quarters of an hour. */
  readonly period: Period;
}

const SUMS = sumReader<ConversationMeasure>({
  name: 'analytics_conversations',
  quarters: 'analytics_conversations',
  days: 'analytics_conversation_days',
  measures: CONVERSATION_MEASURES,
  ranking: CONVERSATION_MEASURES,
});

export async function readConversationTotals(
  db: SqlRunner,
  { tenantId, scope, period }: ConversationQuery,
): Promise<ConversationCounts> {
  const [counts = NO_CONVERSATIONS] = await SUMS.readPeriods(db, { tenantId, ...scope }, [period]);
  return counts;
}

/** @param startsMs where each step begins, in order; the first is not after the period's start */
export async function readConversationSeries(
  db: SqlRunner,
  { tenantId, scope, period }: ConversationQuery,
  startsMs: readonly number[],
): Promise<ReadonlyMap<number, ConversationCounts>> {
  const counts = await SUMS.readPeriods(db, { tenantId, ...scope }, funnelStepsOf(period, startsMs));
  return new Map(startsMs.map((ms, step) => [ms, counts[step] ?? NO_CONVERSATIONS]));
}

export type ConversationBreakdownRow = BreakdownRow<ConversationMeasure>;

/** The keys of a dimension with most of everything. */
export function readConversationBreakdown(
  db: SqlRunner,
  query: BreakdownQuery<ConversationDimension>,
): Promise<readonly ConversationBreakdownRow[]> {
  return SUMS.readKeys(db, query);
}

/**
 * One range of the primary key for each key and span: `offset 0` keeps the planner from making a join of it, for which it read
 * the whole table when there were 50 keys.
 */
const HISTOGRAMS: Statement = {
  name: 'analytics_histograms',
  text: `
select k.key, r.sign, d.* from unnest($3::text[]) as k (key),
  unnest($4::smallint[], $5::integer[], $6::integer[], $7::integer[]) as r (span, first, behind, sign)
cross join lateral (
  select ${DURATIONS.join(', ')} from analytics_durations
  where tenant_id = $1 and dimension = $2 and key = k.key and span = r.span and quarter >= r.first and quarter < r.behind
  offset 0
) d`,
};

type HistogramsRow = Readonly<Record<Duration, string>> & { readonly key: string; readonly sign: 1 | -1 };

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
    plainArray(ranges.map(({ span }) => span)),
    plainArray(ranges.map(({ first }) => first)),
    plainArray(ranges.map(({ behind }) => behind)),
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
  const sum = (duration: Duration) => sumHistograms(rows.map((row) => ({ text: row[duration], sign: row.sign })));
  return {
    first_response: sum('first_response'),
    first_response_business: sum('first_response_business'),
    reply: sum('reply'),
    reply_business: sum('reply_business'),
    resolution: sum('resolution'),
    resolution_business: sum('resolution_business'),
  };
}
