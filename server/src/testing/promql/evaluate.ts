import { type Node, parsePromql } from './parse.ts';
import type { Scrapes, Series } from './scrapes.ts';

/** A value with its labels, without the name. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

type Value = number | readonly Sample[];

/**
 * Evaluates the part of PromQL that our rules and panels use. `increase` and `rate` count what was seen between the scrapes, and do not
 * extend it to the ends of the span as Prometheus does.
 * @param atS the time of the evaluation
 * @returns samples, or a number for an expression without series
 * @throws Error for what it does not know
 */
export function evaluate(expression: string, scrapes: Scrapes, atS: number): Value {
  return valueAt(parsePromql(expression), scrapes, atS);
}

function valueAt(node: Node, scrapes: Scrapes, atS: number): Value {
  switch (node.kind) {
    case 'number':
      return node.value;
    case 'selector':
      return scrapes.instant(node.name, node.matchers, atS).map(({ labels, points }) => ({
        labels,
        value: points.at(-1)?.value ?? 0,
      }));
    case 'call':
      return call(node, scrapes, atS);
    case 'aggregate':
      return aggregate(node, scrapes, atS);
    case 'binary':
      return binary(node.operator, valueAt(node.left, scrapes, atS), valueAt(node.right, scrapes, atS));
  }
}

function samplesOf(node: Node | undefined, scrapes: Scrapes, atS: number): readonly Sample[] {
  const value = node === undefined ? 0 : valueAt(node, scrapes, atS);
  if (typeof value === 'number') throw new Error('Series were expected, and not a number.');
  return value;
}

function call({ name, args }: Extract<Node, { kind: 'call' }>, scrapes: Scrapes, atS: number): Value {
  const [first, second] = args;
  if (name === 'rate' || name === 'increase') return grown(name, first, scrapes, atS);
  if (name === 'abs')
    return samplesOf(first, scrapes, atS).map(({ labels, value }) => ({ labels, value: Math.abs(value) }));
  if (name === 'absent') return samplesOf(first, scrapes, atS).length === 0 ? [{ labels: {}, value: 1 }] : [];
  if (name === 'histogram_quantile' && first?.kind === 'number')
    return quantile(first.value, samplesOf(second, scrapes, atS));
  throw new Error(`${name} is not known here.`);
}

function grown(name: string, node: Node | undefined, scrapes: Scrapes, atS: number): readonly Sample[] {
  if (node?.kind !== 'selector' || node.rangeS === null) throw new Error(`${name} needs a span, such as [5m].`);
  return scrapes
    .range(node.name, node.matchers, atS - node.rangeS, atS)
    .filter(({ points }) => points.length > 1)
    .map(({ labels, points }) => {
      const increase = increaseOf(points);
      const spanS = (points.at(-1)?.atS ?? 0) - (points[0]?.atS ?? 0);
      return { labels, value: name === 'rate' ? increase / spanS : increase };
    });
}

/** A counter that is lower than before began anew. */
function increaseOf(points: Series['points']): number {
  return points.slice(1).reduce((sum, { value }, index) => {
    const before = points[index]?.value ?? 0;
    return sum + (value < before ? value : value - before);
  }, 0);
}

function aggregate(
  { name, by, args }: Extract<Node, { kind: 'aggregate' }>,
  scrapes: Scrapes,
  atS: number,
): readonly Sample[] {
  const samples = samplesOf(args.at(-1), scrapes, atS);
  if (name === 'topk') {
    const [count] = args;
    const limit = count?.kind === 'number' ? count.value : 0;
    return [...samples].sort((a, b) => b.value - a.value).slice(0, limit);
  }
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const key = JSON.stringify(by.map((label) => [label, sample.labels[label] ?? '']));
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  return [...groups].map(([key, group]) => ({
    labels: Object.fromEntries(JSON.parse(key) as [string, string][]),
    value: combined(
      name,
      group.map(({ value }) => value),
    ),
  }));
}

function combined(name: string, values: readonly number[]): number {
  if (name === 'sum') return values.reduce((sum, value) => sum + value, 0);
  if (name === 'count') return values.length;
  return name === 'max' ? Math.max(...values) : Math.min(...values);
}

function quantile(part: number, buckets: readonly Sample[]): readonly Sample[] {
  const groups = new Map<string, { labels: Sample['labels']; buckets: { le: number; count: number }[] }>();
  for (const { labels, value } of buckets) {
    const { le = '', ...others } = labels;
    const key = JSON.stringify(others);
    const group = groups.get(key) ?? { labels: others, buckets: [] };
    groups.set(key, group);
    group.buckets.push({ le: le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), count: value });
  }
  return [...groups.values()].map(({ labels, buckets: found }) => {
    const sorted = found.sort((a, b) => a.le - b.le);
    const rank = part * (sorted.at(-1)?.count ?? 0);
    return { labels, value: sorted.find(({ count }) => count >= rank)?.le ?? Number.NaN };
  });
}

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};
const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
};

function binary(operator: string, left: Value, right: Value): Value {
  if (operator === 'or' || operator === 'and' || operator === 'unless') return logical(operator, left, right);
  const arithmetic = ARITHMETIC[operator];
  const comparison = COMPARISONS[operator];
  const pairs = typeof left === 'number' ? [] : left.flatMap((sample) => pairOf(sample, right));
  if (typeof left === 'number') throw new Error('A number stands at the left of nothing here.');
  if (arithmetic) return pairs.map(({ labels, a, b }) => ({ labels, value: arithmetic(a, b) }));
  return pairs.filter(({ a, b }) => comparison?.(a, b) === true).map(({ labels, a }) => ({ labels, value: a }));
}

function pairOf({ labels, value }: Sample, right: Value) {
  if (typeof right === 'number') return [{ labels, a: value, b: right }];
  const other = right.find((sample) => sameLabels(sample.labels, labels));
  return other === undefined ? [] : [{ labels, a: value, b: other.value }];
}

function logical(operator: string, left: Value, right: Value): Value {
  if (typeof left === 'number' || typeof right === 'number') throw new Error(`${operator} stands between series.`);
  const inOther = (sample: Sample, others: readonly Sample[]) =>
    others.some(({ labels }) => sameLabels(labels, sample.labels));
  if (operator === 'or') return [...left, ...right.filter((sample) => !inOther(sample, left))];
  return left.filter((sample) => inOther(sample, right) === (operator === 'and'));
}

function sameLabels(a: Sample['labels'], b: Sample['labels']): boolean {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
}
