import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Metrics } from '#runtime/metrics';

/** How often the event loop is looked at: it costs a timer, and shows delays from here on. */
const LOOK_EVERY_MS = 20;
const QUANTILES = [0.5, 0.99] as const;
const NS_PER_S = 1e9;

/**
 * Lets the metrics show memory, CPU time and the delay of the event loop, as they are when the metrics are read.
 * @returns how the watching is stopped
 */
export function watchProcess(metrics: Metrics): () => void {
  const delay = monitorEventLoopDelay({ resolution: LOOK_EVERY_MS });
  delay.enable();
  const lateS = (ns: number) => Math.max(0, ns / NS_PER_S - LOOK_EVERY_MS / 1_000) || 0;
  metrics.startTime.set(Math.round((performance.timeOrigin / 1_000) * 1_000) / 1_000);
  metrics.onRead(() => {
    for (const quantile of QUANTILES)
      metrics.eventLoopLag.set({ quantile: String(quantile) }, lateS(delay.percentile(quantile * 100)));
    metrics.eventLoopLag.set({ quantile: '1' }, delay.count === 0 ? 0 : lateS(delay.max));
    delay.reset();
    const { user, system } = process.cpuUsage();
    metrics.cpuSeconds.reset();
    metrics.cpuSeconds.inc((user + system) / 1e6);
    metrics.residentMemory.set(process.memoryUsage.rss());
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
    metrics.heapUsed.set(used);
    metrics.heapLimit.set(limit);
  });
  return () => delay.disable();
}
