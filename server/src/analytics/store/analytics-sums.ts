import { decomposeRange, type SpanRange } from '#analytics/domain/rollup-ranges';
import type { Period } from '#core/calendar';
import type { TenantId } from '#core/ids';
import { plainArray } from '#database/arrays';
import type { SqlRunner, Statement } from '#database/database';
import { DAY_QUARTERS, QUARTER_MS } from '#events/domain/message-sums';

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

export interface SumScope {
  readonly tenantId: TenantId;
  readonly dimension: string;
  readonly key: string;
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

export interface SumReader<Measure extends string> {
  /** The sums of each of these times, in whole quarters of an hour. */
  readPeriods(db: SqlRunner, scope: SumScope, periods: readonly Period[]): Promise<readonly Sums<Measure>[]>;
  /** The sums of each key of a dimension; keys that have none are left out. */
  readKeys(db: SqlRunner, query: BreakdownQuery<string>): Promise<readonly BreakdownRow<Measure>[]>;
}

type SumsRow<Measure extends string> = { readonly [Name in Measure]: number };

export function sumReader<Measure extends string>(tables: SumTables<Measure>): SumReader<Measure> {
  const { measures } = tables;
  const [byRange, byKey] = [rangeStatement(tables), keyStatement(tables)];
  return {
    readPeriods: async (db, { tenantId, dimension, key }, periods) => {
      const uses = usesOf(periods);
      const places = plainArray(uses.map((_, place) => place));
      const parameters = [tenantId, dimension, key, places, ...columnsOf(uses.map(({ range }) => range))];
      const { rows } = await db.run<SumsRow<Measure> & { readonly place: number }>(byRange, parameters);
      const sums = periods.map(() => Object.fromEntries(measures.map((name) => [name, 0])) as Record<Measure, number>);
      for (const row of rows) {
        for (const { step, sign } of uses[row.place]?.by ?? []) addTo(sums[step], row, { measures, sign });
      }
      return sums;
    },
    readKeys: async (db, { tenantId, dimension, period, limit }) => {
      const ranges = decomposeRange(quartersOf(period), SPANS);
      const signs = plainArray(ranges.map(({ sign }) => sign));
      const parameters = [tenantId, dimension, limit, ...columnsOf(ranges), signs];
      const { rows } = await db.run<SumsRow<Measure> & { readonly key: string }>(byKey, parameters);
      return rows.map(({ key, ...counts }) => ({ key, counts: counts as unknown as Sums<Measure> }));
    },
  };
}

function addTo<Measure extends string>(
  sums: Record<Measure, number> | undefined,
  row: SumsRow<Measure>,
  { measures, sign }: { readonly measures: readonly Measure[]; readonly sign: 1 | -1 },
): void {
  if (sums === undefined) return;
  for (const name of measures) sums[name] += sign * row[name];
}

/** A time in quarters of an hour. */
export function quartersOf({ startMs, endMs }: Period): readonly [number, number] {
  return [startMs / QUARTER_MS, endMs / QUARTER_MS];
}

/** The steps of a period that begin at these times; the first of them may begin before it does. */
export function funnelStepsOf({ startMs, endMs }: Period, startsMs: readonly number[]): readonly Period[] {
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

function columnsOf(ranges: readonly SpanRange[]): readonly unknown[] {
  return [
    plainArray(ranges.map(({ span }) => span)),
    plainArray(ranges.map(({ first }) => first)),
    plainArray(ranges.map(({ behind }) => behind)),
  ];
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
