/** `template`: the form of a template send. Whether it fits the template itself is asked later, in `templates/`. */
import { type NetworkError, networkError } from '../../graph/errors.ts';
import { isJsonObject, type JsonObject } from '../../json.ts';
import { checkLocation } from './location.ts';
import { checkMedia, isMediaType } from './media.ts';
import { checkString, firstFault, isRefusal, lengthOf, requireObject } from './text.ts';

const MAX_NAME = 512;
const MAX_COMPONENTS = 20;
const MAX_PARAMETERS = 100;
const MAX_TEXT = 32_768;
const MAX_PAYLOAD = 256;
const MAX_URL_SUFFIX = 2000;
const MAX_COUPON = 15;
const MAX_CARDS = 10;
const PARAMETER_NAME = /^[a-z0-9_]{1,64}$/;
// "Text parameters may not contain newlines, tabs or more than 4 consecutive spaces."
const FORBIDDEN_TEXT = /[\n\r\t]| {5}/;
const CARD_PARTS = new Set(['header', 'body', 'button']);
const SUB_TYPES = new Set([
  'quick_reply',
  'url',
  'copy_code',
  'catalog',
  'mpm',
  'spm',
  'flow',
  'voice_call',
  'order_details',
]);

type ParameterCheck = (parameter: JsonObject) => NetworkError | null;

const PARAMETERS: ReadonlyMap<string, ParameterCheck> = new Map<string, ParameterCheck>([
  ['text', checkTextParameter],
  ['currency', ({ currency }) => checkFallback('currency', currency)],
  ['date_time', ({ date_time: time }) => checkFallback('date_time', time)],
  ['image', checkMediaParameter],
  ['video', checkMediaParameter],
  ['document', checkMediaParameter],
  ['location', ({ location }) => (isJsonObject(location) ? checkLocation(location) : wrongForm('location'))],
  ['payload', ({ payload }) => checkString("parameters['payload']", payload, 1, MAX_PAYLOAD)],
  ['coupon_code', ({ coupon_code: code }) => checkString("parameters['coupon_code']", code, 1, MAX_COUPON)],
  ['action', ({ action }) => (isJsonObject(action) ? null : wrongForm('action'))],
  ['product', ({ product }) => (isJsonObject(product) ? null : wrongForm('product'))],
  [
    'limited_time_offer',
    ({ limited_time_offer: offer }) => (isJsonObject(offer) ? null : wrongForm('limited_time_offer')),
  ],
]);

/** Checks name, language and the form of every component and parameter. */
export function checkTemplate(payload: JsonObject): NetworkError | null {
  const { language, components } = payload;
  const fault = checkString("template['name']", payload.name, 1, MAX_NAME);
  if (fault !== null) return fault;
  const code = isJsonObject(language) ? language.code : undefined;
  if (typeof code !== 'string' || code === '') {
    return networkError(131008, "Parameter template['language']['code'] is required.");
  }
  if (isJsonObject(language) && language.policy !== undefined && language.policy !== 'deterministic') {
    return networkError(131009, "Param template['language']['policy'] must be 'deterministic'.");
  }
  return components === undefined ? null : checkComponents(components);
}

function checkComponents(components: unknown): NetworkError | null {
  if (!Array.isArray(components)) return networkError(100, "Param template['components'] must be an array.");
  if (components.length > MAX_COMPONENTS) {
    return networkError(100, `Param template['components'] must hold at most ${MAX_COMPONENTS} components.`);
  }
  const parts = components as readonly unknown[];
  return firstFault(parts, (component, i) => checkComponent(`components[${i}]`, component)) ?? checkTwice(parts);
}

/** Each part is given once, and each button under a different index. */
function checkTwice(components: readonly unknown[]): NetworkError | null {
  const names = components.filter(isJsonObject).map(({ type, index }) => {
    const part = String(type).toLowerCase();
    return part === 'button' ? `button ${String(index)}` : part;
  });
  const twice = names.find((name, i) => names.indexOf(name) < i);
  return twice === undefined ? null : networkError(100, `Param template['components'] holds ${twice} twice.`);
}

function checkComponent(where: string, value: unknown): NetworkError | null {
  const component = requireObject(where, value);
  if (isRefusal(component)) return component;
  // The documents write types in lower case, some samples in upper case: both are taken.
  const type = String(component.type).toLowerCase();
  switch (type) {
    case 'header':
    case 'body':
    case 'limited_time_offer':
    case 'order_status':
      return checkParameters(where, component.parameters);
    case 'button':
      return (
        checkButton(where, component) ?? checkParameters(where, component.parameters) ?? checkSuffix(where, component)
      );
    case 'carousel':
      return checkCards(where, component.cards);
    default:
      return networkError(
        100,
        `Param template['${where}']['type'] must be one of {header, body, button, carousel, limited_time_offer, order_status}.`,
      );
  }
}

