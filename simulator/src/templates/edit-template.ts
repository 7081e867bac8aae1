/** `POST /{version}/{template_id}` and `…/unpause`: changes a template, which sends it to review again. */
import { type GraphCall, paramsOf, refuseWith, requireStep } from '../graph/call.ts';
import type { JsonObject } from '../json.ts';
import type { Simulation } from '../simulation.ts';
import { readCategory, readDefinition, readTtl } from './create-template.ts';
import { beginReview, changeStatus } from './review.ts';
import type { Category, Definition, Template } from './template-store.ts';

const DAY_MS = 24 * 3600 * 1000;
const EDITS_PER_MONTH = 10;
const EDITABLE = ['APPROVED', 'REJECTED', 'PAUSED'];

/** "≤ 10 edits per 30 days and ≤ 1 per 24 h; category of an approved template cannot be changed." */
export function editTemplate(sim: Simulation, call: GraphCall, template: Template): JsonObject {
  requireStep(sim, 'template_edit');
  if (!EDITABLE.includes(template.status)) {
    refuseWith(100, `A template can be edited when it is ${EDITABLE.join(', ')}; this one is ${template.status}.`);
  }
  const params = paramsOf(call);
  const category = params.category === undefined ? template.definition.category : readCategory(params.category);
  const approved = template.status === 'APPROVED';
  if (approved && category !== template.definition.category) {
    refuseWith(100, 'The category of an approved template cannot be changed.');
  }
  const definition = changedDefinition(sim, template, params, category);
  if (approved) countEdit(template, sim.clock.now());
  if (definition.components !== template.definition.components) template.library = null;
  template.definition = definition;
  beginReview(sim, template);
  return { success: true };
}

/** Ends a pause. */
export function unpauseTemplate(sim: Simulation, template: Template): JsonObject {
  if (template.status !== 'PAUSED') refuseWith(100, 'The template is not paused.');
  changeStatus(sim, template, 'APPROVED', 'NONE');
  return { success: true };
}

/** What an edit leaves out stays; components are replaced as a whole. */
function changedDefinition(
  sim: Simulation,
  { definition }: Template,
  params: JsonObject,
  category: Category,
): Definition {
  const ttlSeconds =
    params.message_send_ttl_seconds === undefined ? definition.ttlSeconds : readTtl(params.message_send_ttl_seconds);
  if (params.components === undefined) return { ...definition, category, ttlSeconds };
  const whole = { parameter_format: definition.parameterFormat, ...params };
  return { ...readDefinition(sim, whole, category), ttlSeconds };
}

function countEdit({ edits }: Template, nowMs: number): void {
  const month = edits.filter((atMs) => nowMs - atMs < 30 * DAY_MS);
  if (month.some((atMs) => nowMs - atMs < DAY_MS))
    refuseWith(100, 'An approved template can be edited once in 24 hours.');
  if (month.length >= EDITS_PER_MONTH)
    refuseWith(100, `An approved template can be edited ${EDITS_PER_MONTH} times in 30 days.`);
  edits.push(nowMs);
}
