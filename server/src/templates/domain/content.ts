import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import type { MarketingMessagesFields } from '#core/network/marketing-messages';
import { type ContentRule, objectAt, objectsAt, type RuleFault, repeated } from '#core/rule-fault';
import { isMediaType, type MediaVisitor } from '#media/domain/media-content';

/** The network's limits of a template message, in characters or pieces. */
export const templateLimits = {
  name: 512,
  language: 15,
  /** A body with its values filled in, when it has no header, footer or buttons. */
  text: 32_768,
  /** Far more than any template has. */
  variables: 100,
  components: 20,
  parameters: 100,
  parameterName: 64,
  quickReplyPayload: 256,
  urlSuffix: 2000,
  couponCode: 15,
  cards: 10,
} as const;

/** Values of the template's body: by name, or by position. */
export type TemplateVariables = Readonly<Record<string, string>> | readonly string[];

/** The object of a template message as the API takes, stores and shows it. */
export interface TemplateFields {
  readonly name: string;
  /** Must be one of the template's languages exactly: `en_US`. */
  readonly language: string;
  /** A caller gives at most one of this and `components`. */
  readonly variables?: TemplateVariables;
  /**
   * The network's own form, for headers, buttons and cards. Beside `variables`: what they become in the template as it was
   * known when the message was accepted.
   */
  readonly components?: readonly JsonObject[];
  readonly marketing_messages?: MarketingMessagesFields;
  /** What the template was when the message was accepted: known of marketing alone, which recipients may refuse. */
  readonly category?: 'marketing';
  /** The type of the free-form message that it replaces outside the 24-hour window. Callers do not set it. */
  readonly instead_of?: string;
}

export interface TemplateContent {
  readonly type: 'template';
  readonly template: TemplateFields;
}

const NO_FAULTS: readonly RuleFault[] = [];
const NAME = /^[a-z][a-z0-9_]*$/;
/** "Text parameters may not contain newline, tab or more than 4 consecutive spaces". */
const BREAKS_A_LINE = /[\n\r\t]| {5}/;

/** Named values are texts under names such as `order_id`; positional ones a list of texts. */
export const goodVariables: ContentRule = (variables) => {
  if (isJsonList(variables)) return variables.flatMap((value, index) => valueFaults(value, `[${index}]`));
  if (!isJsonObject(variables)) return [];
  const faults: RuleFault[] = [];
  for (const [name, value] of Object.entries(variables)) faults.push(...namedFaults(name, value));
  return faults;
};

function namedFaults(name: string, value: JsonValue): readonly RuleFault[] {
  if (NAME.test(name) && name.length <= templateLimits.parameterName) return valueFaults(value, name);
  const message = 'is not a name of a variable: a lower-case letter, then letters, digits and _';
  return [{ at: name.slice(0, templateLimits.parameterName), message }];
}

/** "template: {name, language, variables | components}". */
export const variablesOrComponents: ContentRule = (template) => {
  const { variables, components } = isJsonObject(template) ? template : {};
  if (variables === undefined || components === undefined) return [];
  return [{ at: '', message: 'accepts either variables or components, not both' }];
};

/** Rules between the components: a button says which one it is, the others occur once. */
export const goodComponents: ContentRule = (components) => {
  const list = objectsAt({ components }, 'components');
  const buttons = list.filter(({ item }) => item.type === 'button');
  const once = list.filter(({ item }) => item.type !== 'button');
  return [
    ...buttons.flatMap(({ item, index }) => buttonFaults(item, index)),
    ...repeated(buttons, {
      textOf: ({ item }) => indexText(item.index),
      at: ({ index }) => `[${index}].index`,
      named: 'the index of another button',
    }),
    ...repeated(once, {
      textOf: ({ item }) => item.type,
      at: ({ index }) => `[${index}].type`,
      named: 'the type of another component',
    }),
    ...list.flatMap(({ item, index }) => parameterFaults(item, index)),
  ];
};

