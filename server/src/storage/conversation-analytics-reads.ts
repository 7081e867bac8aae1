import { cutAtDays, QUARTER_MS } from '#core/analytics';
import type { Period } from '#core/calendar';
import {
  CONVERSATION_MEASURES,
  type ConversationCounts,
  type ConversationDimension,
  type ConversationMeasure,
  DURATIONS,
  type Duration,
  SPANS,
} from '#core/conversation-tally';
import { type Histogram, mergeHistograms, readHistogram } from '#core/duration-histogram';
import type { TenantId } from '#core/ids';
import { plainArray } from './arrays.ts';
import type { SqlRunner, Statement } from './database.ts';

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

const SUMS = CONVERSATION_MEASURES.map((measure) => `coalesce(sum(${measure}), 0)::bigint as ${measure}`).join(', ');

type SumsRow = { readonly [Measure in ConversationMeasure]: number };

function toCounts({ opened, reopened, resolved, assigned, replies }: SumsRow): ConversationCounts {
  return { opened, reopened, resolved, assigned, replies };
}

function quarters({ startMs, endMs }: Period): readonly [number, number] {
  return [startMs / QUARTER_MS, endMs / QUARTER_MS];
}

const ROW = `key, ${CONVERSATION_MEASURES.join(', ')}`;

/** The sums of a period that is cut at its days: $3 to $4 quarters, $4 to $5 days, $5 to $6 quarters. */
const inPeriod = (andKey: string): string => `(
  select ${ROW} from analytics_conversations
  where tenant_id = $1 and dimension = $2 ${andKey} and quarter >= $3 and quarter < $4
  union all
  select ${ROW} from analytics_conversation_days
  where tenant_id = $1 and dimension = $2 ${andKey} and quarter >= $4 and quarter < $5
  union all
  select ${ROW} from analytics_conversations
  where tenant_id = $1 and dimension = $2 ${andKey} and quarter >= $5 and quarter < $6
) s`;

const TOTALS: Statement = {
  name: 'analytics_conversation_totals',
  text: `select ${SUMS} from ${inPeriod('and key = $7')}`,
};

export async function readConversationTotals(
  db: SqlRunner,
  { tenantId, scope, period }: ConversationQuery,
): Promise<ConversationCounts> {
  const { rows } = await db.run<SumsRow>(TOTALS, [tenantId, scope.dimension, ...cutAtDays(period), scope.key]);
  const [row] = rows;
  if (row === undefined) throw new Error('a sum without a row');
  return toCounts(row);
}

const SERIES: Statement = {
  name: 'analytics_conversation_series',
  text: `
select width_bucket(quarter, $6::integer[]) as step, ${SUMS} from analytics_conversations
where tenant_id = $1 and dimension = $2 and key = $3 and quarter >= $4 and quarter < $5
group by 1`,
};

/** @param startsMs where each step begins, in order; the first is not after the period's start */
export async function readConversationSeries(
  db: SqlRunner,
  { tenantId, scope, period }: ConversationQuery,
  startsMs: readonly number[],
): Promise<ReadonlyMap<number, ConversationCounts>> {
  const starts = plainArray(startsMs.map((ms) => ms / QUARTER_MS));
  const parameters = [tenantId, scope.dimension, scope.key, ...quarters(period), starts];
  const { rows } = await db.run<SumsRow & { step: number }>(SERIES, parameters);
  return new Map(rows.map((row) => [startsMs[row.step - 1] ?? 0, toCounts(row)]));
}

const BREAKDOWN: Statement = {
  name: 'analytics_conversation_breakdown',
  text: `
select key, ${SUMS} from ${inPeriod('')}
group by key
order by sum(replies) + sum(resolved) + sum(opened) + sum(reopened) + sum(assigned) desc, key
limit $7`,
};

export interface ConversationBreakdown {
  readonly tenantId: TenantId;
  readonly dimension: ConversationDimension;
  readonly period: Period;
  readonly limit: number;
}

export interface ConversationBreakdownRow {
  readonly key: string;
  readonly counts: ConversationCounts;
}

/** The keys of a dimension with most of everything. */
export async function readConversationBreakdown(
  db: SqlRunner,
  { tenantId, dimension, period, limit }: ConversationBreakdown,
): Promise<readonly ConversationBreakdownRow[]> {
  const parameters = [tenantId, dimension, ...cutAtDays(period), limit];
  const { rows } = await db.run<SumsRow & { key: string }>(BREAKDOWN, parameters);
  return rows.map((row) => ({ key: row.key, counts: toCounts(row) }));
}

/** One range of the primary key for each key and span. */
const HISTOGRAMS: Statement = {
  name: 'analytics_histograms',
  text: `
select d.key, ${DURATIONS.map((duration) => `d.${duration}`).join(', ')}
from unnest($4::smallint[], $5::integer[], $6::integer[]) as r (span, first, behind), unnest($3::text[]) as k (key)
join analytics_durations d on true
where d.tenant_id = $1 and d.dimension = $2 and d.key = k.key and d.span = r.span
  and d.quarter >= r.first and d.quarter < r.behind`,
};

export type Histograms = Readonly<Record<Duration, Histogram>>;

/** How long things took in a period, of each of these keys of a dimension; those without any are left out. */
export async function readHistograms(
  db: SqlRunner,
  query: {
    readonly tenantId: TenantId;
    readonly dimension: ConversationDimension;
    readonly keys: readonly string[];
    readonly period: Period;
  },
): Promise<ReadonlyMap<string, Histograms>> {
  const ranges = coverOf(quarters(query.period));
  const { rows } = await db.run<Readonly<Record<Duration, string>> & { readonly key: string }>(HISTOGRAMS, [
    query.tenantId,
    query.dimension,
    query.keys,
    plainArray(ranges.map(({ span }) => span)),
    plainArray(ranges.map(({ first }) => first)),
    plainArray(ranges.map(({ behind }) => behind)),
  ]);
  const byKey = new Map<string, (typeof rows)[number][]>();
  for (const row of rows) {
    const group = byKey.get(row.key);
    if (group) group.push(row);
    else byKey.set(row.key, [row]);
  }
  return new Map([...byKey].map(([key, group]) => [key, histogramsOf(group)]));
}

function histogramsOf(rows: readonly Readonly<Record<Duration, string>>[]): Histograms {
  const merged = (duration: Duration) => mergeHistograms(rows.map((row) => readHistogram(row[duration])));
  return {
    first_response: merged('first_response'),
    first_response_business: merged('first_response_business'),
    reply: merged('reply'),
    reply_business: merged('reply_business'),
    resolution: merged('resolution'),
    resolution_business: merged('resolution_business'),
  };
}

export interface SpanRange {
  readonly span: number;
  readonly first: number;
  readonly behind: number;
}

/** The fewest spans that make up a time together: long ones in the middle, ever shorter ones at its edges. */
export function coverOf(
  [first, behind]: readonly [number, number],
  spans: readonly number[] = SPANS,
): readonly SpanRange[] {
  const span = spans.at(-1);
  if (span === undefined || first >= behind) return [];
  const [from, to] = [Math.ceil(first / span) * span, Math.floor(behind / span) * span];
  const shorter = spans.slice(0, -1);
  if (from >= to) return coverOf([first, behind], shorter);
  return [...coverOf([first, from], shorter), { span, first: from, behind: to }, ...coverOf([to, behind], shorter)];
}
