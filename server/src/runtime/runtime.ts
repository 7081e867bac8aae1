import type { NewId } from '#core/ids';
import { idMaker } from '#core/ids';
import type { Clock } from './clock.ts';
import { systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { EventSignal } from './event-signal.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { makeMetrics } from './metrics.ts';
import type { Siblings } from './siblings.ts';
import type { Tracing } from './tracing.ts';
import { WorkHealth } from './work-health.ts';

/** What every part of the service needs besides its own collaborators: handed in, never imported. */
export interface Runtime {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Notified after each commit that recorded events. */
  readonly eventSignal: EventSignal;
  /** Whether this process can store its work; `/readyz` asks it. */
  readonly workHealth: WorkHealth;
  /** Null: traces are off. */
  readonly tracing: Tracing | null;
  /** The other processes behind the port of this one; null: there are none. */
  readonly siblings: Siblings | null;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly newId: NewId;
}

export function makeRuntime(
  config: Config,
  log: Log,
  clock: Clock = systemClock,
  random: () => number = Math.random,
): Runtime {
  return {
    config,
    clock,
    log,
    metrics: makeMetrics(),
    tracing: null,
    eventSignal: new EventSignal(),
    workHealth: new WorkHealth(clock),
    siblings: null,
    random,
    newId: idMaker(() => clock.now(), random),
  };
}