function valueFaults(value: JsonValue, at: string): readonly RuleFault[] {
  if (typeof value !== 'string') return [{ at, message: 'must be a string' }];
  if (value === '') return [{ at, message: 'must not be empty' }];
  const tooLong = lengthFaults(value, at, templateLimits.text);
  if (tooLong.length > 0) return tooLong;
  return BREAKS_A_LINE.test(value) ? [lineFault(at)] : NO_FAULTS;
}

function lineFault(at: string): RuleFault {
  return { at, message: 'must not contain a line break, a tab or more than four spaces in a row' };
}

function buttonFaults(button: JsonObject, index: number): readonly RuleFault[] {
  const missing = ['sub_type', 'index'].filter((key) => button[key] === undefined);
  const absent = missing.map((key) => ({ at: `[${index}].${key}`, message: 'is required for a button' }));
  const tooLong = objectsAt(button, 'parameters').flatMap((parameter) => {
    const at = `[${index}].parameters[${parameter.index}]`;
    const limit = button.sub_type === 'url' ? templateLimits.urlSuffix : null;
    return limit === null ? [] : lengthFaults(parameter.item.text, `${at}.text`, limit);
  });
  return [...absent, ...tooLong];
}

function lengthFaults(text: JsonValue | undefined, at: string, limit: number): readonly RuleFault[] {
  // No text has more characters than code units: those of most need not be counted.
  if (typeof text !== 'string' || text.length <= limit) return NO_FAULTS;
  const { length } = [...text];
  return length <= limit ? [] : [{ at, message: `has ${length} characters; it may have at most ${limit}` }];
}

/** The network takes the index of a button as a number and as digits. */
function indexText(index: JsonValue | undefined): string | undefined {
  return index === undefined ? undefined : String(index);
}

function parameterFaults(component: JsonObject, index: number): readonly RuleFault[] {
  return objectsAt(component, 'parameters').flatMap(({ item, index: place }) => {
    const at = `[${index}].parameters[${place}].text`;
    const breaks = typeof item.text === 'string' && BREAKS_A_LINE.test(item.text);
    return breaks ? [lineFault(at)] : [];
  });
}

/** The network's object: values become the parameters of the body, in the form that the template was made with. */
export function templatePayload({ name, language, variables, components }: TemplateFields): JsonObject {
  const list = components ?? (variables === undefined ? undefined : bodyOf(variables));
  return {
    name,
    language: { code: language },
    ...(list === undefined || list.length === 0 ? {} : { components: list }),
  };
}

function bodyOf(variables: TemplateVariables): readonly JsonObject[] {
  const parameters = isPositional(variables)
    ? variables.map((text) => ({ type: 'text', text }))
    : Object.entries(variables).map(([name, text]) => ({ type: 'text', parameter_name: name, text }));
  return parameters.length === 0 ? [] : [{ type: 'body', parameters }];
}

function isPositional(variables: TemplateVariables): variables is readonly string[] {
  return Array.isArray(variables);
}

/** The template with each media of its parameters visited, those of its cards too. */
export function mapTemplateMedia(template: TemplateFields, visit: MediaVisitor): TemplateFields {
  const { components } = template;
  if (components === undefined) return template;
  return { ...template, components: mapComponents(components, visit, 'body.template.components') };
}

function mapComponents(components: readonly JsonObject[], visit: MediaVisitor, path: string): readonly JsonObject[] {
  return components.map((component, index) => {
    const place = `${path}[${index}]`;
    const mapped = mapParameters(component, visit, place);
    const cards = objectsAt(component, 'cards').map(({ item, index: card }) => {
      const inner = objectsAt(item, 'components').map((one) => one.item);
      return { ...item, components: mapComponents(inner, visit, `${place}.cards[${card}].components`) };
    });
    return cards.length === 0 ? mapped : { ...mapped, cards };
  });
}

function mapParameters(component: JsonObject, visit: MediaVisitor, place: string): JsonObject {
  const parameters = objectsAt(component, 'parameters').map(({ item, index }) => {
    const { type } = item;
    if (!isMediaType(type)) return item;
    return { ...item, [type]: visit(objectAt(item, type), type, `${place}.parameters[${index}].${type}`) };
  });
  return parameters.length === 0 ? component : { ...component, parameters };
}
