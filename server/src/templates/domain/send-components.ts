import type { FaultDetail } from '#core/errors';
import { isJsonObject, type JsonObject } from '#core/json';
import { lengthOf, objectsOf, textAt } from './definition.ts';
import type { ButtonShape, SendShape } from './send.ts';

/** Where the template is in the body of a request. */
export const TEMPLATE_PATH = 'body.template';

const IN_COMPONENTS = `${TEMPLATE_PATH}.components`;
const TEXT_TYPES = ['text', 'currency', 'date_time'];
/** Characters of the code of an authentication template. */
const MAX_CODE = 15;

/** A send in the network's own form: each part has as many parameters, of the right types, as the template asks for. */
export function componentFaults(shape: SendShape, components: readonly JsonObject[]): readonly FaultDetail[] {
  return [
    ...(shape.headerFile === null
      ? textFaults(shape, components, 'header')
      : fileFaults(shape.headerFile, partOf(components, 'header'))),
    ...textFaults(shape, components, 'body'),
    ...bodyFaults(shape, partOf(components, 'body')),
    ...buttonFaults(shape, components),
    ...offerFaults(shape, partOf(components, 'limited_time_offer')),
    ...cardFaults(shape, components),
  ];
}

/** A body that grows too long with its values. @param path the place of the values */
export function filledFaults(
  { bodyLength, maxBodyLength }: SendShape,
  values: readonly string[],
  path: string,
): readonly FaultDetail[] {
  const length = values.reduce((sum, value) => sum + lengthOf(value), bodyLength);
  if (length <= maxBodyLength) return [];
  return [{ path, message: `the body has ${length} characters with its values; it may have at most ${maxBodyLength}` }];
}

/** "the same OTP (≤ 15 chars) goes in the body parameter and in a button": its one value. @param path its place */
export function codeFaults({ category }: SendShape, code: string, path: string): readonly FaultDetail[] {
  const length = category === 'authentication' ? lengthOf(code) : 0;
  if (length <= MAX_CODE) return [];
  return [{ path, message: `the code has ${length} characters; it may have at most ${MAX_CODE}` }];
}

function bodyFaults(shape: SendShape, { path, parameters }: Part): readonly FaultDetail[] {
  const values = parameters.map((parameter) => textAt(parameter, 'text'));
  return [
    ...filledFaults(shape, values, path),
    ...values.flatMap((value, index) => codeFaults(shape, value, `${path}.parameters[${index}]`)),
  ];
}

/** "limited_time_offer{limited_time_offer:{expiration_time_ms}}" */
function offerFaults({ offerEnds }: SendShape, part: Part): readonly FaultDetail[] {
  if (!offerEnds) return amountFaults(part, 0, 'the offer of the template');
  const [first] = part.parameters;
  if (part.parameters.length !== 1) return amountFaults(part, 1, 'the offer of the template needs its end: it');
  const offer = isJsonObject(first) ? first.limited_time_offer : undefined;
  if (isJsonObject(offer) && typeof offer.expiration_time_ms === 'number') return [];
  return [{ path: `${part.path}.parameters[0]`, message: 'the offer of the template requires an expiration_time_ms' }];
}

/** A send gives every card once, each with what it takes. */
function cardFaults({ cards }: SendShape, components: readonly JsonObject[]): readonly FaultDetail[] {
  const at = components.findIndex((component) => textAt(component, 'type').toLowerCase() === 'carousel');
  const given = at < 0 ? [] : objectsOf(components[at]?.cards);
  const path = at < 0 ? IN_COMPONENTS : `${IN_COMPONENTS}[${at}].cards`;
  if (given.length !== cards.length) {
    return [{ path, message: `the template has ${cards.length} cards; ${given.length} are given` }];
  }
  const seen = new Set<unknown>();
  return given.flatMap((card, place) => {
    const { card_index: index } = card;
    const shape = seen.has(index) ? undefined : cards[Number(index)];
    seen.add(index);
    if (shape === undefined) {
      return [
        { path: `${path}[${place}].card_index`, message: `the template has no additional card ${String(index)}` },
      ];
    }
    const inside = `${path}[${place}].components`;
    return componentFaults(shape, objectsOf(card.components)).map((fault) => ({
      ...fault,
      path: fault.path.replace(IN_COMPONENTS, inside),
    }));
  });
}

