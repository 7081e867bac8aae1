/** Texts of templates and the variables in them. */
import { refuseWith } from '../graph/call.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { lengthOf } from '../send/payloads/text.ts';

export type Format = 'NAMED' | 'POSITIONAL';

/** Subcodes of code 100 that the network gives for templates. */
export const SUBCODE = {
  tooMany: 2388019,
  exists: 2388024,
  tooLong: 2388040,
  header: 2388047,
  body: 2388072,
  footer: 2388073,
  ratio: 2388293,
  variablePlace: 2388299,
} as const;

const VARIABLE = /\{\{\s*([^{}]*?)\s*\}\}/g;
const NAME = /^[a-z0-9_]{1,64}$/;
const ADJACENT = /\}\}\s*\{\{/;

/** The variables of a text in the order of their first use, each once. */
export function variablesOf(text: string): readonly string[] {
  return [...new Set([...text.matchAll(VARIABLE)].map((found) => found[1] ?? ''))];
}

/** A text of 1 to `max` characters. */
export function requireText(name: string, value: unknown, max: number): string {
  if (typeof value !== 'string' || value === '') return refuseWith(100, `The parameter ${name} is required.`);
  if (lengthOf(value) > max) refuseWith(100, `${name} must be at most ${max} characters long.`, SUBCODE.tooLong);
  return value;
}

/** Texts that are alone on a line are plain: "no new lines, no emoji", and where it says so no formatting either. */
export function requirePlain(name: string, text: string, formatting: 'formatting' | 'no formatting'): void {
  if (/[\r\n]/.test(text)) refuseWith(100, `${name} must be one line.`);
  if (/\p{Emoji_Presentation}|\uFE0F/u.test(text)) refuseWith(100, `${name} cannot have emoji.`);
  if (formatting === 'no formatting' && /[*_~`]/.test(text.replace(VARIABLE, ' '))) {
    refuseWith(100, `${name} cannot have formatting characters.`);
  }
}

/** The variables of a text, after a check that they are written as `format` wants. */
export function requireVariables(name: string, text: string, format: Format): readonly string[] {
  const variables = variablesOf(text);
  for (const [i, variable] of variables.entries()) {
    if (format === 'POSITIONAL' && variable !== String(i + 1)) {
      refuseWith(100, `Variables of ${name} must be {{1}}, {{2}} and so on, in this order.`);
    }
    if (format === 'NAMED' && (!NAME.test(variable) || /^\d+$/.test(variable))) {
      refuseWith(100, `Variables of ${name} must have names of lower-case letters, digits and underscores.`);
    }
  }
  return variables;
}

/** A body needs words around its variables. */
export function requireWordsAround(text: string, variables: readonly string[]): void {
  if (variables.length === 0) return;
  const trimmed = text.trim();
  if (trimmed.startsWith('{{') || trimmed.endsWith('}}') || ADJACENT.test(text)) {
    refuseWith(
      100,
      'Variables cannot be at the start or end of the text, nor next to each other.',
      SUBCODE.variablePlace,
    );
  }
  const words = text.replace(VARIABLE, ' ').match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length < variables.length) {
    refuseWith(100, 'The text has too many variables for its length.', SUBCODE.ratio);
  }
}

/** An example for every variable: "examples are mandatory". `kind` is `header_text` or `body_text`. */
export function requireExamples(
  kind: 'header_text' | 'body_text',
  value: unknown,
  variables: readonly string[],
  format: Format,
): void {
  if (variables.length === 0) return;
  const example = isJsonObject(value) ? value : {};
  const given =
    format === 'NAMED' ? namedExamples(example[`${kind}_named_params`]) : positionalExamples(kind, example[kind]);
  const missing =
    format === 'NAMED'
      ? variables.find((variable) => !given.includes(variable))
      : variables.slice(given.length).find(() => true);
  if (missing !== undefined) refuseWith(100, `The variable {{${missing}}} needs an example in example.${kind}.`);
}

function namedExamples(value: unknown): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list
    .filter((one): one is JsonObject => isJsonObject(one) && isFilled(one.example))
    .map((one) => one.param_name);
}

/** `body_text` is an array of arrays, `header_text` an array. */
function positionalExamples(kind: string, value: unknown): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const first = kind === 'body_text' ? list[0] : list;
  return Array.isArray(first) ? first.filter(isFilled) : [];
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
