import { FLOW_STATUSES, type Flow } from '../flows/flow-registry.ts';
import { enterFlowStatus } from '../flows/flows.ts';
import type { JsonObject } from '../json.ts';
import type { Simulation } from '../simulation.ts';
import { type ControlAnswer, type ControlCall, ok } from './answer.ts';
import { InputError, optionalString, readObject, refuseUnknown } from './fields.ts';

/** `GET /_sim/flows`: the flows of all accounts with their JSON, newest first. */
export function listAllFlows(sim: Simulation): ControlAnswer {
  return ok({ data: sim.flows.list().map(presentFlow) });
}

/** `POST /_sim/flows {"id", "status"}`: what the network does automatically, such as blocking a flow. */
export function updateFlow(sim: Simulation, call: ControlCall): ControlAnswer {
  const body = readObject(call.text);
  refuseUnknown(body, ['id', 'status']);
  const flow = sim.flows.find(optionalString(body, 'id') ?? '');
  if (flow === null) throw new InputError('There is no such flow; give its "id".');
  const status = FLOW_STATUSES.find((one) => one === body.status);
  if (status === undefined) throw new InputError(`"status" must be one of ${FLOW_STATUSES.join(', ')}.`);
  enterFlowStatus(sim, flow, status);
  return ok(presentFlow(flow));
}

function presentFlow({ id, wabaId, name, categories, status, json, problems }: Flow): JsonObject {
  return { id, waba_id: wabaId, name, categories, status, json, validation_errors: problems };
}
