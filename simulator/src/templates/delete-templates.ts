/** `DELETE /{version}/{waba_id}/message_templates`: by name with all languages, or single ones by id. */
import { requireAccount } from '../accounts/require-account.ts';
import { type GraphCall, jsonParam, paramsOf, refuseWith, requireStep } from '../graph/call.ts';
import type { JsonObject } from '../json.ts';
import type { Simulation } from '../simulation.ts';
import type { Template } from './template-store.ts';

const MAX_IDS = 100;

/** Answers `{success}`; a disabled template cannot be deleted. */
export function deleteTemplates(sim: Simulation, call: GraphCall): JsonObject {
  const wabaId = requireAccount(sim, call);
  requireStep(sim, 'template_delete');
  const chosen = chosenTemplates(sim, wabaId, paramsOf(call));
  if (chosen.length === 0) refuseWith(100, 'There is no such template in this account.');
  if (chosen.some((template) => template.status === 'DISABLED'))
    refuseWith(100, 'A disabled template cannot be deleted.');
  for (const template of chosen) sim.templates.remove(template, sim.clock.now());
  return { success: true };
}

function chosenTemplates(sim: Simulation, wabaId: string, params: JsonObject): readonly Template[] {
  const nowMs = sim.clock.now();
  const ids = params.hsm_ids === undefined ? params.hsm_id : jsonParam(params, 'hsm_ids');
  if (ids === undefined) {
    if (typeof params.name !== 'string' || params.name === '')
      return refuseWith(100, 'The parameter name is required.');
    return sim.templates.named(wabaId, params.name, nowMs);
  }
  const list: readonly unknown[] = Array.isArray(ids) ? ids : [ids];
  if (list.length > MAX_IDS) refuseWith(100, `At most ${MAX_IDS} templates can be deleted at once.`);
  const found = list.flatMap((id) => sim.templates.find(String(id), nowMs) ?? []);
  return found.filter((one) => one.wabaId === wabaId && (params.name === undefined || one.name === params.name));
}
