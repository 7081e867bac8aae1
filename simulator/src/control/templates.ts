import type { JsonObject } from '../json.ts';
import type { Simulation } from '../simulation.ts';
import { presentTemplate } from '../templates/present-template.ts';
import { changeCategory, changeScore, changeStatus, type ReviewPolicy } from '../templates/review.ts';
import { CATEGORIES, REASONS, SCORES, STATUSES, type Template } from '../templates/template-store.ts';
import { type ControlAnswer, type ControlCall, ok } from './answer.ts';
import { InputError, optionalInteger, optionalString, readObject, refuseUnknown } from './fields.ts';

const MAX_DELAY_MS = 30 * 24 * 3600 * 1000;
const OUTCOMES = ['APPROVED', 'REJECTED', 'PENDING'] as const;
const EVERYTHING =
  'name,language,status,category,previous_category,parameter_format,components,quality_score,rejected_reason,library_template_name';

/** `GET /_sim/templates`: the templates of all accounts, oldest first. */
export function listAllTemplates(sim: Simulation): ControlAnswer {
  return ok({ data: sim.templates.list(null, sim.clock.now()).map(present) });
}

/**
 * `POST /_sim/templates {"id", "status"?, "reason"?, "quality"?, "category"?}`: what the network does automatically.
 */
export function updateTemplate(sim: Simulation, call: ControlCall): ControlAnswer {
  const body = readObject(call.text);
  refuseUnknown(body, ['id', 'waba_id', 'name', 'language', 'status', 'reason', 'quality', 'category']);
  const status = oneOf(body, 'status', STATUSES);
  const reason = oneOf(body, 'reason', REASONS) ?? 'NONE';
  const score = oneOf(body, 'quality', SCORES);
  const category = oneOf(body, 'category', CATEGORIES);
  const template = findTemplate(sim, body);
  if (score !== undefined) changeScore(sim, template, score);
  if (category !== undefined) changeCategory(sim, template, category);
  if (status !== undefined) changeStatus(sim, template, status, reason);
  return ok(present(template));
}

/** `GET /_sim/templates/review` */
export function getReview(sim: Simulation): ControlAnswer {
  const { outcome, delayMs, reason, category } = sim.review;
  return ok({ outcome, delay_ms: delayMs, reason, category });
}

/** `PUT /_sim/templates/review {"outcome", "delay_ms", "reason", "category"}`: what is left out is as at the start. */
export function putReview(sim: Simulation, call: ControlCall): ControlAnswer {
  const body = readObject(call.text);
  refuseUnknown(body, ['outcome', 'delay_ms', 'reason', 'category']);
  const policy: ReviewPolicy = {
    outcome: oneOf(body, 'outcome', OUTCOMES) ?? 'APPROVED',
    delayMs: optionalInteger(body, 'delay_ms', 0, MAX_DELAY_MS) ?? 0,
    reason: oneOf(body, 'reason', REASONS) ?? 'INVALID_FORMAT',
    category: oneOf(body, 'category', CATEGORIES) ?? null,
  };
  sim.review = policy;
  return getReview(sim);
}

function findTemplate(sim: Simulation, body: JsonObject): Template {
  const nowMs = sim.clock.now();
  const id = optionalString(body, 'id');
  const found = sim.templates
    .list(optionalString(body, 'waba_id') ?? null, nowMs)
    .find((one) =>
      id === undefined ? one.name === body.name && one.language === (body.language ?? one.language) : one.id === id,
    );
  if (found === undefined) throw new InputError('There is no such template; give "id", or "name" and "language".');
  return found;
}

function present(template: Template): JsonObject {
  return { ...presentTemplate(template, EVERYTHING), waba_id: template.wabaId };
}

function oneOf<T extends string>(body: JsonObject, key: string, values: readonly T[]): T | undefined {
  if (body[key] === undefined || body[key] === null) return undefined;
  const found = values.find((value) => value === body[key]);
  if (found === undefined) throw new InputError(`"${key}" must be one of ${values.join(', ')}.`);
  return found;
}
