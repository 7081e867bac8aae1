/** Time is handed in, so that tests move it instead of sleeping. This file alone reads the machine's clocks. */
export interface Clock {
  /** Wall clock: milliseconds since 1970. For what people and other machines read. */
  now(): number;
  /** Monotonic milliseconds. For leases, timeouts and rates: never steps back. */
  monotonic(): number;
  /** Runs `task` after `ms`; the timer never keeps the process alive. Returns a function that cancels it. */
  after(ms: number, task: () => void): () => void;
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
