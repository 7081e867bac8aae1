import { type NetworkError, networkError } from '../graph/errors.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { Simulation } from '../simulation.ts';
import type { Flow } from './flow-registry.ts';

/** Null when the flow of the message may be sent, or nobody created it here: then it is accepted as it is. */
export function checkFlowSend(sim: Simulation, wabaId: string, { interactive }: JsonObject): NetworkError | null {
  const action = isJsonObject(interactive) && interactive.type === 'flow' ? interactive.action : null;
  const parameters = isJsonObject(action) && isJsonObject(action.parameters) ? action.parameters : null;
  if (parameters === null) return null;
  const { flow_id: id, flow_name: name, mode = 'published' } = parameters;
  const flow = id === undefined ? sim.flows.named(wabaId, String(name)) : sim.flows.find(String(id));
  return flow === null ? null : faultOf(flow, wabaId, mode);
}

function faultOf({ wabaId: owner, status, json }: Flow, wabaId: string, mode: unknown): NetworkError | null {
  if (owner !== wabaId) return networkError(131009, 'The flow belongs to another business account.');
  if (status === 'BLOCKED') return networkError(132068);
  if (status === 'DEPRECATED') return networkError(131009, 'The flow is deprecated.');
  if (mode === 'draft') {
    if (status !== 'DRAFT') return networkError(131009, "Only a draft can be sent with the mode 'draft'.");
    return json === null ? networkError(131009, 'The flow has no JSON.') : null;
  }
  return status === 'DRAFT' ? networkError(131009, 'The flow is not published.') : null;
}
