/** Whether a template send fits the template: it exists, may be sent, and has every parameter that it needs. */
import { type NetworkError, networkError } from '../graph/errors.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { firstFault, lengthOf } from '../send/payloads/text.ts';
import type { Simulation } from '../simulation.ts';
import { variablesOf } from './check-text.ts';
import type { Category, Definition, Template } from './template-store.ts';

const MAX_BODY = 1024;
/** A template that is nothing but a body may become this long. */
const MAX_BODY_ALONE = 32_768;
const TEXT_TYPES = ['text', 'currency', 'date_time'];

/** Null when the send fits. An unknown name is accepted as it is, unless `strict_templates` is on. */
export function checkTemplateSend(sim: Simulation, wabaId: string, body: JsonObject): NetworkError | null {
  const { name, language, components } = readTemplate(body);
  const languages = sim.templates.named(wabaId, name, sim.clock.now());
  if (languages.length === 0) return sim.settings.strictTemplates ? unknownTemplate(name, language) : null;
  const template = languages.find((one) => one.language === language);
  if (template === undefined) return unknownTemplate(name, language);
  return stateFault(template) ?? (template.live === null ? null : checkFit(template.live, components));
}

/** What the send is paid as: the category of the template, or utility when it is not known. */
export function categoryOfSend(sim: Simulation, wabaId: string, body: JsonObject): string {
  return (knownCategory(sim, wabaId, body) ?? 'UTILITY').toLowerCase();
}

/** The category of the template that a send names; null for one that nobody created, or that is not approved. */
export function knownCategory(sim: Simulation, wabaId: string, body: JsonObject): Category | null {
  return knownTemplate(sim, wabaId, body)?.live?.category ?? null;
}

/** The template that a send names; null for one that nobody created. */
export function knownTemplate(sim: Simulation, wabaId: string, body: JsonObject): Template | null {
  const { name, language } = readTemplate(body);
  return sim.templates.named(wabaId, name, sim.clock.now()).find((one) => one.language === language) ?? null;
}

type Sent = { readonly name: string; readonly language: string; readonly components: readonly JsonObject[] };

/** The form was checked before, so that missing members need no separate answer. */
function readTemplate({ template }: JsonObject): Sent {
  const { name, language, components } = isJsonObject(template) ? template : {};
  return {
    name: String(name),
    language: isJsonObject(language) ? String(language.code) : '',
    components: objectsIn(components),
  };
}

function unknownTemplate(name: string, language: string): NetworkError {
  return networkError(132001, `template name (${name}) does not exist in ${language}`);
}

function stateFault(template: Template): NetworkError | null {
  if (template.status === 'PAUSED') return networkError(132015);
  if (template.status === 'DISABLED') return networkError(132016);
  // An approved template that was edited keeps its old form until the review is over.
  return template.live === null ? unknownTemplate(template.name, template.language) : null;
}

function checkFit(live: Definition, sent: readonly JsonObject[]): NetworkError | null {
  return (
    firstFault(['HEADER', 'BODY'], (type) => checkPart(live, type, sent)) ??
    checkButtons(live, sent) ??
    checkLength(live, sent) ??
    checkOffer(live, partOf(sent, 'limited_time_offer')) ??
    checkCards(live, partOf(sent, 'carousel'))
  );
}

/** An offer that ends says when: a number of milliseconds. */
function checkOffer(live: Definition, sent: JsonObject | undefined): NetworkError | null {
  const offer = live.components.find((one) => one.type === 'LIMITED_TIME_OFFER')?.limited_time_offer;
  const expected = isJsonObject(offer) && offer.has_expiration === true ? 1 : 0;
  const given = parametersOf(sent);
  if (given.length !== expected) return countFault('limited_time_offer', given.length, expected);
  if (expected === 0) return null;
  const end = given[0]?.limited_time_offer;
  return isJsonObject(end) && typeof end.expiration_time_ms === 'number'
    ? null
    : networkError(132012, 'limited_time_offer: a number expiration_time_ms is expected.');
}

/** Every card of the template is given once, with the parameters of its own header, body and buttons. */
function checkCards(live: Definition, sent: JsonObject | undefined): NetworkError | null {
  const cards = objectsIn(live.components.find((one) => one.type === 'CAROUSEL')?.cards);
  const given = objectsIn(sent?.cards);
  if (given.length !== cards.length) return countFault('carousel', given.length, cards.length);
  return firstFault(cards, (card, i) => {
    const own = given.find((one) => Number(one.card_index) === i);
    if (own === undefined) return networkError(132000, `carousel: the card with the card_index ${i} is missing.`);
    const fault = checkFit({ ...live, components: partsOf(card) }, objectsIn(own.components));
    return fault === null ? null : { ...fault, details: `carousel, card ${i}: ${fault.details}` };
  });
}

