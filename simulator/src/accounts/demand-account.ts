import { demandToken, type GraphCall, Refusal } from '../graph/call.ts';
import { unknownObject } from '../graph/errors.ts';
import type { Simulation } from '../simulation.ts';

/** The account that the address names; unknown ones exist unless numbers are strict. */
export function demandAccount(sim: Simulation, call: GraphCall): string {
  demandToken(sim, call);
  const wabaId = call.path.objectId;
  const known = sim.numbers.list().some((number) => number.wabaId === wabaId);
  if (sim.settings.strictNumbers && !known) throw new Refusal(unknownObject(call.request.method ?? 'GET', wabaId));
  return wabaId;
}
