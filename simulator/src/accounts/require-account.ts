import { tokenOf } from '../graph/authorise.ts';
import { type GraphCall, Refusal, refuseWith, requireToken } from '../graph/call.ts';
import { unknownObject } from '../graph/errors.ts';
import type { BusinessNumber } from '../numbers.ts';
import type { Simulation } from '../simulation.ts';

/** The account that the address names; unknown ones exist unless numbers are strict. */
export function requireAccount(sim: Simulation, call: GraphCall): string {
  requireToken(sim, call);
  const wabaId = call.path.objectId;
  const known = sim.numbers.list().some((number) => number.wabaId === wabaId);
  if (sim.settings.strictNumbers && !known) throw new Refusal(unknownObject(call.request.method ?? 'GET', wabaId));
  requireReach(sim, call, wabaId);
  return wabaId;
}

/** The number that the address names. */
export function requireNumber(sim: Simulation, call: GraphCall): BusinessNumber {
  requireToken(sim, call);
  const id = call.path.objectId;
  const number = sim.numbers.find(id, sim.settings.strictNumbers);
  if (number === null) throw new Refusal(unknownObject(call.request.method ?? 'GET', id));
  requireReach(sim, call, number.wabaId);
  return number;
}

/** A token of the dialog reaches the accounts that were chosen there and no other. */
export function requireReach(sim: Simulation, { request, path }: GraphCall, wabaId: string): void {
  if (sim.tokens.reaches(tokenOf(request, path.query) ?? '', wabaId)) return;
  refuseWith(200, 'The access token was not given for this account.');
}