/** Types of the parts of a card may be in either case, unlike those of the template itself, which are kept in one. */
function partsOf(card: JsonObject): readonly JsonObject[] {
  return objectsIn(card.components).map((one) => ({ ...one, type: String(one.type).toUpperCase() }));
}

function partOf(sent: readonly JsonObject[], type: string): JsonObject | undefined {
  return sent.find((one) => String(one.type).toLowerCase() === type);
}

function checkPart(live: Definition, type: string, sent: readonly JsonObject[]): NetworkError | null {
  const where = type.toLowerCase();
  const component = live.components.find((one) => one.type === type);
  const given = parametersOf(partOf(sent, where));
  const format = String(component?.format ?? 'TEXT').toUpperCase();
  if (type === 'HEADER' && component !== undefined && format !== 'TEXT') return checkFile(format.toLowerCase(), given);
  const variables = partVariables(live, component);
  const wrong = given.find((one) => !TEXT_TYPES.includes(String(one.type).toLowerCase()));
  if (wrong !== undefined)
    return networkError(132012, `${where}: a parameter of type ${String(wrong.type)} has no place here.`);
  if (given.length !== variables.length) return countFault(where, given.length, variables.length);
  if (live.parameterFormat !== 'NAMED') return null;
  const unnamed = variables.find((variable) => !given.some((one) => one.parameter_name === variable));
  return unnamed === undefined ? null : networkError(100, `${where}: parameter_name '${unnamed}' is missing.`);
}

/** The body of an authentication template shows the code, and the text around it is the network's own. */
function partVariables(live: Definition, component: JsonObject | undefined): readonly string[] {
  if (component?.type === 'BODY' && live.category === 'AUTHENTICATION') return ['1'];
  return variablesOf(String(component?.text ?? ''));
}

function checkFile(type: string, given: readonly JsonObject[]): NetworkError | null {
  if (given.length !== 1) return countFault('header', given.length, 1);
  const sent = String(given[0]?.type).toLowerCase();
  const wanted = type === 'gif' ? 'video' : type;
  return sent === wanted
    ? null
    : networkError(132012, `header: a parameter of type ${wanted} is expected, not ${sent}.`);
}

/** The parameter that each kind of button needs at least; kinds that are absent need none. */
const BUTTON_PARAMETERS: Readonly<Record<string, string>> = { COPY_CODE: 'coupon_code', OTP: 'text' };

function checkButtons(live: Definition, sent: readonly JsonObject[]): NetworkError | null {
  const buttons = objectsIn(live.components.find((one) => one.type === 'BUTTONS')?.buttons);
  const given = sent.filter((one) => String(one.type).toLowerCase() === 'button');
  const astray = given.find((one) => Number(one.index) >= buttons.length);
  if (astray !== undefined)
    return networkError(132000, `buttons: there is no button at index ${String(astray.index)}.`);
  return firstFault(buttons, (button, i) => {
    const kind = String(button.type).toUpperCase();
    const wanted =
      kind === 'URL' ? (variablesOf(String(button.url)).length > 0 ? 'text' : undefined) : BUTTON_PARAMETERS[kind];
    const parameters = parametersOf(given.find((one) => Number(one.index) === i));
    if (wanted === undefined)
      return kind === 'URL' && parameters.length > 0 ? countFault(`buttons[${i}]`, parameters.length, 0) : null;
    if (parameters.length !== 1) return countFault(`buttons[${i}]`, parameters.length, 1);
    const type = String(parameters[0]?.type).toLowerCase();
    return type === wanted
      ? null
      : networkError(132012, `buttons[${i}]: a parameter of type ${wanted} is expected, not ${type}.`);
  });
}

function checkLength(live: Definition, sent: readonly JsonObject[]): NetworkError | null {
  const text = String(live.components.find((one) => one.type === 'BODY')?.text ?? '');
  const parameters = parametersOf(partOf(sent, 'body'));
  const words = parameters.reduce((sum, one) => sum + lengthOf(String(one.text ?? '')), 0);
  const length = lengthOf(text.replace(/\{\{.*?\}\}/g, '')) + words;
  const max = live.components.length === 1 ? MAX_BODY_ALONE : MAX_BODY;
  return length > max
    ? networkError(132005, `The body has ${length} characters with its parameters; ${max} are allowed.`)
    : null;
}

function countFault(where: string, given: number, expected: number): NetworkError {
  return networkError(132000, `${where}: the number of parameters is ${given}, the template has ${expected}.`);
}

function parametersOf(component: JsonObject | undefined): readonly JsonObject[] {
  return objectsIn(component?.parameters);
}

function objectsIn(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
