/** `POST /{version}/{waba_id}/message_templates`: hands in a template for review; one from the library needs none. */
import { requireAccount } from '../accounts/require-account.ts';
import { type GraphCall, jsonParam, paramsOf, refuseWith, requiredText, requireStep } from '../graph/call.ts';
import type { JsonObject } from '../json.ts';
import type { Simulation } from '../simulation.ts';
import { checkComponents } from './check-definition.ts';
import { SUBCODE } from './check-text.ts';
import { libraryDefinition } from './library.ts';
import { beginReview, changeStatus } from './review.ts';
import { CATEGORIES, type Category, type Definition } from './template-store.ts';

const NAME = /^[a-z0-9_]{1,512}$/;
const LANGUAGE = /^[a-z]{2,3}(_[A-Z]{2,4})?$/;
const MAX_TEMPLATES = 250;
const MIN_TTL_SECONDS = 30;
const MAX_TTL_SECONDS = 30 * 24 * 3600;

/** Answers `{id, status, category}`; the category may be another than was asked for. */
export function createTemplate(sim: Simulation, call: GraphCall): JsonObject {
  const wabaId = requireAccount(sim, call);
  requireStep(sim, 'template_create');
  const params = paramsOf(call);
  const name = requiredText(params, 'name');
  if (!NAME.test(name)) refuseWith(100, 'Param name has 1 to 512 lower-case letters, digits and underscores.');
  const language = requiredText(params, 'language');
  if (!LANGUAGE.test(language)) refuseWith(100, 'Param language must be a code such as en or en_US.');
  const library = params.library_template_name === undefined ? null : requiredText(params, 'library_template_name');
  const definition =
    library === null ? readDefinition(sim, params, readCategory(params.category)) : libraryDefinition(params, language);
  requireRoom(sim, wabaId, name, language);
  const category = sim.review.category ?? definition.category;
  const wish = { id: sim.ids.mediaId(), wabaId, name, language, library, definition: { ...definition, category } };
  const template = sim.templates.add(wish, sim.clock.now());
  if (library === null) beginReview(sim, template);
  else changeStatus(sim, template, 'APPROVED', 'NONE');
  return { id: template.id, status: template.status, category };
}

/** Reads and checks what a template says, at creation and when it is edited. */
export function readDefinition(sim: Simulation, params: JsonObject, category: Category): Definition {
  const format = params.parameter_format ?? 'POSITIONAL';
  const parameterFormat = format === 'NAMED' || format === 'POSITIONAL' ? format : null;
  if (parameterFormat === null) return refuseWith(100, 'Param parameter_format must be one of {NAMED, POSITIONAL}.');
  const components = checkComponents(sim, jsonParam(params, 'components'), { category, format: parameterFormat });
  return { category, parameterFormat, components, ttlSeconds: readTtl(params.message_send_ttl_seconds) };
}

/** One of the network's categories. */
export function readCategory(value: unknown): Category {
  const category = CATEGORIES.find((one) => one === value);
  return category ?? refuseWith(100, `Param category must be one of {${CATEGORIES.join(', ')}}.`);
}

/** Seconds that a message of the template is worth delivering; null: as long as the network likes. */
export function readTtl(value: unknown): number | null {
  if (value === undefined) return null;
  const seconds = Number(value);
  if (!Number.isInteger(seconds) || seconds < MIN_TTL_SECONDS || seconds > MAX_TTL_SECONDS) {
    return refuseWith(
      100,
      `Param message_send_ttl_seconds must be a number from ${MIN_TTL_SECONDS} to ${MAX_TTL_SECONDS}.`,
    );
  }
  return seconds;
}

function requireRoom(sim: Simulation, wabaId: string, name: string, language: string): void {
  const nowMs = sim.clock.now();
  if (sim.templates.named(wabaId, name, nowMs).some((one) => one.language === language)) {
    refuseWith(100, `There is already ${language} content for the template ${name}.`, SUBCODE.exists);
  }
  if (sim.templates.isLocked(wabaId, name, nowMs)) {
    refuseWith(100, `A template of the name ${name} was deleted; the name can be used again after 30 days.`);
  }
  if (sim.templates.list(wabaId, nowMs).length >= MAX_TEMPLATES) {
    refuseWith(100, `The account has reached its limit of ${MAX_TEMPLATES} templates.`, SUBCODE.tooMany);
  }
}
