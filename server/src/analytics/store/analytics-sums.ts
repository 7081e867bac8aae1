import { decomposeRange, type SpanRange } from '#analytics/domain/rollup-ranges';
import { CONVERSATION_MEASURES, type ConversationMeasure } from '#conversations/domain/conversation-tally';
import type { Period } from '#core/calendar';
import type { TenantId } from '#core/ids';
import { columnsOf, plainArray } from '#database/arrays';
import type { Command, SqlRunner, Statement } from '#database/database';
import { byDays, DAY_QUARTERS, MESSAGE_MEASURES, type MessageMeasure, QUARTER_MS } from '#events/domain/message-sums';

/*
 * Sums stand in rows of quarters of an hour and, added up, in rows of days of UTC; both are written in one transaction. A time is read
 * from days, and the quarters at its edges are added or taken away: the steps of a zone whose midnight is not that of UTC
 * cost a few quarters each.
 */

const SPANS = [1, DAY_QUARTERS];

/** Tables of one kind of sums. */
export interface SumTables<Measure extends string> {
  /** Begins the names of the statements. */
  readonly name: string;
  readonly quarters: string;
  readonly days: string;
  readonly measures: readonly Measure[];
  /** A breakdown begins with the keys that have most of these together. */
  readonly ranking: readonly Measure[];
}

export type Sums<Measure extends string> = Readonly<Record<Measure, number>>;

/** A report about one key of a dimension. */
export interface SumQuery<Dimension extends string> {
  readonly tenantId: TenantId;
  readonly scope: { readonly dimension: Dimension; readonly key: string };
  /** Whole quarters of an hour. */
  readonly period: Period;
}

export interface BreakdownQuery<Dimension extends string> {
  readonly tenantId: TenantId;
  readonly dimension: Dimension;
  /** Whole quarters of an hour. */
  readonly period: Period;
  readonly limit: number;
}

export interface BreakdownRow<Measure extends string> {
  readonly key: string;
  readonly counts: Sums<Measure>;
}

type SumsRow<Measure extends string> = { readonly [Name in Measure]: number };

/** What reads the sums of these tables. */
export function sumReader<Dimension extends string, Measure extends string>(tables: SumTables<Measure>) {
  const { measures } = tables;
  const [byRange, byKey] = [rangeStatement(tables), keyStatement(tables)];
  const none = () => Object.fromEntries(measures.map((name) => [name, 0])) as Record<Measure, number>;

  async function readPeriods(
    db: SqlRunner,
    { tenantId, scope: { dimension, key } }: Omit<SumQuery<Dimension>, 'period'>,
    periods: readonly Period[],
  ): Promise<readonly Sums<Measure>[]> {
    const uses = usesOf(periods);
    const places = plainArray(uses.map((_, place) => place));
    const parameters = [tenantId, dimension, key, places, ...rangeColumns(uses.map(({ range }) => range))];
    const { rows } = await db.run<SumsRow<Measure> & { readonly place: number }>(byRange, parameters);
    const sums = periods.map(none);
    for (const row of rows) {
      for (const { step, sign } of uses[row.place]?.by ?? []) addTo(sums[step], row, { measures, sign });
    }
    return sums;
  }

  return {
    /** Of each of these times, whole quarters of an hour, in their order. */
    readPeriods,
    readTotals: async (db: SqlRunner, query: SumQuery<Dimension>): Promise<Sums<Measure>> =>
      (await readPeriods(db, query, [query.period]))[0] ?? none(),
    /** @param startsMs where each step begins, in order; the first is not after the period's start */
    readSeries: async (db: SqlRunner, query: SumQuery<Dimension>, startsMs: readonly number[]) => {
      const sums = await readPeriods(db, query, stepsOf(query.period, startsMs));
      return new Map(startsMs.map((ms, step): [number, Sums<Measure>] => [ms, sums[step] ?? none()]));
    },
    /** The keys of a dimension that have most; those that have nothing are left out. */
    readBreakdown: async (
      db: SqlRunner,
      { tenantId, dimension, period, limit }: BreakdownQuery<Dimension>,
    ): Promise<readonly BreakdownRow<Measure>[]> => {
      const ranges = decomposeRange(quartersOf(period), SPANS);
      const signs = plainArray(ranges.map(({ sign }) => sign));
      const parameters = [tenantId, dimension, limit, ...rangeColumns(ranges), signs];
      const { rows } = await db.run<SumsRow<Measure> & { readonly key: string }>(byKey, parameters);
      return rows.map(({ key, ...counts }) => ({ key, counts: counts as unknown as Sums<Measure> }));
    },
  };
}

export interface SumDelta<Measure extends string> {
  readonly dimension: string;
  readonly key: string;
  readonly quarter: number;
  readonly counts: Sums<Measure>;
}

/** What makes the commands that add to the sums of a tenant, of quarters and of days. Each sum may be named once. */
export function sumWriter<Measure extends string>({ quarters, days, measures }: SumTables<Measure>) {
  const [toQuarters, toDays] = [addStatement(quarters, measures), addStatement(days, measures)];
  const adding = (statement: Statement, tenantId: TenantId, deltas: readonly SumDelta<Measure>[]): Command => {
    const counts = measures.map((measure) => plainArray(deltas.map((delta) => delta.counts[measure])));
    const columns = columnsOf(deltas, 'dimension', 'key');
    return {
      statement,
      parameters: [tenantId, ...columns, plainArray(deltas.map(({ quarter }) => quarter)), ...counts],
    };
  };
  return (tenantId: TenantId, deltas: readonly SumDelta<Measure>[]): readonly Command[] =>
    deltas.length === 0 ? [] : [adding(toQuarters, tenantId, deltas), adding(toDays, tenantId, byDays(deltas))];
}

