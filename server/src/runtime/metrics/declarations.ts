import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** The processes that report a family: those with this role, or all. */
export type Reporter =
  | 'any'
  | 'api'
  | 'receiver'
  | 'ingester'
  | 'dispatcher'
  | 'notifier'
  | 'campaigner'
  | 'maintenance';

/** What a family is about, before its kind is known. */
interface Description<Label extends string> {
  readonly name: string;
  /** What is counted or measured: a plural noun, or a unit of time or size. */
  readonly unit: string;
  readonly reporter: Reporter;
  readonly help: string;
  readonly labels: Readonly<Record<Label, LabelValues>>;
}

/** All values of a label, or a description of them when they are names of our own. Never text of a tenant. */
export type LabelValues = readonly string[] | string;

/** One family of metrics: a row of the catalogue. */
export type Family<Label extends string = string> = Description<Label> &
  (
    | { readonly kind: 'counter' }
    | { readonly kind: 'gauge'; readonly addsUp?: boolean }
    | { readonly kind: 'histogram'; readonly buckets: readonly number[] }
  );

type NoLabels = Record<never, LabelValues>;

/** A row of the catalogue without its kind and labels. */
type Row = Omit<Description<never>, 'labels'>;

/** A number that only grows while a process lives. */
export function counter<const L extends Readonly<Record<string, LabelValues>> = NoLabels>(row: Row, labels?: L) {
  return { ...row, kind: 'counter', labels: (labels ?? {}) as L } as const;
}

/**
 * A number as it is now. One that `addsUp` is what a process has for itself: those of several processes together are their sum. Any other
 * says something about the service, its database or its machine, which each process sees: the largest counts.
 */
export function gauge<const L extends Readonly<Record<string, LabelValues>> = NoLabels>(
  row: Row & { readonly addsUp?: true },
  labels?: L,
) {
  return { ...row, kind: 'gauge', labels: (labels ?? {}) as L } as const;
}

/** How often which sizes were seen. */
export function histogram<const L extends Readonly<Record<string, LabelValues>> = NoLabels>(
  row: Row & { readonly buckets: readonly number[] },
  labels?: L,
) {
  return { ...row, kind: 'histogram', labels: (labels ?? {}) as L } as const;
}

/** What a row becomes in a running process. */
export type Instrument<F> = F extends { readonly kind: infer Kind; readonly labels: infer Labels }
  ? Kind extends 'counter'
    ? Counter<Extract<keyof Labels, string>>
    : Kind extends 'gauge'
      ? Gauge<Extract<keyof Labels, string>>
      : Histogram<Extract<keyof Labels, string>>
  : never;

/** Makes the instrument of a row in a registry. */
export function makeInstrument(family: Family, registry: Registry): Counter | Gauge | Histogram {
  const { name, help } = family;
  const common = { name, help, labelNames: Object.keys(family.labels), registers: [registry] };
  if (family.kind === 'gauge') return unknownGauge({ ...common, aggregator: family.addsUp ? 'sum' : 'max' });
  if (family.kind === 'histogram') return new Histogram({ ...common, buckets: [...family.buckets] });
  const made = new Counter(common);
  // A series that begins with its first event shows no increase: Prometheus has not seen the 0 before it.
  for (const labels of combinations(family.labels)) made.inc(labels, 0);
  return made;
}

/** Without labels a gauge would begin as 0, which says something. */
function unknownGauge(options: ConstructorParameters<typeof Gauge>[0]): Gauge {
  const made = new Gauge(options);
  if (options.labelNames?.length === 0) made.remove();
  return made;
}

/** Every combination of labels whose values are all known; none when one is not. */
function combinations(labels: Family['labels']): readonly Readonly<Record<string, string>>[] {
  return Object.entries(labels).reduce<readonly Readonly<Record<string, string>>[]>(
    (found, [label, values]) =>
      typeof values === 'string' ? [] : found.flatMap((one) => values.map((value) => ({ ...one, [label]: value }))),
    [{}],
  );
}
