import { NO_CHAOS } from '../chaos.ts';
import type { Simulation } from '../simulation.ts';
import { DEFAULT_REVIEW } from '../templates/review.ts';
import { type ControlAnswer, ok } from './answer.ts';

/**
 * `POST /_sim/reset`: forgets all traffic and returns to an undisturbed network: ledger (its file too), chaos, limits,
 * counters, pending callbacks, customers and the clock's offset. Settings and registered numbers stay.
 */
export function postReset(sim: Simulation): ControlAnswer {
  sim.clock.reset();
  sim.callbacks.reset();
  sim.ledger.reset();
  sim.chaos.use(NO_CHAOS);
  sim.magic.reset();
  sim.numbers.resetLimits();
  sim.customers.reset();
  sim.behaviors.reset();
  sim.pasts.reset();
  sim.stats.reset();
  sim.media.reset();
  sim.uploads.reset();
  sim.templates.reset();
  sim.review = DEFAULT_REVIEW;
  sim.tokens.reset();
  sim.accounts.reset();
  sim.business.reset();
  sim.flows.reset();
  sim.figures.reset();
  sim.gatewayEvents.reset();
  sim.gateway.reset();
  sim.failures.order(new Map());
  return ok({ success: true });
}
