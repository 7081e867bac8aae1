import type { FaultDetail } from '#core/errors';
import { isJsonList, isJsonObject, type JsonObject } from '#core/json';
import type { TemplateFields, TemplateVariables } from './content.ts';
import {
  buttonsOf,
  cardsOf,
  componentOf,
  lengthOf,
  objectsOf,
  type ParameterFormat,
  type TemplateCategory,
  type TemplateText,
  textAt,
} from './definition.ts';
import { codeFaults, componentFaults, filledFaults, TEMPLATE_PATH } from './send-components.ts';
import { bodyKeys, fillIn, variablesIn } from './variables.ts';

/** What a template asks of a send, made once per version and kept in memory: no text of it is read again. */
export interface SendShape {
  readonly category: TemplateCategory;
  readonly format: ParameterFormat;
  /** The type of the header's one parameter; null: it takes texts, or nothing. */
  readonly headerFile: string | null;
  readonly header: readonly string[];
  readonly body: readonly string[];
  /** What each button takes. */
  readonly buttons: readonly ButtonShape[];
  /** What each card takes: a send gives all of them. Empty: there are none. */
  readonly cards: readonly SendShape[];
  /** Whether a send says when the offer ends. */
  readonly offerEnds: boolean;
  /** Characters of the body without its variables, and how many it may have with their values. */
  readonly bodyLength: number;
  readonly maxBodyLength: number;
}

export interface ButtonShape {
  readonly subType: string;
  /** The parameter that it needs; null: none. */
  readonly needs: 'text' | 'coupon_code' | null;
  /** Whether it may have one all the same: the payload of a quick reply, the data of a flow. */
  readonly takesOther: boolean;
}

/** "hydrated body ≤ 1024 with header/footer/buttons, ≤ 32,768 for body-only templates" */
const MAX_BODY = 1024;
const MAX_BODY_ALONE = 32_768;
const FILES: Readonly<Record<string, string>> = {
  IMAGE: 'image',
  VIDEO: 'video',
  GIF: 'video',
  DOCUMENT: 'document',
  LOCATION: 'location',
  PRODUCT: 'product',
};

/** Reads what a template asks of a send. */
export function sendShape(text: TemplateText): SendShape {
  const { components, category, parameterFormat } = text;
  const header = componentOf(components, 'HEADER');
  const body = componentOf(components, 'BODY');
  const bodyText = category === 'authentication' ? '' : textAt(body, 'text');
  return {
    category,
    format: parameterFormat,
    headerFile: FILES[textAt(header, 'format')] ?? null,
    header: variablesIn(textAt(header, 'text')),
    body: bodyKeys(category, body),
    buttons: buttonsOf(components).map(buttonShape),
    cards: cardsOf(components).map((card) => sendShape({ ...text, components: objectsOf(card.components) })),
    offerEnds: endsByItself(componentOf(components, 'LIMITED_TIME_OFFER')),
    bodyLength: lengthOf(fillIn(bodyText, () => '')),
    maxBodyLength: components.length === 1 ? MAX_BODY_ALONE : MAX_BODY,
  };
}

function endsByItself(offer: JsonObject | undefined): boolean {
  const fields = offer?.limited_time_offer;
  return isJsonObject(fields) && fields.has_expiration === true;
}

function buttonShape(button: JsonObject): ButtonShape {
  switch (button.type) {
    case 'URL':
      return {
        subType: 'url',
        needs: variablesIn(textAt(button, 'url')).length > 0 ? 'text' : null,
        takesOther: false,
      };
    case 'OTP':
      return { subType: 'url', needs: 'text', takesOther: false };
    case 'COPY_CODE':
      return { subType: 'copy_code', needs: 'coupon_code', takesOther: false };
    default:
      return { subType: textAt(button, 'type').toLowerCase(), needs: null, takesOther: true };
  }
}

/** What a send against a known template comes to. */
export interface SendFit {
  readonly faults: readonly FaultDetail[];
  /** What the network is sent, when that is not what the caller's own form becomes anyway. */
  readonly components: readonly JsonObject[] | null;
}

/** Checks the values of a send, and puts them where the template wants them: by name, by number, or in header and buttons. */
export function fitSend(shape: SendShape, fields: TemplateFields): SendFit {
  if (fields.variables !== undefined) return fitVariables(shape, fields.variables);
  return { faults: componentFaults(shape, fields.components ?? []), components: null };
}

/** A value that a send must give, under the name that a caller knows it by. */
interface Slot {
  readonly name: string;
  readonly part: 'header' | 'body' | number;
}

/**
 * Header, body and buttons in the order of the template. The code of an authentication template is one value for its
 * body and its button.
 */
