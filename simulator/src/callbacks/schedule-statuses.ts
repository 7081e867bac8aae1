import type { ChaosRule, StatusFault } from '../chaos.ts';
import type { Simulation } from '../simulation.ts';
import type { StatusPlan } from './plan.ts';
import type { SentMessage, StatusUpdate } from './updates.ts';

const DEFAULT_DELAY_MS = 1000;
const DEFAULT_BATCH_MS = 250;
// How far a reordered status falls behind the one that follows it; more than a flush, so that the order really turns.
const OVERTAKEN_BY_MS = 50;

/** Puts a message's statuses from step `from` on the schedule, with the faults that chaos draws for each. */
export function scheduleStatuses(
  sim: Simulation,
  message: SentMessage,
  plan: StatusPlan,
  acceptedAtMs: number,
  from = 0,
): void {
  for (const [i, step] of plan.entries()) {
    if (i < from) continue;
    const atMs = acceptedAtMs + step.afterMs;
    const update: StatusUpdate = { kind: 'statuses', message, step, atMs };
    const faults = sim.chaos.drawStatus();
    if (faults.length === 0) {
      sim.callbacks.schedule(atMs, update);
      continue;
    }
    if (faults.some((rule) => rule.fault === 'lost')) continue;
    const dueMs = faultyDueMs(faults, atMs, acceptedAtMs + (plan[i + 1] ?? step).afterMs);
    sim.callbacks.schedule(dueMs, update);
    if (faults.some((rule) => rule.fault === 'duplicate')) sim.callbacks.schedule(dueMs, update);
  }
}

function faultyDueMs(faults: readonly ChaosRule<StatusFault>[], atMs: number, nextAtMs: number): number {
  let dueMs = atMs;
  for (const rule of faults) {
    if (rule.fault === 'delay') dueMs += rule.delayMs ?? DEFAULT_DELAY_MS;
    if (rule.fault === 'reorder' && nextAtMs > atMs) dueMs = Math.max(dueMs, nextAtMs + OVERTAKEN_BY_MS);
    if (rule.fault === 'batch') dueMs = roundUp(dueMs, rule.delayMs ?? DEFAULT_BATCH_MS);
  }
  return dueMs;
}

function roundUp(value: number, step: number): number {
  return step > 0 ? Math.ceil(value / step) * step : value;
}
