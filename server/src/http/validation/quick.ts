import { _, Ajv, type Code, type CodeKeywordDefinition, type KeywordCxt } from 'ajv';
import type { ContentRule } from '#core/rule-fault';
import { RULES } from '#http/schemas/fields';
import { separateVariants } from './discriminated.ts';
import { baseOptions, knowDependentSchemas } from './options.ts';

/**
 * The same verdicts as those of the validators that name every fault, at a third to a half of their time: it stops at the
 * first fault, reports nothing, and counts the characters of a text only where its length leaves room for doubt. Nearly
 * every message is right, and needs no more.
 */
const quick = new Ajv({ ...baseOptions, coerceTypes: false, allErrors: false, verbose: false });
knowDependentSchemas(quick);
quick.removeKeyword('maxLength').removeKeyword('minLength');
quick.addKeyword(lengthKeyword('maxLength', (text, limit) => _`${text}.length > ${limit}`));
// A character is one or two code units.
quick.addKeyword(lengthKeyword('minLength', (text, limit) => _`${text}.length < ${2 * limit - 1}`));
quick.addKeyword({ keyword: RULES, code: failOnAnyRule });

/** Tells only whether a value is valid; what its schema gives a default to gets it. */
export function compileQuick(schema: object): (data: unknown) => boolean {
  return quick.compile(separateVariants(quick, schema));
}

/** JSON Schema counts characters, which are code points: `mayFail` says of a text, by its code units, whether to count. */
function lengthKeyword(
  keyword: 'maxLength' | 'minLength',
  mayFail: (text: Code, limit: number) => Code,
): CodeKeywordDefinition {
  const isFault = keyword === 'maxLength' ? hasMoreThan : hasFewerThan;
  return {
    keyword,
    type: 'string',
    schemaType: 'number',
    code: (context) => {
      const limit: number = context.schema;
      const fault = context.gen.scopeValue('func', { ref: isFault });
      context.fail(_`${mayFail(context.data, limit)} && ${fault}(${context.data}, ${limit})`);
    },
  };
}

function hasMoreThan(text: string, limit: number): boolean {
  return [...text].length > limit;
}

function hasFewerThan(text: string, limit: number): boolean {
  return [...text].length < limit;
}

/** Calls each rule by itself: Ajv's own way to call a function makes an object of the place for each call. */
function failOnAnyRule(context: KeywordCxt): void {
  const rules: readonly ContentRule[] = context.schema;
  const faulty = rules.map((rule) => _`${context.gen.scopeValue('func', { ref: rule })}(${context.data}).length > 0`);
  context.fail(faulty.reduce((any, one) => _`${any} || ${one}`));
}