interface Part {
  readonly path: string;
  readonly parameters: readonly JsonObject[];
}

function partOf(components: readonly JsonObject[], type: string): Part {
  const index = components.findIndex((component) => textAt(component, 'type').toLowerCase() === type);
  const path = index < 0 ? `${TEMPLATE_PATH}.components` : `${TEMPLATE_PATH}.components[${index}]`;
  return { path, parameters: index < 0 ? [] : objectsOf(components[index]?.parameters) };
}

function textFaults(
  shape: SendShape,
  components: readonly JsonObject[],
  type: 'header' | 'body',
): readonly FaultDetail[] {
  const wanted = shape[type];
  const { path, parameters } = partOf(components, type);
  const wrong = parameters.findIndex((parameter) => !TEXT_TYPES.includes(textAt(parameter, 'type').toLowerCase()));
  if (wrong >= 0) {
    const message = `the ${type} of the template takes texts, not a ${textAt(parameters[wrong], 'type')}`;
    return [{ path: `${path}.parameters[${wrong}]`, message }];
  }
  if (shape.format === 'named') {
    const names = parameters.map((parameter) => textAt(parameter, 'parameter_name'));
    const missing = wanted.filter((name) => !names.includes(name));
    if (missing.length > 0) {
      return missing.map((name) => ({ path, message: `the variable ${name} of the template's ${type} is missing` }));
    }
  }
  return amountFaults({ path, parameters }, wanted.length, `the ${type} of the template`);
}

function amountFaults({ path, parameters }: Part, wanted: number, what: string): readonly FaultDetail[] {
  if (parameters.length === wanted) return [];
  return [{ path, message: `${what} takes ${wanted} parameters; ${parameters.length} are given` }];
}

function fileFaults(file: string, part: Part): readonly FaultDetail[] {
  const [first] = part.parameters;
  if (part.parameters.length !== 1) return amountFaults(part, 1, `the header of the template needs one ${file}: it`);
  const type = textAt(first, 'type').toLowerCase();
  if (type === file) return [];
  return [{ path: `${part.path}.parameters[0]`, message: `the header of the template takes a ${file}, not a ${type}` }];
}

function buttonFaults({ buttons }: SendShape, components: readonly JsonObject[]): readonly FaultDetail[] {
  const given = components
    .map((component, at) => ({ component, path: `${TEMPLATE_PATH}.components[${at}]` }))
    .filter(({ component }) => textAt(component, 'type').toLowerCase() === 'button');
  const astray = given.filter(({ component }) => Number(component.index) >= buttons.length);
  const wanting = buttons.flatMap((button, index) => {
    const own = given.find(({ component }) => Number(component.index) === index);
    const part = { path: own?.path ?? `${TEMPLATE_PATH}.components`, parameters: objectsOf(own?.component.parameters) };
    return oneButtonFaults(button, index, part);
  });
  return [
    ...astray.map(({ path, component }) => ({
      path,
      message: `the template has no button ${String(component.index)}`,
    })),
    ...wanting,
  ];
}

function oneButtonFaults({ needs, takesOther }: ButtonShape, index: number, part: Part): readonly FaultDetail[] {
  if (needs === null) return takesOther ? [] : amountFaults(part, 0, `button ${index} of the template`);
  const [first] = part.parameters;
  if (part.parameters.length !== 1 || !isJsonObject(first))
    return amountFaults(part, 1, `button ${index} of the template`);
  const type = textAt(first, 'type').toLowerCase();
  const message = `button ${index} of the template takes a ${needs}, not a ${type}`;
  return type === needs ? [] : [{ path: `${part.path}.parameters[0]`, message }];
}