function checkButton(where: string, { sub_type: subType, index }: JsonObject): NetworkError | null {
  if (!SUB_TYPES.has(String(subType).toLowerCase())) {
    return networkError(100, `Param template['${where}']['sub_type'] must be one of {${[...SUB_TYPES].join(', ')}}.`);
  }
  if (index === undefined) return networkError(131008, `Parameter template['${where}']['index'] is required.`);
  return /^\d$/.test(String(index))
    ? null
    : networkError(131009, `Param template['${where}']['index'] must be a number from 0 to 9.`);
}

/** "URL button suffix ≤ 2,000" */
function checkSuffix(where: string, { sub_type: subType, parameters }: JsonObject): NetworkError | null {
  if (String(subType).toLowerCase() !== 'url' || !Array.isArray(parameters)) return null;
  const tooLong = parameters.filter(isJsonObject).some(({ text }) => lengthOf(String(text ?? '')) > MAX_URL_SUFFIX);
  return tooLong
    ? networkError(131009, `The text of template['${where}'] is longer than ${MAX_URL_SUFFIX} characters.`)
    : null;
}

function checkCards(where: string, cards: unknown): NetworkError | null {
  if (!Array.isArray(cards) || cards.length < 1 || cards.length > MAX_CARDS) {
    return networkError(100, `Param template['${where}']['cards'] must hold 1 to ${MAX_CARDS} cards.`);
  }
  return firstFault(cards as readonly unknown[], (card, i) => {
    const { card_index: index, components } = isJsonObject(card) ? card : {};
    if (!/^\d$/.test(String(index))) {
      return networkError(
        131009,
        `Param template['${where}']['cards'][${i}]['card_index'] must be a number from 0 to 9.`,
      );
    }
    const strange = (Array.isArray(components) ? components.filter(isJsonObject) : []).find(
      ({ type }) => !CARD_PARTS.has(String(type).toLowerCase()),
    );
    return strange === undefined
      ? checkComponents(components ?? null)
      : networkError(
          100,
          `A card has parameters for {${[...CARD_PARTS].join(', ')}}, not for ${String(strange.type)}.`,
        );
  });
}

function checkParameters(where: string, parameters: unknown): NetworkError | null {
  if (parameters === undefined) return null;
  if (!Array.isArray(parameters) || parameters.length > MAX_PARAMETERS) {
    return networkError(100, `Param template['${where}']['parameters'] must be an array.`);
  }
  return firstFault(parameters as readonly unknown[], (value) => {
    if (!isJsonObject(value)) return networkError(132012, 'A parameter must be a JSON object.');
    const check = PARAMETERS.get(String(value.type).toLowerCase());
    return check === undefined
      ? networkError(132012, `A parameter's type must be one of {${[...PARAMETERS.keys()].join(', ')}}.`)
      : check(value);
  });
}

function checkTextParameter({ text, parameter_name: name }: JsonObject): NetworkError | null {
  if (typeof text !== 'string' || text === '') return wrongForm('text');
  if (lengthOf(text) > MAX_TEXT) return networkError(132005, `A text parameter is longer than ${MAX_TEXT} characters.`);
  if (FORBIDDEN_TEXT.test(text)) {
    return networkError(132018, 'A text parameter cannot have new lines, tabs or more than 4 consecutive spaces.');
  }
  if (name === undefined || (typeof name === 'string' && PARAMETER_NAME.test(name))) return null;
  return networkError(100, 'A parameter_name has lower-case letters, digits and underscores only.');
}

function checkMediaParameter(parameter: JsonObject): NetworkError | null {
  const type = String(parameter.type).toLowerCase();
  const media = parameter[type];
  return isMediaType(type) && isJsonObject(media) ? checkMedia(type, media) : wrongForm(type);
}

function checkFallback(type: string, value: unknown): NetworkError | null {
  const fallback = isJsonObject(value) ? value.fallback_value : undefined;
  return typeof fallback === 'string' && fallback !== '' ? null : wrongForm(type);
}

function wrongForm(type: string): NetworkError {
  return networkError(132012, `A parameter of type ${type} needs a '${type}' member of the right form.`);
}
