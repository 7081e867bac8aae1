import { Registry } from 'prom-client';
import { type Family, type Instrument, makeInstrument } from './metrics/declarations.ts';
import { processFamilies } from './metrics/process-families.ts';
import { stateFamilies } from './metrics/state-families.ts';
import { workFamilies } from './metrics/work-families.ts';

/** Where requests come in: with a key, from the network, and from the payment gateway. */
export type Door = 'api' | 'callbacks' | 'payments';

/** All metrics of the service. docs/metrics.md is generated from it. */
export const metricCatalogue = { ...workFamilies, ...stateFamilies, ...processFamilies } as const;

type Catalogue = typeof metricCatalogue;
type Instruments = { readonly [Name in keyof Catalogue]: Instrument<Catalogue[Name]> };

/** The metrics of one process, in Prometheus' terms. Labels come from closed lists only, never from tenants' text. */
export interface Metrics extends Instruments {
  /** `look` runs before each reading, so that gauges are as they are then. It must not reject, and must end within a second or two. */
  onRead(look: () => Promise<void> | void): void;
  /** Everything in the Prometheus text format. */
  read(): Promise<string>;
  /** The same as values that another process of the service puts together with its own (`sumMetrics`). */
  readValues(): Promise<unknown>;
}

/** Of what `Metrics.read` returns. */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** What one of several services in a process counts. */
export interface CellMetrics {
  readonly cellId: string;
  readonly metrics: Metrics;
}

interface FamilyValues {
  readonly values: readonly { readonly labels: object }[];
}

/**
 * The values of all services of a process for `sumMetrics`: of one, or of several, each with the cell that it works on.
 * @param others those of further cells than the main one
 */
export async function readOfProcess(own: Metrics, others: readonly CellMetrics[]): Promise<readonly unknown[]> {
  if (others.length === 0) return [await own.readValues()];
  return Promise.all([{ cellId: 'main', metrics: own }, ...others].map(valuesOfCell));
}

/** What the registry hands out is its own: it stays as it is. */
async function valuesOfCell({ cellId, metrics }: CellMetrics): Promise<unknown> {
  const families = (await metrics.readValues()) as readonly FamilyValues[];
  const labelled = (value: { readonly labels: object }) => ({ ...value, labels: { ...value.labels, cell: cellId } });
  return families.map((family) => ({ ...family, values: family.values.map(labelled) }));
}

/** Makes the metrics of one service, in a registry of their own. */
export function makeMetrics(): Metrics {
  const registry = new Registry();
  const instruments = Object.fromEntries(
    Object.entries<Family>(metricCatalogue).map(([name, family]) => [name, makeInstrument(family, registry)]),
  ) as unknown as Instruments;
  const looks: (() => Promise<void> | void)[] = [];
  const lookEverywhere = () => Promise.all(looks.map((look) => look()));
  return {
    ...instruments,
    onRead: (look) => void looks.push(look),
    read: async () => {
      await lookEverywhere();
      return registry.metrics();
    },
    readValues: async () => {
      await lookEverywhere();
      return registry.getMetricsAsJSON();
    },
  };
}