function addStatement(table: string, measures: readonly string[]): Statement {
  const columns = measures.map((_, index) => `$${index + 5}::bigint[]`).join(', ');
  const text = `
insert into ${table} (tenant_id, dimension, key, quarter, ${measures.join(', ')})
select $1::uuid, t.* from unnest($2::text[], $3::text[], $4::integer[], ${columns}) as t
on conflict (tenant_id, dimension, key, quarter) do update set
  ${measures.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')}`;
  return { name: `analytics_add_${table}`, insertsOnly: true, text };
}

function addTo<Measure extends string>(
  sums: Record<Measure, number> | undefined,
  row: SumsRow<Measure>,
  { measures, sign }: { readonly measures: readonly Measure[]; readonly sign: 1 | -1 },
): void {
  if (sums === undefined) return;
  for (const name of measures) sums[name] += sign * row[name];
}

/** Sums of messages, and of conversations. */
export const MESSAGE_SUMS: SumTables<MessageMeasure> = {
  name: 'analytics_messages',
  quarters: 'analytics_messages',
  days: 'analytics_message_days',
  measures: MESSAGE_MEASURES,
  ranking: ['accepted', 'received', 'failed', 'delivered'],
};
export const CONVERSATION_SUMS: SumTables<ConversationMeasure> = {
  name: 'analytics_conversations',
  quarters: 'analytics_conversations',
  days: 'analytics_conversation_days',
  measures: CONVERSATION_MEASURES,
  ranking: CONVERSATION_MEASURES,
};

/** A time in quarters of an hour. */
export function quartersOf({ startMs, endMs }: Period): readonly [number, number] {
  return [startMs / QUARTER_MS, endMs / QUARTER_MS];
}

/** The steps of a period that begin at these times; the first of them may begin before it does. */
function stepsOf({ startMs, endMs }: Period, startsMs: readonly number[]): readonly Period[] {
  return startsMs.map((ms, step) => ({
    startMs: Math.max(startMs, ms),
    endMs: Math.min(endMs, startsMs[step + 1] ?? endMs),
  }));
}

interface RangeUse {
  readonly range: SpanRange;
  readonly by: readonly { readonly step: number; readonly sign: 1 | -1 }[];
}

/** What is to be read for all steps: what is taken from one and added to the next is read once. */
function usesOf(periods: readonly Period[]): readonly RangeUse[] {
  const uses = new Map<string, { range: SpanRange; by: { step: number; sign: 1 | -1 }[] }>();
  for (const [step, period] of periods.entries()) {
    for (const range of decomposeRange(quartersOf(period), SPANS)) {
      const name = `${range.span}/${range.first}/${range.behind}`;
      const use = uses.get(name) ?? { range, by: [] };
      use.by.push({ step, sign: range.sign });
      uses.set(name, use);
    }
  }
  return [...uses.values()];
}

/** For `unnest`, as the ranges of a statement. */
export function rangeColumns(ranges: readonly SpanRange[]): readonly string[] {
  return columnsOf(ranges, 'span', 'first', 'behind').map(plainArray);
}

const RANGES = 'unnest($4::integer[], $5::integer[], $6::integer[], $7::integer[])';

/*
 * Each range is a subquery of its own that is added up: the planner can only walk an index for it. As a join it took all rows of a key
 * for every range, or the whole table.
 */
const inRange = (table: string, andKey: string, measures: readonly string[]): string => `
  select ${measures.map((name) => `sum(${name})::bigint as ${name}`).join(', ')} from ${table}
  where tenant_id = $1 and dimension = $2 ${andKey} and quarter >= r.first and quarter < r.behind`;

/** A range in which nothing happened has no sums. */
function rangeStatement({ name, quarters, days, measures }: SumTables<string>): Statement {
  const part = (table: string, span: number): string => `
select r.place, s.* from ${RANGES} as r (place, span, first, behind)
cross join lateral (${inRange(table, 'and key = $3', measures)}) s
where r.span = ${span} and s.${measures[0]} is not null`;
  return { name: `${name}_of_periods`, text: `${part(quarters, 1)} union all ${part(days, DAY_QUARTERS)}` };
}

/** Keys of which everything that was read is taken away again had nothing in this time. */
function keyStatement({ name, quarters, days, measures, ranking }: SumTables<string>): Statement {
  const part = (table: string, span: number): string => `
  select r.sign, s.* from ${RANGES} as r (span, first, behind, sign)
  cross join lateral (${inRange(table, '', measures).replace('select', 'select key,')} group by key) s
  where r.span = ${span}`;
  const sum = (names: readonly string[]): string => names.map((measure) => `sum(t.sign * t.${measure})`).join(' + ');
  const sums = measures.map((measure) => `(${sum([measure])})::bigint as ${measure}`);
  return {
    name: `${name}_of_keys`,
    text: `
select t.key, ${sums.join(', ')} from (${part(quarters, 1)} union all ${part(days, DAY_QUARTERS)}) t
group by t.key
having ${sum(measures)} > 0
order by ${sum(ranking)} desc, t.key
limit $3`,
  };
}
