import { Ajv, type Options, type SchemaValidateFunction } from 'ajv';
import { validateSchemaDeps } from 'ajv/dist/vocabularies/applicator/dependencies.js';
import type { FastifySchemaCompiler } from 'fastify';
import type { ContentRule } from '#core/content/rule-fault';
import type { JsonValue } from '#core/json';
import { PATTERN_SENTENCE, RULES, TAGS, VARIANTS } from '../schemas/fields.ts';
import { parseRfc3339 } from './rfc3339.ts';
import { compileSchema, type Validator } from './variants.ts';

const ANY_CASE_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const base: Options = {
  // All faults at once: a caller fixes a request in one go.
  allErrors: true,
  // An unknown field is a 400, never dropped in silence.
  removeAdditional: false,
  useDefaults: true,
  // Faults carry the schema they broke, so that their sentence can name the limit.
  verbose: true,
  allowUnionTypes: true,
  // Of several objects only the one that its tag names is checked, so that its faults alone are named.
  discriminator: true,
  // What a reference names is a function of its own, see separateVariants.
  inlineRefs: false,
  keywords: [PATTERN_SENTENCE, VARIANTS, TAGS],
  formats: {
    uuid: ANY_CASE_UUID,
    'date-time': (text: string) => parseRfc3339(text) !== null,
  },
};

/** For bodies and paths. Each of the two compiles a schema once, however many routes and services of a process ask for it. */
const strict = new Ajv({ ...base, coerceTypes: false });
/** For the query. Ajv makes Infinity of 1e400, and with strictNumbers would then pass over its minimum and maximum. */
const coercing = new Ajv({ ...base, coerceTypes: true, strictNumbers: false });
// The dialect of OpenAPI 3.1 has it; Ajv's own, which is older, calls it dependencies.
strict.addKeyword({
  keyword: 'dependentSchemas',
  type: 'object',
  schemaType: 'object',
  code: (context) => validateSchemaDeps(context),
});

/**
 * Compiles the validators of all routes. Only the query is coerced, because it has no types of its own: the JSON
 * number 42 is not a text, and in a body the caller is told so.
 */
export function validatorCompiler(): FastifySchemaCompiler<object> {
  return ({ schema, httpPart }) =>
    httpPart === 'querystring' ? coercing.compile(schema) : compileSchema(strict, schema);
}

/** The validator of one body, for those that come in a list. */
export function bodyValidator(schema: object): Validator {
  return compileSchema(strict, schema);
}

/** Rules between fields run with the schema, so that their faults come in the same answer. */
const checkRules: SchemaValidateFunction = (rules: readonly ContentRule[], data: JsonValue) => {
  // Nearly every message is right, and each has several of these: without a fault nothing is made.
  if (rules.every((rule) => rule(data).length === 0)) return true;
  const faults = rules.flatMap((rule) => rule(data));
  checkRules.errors = faults.map((fault) => ({ keyword: RULES, message: fault.message, params: { ...fault } }));
  return false;
};
strict.addKeyword({ keyword: RULES, validate: checkRules });
