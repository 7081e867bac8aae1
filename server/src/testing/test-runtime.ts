import type { Clock } from '#runtime/clock';
import { systemClock } from '#runtime/clock';
import { type Config, readConfig } from '#runtime/config';
import { type Log, silentLog } from '#runtime/log';
import { makeRuntime, type Runtime } from '#runtime/runtime';

/** A runtime with the default settings but for those given; without a log of its own it logs nothing. */
export function testRuntime(
  overrides: Partial<Config> = {},
  clock: Clock = systemClock,
  random: () => number = Math.random,
  log: Log = silentLog,
): Runtime {
  return makeRuntime({ ...readConfig({}), ...overrides }, log, clock, random);
}

/** A clock that moves only when a test says so; timers run when their time has come. */
export class TestClock implements Clock {
  #nowMs: number;
  #monoMs = 0;
  #timers: { atMs: number; task: () => void }[] = [];

  constructor(nowMs = Date.UTC(2026, 0, 1)) {
    this.#nowMs = nowMs;
  }

  now(): number {
    return this.#nowMs;
  }

  monotonic(): number {
    return this.#monoMs;
  }

  after(ms: number, task: () => void): () => void {
    const timer = { atMs: this.#monoMs + ms, task };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Moves both clocks and runs what is due, in order. */
  advance(ms: number): void {
    const untilMs = this.#monoMs + ms;
    while (true) {
      const [next] = this.#timers.filter((timer) => timer.atMs <= untilMs).sort((a, b) => a.atMs - b.atMs);
      if (!next) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#step(next.atMs);
      next.task();
    }
    this.#step(untilMs);
  }

  #step(monoMs: number): void {
    this.#nowMs += Math.max(0, monoMs - this.#monoMs);
    this.#monoMs = Math.max(this.#monoMs, monoMs);
  }
}
