import type { Simulation } from '../simulation.ts';
import { type ControlAnswer, ok } from './answer.ts';

/** `GET /_sim/stats`: counters since the last reset; `callbacks_pending` counts updates and posts not taken yet. */
export function getStats(sim: Simulation): ControlAnswer {
  return ok({ ...sim.stats.snapshot(), ledger_size: sim.ledger.size, callbacks_pending: sim.callbacks.pending });
}
