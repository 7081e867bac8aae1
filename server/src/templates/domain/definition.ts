import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '#core/json';

/** What a template is billed as, and what it may say. */
export const templateCategories = ['authentication', 'marketing', 'utility'] as const;
export type TemplateCategory = (typeof templateCategories)[number];

/** Whether variables are `{{1}}` or `{{order_id}}`. */
export const parameterFormats = ['positional', 'named'] as const;
export type ParameterFormat = (typeof parameterFormats)[number];

/** What can change about a template: a version of it. */
export interface TemplateText {
  readonly category: TemplateCategory;
  readonly parameterFormat: ParameterFormat;
  /** In the network's own form: `{type: 'BODY', text, example}` and so on; types in upper case. */
  readonly components: readonly JsonObject[];
  /** Seconds for which a message is worth delivering; null: as long as the network likes. */
  readonly messageTtlS: number | null;
}

/** A template as it is handed in. Name and language never change. */
export interface TemplateDefinition extends TemplateText {
  readonly name: string;
  /** `en` or `en_US`. */
  readonly language: string;
}

/** The network's limits, in characters or pieces ("Size limits in one place" and the components' reference). */
export const definitionLimits = {
  name: 512,
  header: 60,
  body: 1024,
  /** Of a card, as in a carousel that needs no template. */
  cardBody: 160,
  cardBreaks: 2,
  footer: 60,
  buttons: 10,
  label: 25,
  url: 2000,
  phone: 20,
  code: 15,
  offer: 16,
  codeMinutes: 90,
  minTtlS: 30,
  maxTtlS: 30 * 24 * 3600,
  minCards: 2,
  maxCards: 10,
  variableName: 64,
} as const;

/** The same component wherever it comes from: the network and its clients write types in either case. */
export function inUpperCase(components: readonly JsonObject[]): readonly JsonObject[] {
  return components.map((component) => {
    const cards = objectsOf(component.cards).map((card) => ({
      ...card,
      ...(isJsonList(card.components) ? { components: inUpperCase(objectsOf(card.components)) } : {}),
    }));
    return {
      ...component,
      ...upper(component, 'type'),
      ...upper(component, 'format'),
      ...(isJsonList(component.cards) ? { cards } : {}),
      ...(isJsonList(component.buttons) ? { buttons: objectsOf(component.buttons).map(buttonInUpperCase) } : {}),
    };
  });
}

function buttonInUpperCase(button: JsonObject): JsonObject {
  return { ...button, ...upper(button, 'type'), ...upper(button, 'otp_type') };
}

function upper(holder: JsonObject, key: string): JsonObject {
  const value = holder[key];
  return typeof value === 'string' ? { [key]: value.toUpperCase() } : {};
}

/** The one component of a type; undefined when there is none. */
export function componentOf(components: readonly JsonObject[], type: string): JsonObject | undefined {
  return components.find((component) => component.type === type);
}

/** The buttons of these components, in their order. */
export function buttonsOf(components: readonly JsonObject[]): readonly JsonObject[] {
  return objectsOf(componentOf(components, 'BUTTONS')?.buttons);
}

/** The cards of these components, in their order. */
export function cardsOf(components: readonly JsonObject[]): readonly JsonObject[] {
  return objectsOf(componentOf(components, 'CAROUSEL')?.cards);
}

/** The objects of a list; an empty one when it is none. */
export function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return isJsonList(value) ? value.filter((item) => isJsonObject(item)) : [];
}

/** A text, or an empty one. */
export function textAt(holder: JsonObject | undefined, key: string): string {
  const value = holder?.[key];
  return typeof value === 'string' ? value : '';
}

/** The first of a list, or the value itself: the network takes samples in both forms. */
export function firstOf(value: JsonValue | undefined): JsonValue | undefined {
  return isJsonList(value) ? value[0] : value;
}

/** "Lengths are in characters": code points, so that nothing is refused that the network might take. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _character of text) length += 1;
  return length;
}

/**
 * Whether two texts say the same, however their members are ordered. Samples of files do not count as a difference:
 * "the handle sent at creation comes back as a CDN URL".
 */
export function sameText(one: TemplateText, other: TemplateText): boolean {
  return (
    one.category === other.category &&
    one.parameterFormat === other.parameterFormat &&
    one.messageTtlS === other.messageTtlS &&
    canonical(one.components) === canonical(other.components)
  );
}

function canonical(value: JsonValue): string {
  return JSON.stringify(value, (key, member: JsonValue) => {
    if (key === 'header_handle' || key === 'media_id') return undefined;
    return isJsonObject(member) ? sorted(member) : member;
  });
}

function sorted(member: JsonObject): JsonObject {
  const entries = Object.entries(member).filter(([, value]) => value !== null);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
