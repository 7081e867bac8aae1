import type { Simulation } from '../simulation.ts';
import { type ControlAnswer, ok } from './answer.ts';

/** `GET /_sim/health` */
export function getHealth(sim: Simulation): ControlAnswer {
  return ok({ status: 'ok', now: new Date(sim.clock.now()).toISOString() });
}
