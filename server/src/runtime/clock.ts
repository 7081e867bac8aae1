import type { ClockFinding, ClockSample } from './cluster-clock.ts';

/** Time is handed in, so that tests move it instead of sleeping. This file alone reads the machine's clocks. */
export interface Clock {
  /** Wall clock: whole milliseconds since 1970. For what people, other machines and other processes read. */
  now(): number;
  /** Monotonic milliseconds. For leases, timeouts and rates: never steps back. */
  monotonic(): number;
  /** Runs `task` after `ms`; the timer never keeps the process alive. Returns a function that cancels it. */
  after(ms: number, task: () => void): () => void;
  /** Takes a sample of another clock into account; only a clock that follows one has it (see cluster-clock.ts). */
  correct?(sample: ClockSample): ClockFinding;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, task) => {
    const timer = setTimeout(task, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
