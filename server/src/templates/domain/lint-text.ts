import type { JsonObject } from '#core/json';
import type { RuleFault } from '#core/rule-fault';
import { definitionLimits, lengthOf, type ParameterFormat, type TemplateText, textAt } from './definition.ts';
import { samplesOf, variablesIn } from './variables.ts';

const NAME = /^[a-z0-9_]+$/;
const ONLY_DIGITS = /^\d+$/;
const ADJACENT = /\}\}\s*\{\{/;
const LINE_BREAK = /[\r\n]/;
/** Drawn as pictures: not the digits and signs that merely have a picture form. */
const EMOJI = /\p{Emoji_Presentation}|\uFE0F/u;
/** What the network renders as bold, italic, struck or fixed width. */
const MARKUP = /[*_~`]/;

/** A text of 1 to `limit` characters. */
export function lengthFaults(holder: JsonObject, key: string, limit: number): readonly RuleFault[] {
  const value = holder[key];
  if (typeof value !== 'string' || value === '') return [{ at: key, message: 'is required' }];
  const length = lengthOf(value);
  return length <= limit ? [] : [{ at: key, message: `has ${length} characters; it may have at most ${limit}` }];
}

/** "Headers, footers and buttons have no line breaks, emoji or formatting" (its rejections by format say so). */
export function plainFaults(text: string, at: string, options: { readonly markup: boolean }): readonly RuleFault[] {
  return [
    ...(LINE_BREAK.test(text) ? [{ at, message: 'must be one line' }] : []),
    ...(EMOJI.test(text) ? [{ at, message: 'must not contain emoji' }] : []),
    ...(options.markup && MARKUP.test(withoutVariables(text))
      ? [{ at, message: 'must not contain formatting (the characters * _ ~ and `)' }]
      : []),
  ];
}

/** How variables are written: `{{1}}`, `{{2}}` in this order, or names. */
export function writingFaults(text: string, at: string, format: ParameterFormat): readonly RuleFault[] {
  return variablesIn(text).flatMap((variable, index) => {
    if (format === 'positional') {
      if (variable === String(index + 1)) return [];
      const message = `writes {{${variable}}} where {{${index + 1}}} is expected: positional variables count from 1 in their order`;
      return [{ at, message }];
    }
    const good = NAME.test(variable) && !ONLY_DIGITS.test(variable) && variable.length <= definitionLimits.variableName;
    const message = `writes {{${variable}}}, which is no name: lower-case letters, digits and _, not digits alone`;
    return good ? [] : [{ at, message }];
  });
}

/** "no leading, trailing or adjacent variable", and not more variables than words around them. */
export function placeFaults(text: string, at: string): readonly RuleFault[] {
  const variables = variablesIn(text);
  if (variables.length === 0) return [];
  const trimmed = text.trim();
  return [
    ...(trimmed.startsWith('{{') ? [{ at, message: 'must not begin with a variable' }] : []),
    ...(trimmed.endsWith('}}') ? [{ at, message: 'must not end with a variable' }] : []),
    ...(ADJACENT.test(text) ? [{ at, message: 'must have words between its variables' }] : []),
    ...(wordsIn(text) < variables.length ? [{ at, message: 'has too many variables for its length' }] : []),
  ];
}

/** Words that are not variables. */
export function wordsIn(text: string): number {
  return withoutVariables(text).match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}

function withoutVariables(text: string): string {
  return text.replace(/\{\{[^{}]*\}\}/g, ' ');
}

/** "Examples are mandatory for each variable." */
export function sampleFaults(
  component: JsonObject,
  where: 'header' | 'body',
  { parameterFormat }: Pick<TemplateText, 'parameterFormat'>,
): readonly RuleFault[] {
  const samples = samplesOf(component, where, parameterFormat);
  const key = parameterFormat === 'named' ? `${where}_text_named_params` : `${where}_text`;
  return variablesIn(textAt(component, 'text'))
    .filter((variable, index) => !samples.has(parameterFormat === 'named' ? variable : String(index + 1)))
    .map((variable) => ({ at: `example.${key}`, message: `has no sample for the variable {{${variable}}}` }));
}
