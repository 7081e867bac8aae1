import { expireCheckouts } from '../gateway/checkout.ts';
import type { Simulation } from '../simulation.ts';
import { type ControlAnswer, type ControlCall, ok } from './answer.ts';
import { optionalInteger, readObject, refuseUnknown } from './fields.ts';

const MAX_ADVANCE_MS = 366 * 24 * 3600 * 1000;

/** `GET /_sim/clock` */
export function getClock(sim: Simulation): ControlAnswer {
  return ok({ now: new Date(sim.clock.now()).toISOString(), offset_ms: sim.clock.offsetMs });
}

/** `POST /_sim/clock {"advance_ms"}`: advances the clock; callbacks that are now due leave immediately. */
export function postClock(sim: Simulation, call: ControlCall): ControlAnswer {
  const body = readObject(call.text);
  refuseUnknown(body, ['advance_ms']);
  sim.clock.advance(optionalInteger(body, 'advance_ms', 0, MAX_ADVANCE_MS) ?? 0);
  sim.callbacks.tick();
  expireCheckouts(sim);
  return getClock(sim);
}
