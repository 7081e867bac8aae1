import { isJsonList, type JsonObject } from '#core/json';
import {
  buttonsOf,
  componentOf,
  firstOf,
  objectsOf,
  type ParameterFormat,
  type TemplateCategory,
  type TemplateText,
  textAt,
} from './definition.ts';

const VARIABLE = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** A value that a send must give. */
export interface TemplateVariable {
  /** Its name, or its number. */
  readonly key: string;
  /** `header`, `body`, or `buttons[1]`. */
  readonly where: string;
  readonly type: 'text' | 'image' | 'video' | 'document' | 'location' | 'code';
  /** The sample that it was handed in with; null when there is none. */
  readonly example: string | null;
}

/** The variables of a text in the order of their first use, each once. */
export function variablesIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(VARIABLE)].map((found) => found[1] ?? ''))];
}

/** The text with each variable replaced; one without a value stays as it is written. */
export function fillIn(text: string, value: (key: string) => string | null): string {
  return text.replace(VARIABLE, (written, key: string) => value(key) ?? written);
}

/** Every value that a send of this text must give, in the order of the template. Cards have separate values. */
export function templateVariables(text: TemplateText): readonly TemplateVariable[] {
  const { components } = text;
  return [
    ...headerVariables(text, componentOf(components, 'HEADER')),
    ...textVariables(text, 'body', componentOf(components, 'BODY')),
    ...buttonsOf(components).flatMap((button, index) => buttonVariables(button, index)),
  ];
}

const FILE_HEADERS = { IMAGE: 'image', VIDEO: 'video', GIF: 'video', DOCUMENT: 'document' } as const;

function headerVariables(text: TemplateText, header: JsonObject | undefined): readonly TemplateVariable[] {
  if (header === undefined) return [];
  const format = textAt(header, 'format');
  if (format === 'TEXT') return textVariables(text, 'header', header);
  if (format === 'LOCATION') return [{ key: 'location', where: 'header', type: 'location', example: null }];
  const type = Object.hasOwn(FILE_HEADERS, format) ? FILE_HEADERS[format as keyof typeof FILE_HEADERS] : null;
  return type === null ? [] : [{ key: type, where: 'header', type, example: null }];
}

function textVariables(
  { category, parameterFormat }: TemplateText,
  where: 'header' | 'body',
  component: JsonObject | undefined,
): readonly TemplateVariable[] {
  const keys = where === 'body' ? bodyKeys(category, component) : variablesIn(textAt(component, 'text'));
  return keys.map((key, index) => ({
    key,
    where,
    type: 'text',
    example: exampleOf({ component, where, parameterFormat, key, index }),
  }));
}

/** "the same code goes in the body parameter and in the button": the text around it is the network's own. */
export function bodyKeys(category: TemplateCategory, body: JsonObject | undefined): readonly string[] {
  return category === 'authentication' && body !== undefined ? ['1'] : variablesIn(textAt(body, 'text'));
}

interface Wanted {
  readonly component: JsonObject | undefined;
  readonly where: 'header' | 'body';
  readonly parameterFormat: ParameterFormat;
  readonly key: string;
  readonly index: number;
}

function exampleOf({ component, where, parameterFormat, key, index }: Wanted): string | null {
  const samples = samplesOf(component, where, parameterFormat);
  const found = parameterFormat === 'named' ? samples.get(key) : [...samples.values()][index];
  return found ?? null;
}

/** Samples by name, or by number from 1. Empty ones are none. */
export function samplesOf(
  component: JsonObject | undefined,
  where: 'header' | 'body',
  format: ParameterFormat,
): ReadonlyMap<string, string> {
  const example = objectsOf([component?.example ?? null])[0] ?? {};
  if (format === 'named') {
    const named = objectsOf(example[`${where}_text_named_params`]);
    return new Map(
      named
        .map((item) => [textAt(item, 'param_name'), textAt(item, 'example')] as const)
        .filter(([, sample]) => sample !== ''),
    );
  }
  // "example.body_text: array of arrays", "example.header_text: array".
  const list = where === 'body' ? firstOf(example.body_text) : example.header_text;
  const samples = isJsonList(list) ? list.filter((item) => typeof item === 'string' && item !== '') : [];
  return new Map(samples.map((sample, index) => [String(index + 1), String(sample)]));
}

function buttonVariables(button: JsonObject, index: number): readonly TemplateVariable[] {
  const where = `buttons[${index}]`;
  const sample = firstOf(button.example);
  const example = typeof sample === 'string' ? sample : null;
  switch (button.type) {
    case 'URL':
      return variablesIn(textAt(button, 'url')).map((key) => ({ key, where, type: 'text', example }));
    case 'COPY_CODE':
      return [{ key: 'code', where, type: 'code', example }];
    default:
      return [];
  }
}
