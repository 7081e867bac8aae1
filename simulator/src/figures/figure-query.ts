/** What a request for figures asks for: `analytics.start(1).end(2).granularity(DAY).phone_numbers(["1"])`. */
import { refuseWith } from '../graph/call.ts';
import type { JsonObject } from '../json.ts';
import { DAY_MS, type Figures } from './figure-book.ts';

const SECOND = 1000;
const LISTS = ['phone_numbers', 'metric_types', 'dimensions'];

/** The parameters of a field or an edge, by name, as they were written. */
export type FigureParams = ReadonlyMap<string, string>;

export type FigureQuery = {
  readonly startMs: number;
  readonly endMs: number;
  /** In the words of the field: DAY, or DAILY. */
  readonly granularity: string;
};

/** Figures of one step that have the same values in what was asked for. */
export type FigurePoint = { readonly start: number; readonly end: number; readonly figures: readonly Figures[] };

/** The parameters of a field; null: `fields` does not ask for it. */
export function fieldParams(fields: string, field: string): FigureParams | null {
  const asked = new RegExp(`(?:^|,)\\s*${field}((?:\\.\\w+\\([^)]*\\))*)(?:$|[,{.\\s])`).exec(fields);
  if (asked === null) return null;
  return new Map(
    [...(asked[1] ?? '').matchAll(/\.(\w+)\(([^)]*)\)/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

/** Time and steps. @param granularities those that are allowed */
export function readFigureQuery(params: FigureParams, granularities: readonly string[]): FigureQuery {
  const [startMs, endMs] = [readTime(params, 'start'), readTime(params, 'end')];
  if (endMs <= startMs) refuseWith(100, 'Param end must be after start.');
  const granularity = params.get('granularity') ?? '';
  if (!granularities.includes(granularity))
    refuseWith(100, `Param granularity must be one of {${granularities.join(', ')}}.`);
  return { startMs, endMs, granularity };
}

function readTime(params: FigureParams, name: string): number {
  const text = params.get(name) ?? '';
  return /^\d{1,11}$/.test(text) ? Number(text) * SECOND : refuseWith(100, `Param ${name} must be a unix timestamp.`);
}

/** Refuses what the field does not take here. */
export function refuseOtherParams(params: FigureParams, known: readonly string[]): void {
  const other = [...params.keys()].find((name) => !known.includes(name));
  if (other !== undefined) refuseWith(100, `Param ${other} is not simulated.`);
}

/** The parameters that every field with figures has. */
export const FIGURE_PARAMS: readonly string[] = ['start', 'end', 'granularity', ...LISTS];

/** A list such as `["COST","VOLUME"]`; null when it is absent or empty. @param allowed null: any texts */
export function readList(
  params: FigureParams,
  name: string,
  allowed: readonly string[] | null,
): readonly string[] | null {
  const text = params.get(name);
  if (text === undefined) return null;
  const items = parseList(name, text).map(String);
  const wrong = items.find((item) => allowed !== null && !allowed.includes(item));
  if (wrong !== undefined) refuseWith(100, `Param ${name} must have some of {${allowed?.join(', ')}}.`);
  return items.length === 0 ? null : items;
}

function parseList(name: string, text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value;
  } catch {
    // It is refused like every other text that is no list.
  }
  return refuseWith(100, `Param ${name} must be a list in brackets.`);
}

/** By step and by these values, in the order of time. Steps in which nothing happened are left out. */
export function pointsOf(
  figures: readonly Figures[],
  query: FigureQuery,
  valuesOf: (figures: Figures) => JsonObject,
): readonly (FigurePoint & { readonly values: JsonObject })[] {
  const points = new Map<string, { start: number; end: number; values: JsonObject; figures: Figures[] }>();
  for (const one of figures) {
    const [start, end] = stepOf(one.day * DAY_MS, query);
    const values = valuesOf(one);
    const name = JSON.stringify([start, values]);
    const point = points.get(name) ?? { start, end, values, figures: [] };
    point.figures.push(one);
    points.set(name, point);
  }
  return [...points.values()].sort((a, b) => a.start - b.start);
}

/** The step that a moment is in, in seconds; the first and the last end with the time that is asked for. */
function stepOf(ms: number, { startMs, endMs, granularity }: FigureQuery): readonly [start: number, end: number] {
  const date = new Date(ms);
  const month = (ahead: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + ahead);
  const [from, to] = granularity.startsWith('MONTH') ? [month(0), month(1)] : [ms, ms + DAY_MS];
  return [Math.max(from, startMs) / SECOND, Math.min(to, endMs) / SECOND];
}

export function sumOf(figures: readonly Figures[], measure: 'sent' | 'delivered' | 'read' | 'conversations'): number {
  return figures.reduce((sum, one) => sum + one[measure], 0);
}
