import { AggregatorRegistry } from 'prom-client';

/**
 * The metrics of several services or processes as if they were one: each family is put together as its row of the catalogue says.
 * @param each what `Metrics.readValues` gives in each of them
 * @returns the text format of Prometheus
 */
export function sumMetrics(each: readonly unknown[]): Promise<string> {
  return AggregatorRegistry.aggregate(each as object[]).metrics();
}
