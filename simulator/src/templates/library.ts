/** The network's template library: `GET /{version}/message_template_library`, and templates that are taken from it. */
import { type GraphCall, jsonParam, paramsOf, refuseWith, requireStep, requireToken } from '../graph/call.ts';
import { pageOf } from '../graph/paging.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { isWebAddress } from '../send/payloads/text.ts';
import type { Simulation } from '../simulation.ts';
import { requireText, variablesOf } from './check-text.ts';
import { LIBRARY, type LibraryButton, type LibraryEntry } from './library-entries.ts';
import type { Definition } from './template-store.ts';

export const LIBRARY_PATH = 'message_template_library';
const MAX_URL = 2000;
const MAX_PHONE = 20;

/** Answers `{data, paging}`: the entries that have all that is asked for. */
export function listLibrary(sim: Simulation, call: GraphCall): JsonObject {
  requireToken(sim, call);
  requireStep(sim, 'template_library');
  const params = paramsOf(call);
  const { items, paging } = pageOf(
    call,
    LIBRARY.filter((entry) => matches(entry, params)),
    params,
  );
  return { data: items, paging };
}

function matches(entry: LibraryEntry, params: JsonObject): boolean {
  const is = (key: string, ...values: readonly string[]): boolean =>
    params[key] === undefined || values.includes(String(params[key]).toUpperCase());
  const text = `${entry.name} ${entry.header ?? ''} ${entry.body}`.toLowerCase();
  return (
    is('name', entry.name.toUpperCase()) &&
    is('language', entry.language.toUpperCase()) &&
    is('topic', entry.topic) &&
    is('usecase', entry.usecase) &&
    is('industry', ...entry.industry) &&
    (params.search === undefined || text.includes(String(params.search).toLowerCase()))
  );
}

/** What a template says that is taken from the library; its buttons lead where the business says. */
export function libraryDefinition(params: JsonObject, language: string): Definition {
  const entry = LIBRARY.find((one) => one.name === params.library_template_name && one.language === language);
  if (entry === undefined) return refuseWith(100, `The template library has no such template in ${language}.`);
  if (params.category !== entry.category) refuseWith(100, `Param category must be ${entry.category}.`);
  if (params.components !== undefined) refuseWith(100, 'A template from the library cannot have components.');
  return {
    category: entry.category,
    parameterFormat: 'POSITIONAL',
    components: componentsOf(entry, params),
    ttlSeconds: null,
  };
}

function componentsOf(
  { header, body, body_params: samples, buttons = [] }: LibraryEntry,
  params: JsonObject,
): readonly JsonObject[] {
  const filled = fillButtons(buttons, inputsOf(params));
  return [
    ...(header === undefined ? [] : [{ type: 'HEADER', format: 'TEXT', text: header }]),
    { type: 'BODY', text: body, ...(samples.length === 0 ? {} : { example: { body_text: [samples] } }) },
    ...(filled.length === 0 ? [] : [{ type: 'BUTTONS', buttons: filled }]),
  ];
}

function inputsOf(params: JsonObject): readonly JsonObject[] {
  if (params.library_template_button_inputs === undefined) return [];
  const inputs = jsonParam(params, 'library_template_button_inputs');
  if (!Array.isArray(inputs) || !inputs.every(isJsonObject)) {
    return refuseWith(100, 'Param library_template_button_inputs must be an array of objects.');
  }
  return inputs;
}

/** Each button that leads somewhere takes the next input, which must be of its type. */
function fillButtons(buttons: readonly LibraryButton[], inputs: readonly JsonObject[]): readonly JsonObject[] {
  const left = [...inputs];
  const filled = buttons.map((button) => (button.type === 'QUICK_REPLY' ? button : fillButton(button, left.shift())));
  if (left.length > 0)
    refuseWith(100, 'Param library_template_button_inputs has more inputs than the template has buttons.');
  return filled;
}

function fillButton({ type, text }: LibraryButton, input: JsonObject | undefined): JsonObject {
  if (input?.type !== type) return refuseWith(100, `The button "${text}" needs an input of the type ${type}.`);
  if (type === 'PHONE_NUMBER') {
    return { type, text, phone_number: requireText("inputs['phone_number']", input.phone_number, MAX_PHONE) };
  }
  const { base_url: base, url_suffix_example: example } = isJsonObject(input.url) ? input.url : {};
  const url = requireText("inputs['url']['base_url']", base, MAX_URL);
  if (!isWebAddress(url.replace(/\{\{.*?\}\}/g, 'x')))
    refuseWith(100, "Param inputs['url']['base_url'] must be an address.");
  if (variablesOf(url).length === 0) return { type, text, url };
  return { type, text, url, example: [requireText("inputs['url']['url_suffix_example']", example, MAX_URL)] };
}
