import type { Clock } from './clock.ts';

/** A sample of the clock that all processes follow. */
export interface ClockSample {
  /** What it said, milliseconds since 1970. */
  readonly referenceMs: number;
  /** Our monotonic clock when it said so, as far as we know, … */
  readonly monotonicMs: number;
  /** … and by how much that may be wrong: half of the round trip. */
  readonly uncertaintyMs: number;
}

/** What a sample showed. */
export interface ClockFinding {
  /** By how much this machine's wall clock is ahead of the reference; negative: behind. */
  readonly machineAheadMs: number;
  /** By how much the time of this process was reset; 0 in all but rare cases. */
  readonly steppedMs: number;
}

/** A clock that follows another one. */
export interface ClusterClock extends Clock {
  /** Takes a sample into account. */
  correct(sample: ClockSample): ClockFinding;
}

/** Smaller differences are worked in step by step, so that time neither jumps nor runs backwards. */
export const SLEW_LIMIT_MS = 2_000;
/** While a difference is worked in, a second lasts this share of a second more or less. */
const SLEW_RATE = 0.5;
/** A larger difference counts once it has lasted so long: a clock that jumps and comes back has no effect. */
export const STEADY_MS = 30_000;

/** A difference that is too large to be worked in, and since when it has been seen. */
interface Doubt {
  readonly differenceMs: number;
  readonly sinceMs: number;
}

/**
 * Wall time that all processes agree on, whatever their machines say. The monotonic clock carries it from one sample of
 * the reference to the next, so that a jump of the machine's wall clock does not show at all. Before the first sample
 * it starts from the machine's wall clock.
 */
export function makeClusterClock(machine: Clock): ClusterClock {
  let anchorMs = machine.now();
  let anchoredAtMs = machine.monotonic();
  /** Still to be worked in from the anchor on. */
  let slewMs = 0;
  let doubt: Doubt | null = null;
  let isFirst = true;

  const at = (monotonicMs: number): number => {
    const passedMs = monotonicMs - anchoredAtMs;
    const mostMs = passedMs * SLEW_RATE;
    return anchorMs + passedMs + Math.max(-mostMs, Math.min(mostMs, slewMs));
  };
  const anchor = (timeMs: number, monotonicMs: number, restMs: number): void => {
    anchorMs = timeMs;
    anchoredAtMs = monotonicMs;
    slewMs = restMs;
  };
  const step = (differenceMs: number, monotonicMs: number): number => {
    isFirst = false;
    doubt = null;
    anchor(at(monotonicMs) + differenceMs, monotonicMs, 0);
    return differenceMs;
  };
  const follow = ({ referenceMs, monotonicMs, uncertaintyMs }: ClockSample): number => {
    const nowMs = machine.monotonic();
    const differenceMs = referenceMs - at(monotonicMs);
    if (isFirst) return step(differenceMs, nowMs);
    if (Math.abs(differenceMs) <= SLEW_LIMIT_MS + uncertaintyMs) {
      doubt = null;
      anchor(at(nowMs), nowMs, beyond(differenceMs, uncertaintyMs));
      return 0;
    }
    const isSame = doubt !== null && Math.abs(doubt.differenceMs - differenceMs) <= SLEW_LIMIT_MS + uncertaintyMs;
    if (doubt === null || !isSame) doubt = { differenceMs, sinceMs: nowMs };
    return nowMs - doubt.sinceMs >= STEADY_MS ? step(differenceMs, nowMs) : 0;
  };
  return {
    now: () => Math.floor(at(machine.monotonic())),
    monotonic: () => machine.monotonic(),
    after: (ms, task) => machine.after(ms, task),
    correct: (sample) => {
      const machineAtSampleMs = machine.now() - (machine.monotonic() - sample.monotonicMs);
      return { machineAheadMs: machineAtSampleMs - sample.referenceMs, steppedMs: follow(sample) };
    },
  };
}

/** The part of a difference that the round trip of its sample does not explain. */
function beyond(differenceMs: number, uncertaintyMs: number): number {
  return Math.sign(differenceMs) * Math.max(0, Math.abs(differenceMs) - uncertaintyMs);
}