function slotsOf({ category, header, body, buttons }: SendShape): readonly Slot[] {
  const inTexts: Slot[] = [
    ...header.map((name) => ({ name, part: 'header' as const })),
    ...body.map((name) => ({ name, part: 'body' as const })),
  ];
  if (category === 'authentication') return inTexts;
  const inButtons = buttons.flatMap(({ needs }, index) =>
    needs === null ? [] : [{ name: `button_${index}`, part: index }],
  );
  return [...inTexts, ...inButtons];
}

function fitVariables(shape: SendShape, variables: TemplateVariables): SendFit {
  const slots = slotsOf(shape);
  const byPosition: readonly string[] | null = isJsonList(variables) ? (variables as readonly string[]) : null;
  const named = byPosition === null ? (variables as Readonly<Record<string, string>>) : {};
  const values = byPosition ?? slots.map((slot) => named[slot.name]);
  const faults = [
    ...beyondVariables(shape).map((what) => ({
      path: `${TEMPLATE_PATH}.components`,
      message: `${what}: give components instead of variables`,
    })),
    ...(byPosition === null ? namedFaults(shape, slots, named) : countFaults(slots, byPosition)),
  ];
  if (faults.length > 0) return { faults, components: null };
  const given = slots.map((slot, index) => ({ slot, value: values[index] ?? '' }));
  return { faults: lengthFaults(shape, given), components: componentsOf(shape, given) };
}

/** What a template asks that no list of values can say. */
function beyondVariables({ headerFile, cards, offerEnds }: SendShape): readonly string[] {
  return [
    ...(headerFile === null ? [] : [`the template's header needs one ${headerFile}`]),
    ...(cards.length === 0 ? [] : [`the template has ${cards.length} cards`]),
    ...(offerEnds ? ["the template's offer needs its end"] : []),
  ];
}

type Given = { readonly slot: Slot; readonly value: string };

function namedFaults(
  shape: SendShape,
  slots: readonly Slot[],
  named: Readonly<Record<string, string>>,
): readonly FaultDetail[] {
  const path = `${TEMPLATE_PATH}.variables`;
  if (shape.format === 'positional' && slots.some(({ part }) => typeof part !== 'number')) {
    const message = `the template takes its ${slots.length} variables by position: give a list`;
    return [{ path, message }];
  }
  const names = new Set(slots.map(({ name }) => name));
  return [
    ...[...names]
      .filter((name) => !Object.hasOwn(named, name))
      .map((name) => ({ path: `${path}.${name}`, message: `the variable ${name} of the template is missing` })),
    ...Object.keys(named)
      .filter((name) => !names.has(name))
      .map((name) => ({ path: `${path}.${name}`, message: `the template has no variable ${name}` })),
  ];
}

function countFaults(slots: readonly Slot[], values: readonly string[]): readonly FaultDetail[] {
  const path = `${TEMPLATE_PATH}.variables`;
  const missing = slots.slice(values.length).map(({ name, part }, index) => ({
    path: `${path}[${values.length + index}]`,
    message: `the variable ${slotText(name, part)} of the template is missing`,
  }));
  const surplus = values.slice(slots.length).map((_value, index) => ({
    path: `${path}[${slots.length + index}]`,
    message: `the template has only ${slots.length} variables`,
  }));
  return [...missing, ...surplus];
}

function slotText(name: string, part: Slot['part']): string {
  return typeof part === 'number' ? `of its button ${part}` : `{{${name}}} of its ${part}`;
}

function lengthFaults(shape: SendShape, given: readonly Given[]): readonly FaultDetail[] {
  const values = given.filter(({ slot }) => slot.part === 'body').map(({ value }) => value);
  const path = `${TEMPLATE_PATH}.variables`;
  return [...filledFaults(shape, values, path), ...values.flatMap((value) => codeFaults(shape, value, path))];
}

/** The parameters of each part, in the network's form. */
function componentsOf(shape: SendShape, given: readonly Given[]): readonly JsonObject[] {
  const textsOf = (part: 'header' | 'body'): readonly JsonObject[] =>
    given
      .filter(({ slot }) => slot.part === part)
      .map(({ slot, value }) => ({
        type: 'text',
        ...(shape.format === 'named' ? { parameter_name: slot.name } : {}),
        text: value,
      }));
  const [header, body] = [textsOf('header'), textsOf('body')];
  const code = shape.category === 'authentication' ? given[0]?.value : undefined;
  const buttons = shape.buttons.flatMap(({ subType, needs }, index) => {
    const value = given.find(({ slot }) => slot.part === index)?.value ?? code;
    if (needs === null || value === undefined) return [];
    const parameter = needs === 'text' ? { type: 'text', text: value } : { type: needs, coupon_code: value };
    return [{ type: 'button', sub_type: subType, index: String(index), parameters: [parameter] }];
  });
  return [
    ...(header.length === 0 ? [] : [{ type: 'header', parameters: header }]),
    ...(body.length === 0 ? [] : [{ type: 'body', parameters: body }]),
    ...buttons,
  ];
}
